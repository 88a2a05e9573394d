"""The only loop: ports -> core -> ports. It never waits for a disk, a bus or a page.

Two times run here. The *core's time* is that of the edges: it moves to the last edge's stamp, or to
the end of a wait in which no edge came, so what the core decides depends on the stamps alone and
never on how the edges were bundled. The *machine's time* (`Edges.now_us`) drives what must happen
by the clock: the rotor's enable, the bus, the watchdog.
"""

from firmware.bus import slots
from firmware.core.coup.states import OUT_OF_PLAY, SERVICE
from firmware.core.facts import (
    BallDropped,
    Drive,
    Fault,
    MotorEffort,
    NoMoreBets,
    Record,
    Recorded,
    StoodStill,
    Tick,
    Trouble,
    View,
)
from firmware.core.feed import Ticking, tick_times
from firmware.ports import Bus, Edges, EventSource, FactListener, MotorPort, Store
from firmware.shims.typed import Any, NamedTuple, Protocol, Sequence

PERIOD_US = 10_000  # the enable's charge pump gives up after 60 ms; a ramp step of 10 ms is smooth
# 32 displays are asked each second, and the next one only when this one's answer was seen.
BUS_PERIOD_US = slots.LOOP_US
# A display that missed the end has it within 2 s, or the line is no good.
BEHIND_US = 2_000_000
# A stop takes 2 s at most (issue 7): of these FINISH_US of firmware/run/app.py are for the records.
LEAVE_US = 300_000
# Faults of ports, by the codes of firmware.core.faults; what a port says is the detail.
BUS_LOST = "B10"
NOT_RECORDED = "S10"
REFUSED = "P10"  # what the core answers to an event that makes no sense
CALLED_LATE = "C11"
# The core's margin knows nothing of a machine that stood still. A bundle of edges and a poll of
# every port take 20 ms on a slow Pi; of the shortest margins, .4 s, this leaves three quarters.
CALL_LATE_US = 100_000
STOOD_US = 100_000  # late by more, a loop tells its core: no bundle and no poll takes as long
LEAP_US = 200_000  # between two polls where time jumps and only the encoder's lines move
_NEVER_US = 1 << 62


class Core(Ticking, Protocol):
    """What the loop calls of firmware.core.controller.Controller."""

    def begin_play(self, at_us: int) -> Sequence[Any]:
        """Begins play, once, before anything else. Returns facts and orders."""
        ...

    def edge(self, at_us: int, line: int, level: int) -> Sequence[Any]:
        """Takes one edge; returns facts and orders."""
        ...

    def finish(self, at_us: int) -> Sequence[Any]:
        """Ends play: a coup still open is void. Returns facts and orders."""
        ...

    def handle(self, event: Any) -> Sequence[Any]:
        """Takes one event of facts.py; returns facts and orders."""
        ...

    def speed_uturn_s(self, now_us: int) -> int:
        """Returns the rotor's signed speed."""
        ...


class ViewListener(Protocol):
    """Whoever shows the table's state: displays, lamps, the service."""

    def show_view(self, view: Any) -> None:
        """Takes a new facts.View."""
        ...


class WatchdogPort(Protocol):
    """The watchdog, fed by end-to-end progress alone."""

    def poll(self, now_us: int) -> None:
        """Feeds it: edges were read, the core ticked and the rotor polled, all in this period."""
        ...


Ports = NamedTuple(
    "Ports",
    [
        ("edges", Edges),
        ("rotor", MotorPort),
        ("store", Store),
        ("bus", "Bus | None"),
        ("event_sources", "Sequence[EventSource]"),
        ("watchdog", "WatchdogPort | None"),
        ("view_listeners", "Sequence[ViewListener]"),  # besides the bus
        ("fact_listeners", "Sequence[FactListener]"),
    ],
)


