"""Plays a recorded coup through today's core: what does it decide otherwise?"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from firmware.config import Config, ConfigError
from firmware.config.game import Game, choose
from firmware.core import facts
from firmware.core.controller import Controller
from firmware.core.coup.restart_state import LastOutcome, RestartState
from firmware.core.feed import TICKS_MAX
from firmware.core.house import House
from firmware.lib.language import Message
from firmware.services.recorder import files
from firmware.store import signing, source_hash
from firmware.store.recorded_coup import ASKED, DOUBT, DURABLE, FACT, Coup
from firmware.text.event_text import words_of

# The call may come so much elsewhere: what was learned is recorded in whole numbers, and a poll of
# the real loop comes every 10 ms.
TOLERANCE_US = 20_000
# What the rotor says is looked at every fourth step, counted from where the recording begins; a
# rotor that sets out takes some 150 ms for four.
SETTING_OUT_US = 200_000
_SETTING_OUT = ("coup_started", "rotor_moving")

SAME, DIFFERS, MISSING, NEW = "same", "differs", "missing", "new"


class Compared(NamedTuple):
    """One event then and now: fact lines as dictionaries, None where there is none."""

    verdict: str
    then: dict[str, Any] | None
    today: dict[str, Any] | None


def compare(coup: Coup, game: Game, house: dict[str, Any]) -> list[Compared]:
    """Returns every event of the coup, in order. `house`: as it was."""
    then = [note.value | {"t_us": note.at_us} for note in coup.notes if note.kind == FACT]
    today = [dict(pairs) for fact in _decided(coup, game, house) if (pairs := _line(fact))]
    found: list[Compared] = []
    matcher = difflib.SequenceMatcher(None, [_key(fact) for fact in then], [*map(_key, today)])
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            found += [_pair(old, new) for old, new in zip(then[a:b], today[c:d], strict=True)]
        else:
            found += [Compared(MISSING, old, None) for old in then[a:b]]
            found += [Compared(NEW, None, new) for new in today[c:d]]
    return found


class UnknownGame(Exception):
    """The recording's board or rules are not here: a sentence."""


def reopen(path: Path, head: dict[str, Any]) -> tuple[Coup, Game]:
    """Returns the coup in a folder, and the game that it was.

    Raises RecordingError, UnknownGame.
    """
    try:
        config = Config(**head["config"])
        _restart_state(head["memory"])
        House(**head["house"])
    except (KeyError, TypeError) as error:
        raise UnknownGame(
            Message(
                "{path}: recorded by a version whose configuration or memory is another"
                " ({error}); replay it with that one.",
                path=path,
                error=Message(str(error)),
            )
        ) from error
    try:
        game = choose(head["board"], config)
    except KeyError as error:
        raise UnknownGame(
            Message(
                "{path}: there is no board or rule {error} here; replay it with the version"
                " that recorded it.",
                path=path,
                error=Message(str(error)),
            )
        ) from error
    except ConfigError as error:
        raise UnknownGame(Message("{}: {}", path, Message(error.sentences[0]))) from error
    game = game._replace(board=_measured(path, game.board, head.get("pocket_mdeg")))
    return files.load(path, head, game.board), game


def _measured(path: Path, board: dict[str, Any], pocket_mdeg: Any) -> dict[str, Any]:
    """Returns the board with its ring sensors where the calibration of then had found them."""
    if pocket_mdeg is None:
        return board
    geometry = board["geometry"]
    of_it = isinstance(pocket_mdeg, list) and len(pocket_mdeg) == len(
        geometry.get("pocket_deg", ())
    )
    if not of_it or not all(type(mdeg) is int for mdeg in pocket_mdeg):
        raise UnknownGame(
            Message(
                "{path}: recorded with other ring sensors than {name} has here; replay it"
                " with the version that recorded it.",
                path=path,
                name=board["name"],
            )
        )
    return {**board, "geometry": {**geometry, "pocket_mdeg": tuple(pocket_mdeg)}}


def changes(head: dict[str, Any], game: Game) -> list[str]:
    """Returns what is not as it was, a sentence each."""
    found: list[str] = []
    if head["firmware_hash"] != source_hash.firmware_hash().hex():
        found.append(Message("The firmware is another than that which recorded it."))
    if head["rules_hash"] != signing.rules_hash(game.rules).hex():
        found.append(Message("The rules or the layout are others than then."))
    if not head["rested"]:
        found.append(Message("The rotor had not rested before: what came of that may differ."))
    if head["cut"]:
        found.append(Message("The recording was cut: it had grown too long."))
    return found


def _line(fact: Any) -> Any:
    return facts.fact_line(fact)


def _key(fact: dict[str, Any]) -> tuple[Any, ...]:
    return fact["event"], fact.get("code")


