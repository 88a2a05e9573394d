"""The bench that self-test and calibration work at: a wheel out of play, through its socket."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from drivers.rotor_motor import LIMITS
from firmware.client.ask import ask, path_of, sentences
from firmware.core.coup.states import SERVICE
from firmware.lib.errors import FAILED, NO_DEVICE, Failure
from firmware.lib.places import CONTROL
from tools.technician.selftest.recording import Recording

PATIENCE_S = 5.0  # an answer comes within a period of the loop, 10 ms
STILL_S = 1.2  # without an edge for so long a rotor rests (firmware/core/sense/rotor.py: 1 s)
REST_MAX_S = 120.0
_TO_REST_S = 11.0  # of the virtual wheels, from 20 rpm and from 28, until they are known to rest
COUP_MAX_S = 180  # no coup lasts longer: it is void by then (firmware/core/coup/table.py)
_CHUNK = 65_536
_LINE_MAX = 2_000_000  # bytes: all the edges that were held back, in one line
CHECK_S = 0.25  # whoever wants it to stop waits no longer
_ENDED = (
    "The session of whoever began this has ended."
    " Log in again and put the wheel back into play, then run it again."
)
_TURN_BACK = "Look at cylindre status whether the wheel is still out of play, then run it again."


class Bench(Protocol):
    """A wheel at which somebody is logged in. What is refused, or fails, raises Failure."""

    names: Sequence[str]  # of its lines
    faults: list[dict[str, Any]]  # that were told meanwhile

    def status(self) -> dict[str, Any]:
        """How the table stands: `state`, and whether a coup is `open`."""
        ...

    def service(self, on: bool, why: str) -> None:
        """Takes the wheel out of play, or puts it back."""
        ...

    def turn(self, way: str | None, rpm: float, for_s: float) -> None:
        """Turns the rotor "ccw" or "cw"; None lets it run out."""
        ...

    def forget(self) -> None:
        """Somebody has just said that they are ready: no edge before that is listened to."""
        ...

    def listen(self, for_s: float) -> Recording:
        """What the lines do from now on, for so long."""
        ...

    def parts(self) -> dict[str, Any]:
        """What the slow parts say."""
        ...

    def act(self, what: str, detail: str, sha256: str | None = None) -> None:
        """Writes into the journal what was done."""
        ...

    def calibrate(self, values: dict[str, Any]) -> str:
        """Has a calibration signed and kept; its sha256."""
        ...


class Asks(Protocol):
    """Somebody who is logged in: firmware.client.session.Session."""

    @property
    def token(self) -> str:
        """Of the session."""
        ...

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer. Raises Failure."""
        ...

    def act(self, what: str, detail: str, sha256: str | None = None) -> None:
        """Writes down what was done. Raises Failure."""
        ...


