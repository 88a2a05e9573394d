"""A real controller with its virtual wheel, the service page beside it, and real Chromium."""

import contextlib
import functools
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_rest import asked, rest
from display_page.conftest import Browser, chromium  # noqa: F401  # the fixture, for this folder too
from patience import LAST_RESORT_S, PATIENCE_S, until
from selenium.common.exceptions import WebDriverException

from firmware.keys import people
from tools.bench.page.client import Client
from tools.hil.stage.child_process import CYLINDRE, ChildProcess

BUILT = Path(__file__).with_name("built.py")
SLOTTED = Path(__file__).with_name("slotted.py")
PINS = {"weber": "831504", "anna": "275916", "klein": "640182", "thill": "161803"}
ROLES = {"weber": "supervisor", "anna": "technician", "klein": "supervisor", "thill": "director"}
BOARD = "roulette_ref"
PACE = 5  # of the wheel: here it is what a page shows, and a coup need not take 25 s


@functools.cache
def enrolled() -> bytes:
    """A file of people; to hash a PIN takes a while."""
    return b"".join(people.encode(people.enrol(name, ROLES[name], PINS[name])) for name in PINS)


class Program(ChildProcess):
    """One `cylindre` process in a folder of its own, and gone when the tests are."""

    def __init__(self, folder: Path, *options: str, command: tuple[str, ...] = CYLINDRE) -> None:
        self.log = folder / f"{options[0]}.log"
        self.log.write_text("")  # one that is started again has a log of its own
        super().__init__(("env", "PYTHONWARNINGS=error", *command, *options), folder, self.log)
        self._lines: list[bytes] = []

    def line(self) -> str:
        """The next of its output; nothing, once it says no more."""
        until(lambda: self._lines or self.has_hushed or self._lines.extend(self.read()))
        return self._lines.pop(0).decode() if self._lines else ""

    def end(self, number: int = signal.SIGKILL) -> int:
        """Its exit code, once it is gone: it alone is told, what it started must see to itself."""
        if not self.is_over:
            self.popen.send_signal(signal.SIGCONT)
            self.popen.send_signal(number)
        code = self.popen.wait(LAST_RESORT_S)
        self.close()
        return code


class Table:
    """A wheel in a folder: its controller, and its page."""

    def __init__(self, folder: Path, *, staffed: bool = True) -> None:
        self.folder = folder
        self.state = folder / "var" / BOARD
        self.state.mkdir(parents=True)
        self.people = self.state / "people.jsonl"
        if staffed:
            self.people.write_bytes(enrolled())
            self.people.chmod(0o600)
        self.config = folder / "wheel.toml"
        self.config.write_text(f'[wheel]\nboard = "{BOARD}"\nid = "table-3"\n')
        self.programs: list[Program] = []
        self.controller: Program | None = None
        self.page: Program | None = None
        self.address = ""
        self.fingerprint = ""

    def play(self, *, pace: int = PACE, built: dict[str, Any] | None = None) -> None:
        """Starts the controller; `built`: where its wheel is not as it is drawn."""
        command = CYLINDRE if built is None else (*CYLINDRE[:2], str(BUILT), json.dumps(built))
        self.controller = self._start(
            "run", "--config", str(self.config), "--seed", "5", "--pace", str(pace), "--json",
            command=command,
        )  # fmt: skip
        until((self.state / "cylindre.sock").exists)

    def serve(self, *options: str, slots: Path | None = None, within: tuple[str, ...] = ()) -> None:
        """Starts the page; `slots`: the root of a machine that has some; `within`: what starts
        it."""
        command = CYLINDRE if slots is None else (*CYLINDRE[:2], str(SLOTTED), str(slots))
        self.page = self._start(
            "page", "--socket", str(self.state), "--port", "0", "--config", str(self.config),
            "--json", *options, command=(*within, *command),
        )  # fmt: skip
        text = self.page.line()
        assert text, self.page.log.read_text()
        told = json.loads(text)
        (self.address,) = told["addresses"]
        self.fingerprint = told["fingerprint"]

    def _start(self, *options: str, command: tuple[str, ...] = CYLINDRE) -> Program:
        self.programs.append(Program(self.folder, *options, command=command))
        return self.programs[-1]

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":", 1)[1].strip("/"))

    def ask(self, request: dict[str, Any], name: str = "cylindre.sock") -> dict[str, Any]:
        """Asks the controller itself, or the hand at its virtual wheel."""
        return asked(self.state, request, name)

    def status(self) -> dict[str, Any]:
        """How the wheel stands."""
        found: dict[str, Any] = self.ask({"do": "status"})["status"]
        return found

    def rest(self) -> None:
        """The croupier takes the ball, and the coup that was open is void."""
        rest(self.state)

    def close(self) -> None:
        for program in self.programs:
            program.end()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A wheel that nobody plays yet."""
    made = Table(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A wheel that plays, its page served: for tests that leave it as it is."""
    made = Table(tmp_path_factory.mktemp("played"))
    made.play()
    made.serve()
    yield made
    made.close()


