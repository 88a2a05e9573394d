"""`cylindre demo`: a virtual wheel, or card table, with all that stands around one, for whoever
wants to see it.

A folder of its own below var/ holds keys, journal, people and sockets, and is removed at the end:
the guest who may log in is known to this wheel alone, and is gone with it. What a demo that was
killed has left the next one removes. No option leads to a real board, and nothing listens but on
this machine.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import boards
from boards.card_tables import is_card_table
from firmware.client.ask import ask, ask_and_hear, ask_status
from firmware.config.this_wheel import is_demo
from firmware.core.house import CROUPIER, SUPERVISOR
from firmware.keys import folder as keys
from firmware.keys import people
from firmware.keys.players import secret_of
from firmware.lib.durable import OWNER_ONLY
from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, unwritten_output
from firmware.lib.language import N_, Message, echo
from firmware.lib.named_file import open_named
from firmware.lib.places import DEMO, HOST, JOURNAL, KEYS, PEOPLE, STATE_FOLDER
from firmware.lib.signals import handled
from tools.virtual import card_guest
from tools.virtual.joined_line import JoinedLine
from tools.virtual.table_runner import CLI, POLL_S, is_answered, last_line, start, stop, tell_next

GUEST = "guest"
_CONFIG = '[wheel]\nboard = "{}"\nid = "demo"\n\n[stakes]\nminimum_cents = {}\n'
_MINIMUM_CENTS = {True: 500, False: 100}  # at a card table, or at a wheel
_PREFIX = "demo-"
_LOCK = "demo.lock"
_PIN_DIGITS = 6
_SEATS = (GUEST, "visitor")  # who has an account: the guest plays, the other seat is free
_DEPOSIT_CENTS = 100_000
_STAKES = ("rouge 500", "plein 17 100", "douzaine 2 500", "cheval 14 17 200")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_COUPS = 1_000  # of the guest's: eight hours
_ANY_PORT = "0"
_ADDRESS = re.compile(r"http://\S+/$", re.MULTILINE)  # as the display announces it


class Summary(NamedTuple):
    """What whoever started it has to know."""

    display: str  # addresses
    page: str
    fingerprint: str
    name: str
    pin: str
    folder: str
    guide: str | None  # the croupier's, at a card table


class _Demo:
    """The processes of a demo, in its folder."""

    def __init__(self, board: str, folder: Path, line: JoinedLine, caught: list[int]) -> None:
        self.board = board
        self.is_cards = is_card_table(boards.load(board))
        self.family = board.split("_")[0]
        self.folder = folder
        self.line = line
        self.caught = caught
        self.started: dict[str, subprocess.Popen[bytes]] = {}

    def start(
        self, name: str, *options: str | Path, output: int | None = None, module: str = CLI
    ) -> None:
        """Starts `cylindre OPTIONS`; what it complains of, and prints by itself, is in NAME.log.

        `module`: another program than that.
        """
        with (self.folder / f"{name}.log").open("wb") as log:
            handle = log.fileno()
            words = [str(option) for option in options]
            # A group of its own: Ctrl-C comes through us, and ends all of them in one way.
            self.started[name] = start(
                words, handle if output is None else output, handle, own_group=True, module=module
            )

    def until(self, condition: Callable[[], object]) -> bool:
        """Plays on until that is true, returns True; False once all is to end. Raises Failure."""
        while not condition():
            if self.caught:
                return False
            for name, process in self.started.items():
                if (code := process.poll()) is not None:
                    self._fail(name, code)
            self.line.forward(POLL_S)
        return True

    def _fail(self, name: str, code: int) -> None:
        if code == OK and name == GUEST:
            return  # he has played all his coups, or his account is empty
        last = last_line(self.folder / f"{name}.log")
        if code == FAILED and not last and _is_output_unread():
            raise Failure(FAILED, unwritten_output(BrokenPipeError()))
        raise Failure(
            FAILED,
            Message(
                "The {name} stopped with exit code {code}. {last}",
                name=Message(name),
                code=code,
                last=last,
            ).strip(),
        )

    def is_answered(self) -> bool:
        """Whether the controller answers."""
        return is_answered(self.folder)

    def address(self, name: str) -> str:
        """Returns where display or guide serves its page; nothing before it does."""
        found = _ADDRESS.search((self.folder / f"{name}.log").read_text())
        return found[0] if found else ""


def play_demo(board: str, *, as_json: bool) -> int:
    """Plays on that board until it is stopped; returns the exit code. Raises Failure."""
    line = JoinedLine(3 + 1)  # controller, display, two seats
    caught: list[int] = []
    with _folder() as folder, handled(lambda got, _: caught.append(got), *_SIGNALS):
        demo = _Demo(board, folder, line, caught)
        try:
            summary = _begin(demo, silent=as_json)
            if summary is not None:
                if as_json:
                    told = {key: value for key, value in summary._asdict().items() if value}
                    print(json.dumps(told), flush=True)
                else:
                    _tell(summary, demo)
                demo.until(lambda: False)
        finally:
            stop(list(demo.started.values()), line, was_interrupted=False)
            line.close()
    if signal.SIGINT in caught:
        raise Failure(INTERRUPTED, N_("Interrupted: the demo is over, and nothing of it is kept."))
    return OK


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder below var/, removed at the end."""
    with ExitStack() as stack:
        try:
            STATE_FOLDER.mkdir(exist_ok=True)
            _remove_dead()
            made = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=STATE_FOLDER)
            folder = Path(stack.enter_context(made))
            stack.enter_context(_held(folder))
        except OSError as error:
            text = Message("Cannot write below {folder}.", folder=STATE_FOLDER)
            raise Failure(FAILED, text) from error
        yield folder


