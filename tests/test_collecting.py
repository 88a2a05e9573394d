"""What takes time is an error of the module that does it while it is collected, and of no test."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COSTLY = {
    "Controller.begin_play": (
        "import boards, rules; from firmware.core.controller import Controller;"
        "Controller(boards.load('boule_ref'), rules.load('boule_fr')).begin_play(0)"
    ),
    "Simulation.play": (
        "from firmware.config import Config; from firmware.config.game import choose;"
        "from tools.virtual.simulate import Simulation;"
        "list(Simulation(choose('boule_ref', Config()), seed=1).play(1))"
    ),
    "Journal.__init__": "from firmware.store.journal import Journal; Journal('journal.db')",
    "firmware.keys.people._hash": (
        "from firmware.keys import people; people.enrol('anna', 'technician', '275916')"
    ),
}


def _pytest(folder: Path, test: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(test)
    return subprocess.run(
        (sys.executable, "-m", "pytest", "-p", "collecting", "-q", "."),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{HERE}:{HERE.parent}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", COSTLY)
def test_a_module_that_computes_while_it_is_collected_is_an_error(
    name: str, tmp_path: Path
) -> None:
    ran = _pytest(tmp_path, f"{COSTLY[name]}\ndef test_it(): pass\n")
    assert ran.returncode == pytest.ExitCode.INTERRUPTED
    assert "test_it.py:1: in <module>" in ran.stdout
    assert f"{name} while tests are collected: call it in a fixture or a test" in ran.stdout


def test_a_test_may_compute(tmp_path: Path) -> None:
    ran = _pytest(tmp_path, f"def test_it():\n    {COSTLY['firmware.keys.people._hash']}\n")
    assert ran.returncode == pytest.ExitCode.OK, ran.stdout
