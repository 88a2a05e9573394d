"""What a controller plays with: what somebody typed goes before the configuration, and that before
what holds by itself; the wheel is taken as it was measured.

A shell hands in what was typed, unjudged, so that all that decides is covered by the firmware hash
(ADR 20).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from boards.card_tables import is_card_table
from firmware.config.choice import choose_game, read_config, warn_unverified
from firmware.config.game import Game
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_
from firmware.lib.places import JOURNAL, KEYS, PEOPLE, STATE_FOLDER
from firmware.run.calibration import with_calibration
from firmware.run.parts import OpenRecorder, OpenTable, OpenVirtual, RunOptions


class Typed(NamedTuple):
    """What the command line says; None: nothing."""

    board: str | None
    config: Path | None
    port: str | None
    keys: Path | None
    journal: Path | None
    fram: Path | None
    sockets: Path | None
    records: Path | None
    coups: int | None


def choose(
    typed: Typed,
    *,
    virtual: Callable[[Game], OpenVirtual | OpenTable | None],
    recorder: OpenRecorder | None,
    line: Callable[[Any], str | None],
    started_us: int,
) -> RunOptions:
    """Returns what to play with. Raises Failure.

    `virtual` says what opens the wheel of a virtual board, None for a real one; `line` puts a fact
    into words, None for what is not told; `started_us`, of the monotonic clock, is where `t_us`
    counts from.
    """
    config = read_config(typed.config)
    name = typed.board or config.board
    if name is None:
        raise Failure(USAGE, N_("Which board? Give --board; cylindre boards lists them."))
    game = choose_game(name, config)
    opens: Any = virtual(game)
    is_table = is_card_table(game.board)
    warn_unverified(game)
    folder = STATE_FOLDER / name
    journal = typed.journal or _path(config.journal) or folder / JOURNAL
    keys = typed.keys or _path(config.keys)
    is_trial = opens is not None and typed.journal is not None and typed.sockets is None
    if not is_table:
        game, config = with_calibration(game, config, journal=journal, keys=keys or folder / KEYS)
    return RunOptions(
        game=game,
        config=config,
        port=typed.port or config.port,
        journal=journal,
        sockets=typed.sockets or folder,
        keys=keys or folder / KEYS,
        own_keys=keys is None,
        fram=typed.fram or _path(config.fram),
        people=_path(config.people) or journal.with_name(PEOPLE),
        orphelins=_path(config.orphelins),
        elsewhere=is_trial,
        virtual=None if is_table else opens,
        virtual_table=opens if is_table else None,
        coups=typed.coups,
        config_file=typed.config,
        records=typed.records,
        recorder=recorder,
        line=line,
        started_us=started_us,
    )


def _path(name: str | None) -> Path | None:
    return Path(name) if name else None
