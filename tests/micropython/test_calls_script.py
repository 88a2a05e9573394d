"""The calls that `make micropython` compares between the two interpreters."""

from __future__ import annotations

from pathlib import Path

import pytest

import boards
from firmware.core.call.predictor import CallPredictor
from tools.micropython import calls, check, interpreter
from tools.micropython.interpreter import ScriptError


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """What the script prints here."""
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("builtins.print", lambda *words: lines.append(" ".join(map(str, words))))
        calls.main(check.CALLS_COUPS)
    return lines


def test_the_balls_leave_after_their_call_and_teach(printed: list[str]) -> None:
    """Else the two interpreters would agree on nothing worth having."""
    geometry = boards.load("roulette_ref")["geometry"]
    rows = [[int(word) for word in line.split()[1:]] for line in printed if "learned" in line]
    assert len(rows) == check.CALLS_COUPS // 10
    last = CallPredictor(geometry, rows[-1], call_us=0)
    assert last.refusal is None and last.progress(0).coups == check.CALLS_COUPS
    # Both directions are past the cautious start, and their curves have the knee.
    assert all(model.coups >= 25 for model in last.learned.models)
    assert all(model.curve.at(1.1) > 2 * model.curve.at(0.6) for model in last.learned.models)
    balls = calls.Balls(7)
    since_us, left = 86_400_000_000, []
    for coup in range(check.CALLS_COUPS):
        crossings = balls.throw(-1 if coup % 2 else 1, since_us)
        left.append(crossings[-1].at_us)
        since_us = left[-1] + 40_000_000
    called = [int(line.split()[2]) for line in printed if line.startswith("call ")]
    leads = [at_us - call_us for at_us, call_us in zip(left, called, strict=True)]
    assert max(leads) < 6_000_000 and min(leads) > -700_000  # a beam more, at the most
    assert sorted(leads[30:])[15] < sorted(leads[:8])[4]  # it earned its margin


def test_most_drops_are_foretold(printed: list[str]) -> None:
    drops = [line for line in printed if line.startswith("drop ")]
    assert len(drops) == check.CALLS_COUPS
    assert len([line for line in drops if "gaps_ppm" in line]) >= check.CALLS_COUPS // 2


def moved(lines: list[str], coup: int, us: int) -> list[str]:
    found = []
    for line in lines:
        words = line.split()
        if words[:2] == ["call", str(coup)]:
            words[2] = str(int(words[2]) + us)
        found.append(" ".join(words))
    return found


def run_on(monkeypatch: pytest.MonkeyPatch, ours: list[str], theirs: list[str]) -> None:
    outputs = iter(["\n".join(ours), "\n".join(theirs)])
    monkeypatch.setattr(interpreter, "run", lambda *args: next(outputs))


@pytest.mark.parametrize("us", [0, 2_000, -2_000])
def test_calls_two_milliseconds_apart_agree(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: list[str], us: int
) -> None:
    run_on(monkeypatch, printed, moved(printed, 37, us))
    said = check.compare_calls(tmp_path)
    assert f"at most {abs(us)} us" in said
    assert said.endswith("learned nearly the same" if us else "learned the same")


@pytest.mark.parametrize("us", [2_001, -2_001])
def test_a_call_further_apart_fails_and_names_its_coup(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: list[str], us: int
) -> None:
    run_on(monkeypatch, printed, moved(printed, 37, us))
    with pytest.raises(ScriptError, match="coup 37 comes 2001 us"):
        check.compare_calls(tmp_path)


@pytest.mark.parametrize("kept", [0, 20, -3])
def test_a_script_that_stopped_short_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: list[str], kept: int
) -> None:
    run_on(monkeypatch, printed[:kept], printed)
    with pytest.raises(ScriptError, match="did not call the same coups"):
        check.compare_calls(tmp_path)
    run_on(monkeypatch, printed[:20], printed[:20])
    with pytest.raises(ScriptError, match="calls, not 60"):
        check.compare_calls(tmp_path)
