"""The loop, with a core that does as it is told and ports that remember."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
import rules
from firmware.bus.slots import CARD_LOOP_US
from firmware.core.controller import Controller
from firmware.core.facts import (
    CCW,
    BallDropped,
    ClearAsked,
    Drive,
    Fault,
    MotorEffort,
    NoMoreBets,
    Record,
    Recorded,
    ServiceAsked,
    StoodStill,
    Tick,
    Trouble,
    View,
    VoidAsked,
)
from firmware.loop import BUS_PERIOD_US, CALL_LATE_US, STOOD_US, Loop, Ports
from tools.virtual.memory_store import MemoryStore

PERIOD_US = 10_000
FAULT = Fault(0, "S10", "S10: another fault.")
VIEW = View("BETS_OPEN", 1, 0, 0, None, None, None)


class ScriptedCore:
    """Remembers what it is told; answers from a table of (kind of event or "edge") -> answers."""

    def __init__(self, answers: dict[Any, list[Any]] | None = None, deadlines: Any = ()) -> None:
        self.heard: list[Any] = []
        self._answers = answers or {}
        self._deadlines = sorted(deadlines)
        self.timers = self

    @property
    def due_us(self) -> int | None:
        return self._deadlines[0] if self._deadlines else None

    def begin_play(self, at_us: int) -> list[Any]:
        return self._answers.get("begin", [])

    def finish(self, at_us: int) -> list[Any]:
        return self._answers.get("finish", [])

    def edge(self, at_us: int, line: int, level: int) -> list[Any]:
        self.heard.append((at_us, line, level))
        return self._answers.get("edge", [])

    def handle(self, event: Any) -> list[Any]:
        self.heard.append(event)
        if isinstance(event, Tick):
            self._deadlines = [at for at in self._deadlines if at > event.at_us]
        return self._answers.get(type(event), [])

    def speed_uturn_s(self, now_us: int) -> int:
        return 0


class ScriptedEdges:
    """Hands out bundles of edges; time jumps to each bundle's end, or to what is waited for."""

    def __init__(self, bundles: Any = ()) -> None:
        self.bundles = [list(bundle) for bundle in bundles if bundle]
        self.time_us = 0

    def now_us(self) -> int:
        return self.time_us

    def read(self, until_us: int) -> list[tuple[int, int, int]]:
        if self.bundles and self.bundles[0][0][0] <= max(until_us, self.time_us):
            bundle = self.bundles.pop(0)
            self.time_us = max(self.time_us, bundle[-1][0])
            return bundle
        self.time_us = max(self.time_us, until_us)
        return []


class InterruptedEdges(ScriptedEdges):
    """The first wait ends early, and no edge has come."""

    def __init__(self, bundles: Any, ended_us: int) -> None:
        super().__init__(bundles)
        self._ended_us: int | None = ended_us

    def read(self, until_us: int) -> list[tuple[int, int, int]]:
        if self._ended_us is None:
            return super().read(until_us)
        self.time_us, self._ended_us = self._ended_us, None
        return []


