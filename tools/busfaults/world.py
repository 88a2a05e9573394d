"""One wheel, its displays, and time: every byte goes through ttys, every second is made up.

What a station has said is heard by all others when its last bit has left, at the line's speed;
what stands between (`Fault`) may do with it as it likes.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from random import Random
from typing import Any

from firmware.bus import ed25519, frame, messages
from firmware.bus.receiver import Receiver
from firmware.bus.slots import wire_us
from tools.busfaults.card_house import CARD_GAMES
from tools.busfaults.house import BAUD, Day, House
from tools.busfaults.oracle import Findings, Observation, Oracle, is_shown
from tools.busfaults.wire import Station, frames_of

SECOND_US = 1_000_000
STEP_US = 5_000  # firmware/loop.py polls the bus so often
CONTROLLER = 0
DISPLAYS = 3
# What a display need not answer it may read somewhat later: it is drawing.
UNREAD_US = 50_000
REMEMBERED_MAX = 1000
EPOCH = 2  # there was another before
# Who hears it, when, what.
Delivery = tuple[int, int, bytes]
Maker = Callable[..., Any]


# The same bytes are given to many displays: one answer for all.
_verify = functools.lru_cache(maxsize=256)(ed25519.verify)


def honest(address: int, key: bytes, root: bytes, boot: int) -> Receiver:
    """The display as it is."""
    return Receiver(address, key, root, boot, verify=_verify)


class Screen:
    """One display: its tty, its receiver, and what the oracle knows of it."""

    def __init__(self, place: int, rng: Random, house: House, make: Maker) -> None:
        self.place = place
        self.station = Station()
        self._rng = rng
        self._make = make
        self._house = house
        self.power(place, house.keys[place])

    def power(self, address: int, key: bytes) -> None:
        """Off and on again, as the display of that address with that key."""
        self.address = address
        self.receiver = self._make(address, key, self._house.root, self._rng.getrandbits(64))
        self.observation = Observation()
        # Heard, but not yet read: what concerns others waits in the tty for what follows.
        self.unread = b""
        self.unread_us = 0


class World:
    """Steps the controller and its displays through time. `make`: honest, or one that errs."""

    def __init__(
        self,
        rng: Random,
        make: Maker,
        findings: Findings,
        displays: int = DISPLAYS,
        cards: str = "",
    ) -> None:
        """`cards`: the game of a card table."""
        self.rng = rng
        self.make = make
        self.now_us = 0
        addresses = range(1, displays + 1)
        self._places = (CONTROLLER, *addresses)
        self.house: House
        if cards:
            kind, day = CARD_GAMES[cards]
            table = kind(rng, addresses, epoch=EPOCH)
            self.house, self.oracle = table, Oracle(table, findings)
            self.day: Day = day(rng, table, self.oracle)
        else:
            self.house = House(rng, addresses, epoch=EPOCH)
            self.oracle, self.day = Oracle(self.house, findings), Day(rng, self.house)
        self.findings = findings
        self.controller = Station()
        self.screens = [Screen(place, rng, self.house, make) for place in addresses]
        self.fault: Fault | None = None
        self.notes: dict[str, Any] = {}  # what a row's episodes tell each other
        self._waiting: list[tuple[int, int, int, bytes]] = []
        self._order = 0
        self._free_us = 0  # when the controller's last byte has left
        self._whose: dict[bytes, int] = {}  # asks and answers of the last second, by frame
        self._inbox = b""

    def another(self) -> World:
        """Another wheel with its own displays, line, and keys."""
        cards = self.house.game if self.house.has_cards else ""
        return World(self.rng, self.make, Findings(), cards=cards)

    def close(self) -> None:
        """Takes the ttys away."""
        for station in [self.controller, *(screen.station for screen in self.screens)]:
            station.close()

    def everybody(self, source: int, data: bytes, at_us: int) -> list[Delivery]:
        """All who hear what `source` says, on a line without fault."""
        return [(place, at_us, data) for place in self._places if place != source]

    def concerns(self, place: int, source: int, framed: bytes) -> bool:
        """Whether that which `source` says is for `place`: what others hear too is not."""
        if source != CONTROLLER:
            return place == CONTROLLER
        return self._whose.get(framed, place) == place

    def deliver(self, deliveries: Iterable[Delivery]) -> None:
        """These bytes shall come there then."""
        for place, at_us, data in deliveries:
            self._order += 1
            heapq.heappush(self._waiting, (at_us, self._order, place, data))

    def take_back(self) -> list[tuple[int, int, bytes]]:
        """All that is on its way and shall not come: when it would have, to whom, what."""
        held = [heapq.heappop(self._waiting) for _ in range(len(self._waiting))]
        return [(at_us, place, data) for at_us, _, place, data in held]

    def step(self) -> None:
        """One period of the controller's loop."""
        now_us = self.now_us
        view = self.day.step(now_us)
        if view is not None:
            self.oracle.set_view(view, now_us)
        self.controller.is_told(self._inbox)
        self._inbox = b""
        said = b"".join(self.house.exchange(self.controller.hears(), now_us))
        if said:
            for framed in frames_of(self.controller.says(said)):
                self._free_us = max(self._free_us, now_us) + wire_us(len(framed), BAUD)
                self.oracle.sent(framed, now_us)
                self._carry(CONTROLLER, framed, self._free_us)
        if self.fault is not None:
            self.deliver(self.fault.idle(now_us))
        self._hear(now_us + STEP_US)
        self.now_us = now_us + STEP_US
        for screen in self.screens:
            if screen.unread and screen.unread_us + UNREAD_US <= self.now_us:
                self._feed([screen], self.now_us)
            self._tick(screen, self.now_us)
            # One signature a period, no more: no display of the trade is faster.
            if screen.receiver.work():
                screen.receiver.tick(self.now_us)
                self._judge(screen, self.now_us)

    def run(self, duration_us: int) -> None:
        """So many steps."""
        until_us = self.now_us + duration_us
        while self.now_us < until_us:
            self.step()

    def has_converged(self, screen: Screen) -> bool:
        """Whether that display lights all that the controller says."""
        return is_shown(screen.receiver.lit, self.house.view)

    def has_caught_up(self, screen: Screen) -> bool:
        """Whether it has all outcomes of the last records, which may be corrections too."""
        return len(screen.receiver.lit.history) >= self.house.outcomes_told()

    def _carry(self, source: int, framed: bytes, at_us: int) -> None:
        payload = frame.decode(framed[1:-1])
        if payload is not None and payload[1] in (messages.ASK, messages.ANSWER):
            if len(self._whose) >= REMEMBERED_MAX:
                self._whose = {}
            self._whose[framed] = payload[2]
        if self.fault is None:
            self.deliver(self.everybody(source, framed, at_us))
        else:
            self.deliver(self.fault.deliveries(source, framed, at_us))

    def _hear(self, until_us: int) -> None:
        """Everybody hears what comes before `until_us`."""
        waiting = self._waiting
        while waiting and waiting[0][0] < until_us:
            at_us = waiting[0][0]
            reading: dict[int, Screen] = {}
            # Until one of them is to hear more: it is judged in between.
            while waiting and waiting[0][0] == at_us and waiting[0][2] not in reading:
                _, _, place, data = heapq.heappop(waiting)
                while waiting and waiting[0][0] == at_us and waiting[0][2] == place:
                    data += heapq.heappop(waiting)[3]
                if place == CONTROLLER:
                    self._inbox += data
                    continue
                screen = self.screens[place - 1]
                screen.unread_us = screen.unread_us if screen.unread else at_us
                screen.unread += data
                if self._whose.get(data, screen.address) == screen.address:
                    reading[place] = screen
            self._feed(reading.values(), at_us)

    def _feed(self, reading: Collection[Screen], at_us: int) -> None:
        """These read what they have not read yet."""
        # A tty passes bytes on by and by: they go into all before they are taken out of the first.
        for screen in reading:
            screen.station.is_told(screen.unread)
        for screen in reading:
            self._read(screen, at_us)

    def _read(self, screen: Screen, at_us: int) -> None:
        self._tick(screen, at_us)
        came = screen.station.hears()
        screen.unread = b""
        self.oracle.hears(screen.observation, came)
        reply = screen.receiver.feed(came, at_us)
        self._judge(screen, at_us)
        if reply:
            for framed in frames_of(screen.station.says(reply)):
                self._carry(screen.place, framed, at_us + wire_us(len(framed), BAUD))

    def _tick(self, screen: Screen, now_us: int) -> None:
        """A display wakes at its deadline, and is looked at just before."""
        deadline_us = screen.receiver.deadline_us
        if deadline_us is not None and deadline_us <= now_us:
            self._judge(screen, deadline_us)
            screen.receiver.tick(now_us)
        self._judge(screen, now_us)

    def _judge(self, screen: Screen, now_us: int) -> None:
        name = f"display {screen.place}"
        self.oracle.judge(screen.observation, name, screen.receiver.lit, now_us)
        if self.house.has_cards:
            self.oracle.judge_cards(screen.observation, name, screen.receiver, now_us)


class Fault:
    """What stands between: is given every frame that is said, and may add to every moment.

    As it is here, a line without fault; the rows override what they spoil. One lives for one
    episode.
    """

    lasts_us = 3 * SECOND_US

    def __init__(self, world: World, episode: int) -> None:
        """`episode`: counts them in this row, so that each variant has its turn."""
        self.world = world
        self.episode = episode
        self.rng: Random = world.rng
        # That were at fault: altered or made up; lost, late or out of order, counted at each for
        # whom it was; or, where it is not for who hears it, at each of these.
        self.frames = 0

    def prepare(self) -> None:
        """Once, before the first frame."""

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """Who hears the frame that `source` said, when, as what."""
        return self.world.everybody(source, framed, at_us)

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """What is heard besides, in the period that begins now."""
        return ()

    def end(self, now_us: int) -> Iterable[Delivery]:
        """Once, when it is over: what was still on its way."""
        return ()

    def check(self) -> Iterator[str]:
        """What went wrong that nobody could see lit, each as a sentence."""
        yield from ()


def beside(world: World, frames: list[bytes], at_us: int, source: int = -1) -> list[Delivery]:
    """All hear these frames one after the other, but not who said them."""
    return world.everybody(source, b"".join(frames), at_us)
