"""A technician's hand at the virtual wheel of `cylindre run`: hand.sock, one JSON object a line.

    {"do":"pause","on":true}             the croupier takes the ball, and his hands off
    {"do":"lay","compartment":17}        {"do":"lift"}        {"do":"throw","way":"ccw"}
    {"do":"cover","line":"rim0","s":0.5} {"do":"press","line":"btn_void","s":0.2,"after_s":1}
    {"do":"tilt","x_mdeg":120,"y_mdeg":0}

Answers are those of the controller's socket. A real wheel has no such socket: there a hand is a
hand. The croupier pauses by himself while the fault lamp is lit: the wheel is out of play.
"""

from __future__ import annotations

import json
import os
import socketserver
import threading
from collections import deque
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from typing import Any

from firmware.api.connection import listen
from firmware.lib.language import Message
from tools.sim.by_hand import ByHand
from tools.sim.sensors import Edge
from tools.sim.table import Table

HAND = "hand.sock"
LINE_MAX = 512  # bytes; the longest request takes 60
CLIENTS_MAX = 8
COVER_S_MAX = 60.0
TILT_MDEG_MAX = 10_000  # further the level sensor only knows the sign
PRESS_S = 0.2  # as long as the croupier presses
_PATIENCE_S = 2.0  # the wheel moves on a hundred times a second
_WAYS = {"ccw": 1, "cw": -1}
_Asked = tuple[dict[str, Any], "Future[str | None]"]


class Refused(Exception):
    """A request that is none; the text says why."""


class StaffedTable:
    """A simulated table (tools.sim.table.Table) with somebody standing at it."""

    def __init__(self, table: Table, board: dict[str, Any], levels: Any, seed: int = 0) -> None:
        """`levels`: of the machine's pins by number, where the board's lamps are."""
        self._table = table
        self._by_hand = ByHand(table, board, seed)
        self._levels = levels
        self._lamp = dict(board["outputs"])["lamp_fault"]
        self._paused = False
        self._asked: deque[_Asked] = deque()
        self.hand = table.hand
        self.initial_levels = table.initial_levels
        self.tilt_mdeg = (0, 0)  # what a level sensor reads

    @property
    def truths(self) -> Any:
        """The table's."""
        return self._table.truths

    @property
    def now_us(self) -> int:
        """The table's."""
        return self._table.now_us

    @property
    def finished(self) -> int:
        """The table's."""
        return self._table.finished

    @property
    def acts_us(self) -> int:
        """The table's; a hand may act before, between two calls of `advance`."""
        return self._table.acts_us

    def advance(self, until_us: int, motor_permille: int) -> list[Edge]:
        """The table's, after what the hand was asked to do."""
        by_hand = self._by_hand
        if (self._paused or self._levels[self._lamp] == 1) != by_hand.waits:
            by_hand.wait(not by_hand.waits)
        while self._asked:
            request, done = self._asked.popleft()
            done.set_result(self._do(request))
        return self._table.advance(until_us, motor_permille)

    def ask(self, request: dict[str, Any]) -> str | None:
        """Has a checked request done at the wheel's next move; why it was not done, or None.

        From any thread but the wheel's own. Raises FutureTimeoutError.
        """
        done: Future[str | None] = Future()
        self._asked.append((request, done))
        return done.result(_PATIENCE_S)

    def _do(self, request: dict[str, Any]) -> str | None:
        do, by_hand = request["do"], self._by_hand
        if do == "lay":
            return by_hand.lay(request["compartment"])
        if do == "lift":
            return by_hand.lift()
        if do == "throw":
            return by_hand.throw(_WAYS[request["way"]])
        if do == "tilt":
            self.tilt_mdeg = (request["x_mdeg"], request["y_mdeg"])
            return None
        if do == "pause":
            self._paused = request["on"]
            if self._paused:
                by_hand.wait(True)
            return None
        return by_hand.cover(request["line"], request["s"], request["after_s"])


