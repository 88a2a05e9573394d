"""A card table in real time: `cylindre run` is a process, and shoe and keyboard are at ptys.

    shoe -> ShoeEnd -> pty -> cylindre run -> its lines of JSON -> screen -> hand -> pty, socket

Here stands and sits what a house has there: the simulated shoe, the croupier at serial keys, and
two people with their PINs at the control socket. The players' stakes are the virtual board's own:
nobody else lays any in a process. They hang on its seed, so they are known here too.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import socket
import tempfile
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drivers import card_keys
from drivers.card_keys import OK
from drivers.checked_line import written
from drivers.croupier_keyboard import TABLE
from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.fold import Fold
from firmware.keys import folder as keys
from firmware.keys.key_files import text_of
from firmware.keys.people import People
from firmware.lib.places import CONTROL, PEOPLE
from firmware.store import reader, round_record
from rules.cards import deck
from tools.hil.cards import oracle
from tools.hil.cards.line_facts import decode
from tools.hil.cards.oracle import CardLog
from tools.hil.cards.runner import Faults, Ran
from tools.hil.cards.scenario import CardScenario
from tools.hil.stage import ledger
from tools.hil.stage.child_process import CYLINDRE, ChildProcess
from tools.hil.stage.processes import stop
from tools.hil.verdict import BROKEN, Broken
from tools.virtual.card_hands import KEY, WHO, CardHands, Setup, players_of, side_bets
from tools.virtual.card_line import ShoeLine
from tools.virtual.card_table import MINIMUM_CENTS, RoundTruth, campaign_limits, end_told
from tools.virtual.late_store import Row

ROUND_S = 240
BURNED = 4  # as many as foreign_copy takes one of
START_S = 60  # a busy machine starts a Python in seconds
RESTART_US = 500_000
PINS = {WHO[0]: ("croupier", "30719284"), WHO[1]: ("management", "58820461")}
_STEP_S = 0.01
_CHUNK = 65_536
_NAMES = {key: name for key, name, _, _ in TABLE}
_CARD_KEYS = {key: name for key, name, _, _ in card_keys.TABLE}
_BETWEEN = (states.CONFIRMED, states.VOID)


class Port:
    """A serial port that can be pulled out: our end of a pty, and a name that stays for the other.

    An adapter has such a name by its serial number.
    """

    def __init__(self, name: Path) -> None:
        self.name = name
        self._ends: tuple[int, int] | None = None
        self.plug()

    def plug(self) -> None:
        """Puts it in."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._ends = (master, slave)
        self.name.symlink_to(os.ttyname(slave))

    def pull(self) -> None:
        """Pulls it out: who has it open finds that it hung up."""
        if self._ends is not None:
            self.name.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    def read(self) -> bytes:
        """What has come."""
        if self._ends is None:
            return b""
        with contextlib.suppress(BlockingIOError):
            return os.read(self._ends[0], _CHUNK)
        return b""

    def write(self, data: bytes) -> None:
        """Sends it; what finds no room is lost, as at a port that nobody reads."""
        if self._ends is not None and data:
            with contextlib.suppress(BlockingIOError):
                os.write(self._ends[0], data)


class Asked:
    """One request at the control socket, until it is answered."""

    def __init__(self, control: Path, request: dict[str, Any]) -> None:
        """Asks. Raises OSError where nobody is there."""
        self.request = request
        self._held = b""
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(control))
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except OSError:
            self._socket.close()
            raise
        self._socket.setblocking(False)

    def answer(self, wait_s: float = 0) -> dict[str, Any] | None:
        """The answer, once it is there; facts come on the way, too. Raises OSError."""
        while select.select([self._socket], [], [], wait_s)[0]:
            data = self._socket.recv(_CHUNK)
            if not data:
                raise ConnectionResetError
            *lines, self._held = (self._held + data).split(b"\n")
            for told in map(json.loads, lines):
                if "event" not in told:
                    return dict(told)
        return None

    def close(self) -> None:
        """Hears nothing more."""
        self._socket.close()


