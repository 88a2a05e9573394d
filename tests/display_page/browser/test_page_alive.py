"""Whether what the page shows still stands: everything between wheel and screen is stopped once."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bench_controller import Controller, Wire
from patience import within

from firmware.bus.receiver import Lit
from tools.virtual.joined_line import JoinedLine

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-P", "-m", "tools.cli")
DARK_IN_S = 5.0  # the bus is silent after 1 s, and so is a stream, as is tested in virtual time
SHOWS = "document.getElementById('number').textContent === arguments[0]"
DASH = "–"


class Program:
    """One `cylindre` process in a folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
        self.process = subprocess.Popen(
            [*COMMAND, *options], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
        )

    def address(self) -> str:
        """Of the page that a display serves."""
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found is not None
        return found[0]

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    started: list[Program] = []

    def begin(*options: str) -> Program:
        started.append(Program(tmp_path, *options))
        return started[-1]

    yield begin
    for program in started:
        program.end()


@pytest.fixture
def in_background() -> Iterator[Callable[[Callable[[], None]], Callable[[], None]]]:
    """Does something again and again beside the test, until what it returns is called."""
    ends: list[Callable[[], None]] = []

    def begin(step: Callable[[], None]) -> Callable[[], None]:
        enough = threading.Event()

        def run() -> None:
            while not enough.is_set():
                step()

        def end() -> None:
            enough.set()
            thread.join()

        thread = threading.Thread(target=run)
        thread.start()
        ends.append(end)
        return end

    yield begin
    for end in ends:
        end()