class Loop:
    """Carries edges and events to the core, and its answers to whom they concern."""

    def __init__(
        self,
        core: Core,
        ports: Ports,
        period_us: int = PERIOD_US,
        *,
        bus_period_us: int = BUS_PERIOD_US,
        leaps: bool = False,
    ) -> None:
        """Reads the clock, nothing else. `period_us`: between two polls of the rotor;
        `bus_period_us`: of the bus, at most BUS_PERIOD_US.

        `leaps`: where time jumps, polls are left out that would only move the enable's wave, while
        nothing but encoder edges comes, and those of a bus that has nothing to say or to hear.
        """
        self._core = core
        self._timers = core.timers
        self._ports = ports
        self._period_us = period_us
        self._bus_period_us = bus_period_us
        self._leaps = leaps
        self._read = ports.edges.read
        self._now = ports.edges.now_us
        self._poll_rotor = ports.rotor.poll
        self._speed = core.speed_uturn_s
        self._fact_listeners = tuple(ports.fact_listeners)
        displays = (ports.bus,) if ports.bus is not None else ()
        self._view_listeners = tuple(ports.view_listeners) + displays
        self._stop = False
        self._unrecorded = 0
        self._store_trouble: str | None = None
        self._view: View | None = None  # the last
        now_us = self._now()
        self._core_us = now_us
        self._here_us = now_us  # when the last wait was over
        self._next_poll_us = now_us + period_us
        self._bus_us = now_us  # of the last poll of the bus
        self._next_bus_us = _NEVER_US if ports.bus is None else now_us + self._bus_period_us

    @property
    def unrecorded(self) -> int:
        """Returns how many records are not known to be durable."""
        return self._unrecorded

    def stop(self, *_: object) -> None:
        """Asks `run` to return within a period. May be called by a signal or another thread."""
        self._stop = True

    def poll_soon(self) -> None:
        """Has the next poll come within a period, where time jumps: what moved is no edge."""
        self._poll_by(self._now())

    def begin_play(self) -> None:
        """Begins play, once, before the first step: shows the state, ends what a crash left."""
        self._obey(self._core.begin_play(self._core_us))
        self._here_us = self._now()

    def run(self, until_us: int | None = None) -> None:
        """Steps until stopped, or until the machine's time reaches `until_us`.

        The rotor is off when this returns, however it returns.
        """
        step = self.step
        try:
            while not self._stop and (until_us is None or self._now() < until_us):
                step()
        finally:
            self._ports.rotor.stop()

    def finish(
        self, patience_us: int, is_hurried: Any = lambda: False, *, leaves: bool = False
    ) -> None:
        """Voids a coup that is still open after `run`, and sends and records what is left.

        Takes `patience_us`, or somewhat longer; what is not recorded by then is lost with us:
        `unrecorded` says how much. A display may have missed the end: the line is served on while
        one is behind, BEHIND_US at most, unless `is_hurried`. `leaves`: nobody plays here for now,
        and the displays are to say so.
        """
        self._obey(self._core.finish(self._core_us))
        ports = self._ports
        end_us = self._now() + patience_us
        last_us = self._now() + BEHIND_US
        while self._now() < end_us or (
            self._now() < last_us
            and ports.bus is not None
            and ports.bus.is_behind()
            and not is_hurried()
        ):
            ports.edges.read(self._now() + self._bus_period_us)  # the wait; nobody heeds them now
            self._acknowledge()
            if ports.bus is not None:
                ports.bus.poll(self._now())
        if leaves and self._view is not None and self._view.state not in OUT_OF_PLAY:
            self._leave(self._view)

    def _leave(self, view: View) -> None:
        """Shows that the wheel is out of play, LEAVE_US at most; what displays light is known a
        round later at the earliest."""
        for screen in self._view_listeners:
            screen.show_view(view._replace(state=SERVICE, number=None, colour=None, reason=None))
        bus = self._ports.bus
        now_us = self._now()
        least_us, end_us = now_us + slots.LEAST_ROUND_US, now_us + LEAVE_US
        while bus is not None and now_us < end_us and (now_us < least_us or bus.is_behind()):
            bus.poll(now_us)
            self._ports.edges.read(now_us + self._bus_period_us)
            now_us = self._now()

    def step(self) -> None:
        """Waits for the next edges, deadline or poll, and does what they ask."""
        core = self._core
        until_us = self._next_poll_us
        if self._next_bus_us < until_us:
            until_us = self._next_bus_us
        timers = self._timers
        deadline_us = timers.due_us
        if deadline_us is not None and deadline_us < until_us:
            until_us = deadline_us
        batch = self._read(until_us)
        if not self._leaps:
            self._watch_machine(until_us)
        if batch:
            take = core.edge
            for at_us, line, level in batch:
                deadline_us = timers.due_us
                if deadline_us is not None and deadline_us <= at_us:
                    self._tick(at_us)
                self._core_us = at_us
                answers = take(at_us, line, level)
                if answers:
                    self._obey(answers)
                    if self._stop:
                        break
            # An edge stamped between this one and now may still be on its way.
            edges_complete_us = at_us
            deadline_us = timers.due_us
        else:
            edges_complete_us = min(until_us, self._now())  # something else may have ended the wait
        if deadline_us is not None and deadline_us <= edges_complete_us:
            self._tick(edges_complete_us)
        if edges_complete_us > self._core_us:
            self._core_us = edges_complete_us
        now_us = self._now()
        if now_us >= self._next_poll_us:
            self._poll(now_us)
        if now_us >= self._next_bus_us:
            self._poll_bus(now_us)

    def _watch_machine(self, until_us: int) -> None:
        """Tells the core, before it hears of any edge since, if we come round far too late."""
        now_us = self._now()
        stood_us = now_us - max(until_us, self._here_us)
        self._here_us = now_us
        if stood_us > STOOD_US:
            self._handle(StoodStill(self._core_us, stood_us))

    def _tick(self, until_us: int) -> None:
        """Gives the core the ticks it asked for, up to `until_us`, each at its own time."""
        for tick_us in tick_times(self._core, self._core_us, until_us):
            self._core_us = tick_us
            self._handle(Tick(tick_us))

    def _poll(self, now_us: int) -> None:
        """Everything that goes by the clock, once a period."""
        ports = self._ports
        self._next_poll_us += self._period_us
        if self._next_poll_us <= now_us:  # late, by a suspended process: do not run to catch up
            self._next_poll_us = now_us + self._period_us
        code = self._poll_rotor(now_us, self._speed(now_us))
        if self._leaps and not self._unrecorded:
            due_us = min(ports.rotor.due_us, now_us + LEAP_US)
            self._poll_by(max(due_us, self._next_poll_us))
        if code is not None:
            self._trouble(code, "")
        if self._unrecorded or self._store_trouble is not None:
            self._acknowledge()
            self._watch_store()
        for source in ports.event_sources:
            for event in source.take_events():
                answers = self._handle(event._replace(at_us=self._core_us))
                source.decided(_refusal(answers))
        if ports.watchdog is not None:
            ports.watchdog.poll(now_us)

    def _poll_by(self, due_us: int) -> None:
        """The next poll is the first of its row, a period apart, that is not before `due_us`."""
        self._next_poll_us -= (self._next_poll_us - due_us) // self._period_us * self._period_us

    def _poll_bus(self, now_us: int) -> None:
        late_us = now_us - self._next_bus_us
        self._bus_us = self._next_bus_us if late_us < self._bus_period_us else now_us
        self._next_bus_us = self._bus_us + self._bus_period_us
        bus = self._ports.bus
        if bus is not None:
            lost = bus.poll(now_us)
            if lost is not None:
                self._trouble(BUS_LOST, lost)
            if self._leaps:
                self._poll_bus_by(bus.due_us(now_us))

    def _poll_bus_by(self, due_us: int) -> None:
        """The next poll of the bus is the first of its row that is not before `due_us`."""
        periods = (due_us - self._bus_us + self._bus_period_us - 1) // self._bus_period_us
        self._next_bus_us = self._bus_us + max(1, periods) * self._bus_period_us

    def _acknowledge(self) -> None:
        for ticket in self._ports.store.done():
            self._unrecorded -= 1
            self._handle(Recorded(self._core_us, ticket))

    def _watch_store(self) -> None:
        trouble = self._ports.store.trouble()
        if trouble is not None and trouble != self._store_trouble:
            self._trouble(NOT_RECORDED, trouble)
        self._store_trouble = trouble

    def _trouble(self, code: str, detail: str) -> None:
        self._handle(Trouble(self._core_us, code, detail))

    def _handle(self, event: Any) -> Sequence[Any]:
        answers = self._core.handle(event)
        if answers:
            self._obey(answers)
        return answers

    def _obey(self, answers: Sequence[Any]) -> None:
        """Carries out orders and passes facts on, in the core's order."""
        ports = self._ports
        late_us = 0
        is_dropped = False
        for answer in answers:
            kind = type(answer)
            if kind is Record:
                ports.store.put(answer.ticket, answer.kind, answer.body)
                self._unrecorded += 1
            elif kind is View:
                self._view = answer
                for screen in self._view_listeners:
                    screen.show_view(answer)
            elif kind is Drive:
                now_us = self._now()
                ports.rotor.drive(answer.direction, now_us, answer.speed_uturn_s)
                if self._leaps and ports.rotor.due_us < self._next_poll_us:  # an order is news
                    self._poll_by(ports.rotor.due_us)
            else:
                if kind is NoMoreBets:
                    late_us = self._now() - answer.at_us
                elif kind is BallDropped:
                    is_dropped = True
                for listener in self._fact_listeners:
                    listener.take_fact(answer)
        if late_us > CALL_LATE_US:
            self._trouble(CALLED_LATE, str(late_us // 1000))
        effort = ports.rotor.effort() if is_dropped else None
        if effort is not None:
            self._handle(MotorEffort(self._core_us, *effort))
        # A store in memory answers at once: then the time of the answer is that of the question.
        if self._unrecorded:
            self._acknowledge()
        if self._leaps and ports.bus is not None:  # it may have something to say now
            self._poll_bus_by(self._now())


def _refusal(answers: Sequence[Any]) -> str | None:
    """Returns what the core refused, if these answers say so."""
    for answer in answers:
        if type(answer) is Fault and answer.code == REFUSED:
            return str(answer.text)
    return None
