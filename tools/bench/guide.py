"""From the card that the controller accepts to the pixels of the croupier's guide.

The shipped card table is dealt to at a fast pace; its facts go out by the shipped socket to
`cylindre guide`, a process of its own, and from there to a real Chromium, which says when the frame
with that card was drawn. Both clocks are the machine's. `python -m tools.bench.guide` prints the
table; `make bench` has its rows.
"""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any, NamedTuple

import click

import rules
from firmware.api.server import Service
from firmware.config.this_wheel import Started, leave
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.table import CardTable
from firmware.lib.errors import FAILED, OK
from firmware.lib.programs import PATH
from firmware.run.card_core import CardCore
from rules.cards.stakes import open_table
from tools.testing.machine import WANTS

GOAL_MS = 100.0  # issue 28: of 99 cards of 100
DARK_MS = 1000.0  # from the last sign of life of the controller
CARDS, EVERY_S = 280, 0.1  # of one shoe of six decks; nobody deals faster
SEATS = range(1, 8)
_PATIENCE_S = 30.0
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions",
)  # fmt: skip
# What is drawn, and when its frame was handed on: a task that follows a frame's callbacks.
_WATCH = """
window.drawn = [];
const tell = (key) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => drawn.push([key, performance.timeOrigin + performance.now()]);
  requestAnimationFrame(() => channel.port2.postMessage(null));
};
new MutationObserver(() => {
  const round = document.getElementById("round").textContent.replace(/\\D/g, "");
  tell(document.body.dataset.stage === "gone" ? "dark"
    : `${round}:${document.querySelectorAll(".cloth .card").length}`);
}).observe(document.body, { subtree: true, childList: true, attributes: true,
  attributeFilter: ["data-stage"], characterData: true });
"""


class Measured(NamedTuple):
    """Milliseconds, a card each; and from the controller's last sign of life to the dark."""

    cards_ms: list[float]
    missed: int  # cards that were never drawn
    stands_still_ms: float
    goes_ms: float


class Row(NamedTuple):
    """One line of the table."""

    name: str
    value: str
    target: str
    kept: bool


class Dealer:
    """A card table of seven seats, its sockets, and who obeys its guide at once."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._limits = open_table(rules.load("blackjack_lu"), minimum_cents=1000)
        self._core = CardCore(CardTable(self._limits), ())
        self._cards = list(range(52)) * self._limits.decks
        random.Random(seed).shuffle(self._cards)
        self._n = 0
        self._guide: Any = None
        self._lying = 0  # on the cloth, in this round
        self.accepted_ms: dict[str, float] = {}  # by round and number there, of the wall clock
        self.is_still = False
        leave(Started("blackjack_ref", "bench", None, folder, folder, folder, None), folder)
        self.service = Service(folder, number_max=36, game="blackjack")
        self._ends = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._loop)
        self._thread.start()
        with self._lock:
            self._take(self._core.begin_play(_now_us()))

    def deal(self, count: int, every_s: float) -> None:
        """Deals so many cards, one each `every_s`; all else is done at once."""
        due_s = time.monotonic()
        wanted = len(self.accepted_ms) + count
        self._tell(facts.ShoeLoaded, "bench", "1", self._limits.decks, 1, True, 0)
        while len(self.accepted_ms) < wanted:
            code = self._guide.code
            if code in (facts.LOAD, facts.NEXT):
                due_s += every_s  # the last card lies there as long as the others
                time.sleep(max(0.0, due_s - time.monotonic()))
                self._tell(facts.KeyPressed, facts.KEY_START)
            elif code == facts.BETS:
                stakes = [
                    {"player": f"p{seat}", "seat": seat, "bet": "main", "cents": 1000}
                    for seat in SEATS
                ]
                self._tell(facts.StakesLaid, stakes)
                self._tell(facts.KeyPressed, facts.KEY_NO_MORE_BETS)
            elif code == facts.INSURE:
                self._tell(facts.KeyPressed, facts.KEY_NO_MORE_BETS)
            elif code == facts.DECIDE:
                args = dict(self._guide.args)
                self._tell(facts.DecisionMade, args["seat"], args["hand"], "stand", None, None, "1")
            else:
                due_s += every_s if code != facts.BURNING else 0
                time.sleep(max(0.0, due_s - time.monotonic()))
                self._n += 1
                card = self._cards.pop()
                self._tell(facts.CardRead, self._n, card, f"S1-{self._n:04}", facts.SHOE)

    def close(self) -> None:
        """Ends it."""
        self._ends.set()
        self._thread.join()
        self.service.close()

    def _loop(self) -> None:
        while not self._ends.wait(0.01):
            if not self.is_still:
                self.service.turns(_now_us(), 0)

    def _tell(self, kind: Any, *given: Any) -> None:
        with self._lock:
            self._take(self._core.handle(kind(_now_us(), *given)))

    def _take(self, answers: Sequence[Any]) -> None:
        tickets = []
        for answer in answers:
            kind = type(answer)
            if kind is core_facts.Record:
                tickets.append(answer.ticket)
                continue
            if kind is core_facts.View:
                self.service.show_view(answer)
                continue
            if kind is facts.RoundStarted:
                self._lying = 0
            elif kind is facts.CardDealt:
                self._lying += 1
                self.accepted_ms[f"{answer.round}:{self._lying}"] = time.time() * 1000
            elif kind is facts.Guide and answer.code != facts.GOLD_JACK_POSSIBLE:
                self._guide = answer
            self.service.take_fact(answer)
        for ticket in tickets:
            self._take(self._core.handle(core_facts.Recorded(_now_us(), ticket)))


def can_measure() -> bool:
    """Returns whether there is a browser."""
    return all(which(name, path=PATH) for name in WANTS["chromium"].programs)


def measure(*, cards: int = CARDS, every_s: float = EVERY_S, seed: int = 1) -> Measured:
    """Deals, watches, and returns what was seen. To be asked where `can_measure`."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="guide-")))
        sockets = folder / "t"
        sockets.mkdir()
        dealer = Dealer(sockets, seed)
        stack.callback(dealer.close)
        address = stack.enter_context(_guide(sockets))
        driver = stack.enter_context(_browser(folder / "profile"))
        driver.get(f"{address}?lang=fr")
        _until(lambda: driver.execute_script("return document.body.dataset.stage") == "table")
        driver.execute_script(_WATCH)
        dealer.deal(cards, every_s)
        last = list(dealer.accepted_ms)[-1]
        with contextlib.suppress(TimeoutError):
            _until(lambda: last in dict(driver.execute_script("return drawn")), 5.0)
        drawn = driver.execute_script("return drawn")
        stands_still_ms = _until_dark(driver, dealer)
        dealer.is_still = False
        _until(lambda: driver.execute_script("return document.body.dataset.stage") == "table")
        driver.execute_script("drawn.length = 0")
        gone_ms = time.time() * 1000
        dealer.service.close()
        goes_ms = _dark_ms(driver) - gone_ms
    return _measured(dealer.accepted_ms, drawn, stands_still_ms, goes_ms)


