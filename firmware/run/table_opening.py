"""The opening of a table whose limits are known: whether it may, its record, its register."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from pathlib import Path

import click

from firmware.config import Config, table_limits
from firmware.config.game import Game
from firmware.config.season import gaming_day
from firmware.core.house import DIRECTOR
from firmware.keys.folder import read_private
from firmware.keys.rotation import public_keys
from firmware.lib import durable
from firmware.lib.durable import FOR_ALL
from firmware.lib.errors import CONFIGURATION, FAILED, Failure, cause, of_file
from firmware.lib.language import Message, translated
from firmware.lib.named_file import begin_named
from firmware.run.orphelins_service import OrphelinsService
from firmware.store import acts, reader, signed_object
from firmware.store.fram import Head
from firmware.store.fram_kept import KEPT_MAX
from firmware.store.journal import Journal, JournalError
from firmware.store.reader import played
from firmware.store.register import Register, RegisterError
from firmware.store.signed_object import NotSigned
from rules import limits, minimum
from rules.limits import WrongInput
from rules.minimum import Opening

_DOMAIN = b"cylindre opening"
_LAST_MAX = KEPT_MAX  # bytes; of a game some 400


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
    this journal and of any other of the wheel; or where they are others, and no director signed.
    """
    _want_maxima(game, config)
    try:
        now = table_limits.opening(game.rules, config, gaming_day(datetime.datetime.now()))
    except WrongInput as error:
        raise Failure(
            CONFIGURATION, Message("[stakes] {sentence}", sentence=Message(error.sentence))
        ) from error
    past = held(store.openings, store.played_at)
    copies = _read_chip(keys, store.head), _read_last(keys)
    kept = _latest(*copies)
    last = kept.get(now.rules)
    for copy in copies:
        opened = copy.get(now.rules)
        if opened is not None and opened not in past:
            past = tuple(sorted((opened, *past), key=lambda opened: opened.day))
    refused = minimum.forbidden(game.rules, past, now)
    if refused is not None:
        article, sentence = refused
        raise Failure(
            CONFIGURATION,
            Message("[stakes] {article}: {sentence}.", article=article, sentence=sentence),
        )
    keep = minimum.carried(past, now)
    signed: dict[str, str] = {}
    is_first = not past and not kept  # of the wheel, which may have no people yet
    if not (is_first or _is_last(last, past, keep) or minimum.is_way_back(store.openings, now)):
        signed = {DIRECTOR: _director(store, keys, game, now)}
    if minimum.is_news(store.openings, now):
        try:
            store.write("opening", minimum.body(now) | signed)
        except JournalError as error:
            raise Failure(FAILED, str(error)) from error
    kept |= {keep.rules: keep}
    if copies != ({} if store.head is None else kept, kept):
        _keep_last(keys, store.head, kept)


def _is_last(last: Opening | None, past: Sequence[Opening], now: Opening) -> bool:
    """Returns whether the last opening of that game had the limits of `now`.

    `last`: as the wheel keeps it; None where it does not, and only the journal says.
    """
    if last is None:
        before = [opened for opened in past if opened.rules == now.rules]
        last = minimum.carried(tuple(before[:-1]), before[-1]) if before else None
    return last is not None and minimum.limits_of(last) == minimum.limits_of(now)


def _director(store: Journal, keys: Path, game: Game, now: Opening) -> str:
    """Returns the director who signed the limits of `now`, as the journal has it.

    Art. 37-3: "le directeur responsable a la possibilité d'augmenter [...] le minimum des mises".
    Raises Failure where none did.
    """
    wanted = (table_limits.ACT, DIRECTOR, table_limits.digest(now))
    try:
        after = _last_other(store, now)
        for act in acts.last(store.path):
            # What he signed before limits that came since was opened with, or given up.
            named = (act.what, act.role, act.sha256) == wanted and act.n > after
            if named and acts.vouched(store.path, act, public_keys(keys)):
                return act.who
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    text = Message(
        "[stakes] {law}these limits are not those of the last opening, and no director has signed"
        " them. Start with those, or without [stakes] and [maxima], then cylindre config apply FILE"
        " --director NAME.",
        law=table_limits.law(game.rules),
    )
    raise Failure(CONFIGURATION, text)


def _last_other(store: Journal, now: Opening) -> int:
    """Returns the row of the last opening of that game with other limits; 0 for none. Raises
    JournalError.
    """
    for row in reader.of_kind(store.path, "opening"):
        opened = minimum.parse(row.body)
        if opened.rules == now.rules and minimum.limits_of(opened) != minimum.limits_of(now):
            return row.n
    return 0


def _read_last(keys: Path) -> dict[str, Opening]:
    """Returns the wheel's last opening of each game that it has played. Raises Failure."""
    path = last_file(keys)
    try:
        data = begin_named(path, _LAST_MAX + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise of_file(path, error) from error
    found = _signed(keys, data)
    if found is not None:
        return found
    text = Message(
        "{path} is no opening that this wheel signed: its limits cannot be known. Keep the file for"
        " inspection, and restore a copy.",
        path=path,
    )
    raise Failure(CONFIGURATION, text)


def _read_chip(keys: Path, head: Head | None) -> dict[str, Opening]:
    """Returns the wheel's last openings as its FRAM keeps them; none of another wheel's, whose chip
    was adopted. Raises Failure.
    """
    try:
        data = None if head is None else head.kept()
    except OSError as error:
        raise _chip_fails(error) from error
    return {} if data is None else _signed(keys, data) or {}


def _chip_fails(error: OSError) -> Failure:
    why = Message(cause(error))
    return Failure(
        FAILED, Message("The FRAM does not keep the limits: {why}. Check it and its bus.", why=why)
    )


def _signed(keys: Path, data: bytes) -> dict[str, Opening] | None:
    """Returns the openings of each game that the wheel signed; None for anything else."""
    for public in reversed(public_keys(keys)):
        with contextlib.suppress(NotSigned, KeyError, TypeError, AttributeError):
            said = signed_object.read(data, public, _DOMAIN)
            return {name: minimum.parse(body) for name, body in said.items()}
    return None


def _latest(chip: dict[str, Opening], file: dict[str, Opening]) -> dict[str, Opening]:
    """Returns the later of two copies, game by game. Of one day the chip counts: it is written
    first, and not put back as easily as a file.
    """
    found = file | chip
    for name in file.keys() & chip.keys():
        if file[name].day > chip[name].day:
            found[name] = file[name]
    return found


def _keep_last(keys: Path, head: Head | None, openings: dict[str, Opening]) -> None:
    """Keeps them in the FRAM, then in the file beside the wheel's key. Raises Failure."""
    said = {name: minimum.body(opened) for name, opened in openings.items()}
    data = signed_object.sign(read_private(keys), _DOMAIN, said)
    try:
        if head is not None:
            head.keep(data)
    except OSError as error:
        raise _chip_fails(error) from error
    path = last_file(keys)
    try:
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
                "{path}: {why}. Free or replace the storage.",
                path=path,
                why=cause(error),
            ),
        ) from error
    if register.notice:
        click.echo(translated(register.notice), err=True)
    return found
