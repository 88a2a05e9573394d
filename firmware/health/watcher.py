"""Watches one wheel while it plays, in a process of its own (firmware/run/health_watcher.py).

A line of standard input says that a coup has ended: the journal has it by then. Each line of
standard output is something found, as JSON: the code of a fault or null, its detail, and the body
of a `health` row for the journal or null. Such rows are

    {"coup", "act", "epochs"}                   what a service act has ended (Epoch of facts.py)
    {"coup", "code", "detail", "kind", "stream"}  a notice, and its place in words

`coup`: the last one before.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from firmware.config.game import Game
from firmware.core.health.codes import CODES, UNJUDGED
from firmware.core.health.facts import BALL, MOTOR, POCKET, SECTOR, SIGNATURE, TRACK, UNEVEN, Notice
from firmware.core.health.watch import SERIAL, HealthWatch
from firmware.health import saved
from firmware.health.answer import place_of, why_unjudged
from firmware.health.items import Acted
from firmware.health.journal_coups import JournalCoups
from firmware.health.replay import Ended, GivenNotice, Replay
from firmware.lib.errors import Failure
from firmware.lib.language import N_, Message
from firmware.store import reader
from firmware.store.rows import JournalError

KIND = "health"  # of rows
NICE = 19
SAVED_EACH = 64  # coups: two minutes of play are judged again after a restart
_SINCE = (BALL, TRACK, MOTOR)  # kinds that compare with how it was on a day

Emit = Callable[[str | None, str, dict[str, Any] | None], None]


class Watcher:
    """The watch over one journal, and what it has found that nobody knows yet."""

    def __init__(self, recorded: JournalCoups, journal: Path, emit: Emit) -> None:
        """Goes on from the state that was kept, or from the journal's first row. Raises Failure."""
        self._recorded = recorded
        self._path = saved.state_path(journal)
        self._emit = emit
        self._replay = Replay(recorded, lambda: HealthWatch(recorded.wheel))
        state = saved.load(self._path)
        if state is not None and recorded.restore(state["journal"]):
            self._replay.restore(state["replay"])
        self._known = {_what(row.body) for row in reader.of_kind(journal, KIND)}
        self._remarked: list[tuple[str, str]] = []
        self._remarks_known = len(recorded.acknowledged.get(CODES[UNJUDGED], ()))
        self._unsaved = 0
        self._emitted = (0, 0)  # notices, acts
        self._find()  # what a crash left in the state alone, and not in the journal

    def run(self, wait: Callable[[], bool]) -> None:
        """Judges coup after coup. `wait`: waits for the next one, and returns False to end."""

        def caught_up() -> bool:
            self._remind()
            self._remark()
            if self._unsaved >= SAVED_EACH:
                self._save()
            return wait()

        begun_by = os.getppid()
        for item in self._replay.run(self._recorded.follow(caught_up)):
            self._unsaved += SAVED_EACH if isinstance(item, Acted) else 1
            self._find()
            if os.getppid() != begun_by:  # it was killed
                return

    # --- what is found --------------------------------------------------------------------------
    def _find(self) -> None:
        notices, ended = self._emitted
        for act in self._replay.ended[ended:]:
            self._record(None, "", self._ended(act))
        for given in self._replay.notices[notices:]:
            self._record(CODES[given.notice.kind], self._detail(given.notice), self._given(given))
        self._emitted = (len(self._replay.notices), len(self._replay.ended))

    def _record(self, code: str | None, detail: str, body: dict[str, Any]) -> None:
        """Emits what the journal does not have yet."""
        if _what(body) not in self._known:
            self._emit(code, detail, body)

    def _remind(self) -> None:
        """Emits again, once, what stood at the start, and nobody has acknowledged."""
        standing = self._replay.watch.streams_told()
        for given in self._replay.notices:
            code, body = CODES[given.notice.kind], self._given(given)
            stands = given.notice.stream in standing and _what(body) in self._known
            if stands and self._recorded.knows(code, given.line) is None:
                self._emit(code, body["detail"], None)
        self._known = set()

    def _remark(self) -> None:
        known = len(self._recorded.acknowledged.get(CODES[UNJUDGED], ()))
        found = why_unjudged(self._recorded, self._replay)
        if known > self._remarks_known:  # what is over is told again when it comes again
            standing = [*map(_of_which, found)]
            self._remarked = [each for each in self._remarked if each in standing]
            self._remarks_known = known
        for why in found:
            if _of_which(why) not in self._remarked:
                self._remarked.append(_of_which(why))
                self._emit(CODES[UNJUDGED], str(why), None)

    def _ended(self, act: Ended) -> dict[str, Any]:
        coup = self._recorded.coup_at(act.line)
        return {"coup": coup, "act": act.act, "epochs": [each._asdict() for each in act.epochs]}

    def _given(self, given: GivenNotice) -> dict[str, Any]:
        kind, _, stream = given.notice
        coup, detail = self._recorded.coup_at(given.line), self._detail(given.notice)
        return {"coup": coup, "code": CODES[kind], "detail": detail, "kind": kind, "stream": stream}

    def _detail(self, notice: Notice) -> str:
        if notice.kind in _SINCE:
            return self._since(notice.stream)
        if notice.kind == SIGNATURE:
            return ""
        if notice.kind == UNEVEN:
            return N_("one number leads to another") if notice.stream == SERIAL else N_("all round")
        place = place_of(notice.kind, notice.place, self._recorded.numbers)
        if notice.kind in (POCKET, SECTOR):
            return str(Message("too often near {}", place))
        return str(place)

    def _since(self, stream: str) -> str:
        """Returns the day on which that stream began anew last, or the journal."""
        begun_s = 0.0
        for act in self._replay.ended:
            if stream in [each.stream for each in act.epochs]:
                begun_s = act.t_s
        return datetime.fromtimestamp(self._recorded.began_s + begun_s, UTC).date().isoformat()

    def _save(self) -> None:
        state = {"journal": self._recorded.save(), "replay": self._replay.save()}
        with contextlib.suppress(OSError):  # it is a cache
            saved.save(self._path, state)
        self._unsaved = 0


