"""The coups that `make micropython` gives to the watch over a wheel's health."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.core.health.watch import HealthWatch
from tools.micropython import check, interpreter, watch
from tools.micropython.interpreter import ScriptError


def printed_with(hold: str) -> list[str]:
    """What the script prints here."""
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("builtins.print", lambda *words: lines.append(" ".join(map(str, words))))
        watch.main(check.WATCH_COUPS, hold)
    return lines


@pytest.fixture(scope="module")
def printed() -> list[str]:
    return printed_with("list")


@pytest.fixture(scope="module")
def singles() -> list[str]:
    return printed_with("single")


def test_the_coups_reach_every_judge(printed: list[str]) -> None:
    """Else the two interpreters would agree on nothing worth having."""
    kinds = {line.split()[2] for line in printed if line.startswith("notice ")}
    assert kinds >= {"pocket", "gain", "flaw", "ball", "sensor"}
    ended = {name for line in printed if line.startswith("ended ") for name in line.split()[3:]}
    assert ended >= {"numbers", "serial", "loose", "sensor1", "ball1", "slowing1"}
    judged = [line.split()[1] for line in printed if line.startswith("total ")]
    assert {"drops", "spin_up", "duty", "croupier2", "ball2", "slowing2"} <= set(judged)


def test_a_digest_has_every_bit_of_every_number() -> None:
    state = HealthWatch(watch._WHEEL).save()
    assert watch.digest(state) == watch.digest(list(state))
    for at in (0, len(state) // 2, len(state) - 1):
        changed = list(state)
        changed[at] += 2.0**-40
        assert watch.digest(changed) != watch.digest(state)


def changed(lines: list[str], stream: str, by: float) -> list[str]:
    found = []
    for line in lines:
        words = line.split()
        if words[:2] == ["total", stream]:
            words[2] = repr(float(words[2]) * by)
        found.append(" ".join(words))
    return found


def run_on(monkeypatch: pytest.MonkeyPatch, *outputs: list[str]) -> None:
    each = iter(["\n".join(lines) for lines in outputs])
    monkeypatch.setattr(interpreter, "run", lambda *_: next(each))


def test_the_same_lines_and_singles_within_a_thousandth_agree(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: list[str], singles: list[str]
) -> None:
    run_on(monkeypatch, printed, printed, printed, singles)
    assert " lines, the same as " in check.compare_watch(tmp_path)
    assert singles != printed


def test_one_other_digest_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: list[str], singles: list[str]
) -> None:
    at = next(at for at, line in enumerate(printed) if line.startswith("digest "))
    other = [*printed[:at], printed[at] + "1", *printed[at + 1 :]]
    run_on(monkeypatch, printed, other, printed, singles)
    with pytest.raises(ScriptError, match=f"line {at + 1} differs"):
        check.compare_watch(tmp_path)


def test_singles_further_apart_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: list[str]
) -> None:
    assert check.watch_apart(printed, changed(printed, "drops", 1.0005)) < check.WATCH_APART
    run_on(monkeypatch, printed, printed, printed, changed(printed, "drops", 1.0015))
    with pytest.raises(ScriptError, match=r"over 0\.001"):
        check.compare_watch(tmp_path)


@pytest.mark.parametrize("word", ["notice ", "ended ", "total "])
def test_singles_that_tell_less_fail(printed: list[str], word: str) -> None:
    at = next(at for at, line in enumerate(printed) if line.startswith(word))
    with pytest.raises(ScriptError, match="tells something else"):
        check.watch_apart(printed, printed[:at] + printed[at + 1 :])
