"""What is drawn of a wheel's health says what the replay has judged, whatever is recorded."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from coup_files import ORDER, act, text, written

from firmware.core.health.watch import HealthWatch
from firmware.health import charts, history
from firmware.health.coup_file import CoupFile
from firmware.health.replay import Replay


def drawn(path: Path) -> tuple[Replay, dict[str, Any]]:
    recorded = CoupFile(path)
    replay = Replay(recorded, lambda: HealthWatch(recorded.wheel))
    for _ in replay.run():
        pass
    found: dict[str, Any] = json.loads(json.dumps(charts.Charts(recorded, replay).drawings()))
    return replay, found


def test_before_and_after_an_act_have_their_own_counts(tmp_path: Path) -> None:
    lines = text(200, "act")
    lines.insert(2 + 120, act(120, "frets"))
    _, found = drawn(written(tmp_path / "a.txt", lines))
    (ended,) = found["ended"]
    assert (ended["act"], ended["coup"]) == ("frets", 2 + 121)
    assert found["acts"] == [{"act": "frets", "coup": 2 + 121}]
    (before,) = [each for each in ended["epochs"] if each["stream"] == "numbers"]
    assert sum(each["count"] for each in before["numbers"]) == before["coups"] == 120
    assert sum(each["count"] for each in found["numbers"]) == 200 - 120
    assert [each["number"] for each in found["numbers"]] == ORDER


def test_each_number_lies_within_its_own_band(tmp_path: Path) -> None:
    _, found = drawn(written(tmp_path / "b.txt", text(150, "band")))
    for each in found["numbers"]:
        assert -1.0 <= each["least"] <= each["more"] <= each["most"]
        assert each["more"] == pytest.approx(each["count"] * 37 / 150 - 1.0)


def test_drops_are_those_of_each_way_and_as_many_as_foretold(tmp_path: Path) -> None:
    _, found = drawn(written(tmp_path / "c.txt", text(101, "drops")))
    drops = found["drops"]
    assert drops["beams_deg"] == [0.0, 120.0, 240.0]
    assert drops["seen_by"] is None  # after a hundred drops no lean need have been seen
    for way, coups in (("ccw", 51), ("cw", 50)):
        assert sum(drops[way]["seen"]) == coups
        assert sum(drops[way]["foretold"]) == pytest.approx(coups)


def test_after_more_drops_a_smaller_lean_would_have_been_seen(tmp_path: Path) -> None:
    some, more = (
        drawn(written(tmp_path / "f.txt", text(coups, "lean")))[1]["drops"]["seen_by"]
        for coups in (400, 900)
    )
    assert 0.0 < more < some < 0.5
    assert more == pytest.approx(some * (400 / 900) ** 0.5, rel=0.02)


def test_of_many_samples_every_second_is_left_out_and_the_last_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "SAMPLES_MAX", 16)
    replay, found = drawn(written(tmp_path / "d.txt", text(203, "samples")))
    lines = [each["coup"] for each in found["timeline"]]
    assert 8 <= len(lines) <= 16
    steps = {later - earlier for earlier, later in pairwise(lines)}
    assert len(steps) == 1
    assert 2 + 203 - lines[-1] < steps.pop()
    families = {stream.family for stream in replay.watch.streams}
    assert set(found["timeline"][-1]["parts"]) == families


def test_of_no_coup_nothing_was_seen(tmp_path: Path) -> None:
    _, found = drawn(written(tmp_path / "e.txt", text(0)))
    assert found["coups"] == 0
    assert found["seen_by"]["numbers"] is None
    assert {each["more"] for each in found["numbers"]} == {0.0}
    assert [(each["what"], each["more"]) for each in found["seen_when"]] == [
        ("pocket", 0.1), ("pocket", 0.2), ("pocket", 0.3), ("sector", 0.05), ("sector", 0.1)
    ]  # fmt: skip


def test_the_stronger_it_is_the_sooner_it_would_be_seen(tmp_path: Path) -> None:
    _, found = drawn(written(tmp_path / "w.txt", text(100, "lean")))
    when = {(each["what"], each["more"]): each["coups"] for each in found["seen_when"]}
    for weak, strong in pairwise(when):
        assert when[strong] < when[weak] or weak[0] != strong[0]
    assert when["lean", 0.1] == pytest.approx(4 * when["lean", 0.2], abs=4)
