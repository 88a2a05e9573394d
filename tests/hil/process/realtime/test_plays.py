"""Scenarios in real time, all at once: a wheel, a controller and a display each, on real ttys."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patience import Meter, unless_stalled

from tools.hil.places import Ran, process
from tools.hil.scenario import FaultInjection, Scenario
from tools.hil.verdict import FALSE_ALARM
from tools.virtual.score import RIGHT, VOID

SECOND_US = 1_000_000
STILL_S = 0.3  # of any second: then a display lags behind, and a call may be late


def use(
    fault: str, moment: str, after_s: float, lasts_s: float, **parameters: object
) -> FaultInjection:
    return FaultInjection(
        fault,
        coup=1,
        moment=moment,
        after_us=int(after_s * SECOND_US),
        lasts_us=int(lasts_s * SECOND_US),
        parameters=tuple(sorted(parameters.items())),
    )


def scenario(name: str, apparatus: str, *faults: FaultInjection) -> Scenario:
    return Scenario(name, name, apparatus, coups=1, seed=3, displays=1, faults=faults)


SCENARIOS = (
    scenario("clean_boule", "boule"),
    scenario("killed", "roulette", use("controller_killed", "drop", 0.5, 0.1)),
    scenario("stopped", "boule", use("controller_stopped", "start", 1.0, 20.0)),
    scenario("cut", "boule", use("power_cut", "launch", 1.0, 60.0, step=7)),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all is kept; of "killed" nothing can be, as on a full disk."""
    made = tmp_path_factory.mktemp("kept")
    (made / "killed").touch()
    return made


@pytest.fixture(scope="module")
def machine() -> Meter:
    """How long this one stood still while they were played."""
    return Meter()


@pytest.fixture(scope="module")
def played(folder: Path, machine: Meter) -> dict[str, Ran]:
    with machine, ThreadPoolExecutor(len(SCENARIOS)) as pool:
        runs = {each.name: pool.submit(process.run, each, folder / each.name) for each in SCENARIOS}
        return {name: run.result() for name, run in runs.items()}


def outcomes(ran: Ran) -> list[tuple[str, str | None]]:
    """Of each coup its verdict, and why it is void."""
    return [(coup.verdict, getattr(coup.decision, "reason", None)) for coup in ran.verdict.coups]


@pytest.mark.parametrize("name", [each.name for each in SCENARIOS])
def test_nothing_is_wrong_late_lost_or_lit_unconfirmed(
    played: dict[str, Ran], machine: Meter, name: str
) -> None:
    ran = played[name]
    assert [broken for broken in ran.verdict.broken if broken.rule != FALSE_ALARM] == []
    assert ran.edges > 0
    with unless_stalled(STILL_S, "no false alarm", machine):
        assert ran.verdict.broken == ()


def test_an_undisturbed_coup_has_its_number(played: dict[str, Ran]) -> None:
    # A call that a busy machine tells 100 ms late makes its coup void.
    assert outcomes(played["clean_boule"])[0] in ((RIGHT, None), (VOID, "timeout"))


def test_a_coup_whose_controller_was_killed_is_void(played: dict[str, Ran]) -> None:
    ran = played["killed"]
    assert [each.fault for each in ran.verdict.noticed] == ["controller_killed"]
    assert outcomes(ran)[0][0] == VOID


def test_a_coup_that_stood_still_is_still_its_own(played: dict[str, Ran]) -> None:
    """Its call was heard 20 s after its time, when the ball lay long: it is void."""
    first = played["stopped"].verdict.coups[0]
    assert first.truth is not None
    assert first.truth.coup == 1
    assert outcomes(played["stopped"])[0][0] == VOID


def test_a_result_that_power_was_cut_from_is_whole_or_void(
    played: dict[str, Ran], machine: Meter
) -> None:
    ran = played["cut"]
    assert [each.fault for each in ran.verdict.noticed] == ["power_cut"]
    assert outcomes(ran)[0][0] in (RIGHT, VOID)
    with unless_stalled(STILL_S, "no call is late", machine):
        assert outcomes(ran)[0] in ((RIGHT, None), (VOID, "interrupted"))


def test_trace_and_all_that_was_told_are_kept(played: dict[str, Ran], folder: Path) -> None:
    trace = folder / "clean_boule" / "clean_boule.vcd"
    assert played["clean_boule"].trace == trace
    assert "rim0" in trace.read_text()
    lines = [json.loads(line) for line in trace.with_suffix(".jsonl").read_text().splitlines()]
    events = {line.get("event") for line in lines}
    assert "coup_started" in events and events & {"result", "void"}
    assert any(line.get("display") == 1 for line in lines)
    assert any("truth" in line for line in lines)


def test_what_cannot_be_kept_costs_no_verdict(played: dict[str, Ran]) -> None:
    assert played["killed"].trace is None
    assert played["killed"].unkept is not None
    assert played["killed"].unkept.startswith("Cannot write ")
    assert played["killed"].verdict.coups


def test_a_coup_that_begins_when_all_is_over_is_none_of_the_scenario(
    played: dict[str, Ran],
) -> None:
    for ran in played.values():
        truths = {coup.truth.coup for coup in ran.verdict.coups if coup.truth is not None}
        assert truths <= {1}
