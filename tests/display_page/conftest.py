"""A real Chromium, and the page as `cylindre display` serves it."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from patience import LAST_RESORT_S, PATIENCE_S, until
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from firmware.bus.messages import STALE
from firmware.bus.receiver import DARK, Lit
from firmware.lib.programs import PATH
from firmware.lib.scene_site import BEAT_S
from firmware.services.display.cloth import NOTHING, Told
from firmware.services.display.scene import ATTRACT_US, Director, Scene
from firmware.services.display.server import Server
from firmware.text.display_words import ATTRACT
from tools.testing.machine import WANTS

SCREENSHOTS = Path(__file__).parents[2] / "var" / "screenshots"
# Neither updates, nor first-run pages, nor a network but ours; no sandbox, for CI runs as root.
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--force-color-profile=srgb",
)


class Browser:
    """One Chromium, on a page or none."""

    def __init__(self, profile: Path) -> None:
        options = webdriver.ChromeOptions()
        binary, driver = (which(name, path=PATH) for name in WANTS["chromium"].programs)
        options.binary_location = binary
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.patience_s = PATIENCE_S

    def open(
        self, address: str, *, size: tuple[int, int] = (1280, 720), still: bool = True
    ) -> None:
        """Opens a page at a size; `still`: for who wants no motion, so that colours are final."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else ""}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [motion]})
        self.driver.get(address)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, condition: str, *arguments: Any) -> Any:
        """What a JavaScript expression gives, once that is true."""
        script = f"return ((found) => found ? [found] : null)({condition})"
        (found,) = until(lambda: self.run(script, *arguments), condition, self.patience_s)
        return found

    def text(self, name: str) -> str:
        found: str = self.run("return document.getElementById(arguments[0]).innerText", name)
        return found

    def stage(self) -> str:
        found: str = self.run("return document.body.dataset.stage")
        return found

    def logged(self) -> list[dict[str, Any]]:
        """What went wrong on the page since this was asked last, as its console has it."""
        return list(self.driver.get_log("browser"))

    def requests(self) -> list[str]:
        """What the page asked for since this was asked last."""
        told = [json.loads(entry["message"]) for entry in self.driver.get_log("performance")]
        return [
            entry["message"]["params"]["request"]["url"]
            for entry in told
            if entry["message"]["method"] == "Network.requestWillBeSent"
        ]

    def photograph(self, name: str) -> None:
        """Keeps what is on the screen."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        assert self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))


@pytest.fixture(scope="session")
def chromium(
    tmp_path_factory: pytest.TempPathFactory, needs: Callable[..., None]
) -> Iterator[Browser]:
    """One browser for all tests of a worker."""
    needs("chromium")
    made = Browser(tmp_path_factory.mktemp("chromium"))
    yield made
    made.driver.quit()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser, and that nothing went wrong on the page."""
    chromium.logged()
    chromium.patience_s = PATIENCE_S
    yield chromium
    wrong = chromium.logged()
    chromium.driver.get("about:blank")
    assert wrong == []


class Stand:
    """A served page without a bus: it is told scenes, as by a display."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._scene: Scene | None = None
        self.server = self.call(self._start())
        self._standing = asyncio.run_coroutine_threadsafe(self._stand(), self._loop)

    async def _start(self) -> Server:
        server = Server(lambda: time.monotonic_ns() // 1000)
        await server.start(0)
        return server

    async def _stand(self) -> None:
        """Says again and again that the scene stands, as a display does."""
        while True:
            if self._scene is not None:
                self.server.show_scene(self._scene)
            await asyncio.sleep(BEAT_S / 2)

    def call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(LAST_RESORT_S)

    @property
    def address(self) -> str:
        return self.server.address

    def show(
        self,
        lit: Lit,
        *,
        stage: str = "",
        first: int = 1,
        asks: str | None = None,
        told: Told = NOTHING,
    ) -> None:
        """Shows what is lit; `stage` ATTRACT or STALE: as it is a while later. `first`: the coup of
        the oldest outcome. `asks`: who asks to be the first supervisor. `told`: of a card table."""
        director = Director()
        outcomes = tuple(enumerate(lit.history, first))
        scene = director.scene(lit, 0, lambda: outcomes, asks, told)
        if stage in (ATTRACT, STALE):
            scene = director.scene(lit, ATTRACT_US, lambda: outcomes, asks, told)
        self._scene = scene
        self._loop.call_soon_threadsafe(self.server.show_scene, scene)

    def close(self) -> None:
        self._standing.cancel()
        self.call(self.server.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def stand() -> Iterator[Stand]:
    made = Stand()
    yield made
    made.close()


@pytest.fixture
def lit() -> Callable[..., Lit]:
    """What is lit, told by the fields that are not dark."""
    return lambda **fields: DARK._replace(**fields)