class SocketBench:
    """The bench of a running controller: listens on a connection of its own."""

    def __init__(
        self, session: Asks, folder: Path | None, check: Callable[[], None] | None = None
    ) -> None:
        """Begins to listen. Raises Failure. `check`: raises what ends the listening, once: what
        follows puts the wheel back."""
        self._check = check
        self._has_ended = False  # the session
        self.act = session.act
        self.faults: list[dict[str, Any]] = []
        self._session = session
        self._folder = folder
        self._edges: list[tuple[int, int, int]] = []
        self._now_us = 0
        self._lost = 0
        self._past_us = -1  # edges up to there are past, also those that are told later
        self._free = 0  # lines in which nothing was held back
        self._came = b""
        self._path = path_of(folder, CONTROL)
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            found = self._begin()
        except BaseException:
            self._line.close()
            raise
        self.names: Sequence[str] = found["lines"]
        self._levels: list[int] = list(found["levels"])

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

    def status(self) -> dict[str, Any]:
        """How the table stands."""
        found: dict[str, Any] = ask(self._folder, {"do": "status"})["status"]
        return found

    def service(self, on: bool, why: str) -> None:
        """Takes the wheel out of play, or puts it back."""
        self._session.ask({"do": "service", "on": on, "why": why})
        if on:
            self._let_past()

    def turn(self, way: str | None, rpm: float, for_s: float) -> None:
        """Turns the rotor, or lets it run out."""
        how = {} if way is None else {"rpm": rpm, "for_s": for_s}
        self._session.ask({"do": "turn", "way": way, **how})

    def forget(self) -> None:
        """What was done before somebody was ready is past, also what nobody has told of it yet.

        The answer comes behind all that waits to be read; the moment told next is a later one.
        """
        self._ask_for_edges()
        self._read_until(self._now_us + 1)
        self._past_us = self._now_us
        self._settle()

    def listen(self, for_s: float) -> Recording:
        """What the lines do from now on, for so long."""
        self._catch_up()
        levels, begin_us, lost = list(self._levels), self._now_us, self._lost
        self._read_until(begin_us + 1)  # the last that was told may be of some time ago
        self._read_until(self._now_us + round(for_s * 1_000_000))
        edges = []
        for edge in self._settle():
            if edge[0] > self._past_us:
                edges.append(edge)
            else:
                levels[edge[1]] = edge[2]
        if edges:  # stamped before the last was told, and told after it: none is left out
            begin_us = min(begin_us, edges[0][0])
        end_us = max(begin_us, self._now_us)
        return Recording(self.names, levels, edges, begin_us, end_us, self._lost - lost)

    def parts(self) -> dict[str, Any]:
        """What the slow parts say."""
        found: dict[str, Any] = self._session.ask({"do": "parts"})["parts"]
        return found

    def calibrate(self, values: dict[str, Any]) -> str:
        """Has a calibration signed and kept; its sha256."""
        return str(self._session.ask({"do": "calibrate", "values": values})["sha256"])

    def _read_until(self, end_us: int) -> None:
        """Up to that moment of the wheel's clock, as it tells it. Raises Failure."""
        seen_us, end_s = self._now_us, time.monotonic() + PATIENCE_S
        while self._now_us < end_us:
            if self._check is not None:
                self._check()
            self._read(CHECK_S)
            now_s = time.monotonic()
            if self._now_us > seen_us:
                seen_us, end_s = self._now_us, now_s + PATIENCE_S
            elif now_s > end_s:
                raise self._gone()

    # --- the connection -------------------------------------------------------------------------
    def _begin(self) -> dict[str, Any]:
        """Connects, and asks for edges; the answer."""
        try:
            self._line.settimeout(PATIENCE_S)
            self._line.connect(str(self._path))
        except OSError:
            text = f"No controller is running at {self._path}. Start one with cylindre run."
            raise Failure(NO_DEVICE, text) from None
        return self._ask_for_edges()

    def _ask_for_edges(self) -> dict[str, Any]:
        """Reads up to the answer, which it returns. Raises Failure."""
        request = {"do": "edges", "session": self._session.token, "on": True}
        try:
            self._line.settimeout(PATIENCE_S)
            self._line.sendall(json.dumps(request).encode() + b"\n")
        except OSError:
            raise self._gone() from None
        end_s = time.monotonic() + PATIENCE_S
        while (left_s := end_s - time.monotonic()) > 0:
            for told in self._read(left_s):
                error = told.get("error")
                if error:
                    raise Failure(FAILED, sentences(error))
                return told
        raise self._gone()

    def _read(self, wait_s: float) -> list[dict[str, Any]]:
        """Waits for lines, keeps the events among them; the answers. Raises Failure: the controller
        is gone, or the session has ended, and with it the edges."""
        if self._has_ended:
            raise Failure(FAILED, _ENDED)
        self._line.settimeout(wait_s)
        try:
            data = self._line.recv(_CHUNK)
        except TimeoutError:
            return []
        except OSError:
            data = b""
        *lines, self._came = (self._came + data).split(b"\n")
        if not data or len(self._came) > _LINE_MAX:
            raise self._gone()
        answers = [told for told in map(self._told, lines) if told is not None]
        if self._has_ended:
            raise Failure(FAILED, _ENDED)
        return answers

    def _told(self, line: bytes) -> dict[str, Any] | None:
        """An answer, or None for an event, which is kept."""
        told: dict[str, Any] = json.loads(line)
        kind = told.get("event")
        if kind == "edges":
            self._edges += [(at_us, at, level) for at_us, at, level in told["edges"]]
            self._now_us = told["t_us"]
            self._lost += told["lost"]
            self._free += not told["held"]
        elif kind == "fault":
            self.faults.append(told)
        elif kind == "session_ended":
            self._has_ended = True
        return told if kind is None else None

    def _let_past(self) -> None:
        """What was held back before the wheel was out of play comes first, and is past.

        Raises Failure if nothing is told.
        """
        end_s = time.monotonic() + PATIENCE_S
        self._free = 0
        while self._free < 2:  # what was held back may take more than one line
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                raise self._gone()
            self._read(left_s)
        self._settle()

    def _catch_up(self) -> None:
        """What came while nobody listened is past."""
        while select.select([self._line], [], [], 0)[0]:
            self._read(PATIENCE_S)
        self._settle()

    def _settle(self) -> list[tuple[int, int, int]]:
        """The edges kept so far, which from now on are past."""
        edges, self._edges = self._edges, []
        for _, line, level in edges:
            self._levels[line] = level
        return edges

    def _gone(self) -> Failure:
        return Failure(
            FAILED, f"The controller at {self._path} is gone in the middle. {_TURN_BACK}"
        )


