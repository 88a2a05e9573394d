"""The line between controller and displays, in memory and in jumping time.

The controller's end is the firmware's, over a virtual UART; the displays are the firmware's, too.
In between a byte lasts as long as it does at 115200 baud, two who speak at once spoil each other,
and the faults of the scenario do what they do.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from firmware.bus import messages
from firmware.bus.slots import LOOP_US, wire_us
from firmware.config import BAUD, Config
from firmware.config.game import Game
from firmware.run import app
from firmware.shims.virtual import UART_ROOM, VirtualMachine, uart_pair
from tools.busfaults.wire import frames_of
from tools.hil import lighting
from tools.hil.faults.line_fault import CONTROLLER, LineFrame, carried
from tools.hil.lighting import Lighted
from tools.hil.line_faults import LineFaults, displays_of
from tools.hil.recorded import SigningStore
from tools.hil.scenario import Scenario
from tools.hil.screen import Screen, opened
from tools.hil.verdict import LIT_WRONG, Broken

PAST_MAX = 400  # frames: half a minute
HEARTBEATS_MAX = 64  # whose time is remembered: no older one makes anything light
_UART = 0
_KEY_SIZE = 32


class _Spoken:
    """A frame that is on the wire."""

    def __init__(self, source: int, data: bytes, begin_us: int) -> None:
        self.source = source
        self.data = data
        self.begin_us = begin_us
        self.end_us = begin_us + wire_us(len(data), BAUD)
        self.spoiled = False


class _Due(NamedTuple):
    """What happens next on the line; in order of time, then as it came about."""

    at_us: int
    order: int
    place: int  # who hears it; of what is spoken: nobody yet
    what: Any  # bytes, or a _Spoken that is over

    @property
    def is_for_controller(self) -> bool:
        """Whether the controller hears it, if nothing is wrong."""
        if isinstance(self.what, _Spoken):
            return self.what.source != CONTROLLER
        return self.place == CONTROLLER


class MemoryLine:
    """The ports `Bus` and `EventSource` of one table's line.

    For its faults a LinePort.
    """

    def __init__(self, scenario: Scenario, game: Game, config: Config) -> None:
        """Keys, session and boots follow from the scenario's seed."""
        rng = Random(f"{scenario.seed}/line")
        self.store = SigningStore(game, rng.randbytes(_KEY_SIZE))
        count = displays_of(scenario)
        self.places = tuple(range(count + 1))
        self.past: deque[bytes] = deque(maxlen=PAST_MAX)
        self.lighted: list[Lighted] = []
        self.broken: list[Broken] = []
        self.world: Any = None  # whose fault intervals are followed; set before the first poll
        self._scenario = scenario
        self._keys = {place: rng.randbytes(_KEY_SIZE) for place in self.places[1:]}
        self._screens = {
            place: Screen(
                place,
                self.store.root,
                rng,
                lighted=self.lighted.append,
                complain=self._complain,
            )
            for place in self._keys
        }
        self._now_us = 0
        self._near, self._far = uart_pair()
        self._line = _talk(self._near, game, config, self.store, self._keys, rng.getrandbits(64))
        self._faults = LineFaults(self, scenario)
        self._due: list[_Due] = []
        self._order = 0
        self._speaking: list[_Spoken] = []
        self._free_us = dict.fromkeys(self.places, 0)  # when each has said all that it says
        self._said_us: dict[bytes, int] = {}  # when each of the last heartbeats was said
        for place in self._keys:
            self.power_on(place)
        self.show_view = self._line.show_view
        self.is_behind = self._line.is_behind
        self.take_events = self._line.take_events
        self.decided = self._line.decided

    def poll(self, now_us: int) -> str | None:
        """The port `Bus`: what happened on the line since the last call; then the controller's."""
        self._pass(now_us)
        self._faults.follow(self.world.intervals, now_us)
        for fault in self._faults.working:
            if fault.idles:
                for place in self.places:
                    for heard in fault.idle(place, now_us, LOOP_US):
                        self._plan(heard.at_us, place, heard.data)
        lost = self._line.poll(now_us)
        if self._near.plugged and self._far.any():
            for framed in frames_of(self._far.read(UART_ROOM)):
                self._say(CONTROLLER, framed, now_us)
        return lost

    def due_us(self, now_us: int) -> int:
        """The port `Bus`: nothing happens here before that a poll would have to see."""
        for fault in self._faults.working:
            if fault.idles:
                return now_us
        turns_us = self.world.turns_us
        if not self._faults.working:
            self._pass_ahead(turns_us)
        due_us = min(turns_us, self._line.due_us(now_us), self._screens_due_us())
        if self._due:
            due_us = min(due_us, self._due[0].at_us)
        return int(due_us)

    def judge(self, told: Sequence[Any], end_us: int) -> list[Broken]:
        """What was lit that must not be, and what was not that must. `told`: facts."""
        lights = lighting.Lights(len(self._screens), self.lighted, end_us)
        return [*self.broken, *lighting.judge(self._scenario, told, self.world.intervals, lights)]

    # --- for its faults -------------------------------------------------------------------------
    def power_off(self, place: int) -> None:
        """That display is dead."""
        self._screens[place].power_off(self._now_us)

    def power_on(self, place: int, *, address_of: int = 0, key_of: int = 0) -> None:
        """It starts anew, with the address and the key of those displays; 0: its own."""
        key = self._keys[key_of or place]
        self._screens[place].power_on(address_of or place, key, self._now_us)

    def freeze(self, place: int) -> None:
        """It stands still."""
        self._screens[place].freeze()

    def thaw(self, place: int) -> None:
        """It goes on."""
        self._screens[place].thaw(self._now_us)

    def unplug(self) -> None:
        """The controller's adapter is pulled out."""
        self._near.unplug()

    def plug(self) -> None:
        """It is put back."""
        self._near.plug()

    # --- the wire -------------------------------------------------------------------------------
    def _say(self, source: int, framed: bytes, at_us: int) -> None:
        """Somebody begins to speak, behind what it says already."""
        if source == CONTROLLER:
            self.past.append(framed)
            self._note(framed, at_us)
        new = _Spoken(source, framed, max(at_us, self._free_us[source]))
        self._free_us[source] = new.end_us
        for one in self._speaking:
            if one.source != source and one.begin_us < new.end_us and new.begin_us < one.end_us:
                one.spoiled = new.spoiled = True
        self._speaking.append(new)
        self._plan(new.end_us, source, new)

    def _note(self, framed: bytes, at_us: int) -> None:
        payloads = opened(framed)
        if payloads and payloads[0][1] == messages.HEARTBEAT:
            self._said_us[payloads[0]] = at_us
            if len(self._said_us) > HEARTBEATS_MAX:
                del self._said_us[next(iter(self._said_us))]

    def _plan(self, at_us: int, place: int, what: Any) -> None:
        self._order += 1
        heapq.heappush(self._due, _Due(at_us, self._order, place, what))

    def _pass(self, now_us: int) -> None:
        """All that happens up to `now_us`."""
        while self._due and self._due[0].at_us <= now_us:
            self._pass_one()
        self._now_us = now_us
        for screen in self._screens.values():
            if screen.due_us <= now_us:
                screen.tick(now_us)

    def _pass_ahead(self, turns_us: int) -> None:
        """What displays will hear before `turns_us` of what the controller says now, or has said.

        On a sound line nothing can change that any more: whatever is said from now on begins
        behind it. What the controller is to hear, or a display to do by its clock, comes in time;
        so does what a fault that is over has delayed: much may be said before that is heard.
        """
        said_us = self._free_us[CONTROLLER]
        while self._due and not self._due[0].is_for_controller:
            at_us = self._due[0].at_us
            if at_us > said_us or at_us >= min(turns_us, self._screens_due_us()):
                return
            self._pass_one()

    def _pass_one(self) -> None:
        """What happens next."""
        self._now_us, _, place, what = heapq.heappop(self._due)
        if isinstance(what, _Spoken):
            self._over(what)
        else:
            self._deliver(place, what)

    def _screens_due_us(self) -> int:
        return min([screen.due_us for screen in self._screens.values()])

    def _over(self, spoken: _Spoken) -> None:
        """Its last byte has left: who hears it, and what?"""
        self._speaking.remove(spoken)
        data = spoken.data
        if spoken.spoiled:
            data = bytes(byte ^ 0x55 for byte in data)
        is_now = not self._faults.working and not (self._due and self._due[0].at_us == self._now_us)
        for place in self.places:
            if place == spoken.source:
                continue
            if is_now:
                self._deliver(place, data)
                continue
            heard = LineFrame(spoken.end_us, data)
            for one in carried(self._faults.working, spoken.source, place, heard):
                self._plan(one.at_us, place, one.data)

    def _deliver(self, place: int, data: bytes) -> None:
        if place == CONTROLLER:
            self._far.write(data)
        else:
            self._hear(place, data)

    def _hear(self, place: int, data: bytes) -> None:
        answer = self._screens[place].receive(data, self._now_us, self._said_us)
        if answer is not None:
            begin_us, reply = answer
            for framed in frames_of(reply):
                self._say(place, framed, begin_us)

    def _complain(self, place: int, text: str) -> None:
        if len(self.broken) < len(self.places):  # once for each would do
            text = f"display {place} {text}, at {self._now_us / 1e6:.3f} s"
            self.broken.append(Broken(LIT_WRONG, None, text))


def _talk(
    near: Any, game: Game, config: Config, store: Any, keys: dict[int, bytes], session: int
) -> app.DisplayLine:
    """The firmware's end, over the UART whose near end that is."""
    machine = VirtualMachine()
    machine.attach_uart(_UART, near)
    return app.display_line(
        lambda: machine.UART(_UART, baudrate=BAUD),
        "the virtual line",
        game=game,
        config=config,
        journal=store,
        displays=keys,
        host=None,
        session=session,
    )
