"""Whether the controller answers, and its displays, when an update is on trial."""

from pathlib import Path
from typing import Any

import pytest

from firmware.lib.errors import FAILED, Failure
from firmware.services.update import commit, later_results

UP: dict[str, Any] = {
    "state": "IDLE",
    "loop_age_ms": 4,
    "faults": [],
    "displays": 3,
    "displays_heard": 3,
    "displays_later": [],
}


def judged(
    monkeypatch: pytest.MonkeyPatch, told_before: tuple[int, ...] = (), **other: Any
) -> None:
    monkeypatch.setattr(commit, "ask", lambda *_, **__: {"status": UP | other})
    commit.check_controller_answers(Path("/run/cylindre"), told_before)


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
        # Told earlier by a display that has been silent since, or has changed its mind.
        {"faults": ["B14"]},
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
        ({"faults": ["B11", "S10"]}, "tells S10"),
    ],
)
def test_one_with_which_nothing_answers_or_is_recorded_is_not(
    monkeypatch: pytest.MonkeyPatch, other: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Failure, match=sentence) as refused:
        judged(monkeypatch, **other)
    assert refused.value.exit_code == FAILED


@pytest.mark.parametrize(
    ("heard", "later", "before"),
    [
        (3, [2], ()),
        (2, [2], ()),  # half of them is not most
        (5, [1, 4], ()),
        (1, [2], (2,)),
        (3, [1, 2], (2,)),
        (3, [1, 2, 3], (1, 2)),
        (3, [1, 2, 3], (1, 2, 3)),
    ],
)
def test_one_lying_display_does_not_keep_a_wheel_from_being_updated(
    monkeypatch: pytest.MonkeyPatch, heard: int, later: list[int], before: tuple[int, ...]
) -> None:
    """Nor do those that said the same before the update."""
    judged(monkeypatch, before, displays_heard=heard, displays_later=later, faults=["B14"])


@pytest.mark.parametrize(
    ("heard", "later", "before"),
    [(3, [1, 3], ()), (1, [2], ()), (2, [1, 2], ()), (3, [1, 2, 3], (1,)), (5, [1, 2, 3], (4, 5))],
)
def test_a_later_result_that_most_displays_know_since_the_update_counts_against_it(
    monkeypatch: pytest.MonkeyPatch, heard: int, later: list[int], before: tuple[int, ...]
) -> None:
    with pytest.raises(Failure, match=r"\(B14\)") as refused:
        judged(monkeypatch, before, displays_heard=heard, displays_later=later, faults=["B14"])
    new = len(set(later) - set(before))
    assert f"{new} of the {heard} displays that answer" in refused.value.sentence


@pytest.mark.parametrize("told", ["absent", None, 7, "12", [True, "1", None, -1, 1 << 40]])
def test_a_controller_that_does_not_tell_which_displays_is_taken_to_tell_of_none(
    monkeypatch: pytest.MonkeyPatch, told: Any
) -> None:
    judged(monkeypatch, displays_heard=1, faults=["B14"], displays_later=told)
    assert later_results.telling({} if told == "absent" else {"displays_later": told}) == ()