def until(
    bench: Bench, done: Callable[[Recording], bool], most_s: float, *, slice_s: float = 0.5
) -> Recording:
    """Listens until `done` of all that was heard, or for so long."""
    heard: Recording | None = None
    for _ in range(max(1, round(most_s / slice_s))):
        heard = joined(heard, bench.listen(slice_s))
        if done(heard):
            break
    assert heard is not None
    return heard


def joined(first: Recording | None, then: Recording) -> Recording:
    """One recording of two, one after the other."""
    if first is None:
        return then
    edges = [*first.edges, *then.edges]
    return Recording(
        first.names, first.levels, edges, first.begin_us, then.end_us, first.lost + then.lost
    )


def rests(heard: Recording) -> bool:
    """Whether the rotor moved, or not at all, and has been still for STILL_S."""
    encoder = {heard.names.index(name) for name in ("enc_a", "enc_b") if heard.has(name)}
    last_us = max((at_us for at_us, at, _ in heard.edges if at in encoder), default=None)
    since_us = heard.begin_us if last_us is None else last_us
    return heard.end_us - since_us >= STILL_S * 1_000_000


def spun(bench: Bench, way: str, rpm: float, turns: float) -> tuple[Recording, int]:
    """Turns the rotor so far and lets it run out to rest: what was seen, and when it was let go."""
    for_s = _driven_s(rpm, turns)
    bench.turn(way, rpm, for_s)
    heard = bench.listen(for_s)
    let_go_us = heard.end_us
    rest = until(bench, rests, REST_MAX_S)
    return joined(heard, rest), let_go_us


def spun_s(rpm: float, turns: float) -> float:
    """How long that takes, about."""
    return _driven_s(rpm, turns) + _TO_REST_S


def _driven_s(rpm: float, turns: float) -> float:
    return turns * 60 / rpm + _run_up_s(rpm)


def _run_up_s(rpm: float) -> float:
    """What a rotor takes to that speed: the ramp of drivers/rotor_motor.py, and a second."""
    return rpm / 60 * 1_000_000 / LIMITS.ramp_uturn_s2 + 1.0


@contextlib.contextmanager
def out_of_play(bench: Bench, why: str, tell: Callable[[str], None]) -> Iterator[None]:
    """The wheel in service, its rotor at rest; waits for an open coup to end.

    At the end, however it comes, the rotor runs out and play may go on.
    """
    _take_out(bench, why, tell)
    try:
        _let_run_out(bench)
        yield
    finally:
        try:
            _let_run_out(bench)
        except Failure:  # somebody stops it just now: that is raised once, and the wheel put back
            _let_run_out(bench)
        if bench.status()["state"] == SERVICE:  # a fault that locks the wheel has ended it
            bench.service(False, f"{why}: done")


def _take_out(bench: Bench, why: str, tell: Callable[[str], None]) -> None:
    """Between two coups: the croupier may begin the next one just before."""
    for left_s in range(COUP_MAX_S, -1, -1):
        status = bench.status()
        if status["state"] == SERVICE:  # to ask for it would take it over from whoever has it
            text = "The wheel is out of play for service already."
            raise Failure(FAILED, f"{text} Put it back into play, then run this again.")
        if not status["open"]:
            try:
                bench.service(True, why)
                return
            except Failure:
                if not left_s or not bench.status()["open"]:
                    raise
        elif left_s == COUP_MAX_S:
            tell("A coup is open: waiting for its end.")
        bench.listen(1.0)
    raise Failure(FAILED, "The coup does not end: void it (cylindre void), then run this again.")


def _let_run_out(bench: Bench) -> None:
    if "enc_a" not in bench.names:
        return
    with contextlib.suppress(Failure):  # of a rotor that a hand turns
        bench.turn(None, 0, 0)
    until(bench, rests, REST_MAX_S)
