"""A wheel that is played with everything that listens to one, and what it told whom."""

from __future__ import annotations

import asyncio
import contextlib
import json
import select
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import own_journal
from patience import LAST_RESORT_S, Waiting

from firmware.api import guarded
from firmware.api.guarded import Guarded
from firmware.api.server import Service
from firmware.bus.frame import Deframer
from firmware.bus.receiver import Receiver
from firmware.config import BAUD, Config
from firmware.config.game import choose
from firmware.core import facts
from firmware.core.coup.restart_state import FRESH
from firmware.core.faults import sentence
from firmware.keys import people as people_file
from firmware.keys.people import People
from firmware.lib import signatures
from firmware.lib.places import CONTROL, STATUS_ONLY
from firmware.run import app
from firmware.services.display.page_json import scene_fields
from firmware.services.display.scene import Scene
from firmware.services.gateway.facts import facts as facts_of
from firmware.services.gateway.link import Link
from firmware.services.gateway.translator import MODES, Translator
from firmware.services.page import history
from firmware.services.page.certificate import Identity
from firmware.services.page.logins import Logins
from firmware.services.page.queries import Places, Reads
from firmware.services.page.server import Question, Server
from firmware.services.page.viewers import Viewer
from firmware.services.page.wheel import Wheel
from firmware.shims.virtual import VirtualMachine, uart_pair
from firmware.store import reader
from firmware.store.acts import ACKNOWLEDGED, SHIFT
from tools.hil.places.virtual import taught
from tools.hil.scenario import Scenario
from tools.virtual.simulate import Simulation

COUPS = 2
PEOPLE = {"sue": ("supervisor", "271828"), "tom": ("technician", "314159")}
SIGNED = ("claire", "denis")  # who corrects the first coup
NAMES = (*PEOPLE, *SIGNED)
DETAIL = "near 907137 deg"
THROWS = "941907"  # a croupier
PROGRESS = facts.CallProgress(0, 212, 519_600, "relearning")
KEY = bytes(range(32))
READ_MAX = 65_536


