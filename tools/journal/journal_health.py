"""`cylindre health`: finds what is to be judged, a journal or a file of coups, and judges it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from firmware.config import Config
from firmware.config.choice import check_wheel, read_config
from firmware.config.game import Game
from firmware.config.this_wheel import board_name, config_file, files_of, game_with, meant
from firmware.core.health.budget import YEAR_COUPS
from firmware.health import saved
from firmware.health.charts import Charts
from firmware.health.coup_file import CoupFile
from firmware.health.journal_coups import JournalCoups
from firmware.health.replay import Replay
from firmware.health.report import Report
from firmware.keys import folder as key_folder
from firmware.keys import rotation
from firmware.lib import places
from firmware.lib.errors import USAGE, Failure, of_file
from firmware.lib.language import Message
from firmware.lib.named_file import open_file
from firmware.store.database import MAGIC, last_point, reading
from firmware.store.rows import JournalError
from firmware.store.startup_check import Keys
from firmware.store.verify import first_bad

Progress = Callable[[int, int], None]  # takes how much is done, and of how much


class Source(NamedTuple):
    """What is to be judged."""

    path: Path
    is_journal: bool
    game: Game | None = None  # as its configuration has it
    coups_a_year: int = YEAR_COUPS  # as that has it, too
    croupiers: bool = False  # likewise
    keys: Path | None = None  # that vouch for it; None: its own first key


def find(file: Path | None) -> Source:
    """Returns what a person means; without `file` the journal of the wheel that is meant.

    Raises Failure.
    """
    if file is None:
        sockets = meant(option="FILE")
        config = read_config(config_file(None, sockets))
        files = files_of(None, config, sockets)
        game = check_wheel(game_with(None, config, sockets))
        return _with(config, Source(files.journal, True, game, keys=files.keys))
    try:
        with open_file(file, follow=True) as opened:
            is_journal = opened.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise of_file(file, error, USAGE) from error
    if not is_journal:
        return Source(file, False)
    keys = file.parent / places.KEYS
    own_keys = keys if os.path.exists(key_folder.public_file(keys)) else None
    return _beside(file)._replace(keys=own_keys)


def recorded_in(journal: Path) -> JournalCoups:
    """Returns what a journal holds, with what the wheel has left beside it. Raises Failure."""
    given = _beside(journal)
    return JournalCoups(journal, given.game, coups_a_year=given.coups_a_year)


def _beside(journal: Path) -> Source:
    folder = journal.parent
    found = Source(journal, True)
    try:
        config = read_config(config_file(None, folder))
        name = board_name(None, config, folder)
        if name is None:
            return found
        game = check_wheel(game_with(name, config, folder))
        return _with(config, found._replace(game=game))
    except Failure:  # of another machine: the journal's own rules do
        return found


def _with(config: Config, source: Source) -> Source:
    return source._replace(
        coups_a_year=config.health_coups_a_year, croupiers=config.health_croupiers
    )


def why_not_intact(source: Source, progress: Progress) -> Message | None:
    """Returns what is wrong with a journal, a clause; None: it is intact.

    `progress` is called now and then. Raises Failure.
    """
    try:
        with reading(source.path, any_schema=True) as connection:
            rows = last_point(connection).n
            if source.keys is not None:
                root = key_folder.read_root(source.keys)
                rotations = rotation.read_chain(source.keys)
            else:
                root, rotations = Keys(source.path, connection).first.next_key, ()
        bad = first_bad(
            source.path, root, None, rotations, progress=lambda read: progress(read, rows)
        )
    except JournalError as error:
        raise Failure(USAGE, str(error)) from error
    if bad is None:
        return None
    return Message("the journal is not intact: {}", Message(bad.sentence.rstrip(".")))


def recorded(source: Source, until: int | None) -> JournalCoups | CoupFile:
    """Returns what it holds. `until`: a coup of a journal, a line of a file. Raises Failure."""
    if source.is_journal:
        return _journal(source, until)
    return CoupFile(source.path, until=until)


def _journal(source: Source, until: int | None) -> JournalCoups:
    return JournalCoups(
        source.path,
        source.game,
        coups_a_year=source.coups_a_year,
        croupiers=source.croupiers,
        until=until,
    )


def since_s(given: JournalCoups | CoupFile, since: str | None) -> float:
    """Returns the seconds that a person means: a day of a journal, or seconds of a file.

    Raises Failure.
    """
    if since is None:
        return 0.0
    try:
        if not isinstance(given, JournalCoups):
            found = float(since)
            if not isfinite(found):
                raise ValueError
            return found
        day = datetime.fromisoformat(since).replace(tzinfo=UTC)
        return day.timestamp() - given.began_s
    except ValueError:
        text = Message("--since {}: give a day as 2026-03-12, of a file of coups seconds.", since)
        raise Failure(USAGE, text) from None


class Judged(NamedTuple):
    """A replay that has ended: what people read of it, and what the page draws."""

    recorded: JournalCoups | CoupFile
    replay: Replay
    report: Report
    charts: Charts


def replayed(given: JournalCoups | CoupFile, progress: Progress) -> Judged:
    """Judges it from its beginning on. `progress` is called after each line. Raises Failure."""
    replay = _new_replay(given)
    for _ in replay.run():
        progress(given.done, given.size)
    return _judged(given, replay, verified=isinstance(given, JournalCoups))


def kept(source: Source) -> Judged | None:
    """Goes on from what the watch beside the wheel keeps of a journal.

    None if it keeps nothing, or rows since then do not hold on to each other: then the whole tells.
    """
    found = saved.load(saved.state_path(source.path)) if source.is_journal else None
    if found is None:
        return None
    given = _journal(source, None)
    if not given.restore(found["journal"]):
        return None
    replay = _new_replay(given)
    replay.restore(found["replay"])
    try:
        for _ in replay.run(given.follow(lambda: False)):
            pass
    except Failure:
        return None
    return _judged(given, replay, verified=False)


def _new_replay(given: JournalCoups | CoupFile) -> Replay:
    from tools.health.new_watch import new_watch  # not where a journal is but exported

    return Replay(given, lambda: new_watch(given.wheel))


def _judged(given: JournalCoups | CoupFile, replay: Replay, *, verified: bool) -> Judged:
    report = Report(given, replay, verified=verified)
    return Judged(given, replay, report, Charts(given, replay))
