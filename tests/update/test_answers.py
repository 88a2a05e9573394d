"""Whether the controller answers, and its displays, when an update is on trial."""

from pathlib import Path
from typing import Any

import pytest

from firmware.lib.errors import FAILED, Failure
from firmware.services.update import commit

UP: dict[str, Any] = {
    "state": "IDLE",
    "loop_age_ms": 4,
    "faults": [],
    "displays": 3,
    "displays_heard": 3,
}


def judged(monkeypatch: pytest.MonkeyPatch, **other: Any) -> None:
    monkeypatch.setattr(commit, "ask", lambda *_, **__: {"status": UP | other})
    commit.check_controller_answers(Path("/run/cylindre"))


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"displays_heard": 2, "faults": ["B11"]},
        {"displays_heard": 1, "faults": ["B11", "B12", "B13"]},
        {"displays": 0, "displays_heard": 0},
        {"displays": None, "displays_heard": None},
        # Told as the display started after the controller, and it answers since.
        {"faults": ["B10", "B11"]},
    ],
)
def test_a_new_version_is_kept_where_a_display_answers_or_none_is_fitted(
    monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
) -> None:
    judged(monkeypatch, **other)


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"displays_heard": 0}, "No display answers, and there are 3"),
        ({"loop_age_ms": 1_500}, "stands still"),
        ({"loop_age_ms": None}, "stands still"),
        ({"state": None}, "stands still"),
        ({"faults": ["S10"]}, "tells S10"),
        ({"faults": ["B11", "B14"]}, "tells B14"),
    ],
)
def test_one_with_which_nothing_answers_or_is_recorded_is_not(
    monkeypatch: pytest.MonkeyPatch, other: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Failure, match=sentence) as refused:
        judged(monkeypatch, **other)
    assert refused.value.exit_code == FAILED
