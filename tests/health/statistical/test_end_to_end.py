"""From the sensors to a notice: coups are simulated, decided, recorded, exported and judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import own_journal
import pytest

from firmware.config import Config
from firmware.config.game import choose
from firmware.health.journal_coups import JournalCoups
from firmware.lib.errors import FAILED, OK
from firmware.store.clock import BUILT_S, Reading
from tools import cli
from tools.testing.sizes import size
from tools.virtual.simulate import Simulation

COUPS = size("coups from sensors to notices")
PLAYED = 0.9  # of them, at least, have a number and are judged


def recorded(path: Path, *changes: str) -> None:
    """The journal of a simulated wheel, as a wheel that plays records it."""
    game = choose("roulette_ref", Config())
    now_us: list[int] = [0]
    journal = own_journal.opened(
        path, clock=lambda: Reading(BUILT_S + 1_000_000 + now_us[0] // 1_000_000, True)
    )
    store: Any = own_journal.Waiting(journal)
    simulation = Simulation(game, preset="W1", seed=26, changes=changes, store=store)
    for fact in simulation.play(COUPS):
        now_us[0] = max(now_us[0], getattr(fact, "at_us", 0))
    journal.close(10)


def answer(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    code = cli.main(["health", str(path), "--json"])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["notices"]
    for each in found:
        each.pop("coup_number", None)
        each.pop("acknowledged", None)
    return code, found


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [(("tilt_deg=0",), []), (("tilt_deg=0.3", "tilt_low_point_deg=140"), ["tilt"])],
    ids=["level", "tilted"],
)  # fmt: skip
def test_a_simulated_wheel_has_the_same_notices_by_its_journal_and_its_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: tuple[str, ...], kinds: list[str]
) -> None:
    path, file = tmp_path / "journal.db", tmp_path / "coups.txt"
    recorded(path, *changes)
    assert cli.main(["journal", "export", str(path), "--format", "health"]) == OK
    file.write_text(capsys.readouterr().out)
    assert len(list(JournalCoups(path).items())) >= PLAYED * COUPS
    code, notices = answer(path, capsys)
    assert answer(file, capsys) == (code, notices)
    assert [each["kind"] for each in notices] == kinds
    assert code == (FAILED if kinds else OK)
    for each in notices:
        assert abs((each["place"] - 140 + 180) % 360 - 180) <= 45
