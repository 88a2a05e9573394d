"""The controller's Unix sockets: events out, commands in, one JSON object a line.

Two sockets, for roles are file permissions here: CONTROL takes commands, STATUS only answers
`status`; both give every fact. A thread of its own serves them; the loop puts facts in and takes
events out, and never waits. Before the call nothing leaves that predicts: a status holds the
state, the coup, the rotor's direction and the last number, no speed and no place of the ball.
"""

import contextlib
import json
import os
import selectors
import socket
import threading
from collections import deque
from pathlib import Path
from typing import Any

from firmware.core.facts import DIRECTION_NAMES, Result, View, fact_line
from firmware.service.client import Client, listen
from firmware.service.requests import LINE_MAX, STATUS, Refused, event, parse

CONTROL = "cylindre.sock"
STATUS_ONLY = "status.sock"
CLIENTS_MAX = 16  # on each socket: pages, self-test, a person or two; each costs 32 kB
NEWS_MAX = 1000  # facts the loop may be ahead of the thread: a hundred coups
ASKED_MAX = 32  # requests the loop may be behind: it takes them a hundred times a second


class ServiceError(Exception):
    """The sockets cannot be made; the text says why and what to do."""


class Service:
    """Serves both sockets. For the loop it is an Outlet, a Desk, and shows views."""

    def __init__(self, folder: Path, *, number_max: int, start_us: int = 0) -> None:
        """Makes the sockets in `folder` and starts serving. Raises ServiceError.

        `number_max`: the highest number of the wheel. `start_us`: what times are counted from.
        """
        self._number_max = number_max
        self._start_us = start_us
        self._news: deque[Any] = deque(maxlen=NEWS_MAX)
        self._asked: deque[Any] = deque()
        self._clients: dict[int, Client] = {}
        self._view: View | None = None
        self._last: Result | None = None
        self._slow = 0
        self._closing = False
        self._selector = selectors.DefaultSelector()
        self._listeners: list[socket.socket] = []
        self._paths: list[Path] = []
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._selector.register(self._bell, selectors.EVENT_READ, self._hear)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._open(folder / CONTROL, 0o660, control=True)
            self._open(folder / STATUS_ONLY, 0o666, control=False)
        except OSError as error:
            self._shut()
            why = error.strerror or str(error)
            raise ServiceError(
                f"Cannot open the controller's socket in {folder}: {why}."
                " Stop the other controller, or give a short folder of your own with --socket."
            ) from error
        self._thread = threading.Thread(target=self._serve, name="service", daemon=True)
        self._thread.start()

    # --- the loop's side: nothing here waits ---------------------------------------------------
    def tell(self, fact: Any) -> None:
        """Takes one fact for all clients; the oldest goes if the thread is far behind."""
        self._news.append(fact)
        os.eventfd_write(self._bell, 1)

    def show(self, view: View) -> None:
        """Takes what `status` is to say from now on."""
        self._view = view

    def take(self) -> tuple[Any, ...]:
        """The events asked for since the last call."""
        if not self._asked:
            return ()
        events = []
        while self._asked:
            events.append(self._asked.popleft())
        return tuple(events)

    def close(self) -> None:
        """Sends what is left, closes all connections and removes the sockets."""
        if self._closing:
            return
        self._closing = True
        os.eventfd_write(self._bell, 1)
        self._thread.join()
        self._shut()

    # --- the thread's side ---------------------------------------------------------------------
    def _open(self, path: Path, mode: int, *, control: bool) -> None:
        listener = listen(str(path), mode)
        self._listeners.append(listener)
        self._paths.append(path)

        def accept() -> None:
            self._accept(listener, control=control)

        self._selector.register(listener, selectors.EVENT_READ, accept)

    def _serve(self) -> None:
        while not self._closing:
            for key, _ in self._selector.select():
                if isinstance(key.data, Client):
                    self._attend(key.data)
                else:
                    key.data()
        self._hear()

    def _accept(self, listener: socket.socket, *, control: bool) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:  # it went away again, or we are out of files
            return
        # Each socket has its own limit: those who only look cannot keep out who commands.
        if sum(client.control == control for client in self._clients.values()) >= CLIENTS_MAX:
            connection.close()
            return
        client = Client(connection, control=control)
        self._clients[connection.fileno()] = client
        self._selector.register(connection, selectors.EVENT_READ, client)

    def _hear(self) -> None:
        """The loop rang: passes its facts to every client."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._bell)
        while self._news:
            fact = self._news.popleft()
            if isinstance(fact, Result):
                self._last = fact
            pairs = fact_line(fact)
            if pairs is not None:
                told = dict(pairs)
                told["t_us"] -= self._start_us
                self._tell_all(_line(told))

    def _tell_all(self, line: bytes) -> None:
        for client in tuple(self._clients.values()):
            if client.send(line):
                self._want(client)
            else:
                self._slow += 1
                self._drop(client)

    def _attend(self, client: Client) -> None:
        """A client may be read from, or written to."""
        if client.socket.fileno() not in self._clients:  # dropped since the selector spoke
            return
        if client.waiting and not client.flush():
            self._drop(client)
            return
        lines = client.receive()
        if lines is None:
            self._drop(client)
            return
        for line in lines:
            if not client.send(_line(self._answer(line, client))) or len(line) > LINE_MAX:
                self._drop(client)
                return
        self._want(client)

    def _answer(self, line: bytes, client: Client) -> dict[str, Any]:
        try:
            if len(line) > LINE_MAX:
                raise Refused(
                    "too_long",
                    f"The line is longer than {LINE_MAX} bytes.",
                    "Send one short object a line.",
                )
            request = parse(line, self._number_max)
            if request.do == STATUS:
                return {"ok": True, "status": self._status()}
            if not client.control:
                raise Refused(
                    "not_allowed",
                    "This socket only answers status.",
                    f"Connect to {CONTROL}, as a member of its group.",
                )
            asked = event(request, self._view, client.who)
            if len(self._asked) >= ASKED_MAX:
                raise Refused("busy", "Too many requests wait.", "Ask again in a second.")
            self._asked.append(asked)
        except Refused as refused:
            return {"error": refused.error}
        return {"ok": True, "do": request.do}

    def _status(self) -> dict[str, Any]:
        view, last = self._view, self._last
        return {
            "state": view.state if view else None,
            "coup": view.coup if view else 0,
            "seq": view.seq if view else 0,
            "rotor": DIRECTION_NAMES[view.rotor] if view else None,
            "reason": view.reason if view else None,
            "last_number": last.number if last else None,
            "last_coup": last.coup if last else None,
            "clients": len(self._clients),
            "clients_dropped": self._slow,
        }

    def _want(self, client: Client) -> None:
        """Asks the selector for what the client needs next."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.waiting else 0)
        self._selector.modify(client.socket, events, client)

    def _drop(self, client: Client) -> None:
        del self._clients[client.socket.fileno()]
        self._selector.unregister(client.socket)
        client.socket.close()

    def _shut(self) -> None:
        for client in tuple(self._clients.values()):
            self._drop(client)
        for listener in self._listeners:
            listener.close()
        for path in self._paths:
            path.unlink(missing_ok=True)
        self._selector.close()
        os.close(self._bell)


def _line(told: dict[str, Any]) -> bytes:
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"
