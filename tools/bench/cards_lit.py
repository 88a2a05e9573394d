"""How long a card takes, from the core's view of it to the pixels of the table displays.

The line's time is modelled (card_line.py): four displays at 115200 baud beside seven seats'
terminals and the host of followers, a round of black jack at all of them. The page's is measured:
from the scene that a display gives its server to the frame after the one in which a real Chromium
has drawn it.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from shutil import which
from typing import Any, NamedTuple

from firmware.bus import slots
from firmware.bus.card_messages import BACK, Cards
from firmware.bus.receiver import DARK
from firmware.lib.programs import PATH
from firmware.lib.scene_site import BEAT_S
from firmware.services.display.cloth import Told
from firmware.services.display.scene import Director
from firmware.services.display.server import Server
from tools.bench.busbench import Ledger
from tools.bench.card_line import CardBench

BAUD = 115_200
DISPLAYS = 4
CHANGES = 400  # of the cloth
PAGE_CHANGES = 150
# Between two of them, as cards and decisions come from hands.
PAUSE_US = (400_000, 1_600_000)
_FIRST_MS, _AFTER_MS = 50, 5  # a percentile of few is no more than their largest
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
          "--disable-dev-shm-usage", "--disable-background-networking",
          "--disable-component-update", "--disable-sync", "--disable-extensions")  # fmt: skip
_WATCH = """
window.drawn = {};
new MutationObserver(() => {
  const round = document.getElementById("coup").textContent;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    window.drawn[round] ??= performance.timeOrigin + performance.now();
  }));
}).observe(document.getElementById("cloth"), { childList: true });
"""


class Latencies(NamedTuple):
    """Milliseconds, one a change, sorted."""

    ms: list[float]

    def at(self, percent: float) -> float:
        """The value below which so many of a hundred lie."""
        return self.ms[min(len(self.ms) - 1, int(len(self.ms) * percent / 100))]


def deal(rng: random.Random, count: int) -> Iterator[Cards]:
    """So many views of rounds at seven seats, card after card; the round stays the same."""
    hands: dict[str, list[int]] = {}
    for at in range(count):
        step = at % 24
        if step == 0:
            hands = {place: [] for place in (*(f"s{seat}" for seat in range(1, 8)), "d")}
        order = [*list(hands), *list(hands)]
        place = order[step] if step < len(order) else f"s{1 + step % 7}"
        faces = hands[place]
        faces.append(BACK if place == "d" and len(faces) == 1 else rng.randrange(52))
        told = tuple((where, None, tuple(cards)) for where, cards in hands.items())
        yield Cards(1, 1, False, False, False, place, told, ())


def wire(
    changes: int = CHANGES, displays: int = DISPLAYS, seed: int = 1, followers: int = 1
) -> Latencies:
    """From a view of the core until the last of the displays lights it. `followers` 0: there is no
    host of any."""
    rng = random.Random(seed)
    bench = CardBench(followers=followers, displays=displays, baud=BAUD)
    bench.ledger = Ledger(game="blackjack")
    bench.last_view = ("PLAYING", 1, 0, 0, None, None, None)
    bench.start()
    bench.run(3 * slots.FRESH_US)
    found = []
    for cards in deal(rng, changes):
        bench.run(rng.randrange(*PAUSE_US) // 1000 * 1000)
        began_us = bench.now_us
        bench.display_host.set_cards(cards)

        def lit(cards: Cards = cards) -> bool:
            return all(display.cards == cards for display in bench.displays)

        if not bench.run(3 * slots.FRESH_US, lit):
            raise AssertionError("never lit")
        found.append((bench.now_us - began_us) / 1000)
    return Latencies(sorted(found))


def page(changes: int = PAGE_CHANGES, seed: int = 1) -> Latencies | None:
    """From a display's scene to the pixels of a browser; None where there is none."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        return None
    binary, driver = (which(name, path=PATH) for name in ("chromium", "chromedriver"))
    if binary is None or driver is None:
        return None
    with tempfile.TemporaryDirectory() as profile, _Pages() as pages:
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for flag in (*_FLAGS, f"--user-data-dir={profile}", "--window-size=1920,1080"):
            options.add_argument(flag)
        browser = webdriver.Chrome(options=options, service=Service(driver))
        try:
            browser.get(pages.address)
            return _timed(browser, pages, changes, seed)
        finally:
            browser.quit()


def _timed(browser: Any, pages: _Pages, changes: int, seed: int) -> Latencies:
    rng = random.Random(seed)
    director, lit = Director(), DARK._replace(state="PLAYING", game="blackjack")
    told_at: dict[str, float] = {}
    for at, cards in enumerate(deal(rng, changes), 1):
        # The number of the round names the change on the page.
        told = Told(cards._replace(round=at), None, (), 1)
        scene = director.scene(lit._replace(coup=at), 0, told=told)
        told_at[str(at)] = pages.show(scene)
        if at == 1:
            time.sleep(_FIRST_MS / 10)
            browser.execute_script(_WATCH)
        time.sleep(rng.uniform(0.05, 0.15))
    time.sleep(0.5)
    drawn = browser.execute_script("return window.drawn")
    found = [
        at_ms - told_at[text.rsplit(" ", 1)[-1]]
        for text, at_ms in drawn.items()
        if text.rsplit(" ", 1)[-1] in told_at
    ]
    return Latencies(sorted(found))


class _Pages:
    """The server of a display, in a thread of its own."""

    def __enter__(self) -> _Pages:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._scene: Any = None
        self._server = Server(lambda: time.monotonic_ns() // 1000)
        self._call(self._server.start(0))
        self._standing = asyncio.run_coroutine_threadsafe(self._stand(), self._loop)
        return self

    def __exit__(self, *_: object) -> None:
        self._standing.cancel()
        self._call(self._server.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def address(self) -> str:
        """Of the page."""
        return self._server.address

    def show(self, scene: Any) -> float:
        """Shows a scene; returns when, in milliseconds since 1970 as a browser counts them."""
        self._scene = scene
        began = time.time() * 1000
        self._loop.call_soon_threadsafe(self._server.show_scene, scene)
        return began

    async def _stand(self) -> None:
        while True:
            if self._scene is not None:
                self._server.show_scene(self._scene)
            await asyncio.sleep(BEAT_S / 2)

    def _call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)


def to_pixel(line: Latencies, screen: Latencies, seed: int = 1) -> Latencies:
    """Both one after the other, as they fall together by chance."""
    rng = random.Random(seed)
    return Latencies(sorted(rng.choice(line.ms) + rng.choice(screen.ms) for _ in range(20_000)))


def rows(measured: Callable[[], Latencies | None] = page) -> list[tuple[str, Latencies | None]]:
    """What `make bench` prints: the line alone, and down to the pixel."""
    line = wire()
    screen = measured()
    whole = None if screen is None else to_pixel(line, screen)
    return [("the line alone", line), ("to the pixel", whole)]


if __name__ == "__main__":
    for name, found in rows():
        if found is None:
            print(f"{name}: not measured, for there is no chromium")
        else:
            print(f"{name}: {found.at(50):.0f} / {found.at(99):.0f} / {found.ms[-1]:.0f} ms")