def _measured(
    accepted_ms: dict[str, float], drawn: list[Any], stands_still_ms: float, goes_ms: float
) -> Measured:
    """A card is drawn once it lies there, or one that came after it."""
    found: list[float] = []
    for key, accepted in accepted_ms.items():
        round_, count = key.split(":")
        times = [
            at_ms for seen, at_ms in drawn
            if seen.startswith(round_ + ":") and int(seen.split(":")[1]) >= int(count)
        ]  # fmt: skip
        if times:
            found.append(min(times) - accepted)
    return Measured(found, len(accepted_ms) - len(found), stands_still_ms, goes_ms)


def rows(measured: Measured) -> list[Row]:
    """Returns the table."""
    cards = sorted(measured.cards_ms)
    most99 = cards[min(len(cards) - 1, len(cards) * 99 // 100)]
    spread = f"{median(cards):.0f} / {most99:.0f} / {cards[-1]:.0f}"
    dark = (measured.stands_still_ms, measured.goes_ms)
    return [
        Row("guide, card to pixel, ms, 50 / 99 % / most", spread, f"99 %: {GOAL_MS:.0f} or less",
            most99 <= GOAL_MS),
        Row(f"guide, never drawn of {len(cards) + measured.missed} cards",
            str(measured.missed), "0", not measured.missed),
        Row("guide dark, loop stands / controller gone, ms",
            f"{dark[0]:.0f} / {dark[1]:.0f}", f"{DARK_MS:.0f} or less", max(dark) <= DARK_MS),
    ]  # fmt: skip


def _until_dark(driver: Any, dealer: Dealer) -> float:
    driver.execute_script("drawn.length = 0")
    dealer.is_still = True
    still_ms = time.time() * 1000
    return _dark_ms(driver) - still_ms


def _dark_ms(driver: Any) -> float:
    """When the page was dark, of the wall clock."""
    _until(lambda: "dark" in dict(driver.execute_script("return drawn")))
    return float(
        min(at_ms for key, at_ms in driver.execute_script("return drawn") if key == "dark")
    )


@contextlib.contextmanager
def _guide(sockets: Path) -> Iterator[str]:
    """A guide, as people start it; gives its address."""
    command = [sys.executable, "-P", "-m", "tools.cli", "guide", "--socket", str(sockets)]
    options = ["--page-port", "0", "--lang", "en"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split(": ", 1)[1].strip()
        finally:
            process.terminate()


@contextlib.contextmanager
def _browser(profile: Path) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service as Driver

    options = webdriver.ChromeOptions()
    binary, driver = (which(name, path=PATH) for name in WANTS["chromium"].programs)
    options.binary_location = binary or ""
    for flag in (*_FLAGS, f"--user-data-dir={profile}", "--window-size=1280,720"):
        options.add_argument(flag)
    made = webdriver.Chrome(options=options, service=Driver(driver))
    try:
        yield made
    finally:
        made.quit()


def _until(condition: Any, patience_s: float = _PATIENCE_S) -> None:
    give_up_s = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > give_up_s:
            raise TimeoutError
        time.sleep(0.05)


def _now_us() -> int:
    return time.monotonic_ns() // 1000


@click.command()
@click.option("--cards", default=CARDS, show_default=True, type=click.IntRange(2, 290))
@click.option("--every", "every_s", default=EVERY_S, show_default=True, help="Seconds.")
@click.option("--seed", default=1, show_default=True)
def main(cards: int, every_s: float, seed: int) -> None:
    """Measure, and print a table; exit 1 if a card was never drawn."""
    if not can_measure():
        click.echo("Not measured: there is no chromium with its chromedriver here.")
        sys.exit(OK)
    measured = measure(cards=cards, every_s=every_s, seed=seed)
    for row in rows(measured):
        mark = "ok" if row.kept else "MISSED"
        click.echo(f"  {row.name:<46} {row.value:>18}   {row.target:<22}{mark}")
    sys.exit(FAILED if measured.missed else OK)


if __name__ == "__main__":
    main()
