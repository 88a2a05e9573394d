"""The controller's Unix sockets: events out, commands in, one JSON object a line.

Two sockets, for roles are file permissions here: CONTROL takes commands and tells every fact as it
comes; STATUS only answers `status`, and tells what is public, in tenths of a second: guarded.py. A
thread of its own serves them, another checks PINs; the loop puts facts in and takes events out, and
never waits. Before the call nothing leaves that predicts: see status.py and tachometer.py.
"""

import contextlib
import os
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boards import card_tables
from firmware.api import answers, card_screen
from firmware.api.card_lines import card_line, screen_line, view_line
from firmware.api.card_screen import CardScreen
from firmware.api.connection import OUT_MAX, Client, listen, one_of_the_greediest
from firmware.api.guarded import house_act, public_fact, public_status
from firmware.api.pin_worker import PinWorker
from firmware.api.public import PublicNews
from firmware.api.request_table import FIRST, GUIDE, LOGIN, STATUS, Request
from firmware.api.requests import (
    LINE_MAX,
    NETWORK,
    Credentials,
    check_place,
    event,
    is_from_afar,
    parse,
    role_for,
    signed,
    takes_a_person,
)
from firmware.api.scope import Scope
from firmware.api.status import FaultOver, TableStatus
from firmware.api.tachometer import called
from firmware.api.technicians import Technicians
from firmware.api.values import Refused
from firmware.core.facts import (
    Entered,
    EntryAsked,
    Estimate,
    Fault,
    Trouble,
    View,
    croupiers_line,
    fact_line,
)
from firmware.lib.allowance import Allowance
from firmware.lib.errors import Failure, cause
from firmware.lib.language import Message
from firmware.lib.places import CONTROL, STATUS_ONLY
from firmware.stakes.accounts import CLOSING, PAYOUT, REDEEMED, REPRINTED
from firmware.store.acts import SHIFT
from firmware.store.rows import ACT

REFS_MAX = 256  # entries under way: a desk has one, and none takes longer than its disk
_TAKE_IT_BACK = Message("Nothing is paid on it: look who gave it.")
# On each socket: pages, self-test, a person or two; each costs 32 kB, at a card table 1.5 MB.
CLIENTS_MAX = 16
NEWS_MAX = 1000  # facts the loop may be ahead of the thread: a hundred coups
# Told the moment the zero mark passes, or is missed: to know when is to know where the rotor is, so
# they wait for the call (docs/adr/0011-the-rotors-speed-before-the-call.md).
STAMPS = ("W31", "W32")
WRONG_PIN = "P12"  # a code of firmware.core.faults
# Lines of one client that wait while the core decides: one request at a time is under way, and
# the loop takes them a hundred times a second.
ASKED_MAX = 32
# Lines of one user, on all connections. The page asks six times a second, a bench some hundred; who
# goes on beyond that would have this thread for himself, and with it some of the loop's time.
LINES_PER_S, LINES_AT_ONCE = 500.0, 2000.0
LOOK_S = 0.1  # a button pressed for as short as that is seen, too: its edges are kept


def _monotonic_us() -> int:
    return time.monotonic_ns() // 1000


class ServiceError(Exception):
    """The sockets cannot be made; the text says why and what to do."""


