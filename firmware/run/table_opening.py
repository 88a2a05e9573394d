"""The opening of a table whose limits are known: whether it may, its record, its register."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from pathlib import Path

import click

from firmware.config import Config
from firmware.config.game import Game
from firmware.config.season import day_of
from firmware.keys.folder import read_private
from firmware.keys.rotation import public_keys
from firmware.lib import durable
from firmware.lib.durable import FOR_ALL
from firmware.lib.errors import CONFIGURATION, FAILED, Failure, cause
from firmware.lib.language import Message, translated
from firmware.lib.named_file import begin_named
from firmware.run.orphelins_service import OrphelinsService
from firmware.store import signed_object
from firmware.store.journal import Journal, JournalError
from firmware.store.reader import played
from firmware.store.register import Register, RegisterError
from firmware.store.signed_object import NotSigned
from rules import limits, minimum
from rules.limits import WrongInput
from rules.minimum import Opening

# Art. 37-3: "Durant une même journée, le minimum [...] ne peut être modifié". Play goes on past
# midnight (until 3h30 at the seed's casino, from 20h00): the night belongs to the day it began on.
DAY_BEGINS_H = 6
_DOMAIN = b"cylindre opening"
_LAST_MAX = 16_384  # bytes; of a game some 400


def gaming_day(now: datetime.datetime) -> int:
    """Returns the day that a moment of local time belongs to, as date.toordinal counts."""
    return (now - datetime.timedelta(hours=DAY_BEGINS_H)).toordinal()


def held(openings: Sequence[Opening], played_at: datetime.datetime | None) -> tuple[Opening, ...]:
    """Returns every day that a table had limits on, as far as it matters: the last ones held until
    now.

    A controller that runs from one day into the next opens no table, but plays on.
    """
    if not openings or played_at is None:
        return tuple(openings)
    last = openings[-1]
    return (*openings, last._replace(day=max(last.day, gaming_day(played_at.astimezone()))))


def last_file(keys: Path) -> Path:
    """Returns where the wheel's last opening lies, signed, beside its key: limits bind the wheel,
    whichever journal it writes.
    """
    return keys / "opening"


def open_table(game: Game, config: Config, store: Journal, keys: Path) -> None:
    """Records that the table opens with the configuration's limits; before anything moves.

    Raises Failure where the regulation forbids these limits after those of the openings before, of
    this journal and of any other of the wheel.
    """
    assert config.stakes_minimum_cents is not None
    _want_maxima(game, config)
    try:
        now = minimum.opening(
            game.rules,
            day=gaming_day(datetime.datetime.now()),
            season=config.season,
            minimum_cents=config.stakes_minimum_cents,
            table_minimum_cents=config.stakes_table_minimum_cents,
            maximum_multiples=config.maxima,
            season_from=day_of(config.season_from),
            season_to=day_of(config.season_to),
        )
    except WrongInput as error:
        raise Failure(
            CONFIGURATION, Message("[stakes] {sentence}", sentence=Message(error.sentence))
        ) from error
    past = held(store.openings, store.played_at)
    kept = _read_last(keys)
    last = kept.get(now.rules)
    if last is not None and last not in past:
        past = tuple(sorted((last, *past), key=lambda opened: opened.day))
    refused = minimum.forbidden(game.rules, past, now)
    if refused is not None:
        article, sentence = refused
        raise Failure(
            CONFIGURATION,
            Message("[stakes] {article}: {sentence}.", article=article, sentence=sentence),
        )
    if minimum.is_news(store.openings, now):
        try:
            store.write("opening", minimum.body(now))
        except JournalError as error:
            raise Failure(FAILED, str(error)) from error
    keep = minimum.carried(past, now)
    if keep != last:
        _keep_last(keys, kept | {keep.rules: keep})


def _read_last(keys: Path) -> dict[str, Opening]:
    """Returns the wheel's last opening of each game that it has played. Raises Failure."""
    path = last_file(keys)
    try:
        data = begin_named(path, _LAST_MAX + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Failure(FAILED, Message("{}: {}.", path, Message(cause(error)))) from error
    for public in reversed(public_keys(keys)):
        with contextlib.suppress(NotSigned, KeyError, TypeError, AttributeError):
            said = signed_object.read(data, public, _DOMAIN)
            return {name: minimum.parse(body) for name, body in said.items()}
    text = Message(
        "{path} is no opening that this wheel signed: its limits cannot be known. Keep the file for"
        " inspection, and restore a copy.",
        path=path,
    )
    raise Failure(CONFIGURATION, text)


def _keep_last(keys: Path, openings: dict[str, Opening]) -> None:
    path = last_file(keys)
    said = {name: minimum.body(opened) for name, opened in openings.items()}
    try:
        data = signed_object.sign(read_private(keys), _DOMAIN, said)
        durable.replace(path, data, FOR_ALL)
    except OSError as error:
        text = Message("{}: {}. Free or replace the storage.", path, Message(cause(error)))
        raise Failure(FAILED, text) from error


def _want_maxima(game: Game, config: Config) -> None:
    """Where the rules leave a maximum to the house, the house must have one (seeds 003, s. 1.2:
    "supérieur à la limite de paris maximum, le montant [...] sera automatiquement refusé")."""
    if missing := limits.missing_maxima(game.rules, config.maxima):
        text = Message(
            "[maxima]: {rules} leaves them to the house. Give one, in minima, for {bets}.",
            rules=game.rules["name"],
            bets=", ".join(missing),
        )
        raise Failure(CONFIGURATION, text)


def open_orphelins(path: Path, store: Journal) -> OrphelinsService:
    """Returns who counts the table's orphelins, in the register `path`. Raises Failure."""
    register = Register(path)
    try:
        found = OrphelinsService(
            register, coup=store.restart_state.coup, played=lambda after: played(store.path, after)
        )
    except (RegisterError, JournalError) as error:
        raise Failure(FAILED, str(error)) from error
    except OSError as error:
        raise Failure(
            FAILED,
            Message(
                "{path}: {strerror}. Free or replace the storage.",
                path=path,
                strerror=Message(str(error.strerror)),
            ),
        ) from error
    if register.notice:
        click.echo(translated(register.notice), err=True)
    return found