class Caller:
    """Somebody at a socket, who reads all that he is told once it has ended."""

    def __init__(self, folder: Path, name: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(LAST_RESORT_S)
        self.socket.connect(str(folder / name))
        self._lines = self.socket.makefile("rb")

    def ask(self, **request: Any) -> dict[str, Any]:
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        return cast(dict[str, Any], json.loads(self._lines.readline()))

    def answer(self, **request: Any) -> dict[str, Any]:
        """The answer, behind whatever is told before it."""
        told = self.ask(**request)
        while "event" in told:
            told = json.loads(self._lines.readline())
        return told

    def rest(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._lines]

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


class Gateway:
    """The ASCII line, asked for in the wheel's time, in each of its ways to speak."""

    def __init__(self, folder: Path) -> None:
        self._link = Link(folder / STATUS_ONLY)
        self._translators = {mode: Translator(mode) for mode in MODES}
        self._next_us = 0
        self.said: dict[str, list[bytes]] = {mode: [] for mode in MODES}

    def poll(self, now_us: int) -> None:
        if now_us < self._next_us:
            return
        self._next_us = now_us + 100_000
        if not self._link.is_open:
            self._link.open()
        self._link.ask(now_us)
        with Waiting("the controller's answer") as waiting:
            while (answer := self._link.read()) is None:
                waiting.on()
                select.select([self._link], [], [], LAST_RESORT_S)
        for mode, translator in self._translators.items():
            translator.take_answer(facts_of(answer[0]), now_us)
            self.said[mode] += translator.lines(now_us).split(b"\r\n")[:-1]

    def close(self) -> None:
        self._link.close()


class Display:
    """A display at the far end of the line, and every frame that it hears."""

    def __init__(self, far: Any) -> None:
        self._far = far
        public = own_journal.SIGNER.public
        self._receiver = Receiver(1, KEY, public, 2**40, signatures.verify)
        self._deframer = Deframer()
        self.heard: list[bytes] = []
        self.scenes: list[dict[str, Any]] = []

    def poll(self, now_us: int) -> None:
        data = self._far.read(READ_MAX) or b""
        payloads = self._deframer.feed(data)
        self.heard += payloads
        reply = self._receiver.receive_payloads(payloads, now_us)
        while self._receiver.work():
            pass
        self._receiver.tick(now_us)
        if reply:
            self._far.write(reply)
        lit = self._receiver.lit
        scene = scene_fields(Scene(lit, lit.state, None, None, None, None))
        if self.scenes[-1:] != [scene]:
            self.scenes.append(scene)


class Surfaces:
    """All that listens to a wheel, as its Bus, EventSource and FactListener."""

    def __init__(self, folder: Path, store: Any) -> None:
        self.now_us = 0
        self.game = choose("roulette_ref", Config())
        board = self.game.board
        self.service = Service(
            folder,
            number_max=36,
            people=People(folder / "people.jsonl"),
            game=board["apparatus"],
            lines=[name for name, _ in board["inputs"]],
            levels=[0] * len(board["inputs"]),
            driven=True,
            wheel_us=lambda: self.now_us,
        )
        self.speed_uturn_s: Any = lambda _: 0
        near, far = uart_pair()
        machine = VirtualMachine()
        machine.attach_uart(0, near)
        self.line = app.display_line(
            lambda: machine.UART(0, baudrate=BAUD),
            "the line",
            game=self.game,
            config=Config(),
            journal=store,
            displays={1: KEY},
            host=None,
            session=7,
        )
        self.display = Display(far)
        self.gateway = Gateway(folder)
        self._asked: list[Any] = []
        self._has_begun = False

    # --- Bus
    def show_view(self, view: facts.View) -> None:
        self.service.show_view(view)
        self.line.show_view(view)

    def poll(self, now_us: int) -> str | None:
        self.now_us = max(self.now_us, now_us)
        self.service.turns(now_us, self.speed_uturn_s(now_us))
        found = self.line.poll(now_us)
        self.display.poll(now_us)
        self.gateway.poll(now_us)
        return found

    def due_us(self, now_us: int) -> int:
        return now_us

    def is_behind(self) -> bool:
        return False

    # --- EventSource
    def take_events(self) -> list[Any]:
        asked, self._asked = self._asked, []
        served = self.service.take_events()
        self._own = [*[False] * len(asked), *[True] * len(served)]
        return [*asked, *served]

    def decided(self, refusal: str | None) -> None:
        if self._own.pop(0):
            self.service.decided(refusal)
        else:
            assert refusal is None

    # --- FactListener
    def take_fact(self, fact: Any) -> None:
        self._tell(fact)
        if not self._has_begun:  # with all that a wheel has learned in a year, and gone wrong
            self._has_begun = True
            self._tell(PROGRESS)
            for code, kind in guarded.FAULT_DETAILS.items():
                if isinstance(kind, Guarded):
                    text = sentence(code, f"{DETAIL}, sue")
                    self._tell(facts.Fault(fact.at_us, code, text))
        if isinstance(fact, facts.Result) and fact.coup == 1:
            number = 0 if fact.number == 17 else 17
            self._asked.append(facts.CorrectionAsked(0, 1, number, None, *SIGNED, "on the film"))
            body = {"coup": 1, "code": "H20", "detail": DETAIL, "kind": "loose", "stream": "loose"}
            self._asked.append(facts.HealthFound(0, "H20", DETAIL, body))
            for what, detail in ((SHIFT, THROWS), (ACKNOWLEDGED, f"H13: {THROWS}")):
                self._asked.append(facts.ActDone(0, "sue", "supervisor", what, detail, None))

    def _tell(self, fact: Any) -> None:
        """Whoever of them takes facts at all."""
        for listener in (self.service, self.line):
            getattr(listener, "take_fact", lambda _: None)(fact)

    def close(self) -> None:
        self.gateway.close()
        self.service.close()
        self.line.close()


class Told(NamedTuple):
    """What a played wheel told whom."""

    status: dict[str, Any]  # of status.sock
    looker: list[dict[str, Any]]  # at status.sock
    whole: dict[str, Any]  # the status at the control socket
    member: list[dict[str, Any]]  # at the control socket
    stranger: str  # at the page
    person: str  # at the page, logged in
    questions: dict[str, str]  # what a stranger may ask the page, and the answer
    lines: dict[str, list[bytes]]  # of the gateway, by its way to speak
    frames: list[bytes]  # on the line to the displays
    scenes: list[dict[str, Any]]  # of a display's page
    leads_us: list[int]  # from each call to its drop
    exact_us: set[int]  # when the calls and drops were
    evidence: list[dict[str, Any]]  # the journal's, of each coup
    found: list[dict[str, Any]]  # by the watch over health, in the journal
    acts: list[dict[str, Any]]  # in the journal
    log: str  # at the page, for who is logged in


class _Asked(Server):
    """The page's server, and what anybody may ask it."""

    def __init__(self, wheel: Wheel, logins: Logins) -> None:
        self.anybodys: dict[str, Any] = {}
        super().__init__(wheel, logins, Identity(cast(Any, None), "", ()))

    def question(
        self, path: str, handler: Any, *, post: bool = False, anybody: bool = False
    ) -> None:
        if anybody and not post:
            self.anybodys[path] = handler
        super().question(path, handler, post=post, anybody=anybody)


async def _until_said(viewer: Viewer, wanted: str) -> str:
    came = ""
    async with asyncio.timeout(LAST_RESORT_S):
        async for piece in viewer.stream():
            came += piece.decode()
            if wanted in came:
                return came
    raise AssertionError(f"it never said {wanted}")


async def _answers(wheel: Wheel, logins: Logins, game: Any, journal: Path) -> dict[str, str]:
    places = Places(*[journal.parent / "nothing"] * 4)._replace(journal=journal)
    server = _Asked(wheel, logins)
    Reads(wheel, game, places, {}).add_to(server)
    found = {}
    for path, handler in server.anybodys.items():
        asked = Question(cast(Any, SimpleNamespace(args={}, json=None)), None)
        named = {"number": "1"} if "<number>" in path else {}
        found[path] = json.dumps(await handler(asked, **named))
    return found


def _enrol(path: Path) -> None:
    enrolled = [people_file.enrol(name, role, pin) for name, (role, pin) in PEOPLE.items()]
    path.write_bytes(b"".join(map(people_file.encode, enrolled)))
    path.chmod(0o600)


async def played(folder: Path) -> Told:
    """Plays COUPS on a wheel whose sockets and journal are made in `folder`."""
    with contextlib.ExitStack() as stack:
        return await _played(folder, stack)


async def _played(folder: Path, stack: contextlib.ExitStack) -> Told:
    _enrol(folder / "people.jsonl")
    store: Any = own_journal.Waiting(own_journal.opened(folder / "journal.db"))
    stack.callback(store.close)
    surfaces = Surfaces(folder, store)
    stack.callback(surfaces.close)

    def caller(name: str) -> Caller:
        found = Caller(folder, name)
        stack.callback(found.close)
        return found

    looker, member = caller(STATUS_ONLY), caller(CONTROL)
    assert looker.ask(do="status")["ok"]
    session = member.ask(do="login", person={"name": "tom", "pin": PEOPLE["tom"][1]})
    assert "error" in member.ask(do="login", person={"name": "sue", "pin": "999888"})
    logins = Logins()
    login = logins.open(session)
    wheel = Wheel(folder, logins, lambda: None)
    running = asyncio.create_task(wheel.run())
    own, other = Viewer(login.cookie, edges=False), Viewer(None, edges=False)
    for viewer in (own, other):
        wheel.add(viewer)
    with Waiting("the page's line") as waiting:
        while not wheel.line.is_open:
            waiting.on()
            await asyncio.sleep(0)
    simulation = Simulation(
        surfaces.game,
        seed=3,
        store=store,
        bus=surfaces,
        fact_listeners=(surfaces,),
        restart_state=FRESH._replace(
            learned=taught(Scenario("", "", "roulette", COUPS, learned=True))
        ),
    )
    surfaces.speed_uturn_s = simulation._controller.speed_uturn_s
    await asyncio.to_thread(lambda: [*simulation.play(COUPS)])
    statuses = [caller(name).ask(do="status")["status"] for name in (STATUS_ONLY, CONTROL)]
    last = f'"event":"result","coup":{COUPS}'
    said = [await _until_said(viewer, last) for viewer in (own, other)]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    questions = await _answers(wheel, logins, surfaces.game, folder / "journal.db")
    await asyncio.to_thread(surfaces.close)
    heard = member.rest()
    times = {(each["event"], each.get("coup")): each["t_us"] for each in heard if "event" in each}
    coups = [coup for event, coup in times if event == "ball_dropped"]
    called = [times["no_more_bets", coup] for coup in coups]
    dropped = [times["ball_dropped", coup] for coup in coups]
    return Told(
        status=statuses[0],
        looker=looker.rest(),
        whole=statuses[1],
        member=heard,
        stranger=said[1],
        person=said[0],
        questions=questions,
        lines=surfaces.gateway.said,
        frames=surfaces.display.heard,
        scenes=surfaces.display.scenes,
        leads_us=[drop - call for call, drop in zip(called, dropped, strict=True)],
        exact_us={*called, *dropped},
        evidence=[row.body for row in reader.of_kind(folder / "journal.db", "evidence")],
        found=[row.body for row in reader.of_kind(folder / "journal.db", "health")],
        acts=[row.body for row in reader.of_kind(folder / "journal.db", "act")],
        log=json.dumps(history.log(folder / "journal.db", None, history.LOG_MAX)),
    )
