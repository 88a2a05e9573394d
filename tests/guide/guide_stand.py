"""A card table that hands drive, its real sockets, and the guide that follows them."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from patience import LAST_RESORT_S

from firmware.api.server import Service
from firmware.config.this_wheel import Started, leave
from firmware.core import facts as core_facts
from firmware.keys import people as people_file
from firmware.keys.people import People
from firmware.run.card_core import _with_views
from firmware.services.guide.follower import Follower
from firmware.services.guide.server import Server

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))
from harness.card_place import CardPlace

PINS = {"anna": ("croupier", "246810"), "weber": ("management", "135799")}
TABLE = "Grand salon, table 12"
LOOP_S = 0.01


def staff() -> bytes:
    """A file of people; to hash a PIN takes a while."""
    return b"".join(
        people_file.encode(people_file.enrol(name, role, pin)) for name, (role, pin) in PINS.items()
    )


class ServedTable(CardPlace):
    """A card place whose controller has its sockets in `folder`, and a loop that comes round."""

    def __init__(self, folder: Path, game: str, people: bytes = b"", **options: Any) -> None:
        self.folder = folder
        self.lock = threading.RLock()
        self.pressed: list[str] = []  # keys that came over the socket
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "people.jsonl").write_bytes(people)
        (folder / "people.jsonl").chmod(0o600)
        board = "blackjack_ref" if game.startswith("blackjack") else "baccarat_ref"
        made = folder / "made"
        leave(Started(board, TABLE, None, made, made, made, None), folder)
        self._ends = threading.Event()
        self.is_still = False
        self._history: list[Any] = []  # told before there was a service
        self._open(game)
        super().__init__(game, **options)
        self._thread = threading.Thread(target=self._loop)
        self._thread.start()

    def _open(self, game: str) -> None:
        name = "blackjack" if game.startswith("blackjack") else "baccarat"
        self.at_us = 1_000_000
        self.service: Service | None = Service(
            self.folder,
            number_max=36,
            people=People(self.folder / "people.jsonl"),
            game=name,
            wheel_us=lambda: self.at_us,
        )
        self._game = game

    def tell(self, kind: Any, *given: Any) -> list[Any]:
        with self.lock:
            return super().tell(kind, *given)

    def take(self, answer: Sequence[Any]) -> list[Any]:
        """As everywhere; the sockets are told first, as by the loop."""
        service = self.service
        for fact in _with_views(list(answer)) if service else ():
            if type(fact) is core_facts.View:
                service.show_view(fact)
            elif type(fact) is not core_facts.Record:
                service.take_fact(fact)
        return super().take(answer)

    def _loop(self) -> None:
        while not self._ends.wait(LOOP_S):
            service = self.service
            if service is None or self.is_still:
                continue
            service.turns(time.monotonic_ns() // 1000, 0)
            for event in service.take_events():
                with self.lock:
                    self.at_us += 1_100_000  # nobody presses twice within a second
                    said = self.take(self.table.handle(event._replace(at_us=self.at_us)))
                self.pressed += [event.key] if hasattr(event, "key") else []
                faults = [each for each in said if isinstance(each, core_facts.Fault)]
                service.decided(next((each.text for each in faults if each.code == "P10"), None))

    def leave_sockets(self) -> None:
        """The controller goes."""
        service, self.service = self.service, None
        if service is not None:
            service.close()

    def come_back(self) -> None:
        """It is there again, with the table as it stands."""
        self._open(self._game)
        with self.lock:
            self.table._shown.__init__()  # type: ignore[misc]  # a new one says all
            self.take(self.table.handle(core_facts.Tick(self.at_us)))

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        self.leave_sockets()


class GuideStand:
    """The guide's page, as `cylindre guide` serves it, of a table in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.scenes: list[dict[str, Any]] = []
        self._folder = folder
        self.server: Server = self.call(self._start())
        self._running = asyncio.run_coroutine_threadsafe(self._run(), self._loop)

    async def _start(self) -> Server:
        server = Server(lambda: time.monotonic_ns() // 1000)
        await server.start(0, "--page-port")
        return server

    async def _run(self) -> None:
        def show(scene: dict[str, Any], stood_us: int) -> None:
            if not self.scenes or self.scenes[-1] is not scene:
                self.scenes.append(scene)
            self.server.show_scene(scene, stood_us)

        self.follower = Follower(self._folder, lambda: time.monotonic_ns() // 1000, show)
        self.server.follower = self.follower
        await self.follower.run()

    def call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(LAST_RESORT_S)

    @property
    def address(self) -> str:
        return self.server.address

    @property
    def scene(self) -> dict[str, Any]:
        """The last that was shown."""
        return self.scenes[-1] if self.scenes else {"stage": "none"}

    def close(self) -> None:
        self._running.cancel()
        self.call(self.server.close())
        self.call(self._settled())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _settled(self) -> None:
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