def _pair(then: dict[str, Any], today: dict[str, Any]) -> Compared:
    most_us = SETTING_OUT_US if then["event"] in _SETTING_OUT else TOLERANCE_US
    near = abs(then["t_us"] - today["t_us"]) <= most_us
    alike = all(
        then.get(key) == value for key, value in today.items() if key not in ("t_us", "text")
    )
    return Compared(SAME if near and alike else DIFFERS, then, today)


def _decided(coup: Coup, game: Game, house: dict[str, Any]) -> Iterator[Any]:
    """Returns the facts of today's core."""
    core = Controller(
        game.board,
        game.rules,
        restart_state=_restart_state(coup.restart_state),
        house=House(**house),
    )
    for line, level in enumerate(coup.levels):
        core.preset(line, level)
    yield from _Feeding(core, coup).facts()


def _restart_state(told: dict[str, Any]) -> RestartState:
    """As it was before JSON made lists of it. Raises KeyError, TypeError of another version's."""
    state = dict(told)
    state["last"] = LastOutcome(*state["last"]) if state["last"] is not None else None
    state["corrections"] = tuple(tuple(pair) for pair in state["corrections"])
    return RestartState(**state)


class _Feeding:
    """The recording as a core's events; a record is durable when it was then, or at once."""

    def __init__(self, core: Controller, coup: Coup) -> None:
        self._core = core
        self._coup = coup
        self._durable: dict[str, list[int]] = {}  # when the records of each kind were
        for note in coup.notes:
            if note.kind == DURABLE:
                self._durable.setdefault(note.value, []).append(note.at_us)
        self._waiting: list[tuple[int, int]] = []  # when, ticket
        self._at_us = 0

    def facts(self) -> Iterator[Any]:
        """Returns all of them, as they are decided."""
        yield from self._take(self._core.begin_play(0))
        for at_us, event in self._events():
            yield from self._until(at_us)
            self._at_us = at_us
            if type(event) is tuple:
                yield from self._take(self._core.edge(at_us, *event))
            else:
                yield from self._take(self._core.handle(event))
        yield from self._until(self._coup.end_us + TOLERANCE_US)

    def _events(self) -> list[tuple[int, Any]]:
        events: list[tuple[int, Any]] = [
            (at, (line, level)) for at, line, level in self._coup.edges
        ]
        for at_us, kind, value in self._coup.notes:
            if kind == DOUBT:
                events.append((at_us, (value, facts.DOUBT)))
            elif kind == ASKED:
                fields = {key: part for key, part in value.items() if key != "event"}
                events.append((at_us, getattr(facts, value["event"])(**fields | {"at_us": at_us})))
        return sorted(events, key=lambda event: event[0])

    def _until(self, at_us: int) -> Iterator[Any]:
        """Ticks and records that are due by then."""
        again = 0
        while True:
            tick_us = self._core.timers.due_us
            due = [
                when for when in (tick_us, *[when for when, _ in self._waiting]) if when is not None
            ]
            if not due or min(due) > at_us:
                return
            now_us = max(min(due), self._at_us)
            again = again + 1 if now_us == self._at_us else 0
            assert again < TICKS_MAX * 4, "a tick that changes nothing would come for ever"
            self._at_us = now_us
            durable = [ticket for when, ticket in self._waiting if when <= now_us]
            if durable:
                self._waiting = [item for item in self._waiting if item[1] != durable[0]]
                yield from self._take(self._core.handle(facts.Recorded(now_us, durable[0])))
            else:
                yield from self._take(self._core.handle(facts.Tick(now_us)))

    def _take(self, answers: Any) -> Iterator[Any]:
        for answer in answers:
            if type(answer) is facts.Record:
                times = self._durable.get(answer.kind)
                when_us = times.pop(0) if times else 0
                self._waiting.append((max(when_us, self._at_us), answer.ticket))
            else:
                yield answer


def comparison_lines(
    path: Path, coup: Coup, found: list[Compared], changes: list[str]
) -> Iterator[str]:
    """Returns a heading, what has changed since, and a line an event; two where it differs."""
    yield Message("{name}: coup {number}", name=path.name, number=coup.number)
    for sentence in changes:
        yield f"  {sentence}"
    for compared in found:
        if compared.verdict == DIFFERS:
            yield Message("  then    {words}", words=_words(compared.then))
            yield Message("  today   {words}", words=_words(compared.today))
        elif compared.verdict == MISSING:
            yield Message("  missing {words}", words=_words(compared.then))
        elif compared.verdict == NEW:
            yield Message("  new     {words}", words=_words(compared.today))
        else:
            yield Message("  same    {words}", words=_words(compared.then))


def comparison_json(path: Path, coup: Coup, compared: Compared) -> dict[str, Any]:
    """Returns one event as an object: verdict, and the event then and today, or null."""
    return {
        "record": path.name,
        "coup": coup.number,
        "verdict": compared.verdict,
        "then": compared.then,
        "today": compared.today,
    }


def _words(fact: dict[str, Any] | None) -> str:
    return "" if fact is None else words_of(fact)