def _what(body: dict[str, Any]) -> tuple[Any, ...]:
    """Returns which notice or act a row is of."""
    return tuple(body.get(key) for key in ("coup", "act", "code", "kind", "stream"))


def _of_which(why: Message) -> tuple[str, str]:
    """Returns what a remark is about, whatever coup or share it gives."""
    return why.template, str(why.values.get("way"))


def watch(given: dict[str, Any], came: TextIO, out: TextIO) -> None:
    """Watches until `came` ends. `given`: journal, geometry, layout, coups_a_year, croupiers."""

    def emit(code: str | None, detail: str, body: dict[str, Any] | None) -> None:
        out.write(json.dumps([code, detail, body]) + "\n")
        out.flush()

    def wait() -> bool:
        return bool(came.readline())

    journal = Path(given["journal"])
    game = Game({"geometry": given["geometry"]}, {"layout": given["layout"]})
    said = ""
    while True:
        try:
            recorded = JournalCoups(
                journal, game, coups_a_year=given["coups_a_year"], croupiers=given["croupiers"]
            )
            return Watcher(recorded, journal, emit).run(wait)
        except (Failure, JournalError, OSError) as error:
            if str(error) != said:
                said = str(error)
                emit(CODES[UNJUDGED], said.rstrip("."), None)
        if not wait():
            return None


def main() -> None:
    """Watches what the one argument says, JSON, at the lowest priority."""
    for number in (signal.SIGINT, signal.SIGTERM):  # of a terminal, of systemd: the wheel ends us
        signal.signal(number, signal.SIG_IGN)
    os.setpriority(os.PRIO_PROCESS, 0, NICE)
    watch(json.loads(sys.argv[1]), sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