class Page:
    """The page in a browser."""

    def __init__(self, browser: Browser, table: Table) -> None:
        self.browser = browser
        self.table = table
        self.run = browser.run
        self.until = browser.until

    def open(
        self,
        view: str = "live",
        *,
        language: str = "en",
        theme: str = "light",
        size: tuple[int, int] = (1180, 820),
    ) -> None:
        """Opens a view; `theme`: what the machine says it prefers."""
        driver = self.browser.driver
        driver.execute_cdp_cmd("Security.setIgnoreCertificateErrors", {"ignore": True})
        driver.get("about:blank")  # a view alone would be no new page
        self.browser.open(f"{self.table.address}?lang={language}#{view}", size=size)
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.until("document.body.dataset.ready === 'yes'")
        self.until(
            "document.querySelector('.view') && document.body.dataset.view === arguments[0]",
            view,
        )

    def show(self, view: str) -> None:
        """Another view of the page that is open."""
        self.run("location.hash = arguments[0]", view)
        self.until("document.body.dataset.view === arguments[0]", view)

    def log_in(self, name: str = "weber", pin: str | None = None) -> None:
        """Through the dialog, as a person does."""
        self.run("document.getElementById('login').click()")
        self.fill("field-name", name)
        self.fill("field-pin", PINS[name] if pin is None else pin)
        self.run("document.querySelector('#login-form button[type=submit]').click()")

    def logged_in(self, name: str = "weber") -> None:
        """Logs in, and sees that."""
        self.log_in(name)
        self.until("document.getElementById('who').innerText.includes(arguments[0])", name)

    def fill(self, field: str, text: str) -> None:
        self.until("document.getElementById(arguments[0])", field)
        self.run(
            "const field = document.getElementById(arguments[0]); field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', {bubbles: true}))",
            field,
            text,
        )

    def click(self, selector: str) -> None:
        self.until("document.querySelector(arguments[0])", selector)
        self.run("document.querySelector(arguments[0]).click()", selector)

    def text(self, selector: str) -> str:
        found: str = self.run(
            "return document.querySelector(arguments[0])?.innerText ?? ''", selector
        )
        return found

    def photograph(self, name: str) -> None:
        self.browser.photograph(f"service-{name}")


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:  # noqa: F811
    """The browser, without anybody logged in; and that nothing went wrong on the page."""
    chromium.logged()
    chromium.patience_s = PATIENCE_S
    chromium.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    yield chromium
    with contextlib.suppress(WebDriverException):  # about:blank keeps nothing
        chromium.run("localStorage.clear()")
    wrong = [entry for entry in chromium.logged() if not _expected(entry["message"])]
    chromium.driver.get("about:blank")
    assert wrong == []


def _expected(message: str) -> bool:
    """A refusal is told in the page; the browser's console names its status besides."""
    return bool(
        re.search(
            r"status of (401|403|409|429)|ERR_(CONNECTION|INCOMPLETE|SSL|NETWORK|SOCKET|EMPTY)",
            message,
        )
    )


@pytest.fixture
def page(browser: Browser, played: Table) -> Page:
    return Page(browser, played)


@pytest.fixture
def client(played: Table) -> Client:
    """Somebody who is not logged in."""
    return Client(played.port, LAST_RESORT_S)


@pytest.fixture
def weber(client: Client) -> Client:
    """A supervisor who is."""
    status, told = client.log_in("weber", PINS["weber"])
    assert status == 200, told
    return client
