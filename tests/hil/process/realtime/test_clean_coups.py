"""One undisturbed coup of each apparatus: wheel, controller and display are processes, on ttys."""

from pathlib import Path

import pytest
from patience import Meter, unless_stalled

from tools.hil.places import process
from tools.hil.scenario import Scenario
from tools.virtual.score import RIGHT, VOID

STALL_S = 0.05  # in a second: a loop held up for so long lets go of the motor, and the coup is void


@pytest.mark.smoke
@pytest.mark.parametrize("apparatus", ["roulette", "vingt_trois", "boule"])
def test_an_undisturbed_coup_is_called_decided_and_lit(tmp_path: Path, apparatus: str) -> None:
    name = f"clean_{apparatus}"
    scenario = Scenario(name, name, apparatus, coups=1, seed=3, displays=1)
    with Meter() as meter:
        ran = process.run(scenario, tmp_path / name)
    verdicts = [coup.verdict for coup in ran.verdict.coups]
    assert verdicts and verdicts[0] in (RIGHT, VOID)
    with unless_stalled(STALL_S, "an undisturbed coup has its number", meter):
        assert verdicts[0] == RIGHT
        assert ran.verdict.broken == ()
    lines = (tmp_path / name / f"{name}.jsonl").read_text()
    assert '"display": 1' in lines or '"display":1' in lines