class Remembers:
    """Motor, bus, source of events, and who listens to views and facts, in one."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.fault: str | None = None
        self.lost: str | None = None
        self.asked: list[Any] = []
        self.decisions: list[str | None] = []

    def drive(self, direction: int, now_us: int, speed_uturn_s: int | None = None) -> None:
        self.calls.append(("drive", direction))

    def stop(self) -> None:
        self.calls.append("stop")

    def show_view(self, view: View) -> None:
        self.calls.append(view)

    def take_fact(self, fact: Any) -> None:
        self.calls.append(fact)

    def take_events(self) -> list[Any]:
        asked, self.asked = self.asked, []
        return asked

    def decided(self, refusal: str | None) -> None:
        self.decisions.append(refusal)


class ScriptedRotor(Remembers):
    def effort(self) -> tuple[int, int]:
        return 2_100_000, 640

    def poll(self, now_us: int, speed_uturn_s: int) -> str | None:
        self.calls.append(("poll", now_us))
        fault, self.fault = self.fault, None
        return fault


class ScriptedBus(Remembers):
    def __init__(self) -> None:
        super().__init__()
        self.polled: list[int] = []
        self.behind_us = 0

    def is_behind(self) -> bool:
        return bool(self.polled) and self.polled[-1] < self.behind_us

    def poll(self, now_us: int) -> str | None:
        self.polled.append(now_us)
        lost, self.lost = self.lost, None
        return lost


class FailingStore(MemoryStore):
    sentence: str | None = "the disk is full"

    def done(self) -> tuple[int, ...]:
        return () if self.sentence else super().done()

    def trouble(self) -> str | None:  # type: ignore[override]
        return self.sentence


class Bench:
    """A loop with everything around it."""

    def __init__(
        self, core: Any, edges: Any = None, store: Any = None, bus_period_us: int = BUS_PERIOD_US
    ) -> None:
        self.core = core
        self.edges = edges or ScriptedEdges()
        self.rotor = ScriptedRotor()
        self.bus = ScriptedBus()
        self.other = Remembers()
        self.loop = Loop(
            core,
            Ports(
                edges=self.edges,
                rotor=self.rotor,
                store=store or MemoryStore(),
                bus=self.bus,
                event_sources=(self.other,),
                watchdog=None,
                view_listeners=(self.other,),
                fact_listeners=(self.other,),
            ),
            PERIOD_US,
            bus_period_us=bus_period_us,
        )

    def play(self, steps: int) -> "Bench":
        for _ in range(steps):
            self.loop.step()
        return self


@given(
    times=st.lists(st.integers(1, 50_000), min_size=1, max_size=20),
    deadlines=st.lists(st.integers(1, 60_000), max_size=5),
    cuts=st.sets(st.integers(1, 20)),
)
def test_what_the_core_hears_does_not_depend_on_how_edges_are_bundled(
    times: list[int], deadlines: list[int], cuts: set[int]
) -> None:
    edges = [(at_us, 0, index & 1) for index, at_us in enumerate(sorted(times))]
    ends = [0, *sorted(cut for cut in cuts if cut < len(edges)), len(edges)]
    bundles = [edges[start:end] for start, end in pairwise(ends)]
    heard = []
    for feed in ([[edge] for edge in edges], bundles):
        # A bundle can only come once all of it has happened.
        bench = Bench(ScriptedCore(deadlines=set(deadlines)), ScriptedEdges(feed))
        while bench.edges.time_us < 70_000:
            bench.loop.step()
        heard.append(bench.core.heard)
    assert heard[0] == heard[1]
    assert [entry for entry in heard[0] if not isinstance(entry, Tick)] == edges
    assert {tick.at_us for tick in heard[0] if isinstance(tick, Tick)} == set(deadlines)
    stamps = [entry[0] for entry in heard[0]]
    assert stamps == sorted(stamps)


def test_a_deadline_comes_before_an_edge_with_the_same_stamp() -> None:
    edges = ScriptedEdges([[(4_000, 1, 1), (5_000, 1, 0)]])
    bench = Bench(ScriptedCore(deadlines={5_000}), edges).play(3)
    assert bench.core.heard == [(4_000, 1, 1), Tick(5_000), (5_000, 1, 0)]


def test_a_deadline_waits_for_an_edge_that_is_still_on_its_way() -> None:
    edges = ScriptedEdges([[(1_000, 0, 1)], [(2_000, 0, 0)]])
    bench = Bench(ScriptedCore(deadlines={3_000}), edges)
    edges.time_us = 4_000  # the kernel stamped the second one, and has not yet handed it out
    bench.play(3)
    assert bench.core.heard == [(1_000, 0, 1), (2_000, 0, 0), Tick(3_000)]


def test_a_wait_that_something_else_ends_brings_no_deadline_before_its_time() -> None:
    edges = InterruptedEdges([[(2_500, 0, 1)]], ended_us=2_000)
    bench = Bench(ScriptedCore(deadlines={3_000}), edges).play(1)
    assert bench.core.heard == []
    bench.play(2)
    assert bench.core.heard == [(2_500, 0, 1), Tick(3_000)]


def test_a_core_that_wants_ticks_for_ever_stops_the_rotor() -> None:
    core = ScriptedCore(deadlines={5_000})
    core.handle = lambda event: []  # type: ignore[method-assign]
    bench = Bench(core)
    with pytest.raises(AssertionError, match="for ever"):
        bench.loop.run()
    assert bench.rotor.calls == ["stop"]


@pytest.mark.req("ON-21.1.9.disabled")
def test_the_rotor_is_off_when_the_core_fails() -> None:
    core = ScriptedCore()

    def fail(at_us: int, line: int, level: int) -> list[Any]:
        raise AssertionError("impossible")

    core.edge = fail  # type: ignore[method-assign]
    bench = Bench(core, ScriptedEdges([[(1, 0, 1)]]))
    with pytest.raises(AssertionError, match="impossible"):
        bench.loop.run()
    assert bench.rotor.calls[-1] == "stop"


def test_the_rotor_is_off_when_the_loop_is_stopped() -> None:
    bench = Bench(ScriptedCore())
    bench.loop.stop()
    bench.loop.run()
    assert bench.rotor.calls == ["stop"]


def test_a_record_in_memory_is_durable_at_the_time_it_was_asked_for() -> None:
    core = ScriptedCore({"edge": [Record(7, "actuation", {})], Recorded: [Drive(CCW, None)]})
    bench = Bench(core, ScriptedEdges([[(1_234, 0, 1)]])).play(1)
    assert core.heard == [(1_234, 0, 1), Recorded(1_234, 7)]
    assert bench.rotor.calls == [("drive", CCW)]


def test_a_core_whose_ball_has_dropped_hears_how_hard_the_motor_works() -> None:
    core = ScriptedCore({"edge": [BallDropped(1_234, 1)]})
    bench = Bench(core, ScriptedEdges([[(1_234, 0, 1)]])).play(1)
    assert core.heard == [(1_234, 0, 1), MotorEffort(1_234, 2_100_000, 640)]
    bench.rotor.effort = lambda: None  # type: ignore[method-assign,assignment]
    bench.edges.bundles = [[(20_000, 0, 1)]]
    bench.play(5)
    assert (20_000, 0, 1) in core.heard
    assert [type(each) for each in core.heard].count(MotorEffort) == 1


def test_nothing_moves_before_it_is_recorded() -> None:
    store = FailingStore()
    core = ScriptedCore({"edge": [Record(7, "actuation", {})], Recorded: [Drive(CCW, None)]})
    bench = Bench(core, ScriptedEdges([[(1_000, 0, 1)]]), store).play(10)
    assert ("drive", CCW) not in bench.rotor.calls
    store.sentence = None
    bench.play(2)
    assert ("drive", CCW) in bench.rotor.calls


@pytest.mark.req("IEC-CR-2.10")
def test_a_failing_store_is_told_once_and_again_after_it_recovered() -> None:
    store = FailingStore()
    core = ScriptedCore({"edge": [Record(7, "void", {})]})
    edges = ScriptedEdges([[(1_000, 0, 1)], [(101_000, 0, 0)]])
    bench = Bench(core, edges, store).play(8)
    told = [entry for entry in core.heard if isinstance(entry, Trouble)]
    assert [(trouble.code, trouble.detail) for trouble in told] == [("S10", "the disk is full")]
    store.sentence = None
    bench.play(2)
    store.sentence = "the disk is full"
    while edges.time_us < 130_000:
        bench.loop.step()
    assert len([entry for entry in core.heard if isinstance(entry, Trouble)]) == 2


def test_facts_go_to_who_listens_to_them_and_views_to_all_that_show() -> None:
    fact = NoMoreBets(1, 1)
    bench = Bench(ScriptedCore({"edge": [VIEW, fact]}), ScriptedEdges([[(1, 0, 1)]])).play(1)
    assert bench.other.calls == [VIEW, fact]
    assert bench.bus.calls == [VIEW]


@pytest.mark.parametrize(("stood_us", "troubles"), [(CALL_LATE_US, 0), (CALL_LATE_US + 1, 1)])
def test_a_call_told_long_after_its_time_is_a_fault_of_the_call(
    stood_us: int, troubles: int
) -> None:
    """A suspended process: the edges' stamps say that all is well."""
    core = ScriptedCore({"edge": [NoMoreBets(5_000, 1)]})
    edges = ScriptedEdges([[(5_000, 0, 1)]])
    edges.time_us = 5_000 + stood_us
    bench = Bench(core, edges).play(1)
    assert core.heard == [(5_000, 0, 1)] + [Trouble(5_000, "C11", "100")] * troubles
    assert bench.other.calls == [NoMoreBets(5_000, 1)]  # told all the same


