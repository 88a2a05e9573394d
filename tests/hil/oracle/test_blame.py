"""A firmware that blames the sensor beside the broken one passes no scenario."""

from __future__ import annotations

import pytest

from firmware.core.coup.table import Table
from tools.hil import places, scenario_file
from tools.hil.scenario import Scenario
from tools.hil.verdict import UNNOTICED


def rules(scenario: Scenario) -> set[str]:
    """Those it breaks."""
    return {broken.rule for broken in places.load("virtual").run(scenario).verdict.broken}


@pytest.mark.parametrize("name", ["beam_dark", "beam_blind", "ring_blind"])
def test_the_neighbour_of_a_broken_sensor_is_not_to_be_blamed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = Table.fault

    def tell_the_neighbour(self: Table, at_us: int, code: str, detail: str) -> None:
        tell(self, at_us, code, str((int(detail) + 1) % 3) if detail.isdecimal() else detail)

    scenario = scenario_file.find(name)
    assert rules(scenario) == set()
    monkeypatch.setattr(Table, "fault", tell_the_neighbour)
    assert UNNOTICED in rules(scenario)