class ProcessTable(CardHands):
    """One table, its controller a process. `told`: all that this said of rounds, in order."""

    def __init__(self, setup: Setup, folder: Path) -> None:
        """Makes files and ptys in `folder`; nobody has started the controller yet."""
        CardHands.__init__(self, campaign_limits(setup.game), setup, _now_us())
        self.folder = folder
        self.journal = folder / "journal.db"
        self.told: list[Any] = []
        self.ended = 0  # rounds
        self.truths: list[RoundTruth] = []
        self.round = 0
        self.broken: list[Broken] = []
        self.to_table, self.to_shoe = ShoeLine(), ShoeLine()
        self.shoe_port = Port(folder / "shoe")
        self.keyboard_port = Port(folder / "keyboard")
        self.card_keys_port = Port(folder / "card_keys")
        self._control = folder / "s" / CONTROL
        self._errors = folder / "controller.err"
        self._lines = 0  # of the keyboard
        self._presses = 0  # of the keys for the cards
        self._asked: list[Asked] = []
        self._starts = 0
        self._is_dead = True
        _write_files(folder, setup)

    def start(self) -> None:
        """Starts the controller. Raises OSError."""
        self._starts += 1
        seed = self.setup.seed + self._starts
        self._laid = players_of(self.limits, seed)
        board = f"{self.limits.rules['family']}_ref"
        options = [
            "run", "--board", board, "--json", "--config", self.folder / "table.toml",
            "--journal", self.journal, "--keys", self.folder / "keys", "--fram",
            self.folder / "fram", "--socket", self._control.parent, "--seed", seed,
        ]  # fmt: skip
        argv = [*CYLINDRE, *map(str, options)]
        self.controller = ChildProcess(argv, self.folder, self._errors)
        self._is_dead = False

    # --- what is done to it -----------------------------------------------------------------------

    def kill(self) -> None:
        """The controller dies in the middle of it, and is started again as by systemd."""
        if self._is_dead:
            return
        self._is_dead = True
        self.controller.send(signal.SIGKILL)
        self.controller.popen.wait(START_S)
        self._hear()  # what it had said before
        self.controller.close()
        state = self._state()
        if state.last is not None and self.ended < state.round:
            self._end_round(end_told(state.last, self.now_us))
        self.later(RESTART_US, self.start)

    def inform(self, kind: Any, *given: Any) -> None:
        """Somebody asks that now."""
        self.ask(kind(self.now_us, *given))

    def pull_out(self, port: Port, back_us: int) -> None:
        """Somebody pulls out a plug, and puts it back after so long."""
        port.pull()
        self.later(back_us, port.plug)

    # --- time -------------------------------------------------------------------------------------

    def play(self, until_us: int, is_over: Callable[[], bool]) -> None:
        """Lets time pass until then, or until it is over."""
        while not is_over() and self.now_us < until_us and not self.broken:
            self._step()

    def _step(self) -> None:
        out = [] if self._is_dead or self.controller.has_hushed else [self.controller.out]
        select.select(out, [], [], _STEP_S)
        self.now_us = _now_us()
        self._hear()
        self.sense()
        self.to_table.send(self.shoe_says(), self.now_us)
        self.shoe_port.write(self.to_table.received(self.now_us))
        self.to_shoe.send(self.shoe_port.read(), self.now_us)
        self.shoe_hears(self.to_shoe.received(self.now_us))
        for port in (self.keyboard_port, self.card_keys_port):
            port.read()  # nobody says anything there
        self._hear_answers()
        self.act()

    def end(self) -> None:
        """Asks the controller to end, and holds it to that."""
        if self._is_dead:
            return
        stop(self.controller)
        try:
            code = self.controller.popen.wait(START_S)
        except TimeoutError:
            code = None
        if code != 0:
            self._say_broken(f"the controller ended with {code}: {self._last_words()}")
        self.broken += ledger.verify(self.folder, self.journal)

    def close(self) -> None:
        """Nothing lives on."""
        if self._starts:
            self.controller.close()
        for asked in self._asked:
            asked.close()
        for port in (self.shoe_port, self.keyboard_port, self.card_keys_port):
            port.pull()

    def rows(self) -> list[Row]:
        """What its journal has; when each row became durable is not known, so 0."""
        if not self.journal.exists():
            return []
        decoded = [reader.decoded(self.journal, row) for row in reader.rows(self.journal)]
        return [Row(0, kind, body) for kind, body in round_record.recorded(decoded)]

    def _state(self) -> Any:
        fold = Fold()
        for row in self.rows():
            fold.add(row.kind, row.body)
        return fold.state()

    # --- what it says -----------------------------------------------------------------------------

    def _hear(self) -> None:
        if self._starts == 0 or self.controller.has_hushed:
            return
        for line in self.controller.read():
            fact = decode(json.loads(line), self.now_us)
            if fact is not None:
                self._take(fact)
        if not self._is_dead and self.controller.is_over:
            self._say_broken(f"the controller ended: {self._last_words()}")

    def _take(self, fact: Any) -> None:
        kind = type(fact)
        if kind in (facts.RoundResult, facts.RoundVoid):
            self._end_round(fact)
            return
        self.told.append(fact)
        if kind is facts.Guide:
            is_count = fact.code == facts.COUNT
            self.show_guide(fact, is_between=is_count and self._status() in _BETWEEN)
        elif kind is facts.RoundStarted:
            hand = self.croupier
            hand.begin_round()
            hand.stakes = self._laid.stakes()
            self.round = fact.round
            self.truths.append(RoundTruth(fact.round, hand.stakes, hand.cloth, hand.said, {}))
        elif kind is core_facts.Fault and fact.code == "P10":
            self.croupier.refused()

    def _end_round(self, fact: Any) -> None:
        hand = self.croupier
        self.told.append(fact)
        self.ended += 1
        self.truths[-1] = RoundTruth(
            fact.round, list(hand.stakes), list(hand.cloth), dict(hand.said), {}
        )

    def _status(self) -> str | None:
        """The table's state, which the guide does not say."""
        try:
            asked = Asked(self._control, {"do": "status"})
        except OSError:
            return None
        try:
            answer = asked.answer(wait_s=START_S)
        except OSError:
            answer = None
        finally:
            asked.close()
        return None if answer is None else answer["status"]["state"]

    def _last_words(self) -> str:
        lines = self._errors.read_text(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")

    def _say_broken(self, text: str) -> None:
        self.broken.append(Broken(BROKEN, None, text))

    # --- the hands --------------------------------------------------------------------------------

    def feed(self, key: str, level: int) -> None:
        """A key or switch of the serial keyboard goes down or up."""
        self._lines = (self._lines + 1) % 1000
        line = written([_NAMES[key], "D" if level else "U", f"{self._lines:03}"])
        self.keyboard_port.write(line.encode() + b"\r")

    def type_card(self, card: int) -> None:
        """A card is typed on the keys for the cards."""
        text = deck.text_of(card)
        for key in (text[0], text[1], OK):
            self._presses = (self._presses + 1) % 1000
            line = written([_CARD_KEYS[key], f"{self._presses:03}"])
            self.card_keys_port.write(line.encode() + b"\r")

    def read_line(self, data: bytes) -> None:
        """There is no barcode reader here."""
        raise NotImplementedError

    def ask(self, event: Any) -> None:
        """People ask that at the socket; stakes are laid by the controller's own players."""
        if type(event) is facts.StakesLaid or self._is_dead:
            return
        try:
            self._asked.append(Asked(self._control, _request(event)))
        except OSError:
            self.croupier.refused()  # nobody is there yet

    def count_shoe(self) -> None:
        """The table has the shoe counted by its own guide."""

    def _hear_answers(self) -> None:
        for asked in list(self._asked):
            try:
                answer = asked.answer()
            except OSError:
                answer = {}  # of a controller that is gone
            if answer is None:
                continue
            self._asked.remove(asked)
            asked.close()
            code = answer.get("error", {}).get("code")
            if code not in (None, "not_now"):
                self._say_broken(f"{asked.request['do']} was answered with {answer}")


def run(scenario: CardScenario) -> Ran:
    """Plays it in real time, in a folder of its own, and has it judged."""
    with tempfile.TemporaryDirectory(prefix="cylindre-cards-") as name:
        table = ProcessTable(scenario.setup, Path(name))
        made = Faults(scenario, table)
        table.on_screen.append(made.see)
        began_us = _now_us()
        try:
            table.start()
            for number in range(1, scenario.rounds + 1):
                until_us = _now_us() + (ROUND_S + START_S * (number == 1)) * 1_000_000
                table.play(until_us, lambda number=number: table.ended >= number)  # type: ignore[misc]
                if table.ended < number:
                    break
            table.end()
            rows = table.rows()
        finally:
            table.close()
    screen = str(table.croupier.screen)
    log = CardLog(table.told, rows, table.truths, made.begun, screen)
    verdict = oracle.judge(scenario, log)
    verdict = verdict._replace(broken=(*table.broken, *verdict.broken))
    return Ran(verdict, log, _now_us() - began_us)


def _write_files(folder: Path, setup: Setup) -> None:
    """Configuration, keys and the people of the house."""
    offered = "".join(f"{bet} = true\n" for bet in side_bets(setup.game))
    (folder / "table.toml").write_text(
        f'[game]\nrules = "{setup.game}"\n'
        f'[cards]\nshoe = "{folder / "shoe"}"\nkeyboard = "{folder / "keyboard"}"\n'
        f'card_keys = "{folder / "card_keys"}"\nburned = {BURNED}\n'
        f'[confirm]\nmode = "{setup.confirm}"\n'
        f"[stakes]\nminimum_cents = {MINIMUM_CENTS}\n[side_bets]\n{offered}"
    )
    keys.provision(folder / "keys")
    if setup.key:
        shoe = keys.shoe_file(folder / "keys")
        shoe.touch(0o600)
        shoe.write_bytes(text_of(KEY))
    people = People(folder / PEOPLE)
    for who, (role, pin) in PINS.items():
        people.add(who, role, pin)


def _request(event: Any) -> dict[str, Any]:
    """What somebody says at the socket who asks that."""
    croupier, management = ({role: {"name": who, "pin": pin}} for who, (role, pin) in PINS.items())
    both = croupier | management | {"why": WHO[2]}
    kind = type(event)
    if kind is facts.CardEntered:
        return {"do": "card", "card": deck.text_of(event.card)} | both
    if kind is facts.BurnAsked:
        return {"do": "burn"} | both
    if kind is facts.CountConfirmed:
        return {"do": "count"} | both
    if kind is facts.Acknowledged:
        return {"do": "pay"} | management
    if kind is facts.RescanAsked:
        return {"do": "rescan"}
    if kind is core_facts.VoidAsked:
        return {"do": "void"}
    assert kind is core_facts.ClearAsked, kind
    return {"do": "clear"}


def _now_us() -> int:
    return time.monotonic_ns() // 1000