def test_what_a_person_asks_gets_the_cores_time() -> None:
    bench = Bench(ScriptedCore())
    bench.other.asked = [VoidAsked(0, "anna")]
    bench.play(2)
    assert bench.core.heard == [VoidAsked(PERIOD_US, "anna")]
    assert bench.other.decisions == [None]


def test_who_asked_is_told_that_the_core_refused() -> None:
    refused = Fault(PERIOD_US, "P10", "P10: no.")
    bench = Bench(ScriptedCore({VoidAsked: [VIEW, refused], ClearAsked: [FAULT]}))
    bench.other.asked = [VoidAsked(0, "anna"), ClearAsked(0, "anna")]
    bench.play(2)
    assert bench.other.decisions == ["P10: no.", None]
    assert bench.other.calls == [VIEW, refused, FAULT]


def test_two_who_take_the_wheel_out_of_play_in_one_loop_period_each_get_an_answer_and_a_row() -> (
    None
):
    """The later cannot have meant to take it from the other, who may have his hands in it."""
    store = MemoryStore()
    core = Controller(boards.load("roulette_ref"), rules.load("roulette_lu"))
    bench = Bench(core, store=store)
    weber = ServiceAsked(0, "weber", "supervisor", True, "monthly check")
    klein = weber._replace(who="klein")
    bench.other.asked = [weber, klein]
    bench.play(2)
    bench.other.asked = [klein]  # who knows by now whose it is
    bench.play(2)
    assert [decision is None for decision in bench.other.decisions] == [True, False, True]
    acts = [(body["what"], body["who"]) for kind, body in store.records if kind == "act"]
    assert acts == [("service on", "weber"), ("service refused", "klein"), ("service on", "klein")]