def _remove_dead() -> None:
    """Removes the folders of demos that were killed: a PIN and keys lie there."""
    for folder in STATE_FOLDER.glob(f"{_PREFIX}*"):
        if is_demo(folder):
            with suppress(OSError), _held(folder):
                shutil.rmtree(folder)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Holds the folder's lock, which ends with its process. Raises OSError, at once."""
    handle = open_named(folder / _LOCK, os.O_RDWR | os.O_CREAT, mode=OWNER_ONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _begin(demo: _Demo, *, silent: bool) -> Summary | None:
    """Starts all of it, the guest without a word if `silent`; None if it was stopped before.

    Raises Failure.
    """
    folder, ends = demo.folder, demo.line.ends
    (folder / DEMO).write_text(_CONFIG.format(demo.board, _MINIMUM_CENTS[demo.is_cards]))
    keys.provision(folder / KEYS, displays=1, terminals=len(_SEATS), shoe=demo.is_cards)
    known = people.People(folder / PEOPLE)
    guest_pin, croupier_pin = _pin(), _pin()
    known.add(GUEST, SUPERVISOR, guest_pin)
    known.add(CROUPIER, CROUPIER, croupier_pin)
    files: tuple[str | Path, ...] = (
        *("--config", folder / DEMO, "--keys", folder / KEYS),
        *("--journal", folder / JOURNAL, "--socket", folder),
    )
    demo.start("controller", "run", "--port", ends[0], *files)
    demo.start(
        "display",
        *("display", "--port", ends[1], "--keys", folder / KEYS, "--page-port", _ANY_PORT),
    )
    if not demo.until(demo.is_answered):
        return None
    if demo.is_cards:
        demo.start("guide", "guide", "--socket", folder, "--page-port", _ANY_PORT)
    with (folder / "page.json").open("wb") as announced:
        demo.start(
            "page", "page", *files, "--state", folder / "page", "--listen", HOST,
            "--port", _ANY_PORT, "--json", output=announced.fileno(),
        )  # fmt: skip
    _seat(demo, guest_pin, croupier_pin, silent=silent)
    if not demo.until(lambda: (folder / "page.json").read_bytes().endswith(b"\n")):
        return None
    if not demo.until(lambda: demo.address("display")):
        return None
    if demo.is_cards and not demo.until(lambda: demo.address("guide")):
        return None
    page = json.loads((folder / "page.json").read_text())
    return Summary(
        display=demo.address("display"),
        page=page["addresses"][0],
        fingerprint=page["fingerprint"],
        name=GUEST,
        pin=guest_pin,
        folder=str(folder),
        guide=demo.address("guide") if demo.is_cards else None,
    )


def _is_output_unread() -> bool:
    """Whether standard output, the guest's too, is a pipe that nobody reads any more."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _pin() -> str:
    while True:
        pin = f"{secrets.randbelow(10**_PIN_DIGITS):0{_PIN_DIGITS}d}"
        if people.unfit_pin(pin) is None:
            return pin


def _seat(demo: _Demo, guest_pin: str, croupier_pin: str, *, silent: bool) -> None:
    """Opens the accounts, in the presence of a croupier (art. 20-1), and sits the guest down.

    Raises Failure.
    """
    signed = {"employee": {"name": CROUPIER, "pin": croupier_pin}}
    ask(demo.folder, {"do": "employee", "present": True, **signed})
    secret = secret_of(guest_pin).hex()
    for number, player in enumerate(_SEATS, 1):
        opening = {"do": "account", "player": player, "secret": secret, **signed}
        deposit = {"do": "deposit", "account": number, "cents": _DEPOSIT_CENTS, **signed}
        for request in (opening, deposit):
            ask_and_hear(demo.folder, request, "entered")
    pin_file = demo.folder / "guest.pin"
    pin_file.touch(OWNER_ONLY)
    pin_file.write_text(f"{guest_pin}\n")
    output = None if silent else sys.stdout.fileno()
    if demo.is_cards:
        play = ("--family", demo.family, "--minimum-cents", str(_MINIMUM_CENTS[True]))
        demo.start(GUEST, *_terminal(demo, 1)[1:], *play, output=output, module=card_guest.MODULE)
        return
    first = ask_status(demo.folder)["coup"] + 1  # the next: of this one the call may be over
    orders = [
        f"at coup {first + place} BETS_OPEN: {_STAKES[place % len(_STAKES)]}\n"
        for place in range(_COUPS)
    ]
    (demo.folder / "guest.script").write_text("".join(orders))
    demo.start(
        GUEST, *_terminal(demo, 1), "--script", demo.folder / "guest.script", output=output,
    )  # fmt: skip


def _terminal(demo: _Demo, address: int) -> tuple[str | Path, ...]:
    """The words of `cylindre` at a seat: its account has its number."""
    return (
        *("terminal", "--port", demo.line.ends[1 + address], "--keys", demo.folder / KEYS),
        *("--address", str(address), "--account", str(address)),
        *("--pin-file", demo.folder / "guest.pin"),
    )


def _tell(summary: Summary, demo: _Demo) -> None:
    echo(Message("Table display: {address}", address=summary.display))
    if summary.guide is not None:
        echo(Message("The croupier's guide: {address}", address=summary.guide))
        echo(N_("Shoe, croupier and players are simulated."))
    echo(Message("Service page: {address}", address=summary.page))
    echo(Message("SHA-256 fingerprint of its certificate: {}", summary.fingerprint))
    echo(
        Message(
            "Log in there as {name} with PIN {pin}: a supervisor, on this virtual wheel alone.",
            name=summary.name,
            pin=summary.pin,
        )
    )
    echo(N_("The guest plays at terminal 1, and what he is told stands below."))
    sys.stdout.flush()
    bet = "rouge 500"
    tries = [(N_("a finger before a beam"), f"hand cover rim0 --for 5 --socket {summary.folder}")]
    if demo.is_cards:
        bet = "main 500" if demo.board == "blackjack_ref" else "player 500"
        tries = [(N_("the croupier's guide here"), f"guide --terminal --socket {summary.folder}")]
    tell_next(
        (
            (N_("what the controller tells"), f"watch --socket {summary.folder}"),
            (N_("what was recorded"), f"journal tail {Path(summary.folder, JOURNAL)}"),
            *tries,
            (Message("play yourself, {bet}", bet=bet), " ".join(map(str, _terminal(demo, 2)))),
        )
    )
