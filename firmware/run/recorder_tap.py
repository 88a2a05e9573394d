"""Listens between loop and core, and makes a recording of each coup. Touches no file.

It costs the loop one call and one tuple an edge, and memory with a limit; what it passes on it does
not change. One thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from firmware.config import Config
from firmware.core.facts import (
    DOUBT as DOUBTED,
)
from firmware.core.facts import (
    CoupStarted,
    Drive,
    EntryAsked,
    Record,
    Recorded,
    Result,
    Tick,
    Void,
    fact_line,
)
from firmware.core.sense.lost_edges import REST_US
from firmware.loop import Core
from firmware.store.recorded_coup import (
    ASKED,
    BUS_IN,
    BUS_OUT,
    DOUBT,
    DRIVE,
    DURABLE,
    FACT,
    Coup,
    Note,
)

# A coup of the longest kind, bets open for five minutes at 50 edges a second, has 20 000.
EDGES_MAX = 100_000
# Facts and records are some thirty a coup; the bus says something every 2 ms at most.
NOTES_MAX = 50_000
BUS_BYTES_MAX = 1_000_000  # ninety seconds of a full line at 115200 baud
LEAD_US = 15_000_000  # before the coup: a rotor that reverses has rested in it
CALM_US = 1_000_000  # so long at most before what ended the rest
LEAD_EDGES_MAX = 5_000  # kept while no coup is open; LEAD_US of them at 2 turns a second


class Tap:
    """The loop's `Core`, and in truth another's."""

    def __init__(
        self,
        core: Any,
        board: dict[str, Any],
        levels: Sequence[int],
        keep: Callable[[Coup], None],
    ) -> None:
        """`levels`: of the lines before the first edge. `keep` takes each coup and never waits."""
        self._core = core
        self._keep = keep
        from firmware.text.trace import line_names  # here: who records nothing needs no VCD

        names = line_names(board)
        self._encoder = frozenset(
            line for line, name in enumerate(names) if name in ("enc_a", "enc_b")
        )
        self._levels = [*levels, *[0] * (len(names) - len(levels))]
        self._edges: list[tuple[int, int, int]] = []
        self._notes: list[Note] = []
        self._tickets: dict[int, str] = {}
        self._restart_state: dict[str, Any] = core.restart_state()._asdict()
        self._start_us = 0
        self._open: int | None = None
        self._rested = False
        self._cut = False
        self._bus_bytes = 0
        self._at_us = 0
        self.speed_uturn_s = core.speed_uturn_s
        self.timers = core.timers

    @property
    def held(self) -> int:
        """Returns how many edges and notes it keeps in memory now."""
        return len(self._edges) + len(self._notes)

    # --- the loop's side ------------------------------------------------------------------------
    def begin_play(self, at_us: int) -> Sequence[Any]:
        """Returns the core's own."""
        self._at_us = self._start_us = at_us
        answers: Sequence[Any] = self._core.begin_play(at_us)
        self._restart_state = self._core.restart_state()._asdict()
        self._hear(at_us, answers)
        return answers

    def edge(self, at_us: int, line: int, level: int) -> Sequence[Any]:
        """Returns the core's own."""
        self._at_us = at_us
        if level == DOUBTED:
            self._note(at_us, DOUBT, line)
        elif len(self._edges) < EDGES_MAX:
            self._edges.append((at_us, line, level))
        else:
            self._cut = True
        answers: Sequence[Any] = self._core.edge(at_us, line, level)
        if answers:
            self._hear(at_us, answers)
        elif self._open is None and len(self._edges) > 2 * LEAD_EDGES_MAX:
            self._forget(self._edges[LEAD_EDGES_MAX][0])
        return answers

    def handle(self, event: Any) -> Sequence[Any]:
        """Returns the core's own."""
        kind, at_us = type(event), event.at_us
        self._at_us = at_us
        if kind is Recorded:
            self._note(at_us, DURABLE, self._tickets.pop(event.ticket, ""))
        elif kind not in (Tick, EntryAsked):  # of money nothing is recorded but in the journal
            self._note(at_us, ASKED, {"event": kind.__name__} | event._asdict())
        answers: Sequence[Any] = self._core.handle(event)
        self._hear(at_us, answers)
        return answers

    def finish(self, at_us: int) -> Sequence[Any]:
        """Returns the core's own."""
        answers: Sequence[Any] = self._core.finish(at_us)
        self._hear(at_us, answers)
        return answers

    # --- the bus's side -------------------------------------------------------------------------
    def bus(self, kind: str, data: bytes) -> None:
        """Takes bytes of the bus, BUS_IN or BUS_OUT, at about the time of the last event."""
        self._bus_bytes += len(data)
        if self._bus_bytes <= BUS_BYTES_MAX:
            self._note(self._at_us, kind, data.hex())
        else:
            self._cut = self._cut or self._open is not None

    # --- what becomes of it ---------------------------------------------------------------------
    def _note(self, at_us: int, kind: str, value: Any) -> None:
        if len(self._notes) < NOTES_MAX:
            self._notes.append(Note(at_us, kind, value))
        elif self._open is None:
            self._forget(at_us - LEAD_US)
        else:
            self._cut = True

    def _hear(self, at_us: int, answers: Sequence[Any]) -> None:
        """Answers of the core, in their order."""
        for answer in answers:
            kind = type(answer)
            if kind is Record:
                self._tickets[answer.ticket] = answer.kind
            elif kind is Drive:
                self._note(at_us, DRIVE, answer.direction)
            elif (pairs := fact_line(answer)) is not None:
                if kind is CoupStarted:
                    self._begin_coup(answer.coup, answer.at_us)
                self._note(answer.at_us, FACT, dict(pairs[1:]))  # t_us is the note's
                if kind in (Result, Void):
                    self._end_coup(answer.at_us)

    def _begin_coup(self, number: int, at_us: int) -> None:
        rest = self._longest_rest(at_us)
        self._rested = rest is not None
        self._forget(at_us - LEAD_US if rest is None else rest)
        self._open = number

    def _longest_rest(self, at_us: int) -> int | None:
        """Returns a time in the rotor's longest rest shortly before, or None if it did not rest."""
        if not self._encoder:
            return at_us - CALM_US
        found = None
        longest_us, until_us = REST_US, at_us
        for edge_us, line, _ in reversed(self._edges):
            if edge_us < at_us - LEAD_US:
                break
            if line in self._encoder:
                if until_us - edge_us > longest_us:
                    longest_us = until_us - edge_us
                    found = until_us - min(longest_us // 2, CALM_US)
                until_us = edge_us
        else:
            start_us = max(self._start_us, at_us - LEAD_US)
            if until_us - start_us > longest_us:  # since the recording of the last one ended
                found = until_us - min((until_us - start_us) // 2, CALM_US)
        return found

    def _forget(self, before_us: int) -> None:
        """What was before that only says how the lines stood then."""
        kept = 0
        for edge_us, line, level in self._edges:
            if edge_us >= before_us:
                break
            self._levels[line] = level
            kept += 1
        del self._edges[:kept]
        self._notes = [note for note in self._notes if note.at_us >= before_us]
        self._start_us = max(self._start_us, before_us)
        self._bus_bytes = sum(
            len(note.value) // 2 for note in self._notes if note.kind in (BUS_IN, BUS_OUT)
        )

    def _end_coup(self, at_us: int) -> None:
        number, self._open = self._open, None
        if number is not None:  # else a restart has ended what was open before
            self._keep(self._recorded(number, at_us))
        self._forget(at_us + 1)
        self._restart_state = self._core.restart_state()._asdict()
        self._cut = False

    def _recorded(self, number: int, at_us: int) -> Coup:
        start_us = self._start_us
        return Coup(
            number=number,
            levels=tuple(self._levels),
            restart_state=self._restart_state,
            rested=self._rested,
            edges=[(edge_us - start_us, line, level) for edge_us, line, level in self._edges],
            notes=[note._replace(at_us=note.at_us - start_us) for note in self._notes],
            end_us=at_us - start_us,
            cut=self._cut,
        )


WayOut = tuple[Callable[[], Any], str]  # what opens the port to the displays, and its name


class Recording:
    """The recorder of one controller, between loop and core and on the bus's port.

    Where nobody records, everything passes as it is.
    """

    def __init__(
        self,
        board: dict[str, Any],
        levels: Sequence[int],
        begin: Callable[[Config], Callable[[Coup], None]] | None,
    ) -> None:
        """`levels`: of the lines before the first edge.

        `begin` opens the recorder when the configuration is settled, and returns what keeps a coup;
        None: nobody records.
        """
        self._board = board
        self._levels = levels
        self._begin = begin
        self._tap: Tap | None = None
        self._keep: Callable[[Coup], None]

    def listen_on(self, way_out: WayOut | None) -> WayOut | None:
        """Returns the way to the displays, with a tap that records from the first coup on."""
        if way_out is None or self._begin is None:
            return way_out
        opener, name = way_out
        return lambda: HeardUart(opener(), self._hear), name

    def begin_recording(self, config: Config) -> None:
        """Opens the recorder, once the configuration is settled. Raises Failure."""
        if self._begin is not None:
            self._keep = self._begin(config)

    def tap(self, core: Core) -> Core:
        """Returns the core with a tap that listens from the first event on."""
        if self._begin is None:
            return core
        self._tap = Tap(core, self._board, self._levels, self._keep)
        return self._tap

    def _hear(self, kind: str, data: bytes) -> None:
        if self._tap is not None:
            self._tap.bus(kind, data)


class HeardUart:
    """A UART that tells somebody what goes through it."""

    def __init__(self, uart: Any, hear: Callable[[str, bytes], None]) -> None:
        self._uart = uart
        self._hear = hear
        self.deinit = uart.deinit

    def read(self) -> bytes | None:
        """Returns the UART's own."""
        data: bytes | None = self._uart.read()
        if data:
            self._hear(BUS_IN, data)
        return data

    def write(self, data: bytes) -> Any:
        """Returns the UART's own; what it took is told."""
        sent = self._uart.write(data)
        if sent:
            self._hear(BUS_OUT, bytes(data[:sent]))
        return sent