class Service:
    """Serves both sockets. For the loop it listens to facts and views, and is an EventSource."""

    def __init__(
        self,
        folder: Path,
        *,
        number_max: int,
        start_us: int = 0,
        people: Credentials | None = None,
        game: str | None = None,
        lines: Sequence[str] = (),
        levels: Sequence[int] = (),
        driven: bool = False,
        croupiers: bool = False,
        wheel_us: Callable[[], int] = _monotonic_us,
    ) -> None:
        """Makes the sockets in `folder` and starts serving. Raises ServiceError.

        `number_max`: the highest number of the wheel. `start_us`: what times are counted from.
        `people`: who knows the PINs; without it nothing that wants one is done. `game`: the
        apparatus, for the status. `lines`: the names of the input lines, and their `levels` before
        the first edge. `driven`: a motor turns the rotor, no hand. `croupiers`: the house records
        who throws. `wheel_us`: the clock that stamps the edges; all that is waited for here goes by
        ours.
        """
        self._number_max = number_max
        self._people = people
        self._croupiers = croupiers
        self._game = game
        self._start_us = start_us
        self._wheel_us = wheel_us
        self._news: deque[Any] = deque(maxlen=NEWS_MAX)
        self._later: dict[str, Fault] = {}  # by code: told at the call
        # Client None: what the service itself has to tell the core.
        self._asked: deque[tuple[Client | None, str, Any]] = deque()
        self._taken: deque[tuple[Client | None, str]] = deque()  # the loop's: not yet decided
        self._decided: deque[tuple[Client, str, str | None]] = deque()
        self._clients: dict[int, Client] = {}
        states = called(driven=driven)
        self._table_status = TableStatus(game, exact_in=states)
        self._public = PublicNews(
            TableStatus(game, exact_in=states, ahead=self._table_status),
            lambda: wheel_us() - start_us,
        )
        self.scope = Scope(lines, levels, start_us, states)
        self._screen = CardScreen()
        self._pins = PinWorker(self._ring)
        self.technicians = Technicians(
            people, self.scope, self._ask_itself, self._tell, self._pins.add
        )
        # What signs and reads the receipts of payouts, where terminals take stakes.
        self.sign_receipt: Callable[[dict[str, Any]], str] | None = None
        self.read_receipt: Callable[[str], tuple[int, int, int] | str] | None = None
        self._refs: dict[str, Client] = {}  # who asked for an entry that is not durable yet
        self._checked_s = 0.0  # when the sessions of those who listen were looked at
        self._allowance = Allowance(LINES_PER_S, LINES_AT_ONCE)
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
            self._pins.close()
            self._shut()
            why = cause(error)
            raise ServiceError(
                Message(
                    "Cannot open the controller's socket in {folder}: {why}. Stop the other"
                    " controller, or give a short folder of your own with --socket.",
                    folder=folder,
                    why=why,
                )
            ) from error
        self._thread = threading.Thread(target=self._serve, name="service", daemon=True)
        self._thread.start()

    # --- the loop's side: nothing here waits ---------------------------------------------------
    def take_fact(self, fact: Any) -> None:
        """Takes one fact for all clients; the oldest goes if the thread is far behind."""
        if type(fact) is Fault and fact.code in STAMPS and not self.scope.is_free:
            self._later[fact.code] = fact
            return
        self._table_status.take_fact(fact)
        self._public.hold(fact)
        self._news.append(fact)
        self._ring()

    def fault_over(self, code: str) -> None:
        """Takes from `status` a fault that stands no more, though no coup begins."""
        over = FaultOver(code)
        self._table_status.take_fact(over)
        self._public.hold(over)
        self._ring()

    def show_view(self, view: View) -> None:
        """Takes what `status` is to say from now on."""
        self._table_status.show_view(view)
        self._public.hold(view)
        self.scope.show_view(view)
        if self.scope.is_free:
            later, self._later = self._later, {}
            for fact in later.values():
                self.take_fact(fact)

    def turns(self, now_us: int, speed_uturn_s: int) -> None:
        """Notes that the loop came round, and the rotor turns at that signed speed."""
        self._table_status.tachometer.turns(now_us, speed_uturn_s)

    def take_events(self) -> tuple[Any, ...]:
        """Returns the events asked for since the last call."""
        if not self._asked:
            return ()
        events = []
        while self._asked:
            client, do, asked = self._asked.popleft()
            self._taken.append((client, do))
            events.append(asked)
        return tuple(events)

    def decided(self, refusal: str | None) -> None:
        """Takes the core's decision on the next event taken: who asked gets the answer."""
        client, do = self._taken.popleft()
        if client is not None:
            self._decided.append((client, do, refusal))
            self._ring()

    def close(self) -> None:
        """Sends what is left, closes all connections and removes the sockets."""
        if self._closing:
            return
        self._closing = True
        self._ring()
        self._thread.join()
        self._pins.close()
        self._shut()

    @property
    def asks_first(self) -> str | None:
        """Returns who waits for the button that makes the first supervisor: for the displays."""
        return self.technicians.first.name

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
            waits_s = LOOK_S, self.scope.wait_s(_monotonic_us()), self._public.wait_s()
            wait_s = min(each for each in waits_s if each is not None)
            for key, _ in self._selector.select(wait_s):
                if isinstance(key.data, Client):
                    self._attend(key.data)
                else:
                    key.data()
            self._look()
            self._tell_public()
        self._hear()
        self._tell_public(at_once=True)

    def _look(self) -> None:
        """What the lines say: to those who listen, and of the button that proves who asks."""
        self.technicians.pressed(self.scope.drain(), idle=self._table_status.is_idle)
        now_us = _monotonic_us()
        listening, lines = self.scope.frame(now_us, self._wheel_us())
        for client in listening:
            for line in lines:
                self._send(client, line)
        if now_us / 1e6 - self._checked_s >= 1.0:
            self._checked_s = now_us / 1e6
            for client in self.technicians.ended():
                self._send(client, answers.line({"event": "session_ended"}))

    def _ring(self) -> None:
        """Wakes the thread, from any other."""
        os.eventfd_write(self._bell, 1)

    def _tell(self, client: Client, told: dict[str, Any]) -> None:
        self._send(client, answers.line(told))

    def _send(self, client: Client, line: bytes) -> None:
        """To one client, that may have gone meanwhile or read too slowly."""
        if client.socket.fileno() not in self._clients:
            return
        self._slow += not client.fits(line)
        if client.send(line):
            self._want(client)
        else:
            self._drop(client)

    def _accept(self, listener: socket.socket, *, control: bool) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:  # it went away again, or we are out of files
            return
        room = card_screen.OUT_MAX if self._game in card_tables.NAMES and control else OUT_MAX
        client = Client(connection, control=control, out_max=room)
        # Each socket has its own limit: those who only look cannot keep out who commands.
        there = [each for each in self._clients.values() if each.control == control]
        if len(there) >= CLIENTS_MAX:
            gone = one_of_the_greediest(there, client)
            if gone is None:
                connection.close()
                return
            self._drop(gone)
        self._clients[connection.fileno()] = client
        self._selector.register(connection, selectors.EVENT_READ, client)

    def _hear(self) -> None:
        """The loop rang: passes its facts to every client, and answers to whom they belong."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._bell)
        while self._news:
            fact = self._news.popleft()
            if isinstance(fact, Estimate):
                listening, line = self.scope.estimate(fact)
                for client in listening:
                    self._send(client, line)
            self._tell_screen(fact)
            told = self._told(
                fact_line(fact) or croupiers_line(fact) or card_line(fact) or screen_line(fact)
            )
            if isinstance(fact, Entered):
                self._tell_entered(fact, told or {})
            elif told is not None:
                self._screen.take_event(told)
                self._tell_all(told, control=True)
        while self._decided:
            client, do, refusal = self._decided.popleft()
            error = None if refusal is None else answers.not_now(refusal)
            self._answered(client, {"ok": True, "do": do} if error is None else {"error": error})
        self._pins.finish()

    def _tell_screen(self, fact: Any) -> None:
        """Tells who follows a card table's screen what lies on the cloth."""
        pairs = view_line(fact)
        if pairs is None:
            return
        told = dict(pairs)
        self._screen.take_event(told)
        line = answers.line(told)
        for client in self._screen.followers():
            self._send(client, line)

    def _tell_entered(self, fact: Entered, told: dict[str, Any]) -> None:
        """Tells of money what is entered; a receipt, which is worth money, to who asked alone."""
        if fact.kind == CLOSING:
            left_out = ("accounts", "receipts", "requests")  # the journal has them
            body = {name: value for name, value in fact.body.items() if name not in left_out}
            told = told | {"body": body}
        asked = self._refs.pop(fact.ref, None) if fact.ref is not None else None
        for client in tuple(self._clients.values()):
            if client.control and client is not asked:
                self._send(client, answers.line(told))
        if asked is None:
            return
        if fact.body.get("what") in (PAYOUT, REPRINTED) and self.sign_receipt is not None:
            with contextlib.suppress(Failure):  # the keys are gone: it can be printed again
                told = told | {"receipt": self.sign_receipt(fact.body)}
        self._send(asked, answers.line(told))

    def _answered(self, client: Client, told: dict[str, Any]) -> None:
        """What was under way is answered: a client's next lines may follow."""
        client.asking = False
        if client.socket.fileno() not in self._clients:  # it has gone meanwhile
            return
        if client.send(answers.line(told)):
            self._work(client)
        else:
            self._drop(client)

    def _told(self, pairs: list[tuple[str, Any]] | None) -> dict[str, Any] | None:
        """Returns the JSON object of a fact, its times counted from the start."""
        if pairs is None:
            return None
        told = dict(pairs)
        if told["event"] == ACT:
            told = house_act(told)
        if told.get("until_us") is not None:  # of a guide
            told["until_us"] -= self._start_us
        return told | {"t_us": told["t_us"] - self._start_us}

    def _tell_public(self, *, at_once: bool = False) -> None:
        """Tells who only looks what is due by now."""
        for fact in self._public.release(at_once=at_once):
            told = self._told(fact_line(fact) or card_line(fact))
            public = None if told is None else public_fact(told)
            if public is not None:
                self._tell_all(public, control=False)

    def _tell_all(self, told: dict[str, Any], *, control: bool) -> None:
        line = answers.line(told)
        for client in tuple(self._clients.values()):
            if client.control == control:
                self._send(client, line)

    def _attend(self, client: Client) -> None:
        """A client may be read from, or written to."""
        if client.socket.fileno() not in self._clients:  # dropped since the selector spoke
            return
        if client.waiting and not client.flush():
            self._drop(client)
            return
        if client.receive():
            self._work(client)
        elif client.asking:  # it has said all it will, and the core has yet to decide
            client.ended = True
            self._selector.unregister(client.socket)
        else:
            self._drop(client)

    def _work(self, client: Client) -> None:
        """Answers a client's lines in their order, up to one that the core must decide."""
        while client.lines and not client.asking:
            line = client.lines.popleft()
            if self._allowance.wait_s(str(client.uid)):
                self._refuse(client, Message("Too much is asked in this user's name."))
                return
            answer = self._answer(line, client)
            sent = answer is None or client.send(answers.line(answer))
            if not sent or len(line) > LINE_MAX:
                self._drop(client)
                return
        if len(client.lines) > ASKED_MAX:
            self._refuse(client, Message("Too many requests wait."))
            return
        if client.ended and not client.asking:
            self._drop(client)
        else:
            self._want(client)

    def _refuse(self, client: Client, text: Message) -> None:
        """Tells somebody who asks too much so, and hangs up."""
        busy = Refused("busy", text, Message("Ask again in a second."))
        client.send(answers.line({"error": busy.error}))
        self._drop(client)

    def _answer(self, line: bytes, client: Client) -> dict[str, Any] | None:
        """Returns what to answer now; None if that is for the core to decide, or takes long."""
        try:
            if len(line) > LINE_MAX:
                raise Refused(
                    "too_long",
                    Message("The line is longer than {line_max} bytes.", line_max=LINE_MAX),
                    Message("Send one short object a line."),
                )
            request = parse(line, self._number_max)
            if request.do == STATUS:
                return {"ok": True, "status": self._status(control=client.control)}
            if not client.control:
                raise Refused(
                    "not_allowed",
                    Message("This socket only answers status."),
                    Message("Connect to {control}, as a member of its group.", control=CONTROL),
                )
            return self._answer_to(request, client)
        except Refused as refused:
            return {"error": refused.error}

    def _answer_to(self, request: Request, client: Client) -> dict[str, Any] | None:
        """The same for a request whose form is right. Raises Refused."""
        if client.is_daemon and takes_a_person(request):
            text = Message("{who} is a program's user, and this is for a person.", who=client.who)
            raise Refused("not_allowed", text, Message("Ask as somebody of the group, or as root."))
        check_place(request, self._game)
        if request.do == SHIFT and not self._croupiers:
            text = Message("This house does not record which croupier throws.")
            raise Refused("not_here", text, Message("Set croupiers = true in [health]."))
        if request.do == GUIDE:
            t_us = self._wheel_us() - self._start_us
            return {"ok": True, "do": GUIDE, "t_us": t_us, "events": self._screen.follow(client)}
        if not request.claims:
            return self._do(request, client)
        channel = NETWORK if is_from_afar(request, client.is_daemon) else client.who
        self._pins.add(
            lambda: signed(request, self._people, channel),
            lambda found: self._signed(request, client, found),
        )
        client.asking = True
        return None

    def _signed(self, request: Request, client: Client, found: Any) -> None:
        """PINs are checked: `found` is what was raised, or what the browser is to keep."""
        if isinstance(found, Refused) and found.told is not None:
            self._ask_itself(Trouble(0, WRONG_PIN, found.told))
            if request.do == LOGIN:
                self.technicians.refused(found.told)
        if client.socket.fileno() not in self._clients:  # nobody would hear of it
            return
        try:
            if isinstance(found, Refused):
                raise found
            if isinstance(found, Exception):  # no memory for a hash, say
                raise Refused(
                    "failed", Message("The PIN could not be checked."), Message("Ask again.")
                )
            answer = self._do(request, client, found)
        except Refused as refused:
            answer = {"error": refused.error}
        if answer is not None:
            self._answered(client, answer)

    def _do(
        self, request: Request, client: Client, devices: str | None = None
    ) -> dict[str, Any] | None:
        """Answers a request that is signed, or hands it to the core. Raises Refused."""
        role = role_for(request)
        person = None if role is None else self.technicians.person(request, role)
        asked = event(request, person or client.who)
        if asked is None:
            idle = self._table_status.is_idle
            if request.do == FIRST:
                self.scope.drain()  # what was pressed before he asked is not his
            return self.technicians.answer(request, client, person, idle=idle, devices=devices)
        client.asking = True
        if isinstance(asked, EntryAsked):
            asked = self._entry(client, asked)
        self._asked.append((client, request.do, asked))
        return None

    def _entry(self, client: Client, asked: EntryAsked) -> EntryAsked:
        """Returns an entry of money as the core is asked for it. Raises Refused."""
        given = dict(asked.given)
        if asked.what == REDEEMED:
            shown: Any = Message("art. 62: terminals take no stake here: no receipt was given")
            if self.read_receipt is not None:
                shown = self.read_receipt(given["receipt"])
            if isinstance(shown, str):
                raise Refused("no_receipt", shown + ".", _TAKE_IT_BACK)
            given["receipt"] = shown
        if given.get("ref") is not None:
            if len(self._refs) >= REFS_MAX:
                self._refs.clear()
            self._refs[given["ref"]] = client
        return asked._replace(given=given)

    def _ask_itself(self, asked: Any) -> None:
        """Something that nobody waits for an answer to."""
        self._asked.append((None, "", asked))

    def _status(self, *, control: bool) -> dict[str, Any]:
        status = self._table_status if control else self._public.status
        found = {
            **status.status(),
            **answers.displays(self.technicians.parts()),
            "clients": sum(not client.ended for client in self._clients.values()),
            "clients_dropped": self._slow,
        }
        return found if control else public_status(found)

    def _want(self, client: Client) -> None:
        """Asks the selector for what the client needs next."""
        if client.ended:
            return
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.waiting else 0)
        self._selector.modify(client.socket, events, client)

    def _drop(self, client: Client) -> None:
        self.technicians.gone(client)
        self._screen.leave(client)
        del self._clients[client.socket.fileno()]
        if not client.ended:
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