def parse(line: bytes) -> dict[str, Any]:
    """The request of one line, whole. Raises Refused for anything that is not exactly one."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused(Message("The line is not JSON.")) from None
    if not isinstance(found, dict) or not isinstance(found.get("do"), str):
        raise Refused(Message('The line has no command "do".'))
    keys = _KEYS.get(found["do"])
    if keys is None:
        raise Refused(Message("A hand can {names}.", names=", ".join(_KEYS)))
    unknown = sorted(set(found) - set(keys) - {"do"})
    if unknown:
        raise Refused(
            Message('"{do}" has no key {names}.', do=found["do"], names=", ".join(unknown))
        )
    request = {"do": found["do"]}
    for key, (is_good, wants, default) in keys.items():
        value = found.get(key, default)
        if not is_good(value):
            raise Refused(Message('"{key}" must be {wants}.', key=key, wants=wants))
        request[key] = value
    return request


def _is_span(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value <= COVER_S_MAX


def _is_tilt(value: Any) -> bool:
    return type(value) is int and abs(value) <= TILT_MDEG_MAX


_SECONDS = Message("more than 0 and at most {cover_s_max:g} seconds", cover_s_max=COVER_S_MAX)
_LINE = (lambda value: isinstance(value, str), Message("the name of a line"), None)
_AFTER = (
    lambda value: value == 0 or _is_span(value),
    Message("at most {cover_s_max:g} seconds", cover_s_max=COVER_S_MAX),
    0.0,
)
_TILT = (
    _is_tilt,
    Message("whole milli-degrees, {tilt_mdeg_max} at most", tilt_mdeg_max=TILT_MDEG_MAX),
    0,
)
# What each request has: whether a value is good, what it has to be, what it is if left out.
_KEYS: dict[str, dict[str, tuple[Any, str, Any]]] = {
    "lay": {"compartment": (lambda value: type(value) is int, Message("a whole number"), None)},
    "lift": {},
    "throw": {"way": (lambda value: value in tuple(_WAYS), Message("ccw or cw"), "ccw")},
    "cover": {"line": _LINE, "s": (_is_span, _SECONDS, 1.0), "after_s": _AFTER},
    "press": {"line": _LINE, "s": (_is_span, _SECONDS, PRESS_S), "after_s": _AFTER},
    "pause": {"on": (lambda value: type(value) is bool, Message("true or false"), True)},
    "tilt": {"x_mdeg": _TILT, "y_mdeg": _TILT},
}


class _Talk(socketserver.StreamRequestHandler):
    """One connection."""

    server: HandSocket

    def handle(self) -> None:
        """Answers line after line."""
        while line := self.rfile.readline(LINE_MAX + 1):
            answer = self.server.answer(line)
            self.wfile.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
            if len(line) > LINE_MAX:
                return


class HandSocket(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Listens at `folder`/hand.sock, in threads of its own, until closed."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, folder: Path, table: StaffedTable) -> None:
        """Begins to listen; its user alone may ask. Raises OSError."""
        self._path = folder / HAND
        self._table = table
        self._clients = threading.Semaphore(CLIENTS_MAX)
        super().__init__(str(self._path), _Talk, bind_and_activate=False)
        self.socket.close()
        folder.mkdir(parents=True, exist_ok=True)
        self.socket = listen(str(self._path), 0o600)
        self._thread = threading.Thread(target=self.serve_forever, name="hand", daemon=True)
        self._thread.start()

    def answer(self, line: bytes) -> dict[str, Any]:
        """What to say to one line."""
        try:
            request = parse(line[:LINE_MAX])
        except Refused as refused:
            return _error("wrong_request", str(refused), Message("See cylindre hand --help."))
        try:
            why_not = self._table.ask(request)
        except FutureTimeoutError:
            return _error(
                "busy", Message("The wheel does not move on."), Message("Look at cylindre status.")
            )
        if why_not is not None:
            return _error(
                "not_now",
                Message("Not done: {why_not}", why_not=why_not),
                Message("See cylindre hand --help."),
            )
        return {"ok": True, "do": request["do"]}

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """No more than CLIENTS_MAX at a time."""
        return self._clients.acquire(blocking=False)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """As the library does."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._clients.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who hangs up in the middle needs no answer."""

    def close(self) -> None:
        """Ends, and takes the socket away."""
        self.shutdown()
        self.server_close()
        os.unlink(self._path)


def _error(code: str, text: str, remedy: str) -> dict[str, Any]:
    return {"error": {"code": code, "text": text, "remedy": remedy}}


def open_socket(folder: Path, table: StaffedTable) -> HandSocket | None:
    """The socket in that folder; None where another wheel has it: that one is reached then."""
    try:
        return HandSocket(folder, table)
    except OSError:
        return None