class Slow:
    """Carries a page's bytes to the browser, those of a stream so much later."""

    def __init__(self, stand: Any, late_s: float) -> None:
        self._stand = stand
        self.late_s = late_s
        self._tasks: set[Any] = set()
        self.carried = 0  # pieces of streams
        self._server = stand.call(asyncio.start_server(self._carry, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.current_task())
        port = int(self._stand.address.rsplit(":", 1)[1].strip("/"))
        upstream, request = await asyncio.open_connection("127.0.0.1", port)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            request.write(head)
            is_stream = head.startswith(b"GET /events")
            loop = asyncio.get_running_loop()
            while data := await upstream.read(65536):
                if is_stream:
                    self.carried += 1
                    loop.call_later(self.late_s, _write, writer, data)
                else:
                    writer.write(data)
            await writer.drain()
        except (OSError, EOFError, asyncio.CancelledError):
            pass  # the browser went away, or the test is over
        finally:
            request.transport.abort()
            writer.transport.abort()

    def close(self) -> None:
        self._stand.call(self._end())

    async def _end(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # the turn of the loop in which sockets are closed


def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    if not writer.is_closing():
        writer.write(data)


def goes_dark(browser: Any) -> None:
    """The number goes, and all that was said with it, soon."""
    with within(DARK_IN_S, "the page goes dark"):
        browser.until(SHOWS, DASH)
    assert browser.stage() == "STALE"
    assert browser.text("last") == ""
    assert browser.text("shares") == ""


def test_the_page_goes_dark_when_the_controller_is_stopped_and_when_it_dies(
    browser: Any, start: Any, in_background: Any, tmp_path: Path
) -> None:
    line = JoinedLine()
    stop = in_background(lambda: line.forward(0.05))
    try:
        subprocess.run(
            [*COMMAND, "provision", "keys", "--displays", "1"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        )
        play = ("--board", "boule_ref", "--seed", "3", "--pace", "5", "--keys", "keys", "--json")
        controller = start("run", "--port", line.ends[0], *play)
        display = start("display", "--port", line.ends[1], "--keys", "keys", "--page-port", "0")
        browser.open(display.address())
        browser.until("document.body.dataset.stage === 'BETS_OPEN'")
        browser.photograph("live-boule-bets-open")
        # The record that a display believes comes some 30 ms after the state: till then a dash.
        number = browser.until(
            "document.body.dataset.stage === 'CONFIRMED'"
            " && document.getElementById('number').textContent.match(/^[1-9]$/)?.[0]"
        )
        controller.send(signal.SIGSTOP)
        goes_dark(browser)
        assert browser.text("more") == "Le contrôleur ne se fait pas entendre"
        browser.photograph("live-boule-stopped")
        controller.send(signal.SIGCONT)
        browser.until("document.body.dataset.stage !== 'STALE'")
        # It may have gone on to a newer record, without which there is no past for a moment.
        browser.until("document.getElementById('last').innerText.includes(arguments[0])", number)
        controller.send(signal.SIGKILL)
        browser.until("document.body.dataset.stage === 'STALE'")
        goes_dark(browser)
    finally:
        browser.driver.get("about:blank")
        stop()
        line.close()


def test_the_page_goes_dark_when_the_bridge_is_stopped_and_lives_again_with_the_next(
    browser: Any, start: Any, in_background: Any, tmp_path: Path
) -> None:
    controller, wire = Controller(), Wire(tmp_path / "bus")
    controller.keys(tmp_path / "keys")
    controller.confirm(17)
    options = ("display", "--port", "bus", "--keys", "keys", "--page-port")
    bridge = start(*options, "0")
    address = bridge.address()
    wait = threading.Event()

    def talk() -> None:
        controller.talk(wire)
        wait.wait(0.002)

    in_background(talk)
    browser.open(address)
    browser.until(SHOWS, "17")
    bridge.send(signal.SIGSTOP)
    goes_dark(browser)
    assert browser.text("more") == "L'afficheur ne se fait pas entendre"
    bridge.send(signal.SIGCONT)
    browser.until(SHOWS, "17")
    bridge.send(signal.SIGKILL)
    goes_dark(browser)
    bridge.process.wait()
    start(*options, address.rsplit(":", 1)[1].strip("/"))
    browser.until(SHOWS, "17")
    # While there was no bridge it was asked for in vain: that is all that went wrong.
    assert {entry["source"] for entry in browser.logged()} <= {"network"}


def test_no_request_leaves_the_pages_own_place(
    browser: Any, stand: Any, lit: Callable[..., Lit]
) -> None:
    browser.requests()
    browser.open(stand.address)
    stand.show(lit(state="CONFIRMED", game="roulette", number=17, colour="black", coup=1))
    browser.until(SHOWS, "17")
    requests = browser.requests()
    assert f"{stand.address}page.mjs" in requests
    # What the browser draws its own window with, if it is late; data: is asked of nobody.
    own = (stand.address, "chrome://", "data:")
    assert [address for address in requests if not address.startswith(own)] == []


def test_ten_pages_in_one_browser_are_all_told(
    browser: Any, stand: Any, lit: Callable[..., Lit]
) -> None:
    """A browser has six connections to a server: the pages share one stream."""
    driver = browser.driver
    stand.show(lit(state="CONFIRMED", game="roulette", number=17, colour="black", coup=1))
    first = driver.current_window_handle
    try:
        for _ in range(10):
            driver.switch_to.new_window("window")
            browser.open(stand.address)
            browser.until(SHOWS, "17")
        assert stand.server.pages == 1
        stand.show(lit(state="CONFIRMED", game="roulette", number=36, colour="red", coup=2))
        for handle in driver.window_handles:
            if handle != first:
                driver.switch_to.window(handle)
                browser.until(SHOWS, "36")
    finally:
        for handle in driver.window_handles:
            if handle != first:
                driver.switch_to.window(handle)
                driver.close()
        driver.switch_to.window(first)


def test_a_page_that_is_one_too_many_says_so(
    browser: Any, stand: Any, lit: Callable[..., Lit], monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware.lib import scene_site

    monkeypatch.setattr(scene_site, "PAGES_MAX", 0)
    stand.show(lit(state="CONFIRMED", game="roulette", number=17, colour="black", coup=1))
    browser.open(stand.address)
    browser.until("document.getElementById('more').textContent.startsWith('Trop de pages')")
    assert browser.text("number") == DASH


@pytest.mark.parametrize(("late_s", "shown"), [(0.0, "17"), (1.2, DASH)])
def test_a_stream_that_is_late_by_more_than_a_second_is_silent(
    browser: Any, stand: Any, lit: Callable[..., Lit], late_s: float, shown: str
) -> None:
    stand.show(lit(state="CONFIRMED", game="roulette", number=17, colour="black", coup=1))
    slow = Slow(stand, late_s)
    try:
        browser.open(slow.address)
        for _ in range(200 if late_s else 1):  # once is not enough to say never
            browser.until(SHOWS, shown)
        browser.until("performance.now() > arguments[0]", 2000 if late_s else 0)
        browser.until(SHOWS, shown)
        assert slow.carried > 0
    finally:
        browser.driver.get("about:blank")
        slow.close()


def test_a_stream_that_falls_behind_is_silent_while_it_does(
    browser: Any, stand: Any, lit: Callable[..., Lit]
) -> None:
    stand.show(lit(state="CONFIRMED", game="roulette", number=17, colour="black", coup=1))
    slow = Slow(stand, 0.0)
    try:
        browser.open(slow.address)
        browser.until(SHOWS, "17")
        browser.run(
            "window.seen = []; new MutationObserver(() => seen.push(number.textContent))"
            ".observe(number, { childList: true, characterData: true, subtree: true })"
        )
        slow.late_s = 1.2
        browser.until(SHOWS, DASH)
        dark = browser.run("return performance.now()")
        browser.until("performance.now() > arguments[0]", dark + 2500)
        assert browser.run("return seen") == [DASH]
        slow.late_s = 0.0
        browser.until(SHOWS, "17")
    finally:
        browser.driver.get("about:blank")
        slow.close()


@pytest.mark.smoke
def test_what_waited_for_a_page_that_slept_is_not_shown(browser: Any, stand: Any) -> None:
    """Of what the shared stream tells a page, only what answers its question of the last second."""
    browser.open(f"{stand.address}index.html")
    told = browser.driver.execute_async_script(
        """
        const done = arguments[arguments.length - 1];
        const port = { postMessage() {} };
        window.SharedWorker = function () { this.port = port; };
        const told = [];
        const tell = (asked, age, news) => port.onmessage({ data: { asked, age, ...news } });
        import("./link.mjs").then(async ({ listen }) => {
          await listen({ onScene: (scene) => told.push(scene), onSilence() {}, onCrowded() {} });
          const now = performance.now();
          tell(now - 1001, 0, { scene: "waited here" });
          tell(now - 600, 401, { scene: "waited on the way" });
          tell(now - 300, 300, { scene: "fresh" });
          tell(now - 2000, 0, { scene: "newer, but waited" });
          tell(now, 0, {});
          done(told);
        });
        """
    )
    assert told == ["fresh", "newer, but waited"]


def test_nothing_of_a_lost_stream_stands_when_the_next_begins(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}index.html")
    told = browser.driver.execute_async_script(
        """
        const done = arguments[arguments.length - 1];
        const streams = [];
        window.EventSource = class {
          constructor() { this.listeners = {}; streams.push(this); }
          addEventListener(name, listener) { this.listeners[name] = listener; }
          close() {}
          say(name, told) { this.listeners[name]({ data: JSON.stringify(told) }); }
        };
        const told = [];
        const port = { start() {}, postMessage: (news) => told.push(news.scene ?? null) };
        import("./stream.mjs").then(({ join }) => {
          join(port);
          port.onmessage({ data: performance.now() });
          streams[0].say("hello", { t_ms: 0, build: 1 });
          streams[0].say("scene", { t_ms: 0, scene: "before" });
          streams[0].onerror();
          const wait = setInterval(() => {
            if (streams.length < 2) return;
            clearInterval(wait);
            told.push("again");
            streams[1].say("hello", { t_ms: 0, build: 1 });
            streams[1].say("scene", { t_ms: 0, scene: "after" });
            done(told);
          }, 10);
        });
        """
    )
    assert told == [None, None, "before", "again", None, "after"]