def test_faults_of_motor_and_bus_reach_the_core() -> None:
    bench = Bench(ScriptedCore())
    bench.rotor.fault = "M10"
    bench.bus.lost = "ttyUSB0 is gone."
    bench.play(2)
    assert bench.core.heard == [
        Trouble(BUS_PERIOD_US, "B10", "ttyUSB0 is gone."),
        Trouble(PERIOD_US, "M10", ""),
    ]


def test_the_bus_is_polled_twice_as_often_as_the_rotor() -> None:
    bench = Bench(ScriptedCore()).play(4)
    assert bench.rotor.calls == [("poll", PERIOD_US), ("poll", 2 * PERIOD_US)]
    assert bench.bus.polled == [BUS_PERIOD_US * turn for turn in (1, 2, 3, 4)]


def test_the_bus_of_a_card_table_is_polled_twice_as_often_as_that_of_a_wheel() -> None:
    bench = Bench(ScriptedCore(), bus_period_us=CARD_LOOP_US).play(4)
    assert bench.rotor.calls == [("poll", PERIOD_US)]
    assert bench.bus.polled == [BUS_PERIOD_US * turn // 2 for turn in (1, 2, 3, 4)]


def test_the_core_hears_that_the_machine_stood_still_before_it_hears_an_edge_of_that_time() -> None:
    edges = ScriptedEdges([[(5_000, 0, 1)], [(400_000, 0, 0)]])
    bench = Bench(ScriptedCore(), edges).play(1)
    edges.time_us = 5_000 + BUS_PERIOD_US + STOOD_US + 1
    bench.play(1)
    assert bench.core.heard == [(5_000, 0, 1), StoodStill(5_000, STOOD_US + 1)]
    edges.time_us += BUS_PERIOD_US + STOOD_US  # no longer than a busy machine takes
    bench.play(2)
    assert [type(each) for each in bench.core.heard].count(StoodStill) == 1


def test_a_loop_that_was_held_up_does_not_poll_to_catch_up() -> None:
    edges = ScriptedEdges()
    bench = Bench(ScriptedCore(), edges)
    edges.time_us = 1_000_000
    bench.play(3)
    assert bench.bus.polled == [1_000_000, 1_005_000, 1_010_000]
    assert bench.rotor.calls == [("poll", 1_000_000), ("poll", 1_010_000)]


def test_a_stop_inside_a_bundle_of_edges_takes_no_further_edge() -> None:
    fact = NoMoreBets(1, 1)
    core = ScriptedCore({"edge": [fact]})
    bench = Bench(core, ScriptedEdges([[(1, 0, 1), (2, 0, 0)]]))
    bench.other.take_fact = lambda fact: bench.loop.stop()  # type: ignore[method-assign]
    bench.loop._fact_listeners = (bench.other,)
    bench.loop.run()
    assert core.heard == [(1, 0, 1)]


def test_finishing_records_and_tells_the_void_of_an_open_coup() -> None:
    end = NoMoreBets(1, 1)
    core = ScriptedCore({"finish": [Record(1, "void", {})], Recorded: [end]})
    bench = Bench(core)
    bench.loop.finish(50_000)
    assert bench.other.calls == [end]
    assert bench.edges.time_us >= 50_000


@pytest.mark.parametrize(
    ("behind_us", "gone_us"), [(0, 50_000), (400_000, 400_000), (10**9, 2_000_000)]
)
def test_finishing_waits_for_who_has_not_heard_the_end_but_not_for_ever(
    behind_us: int, gone_us: int
) -> None:
    bench = Bench(ScriptedCore())
    bench.bus.behind_us = behind_us
    bench.loop.finish(50_000)
    assert bench.edges.time_us == gone_us
    assert bench.bus.polled[-1] == gone_us


def test_who_is_hurried_waits_for_no_display() -> None:
    bench = Bench(ScriptedCore())
    bench.bus.behind_us = 10**9
    bench.loop.finish(50_000, lambda: bench.edges.time_us >= 200_000)
    assert bench.edges.time_us == 200_000
