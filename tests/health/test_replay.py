"""What was recorded, played through the watch: no hindsight, and corrections from their line on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from coup_files import act, replayed, text, written

from firmware.core.health.watch import HealthWatch
from firmware.health import replay as replay_module
from firmware.health.coup_file import CoupFile
from firmware.health.items import Item
from firmware.health.replay import Replay

Fields = dict[str, Any]


def favoured(number: int, draw: random.Random, fields: Fields) -> None:
    """One number comes more often, one sensor misses more."""
    if draw.random() < 8 / 37:
        fields["number"] = 17
    if draw.random() < 0.25:
        fields["votes"] = 5


def answer(path: Path, lines: list[str]) -> list[tuple[int, str, int | None]]:
    found = replayed(written(path, lines)).notices
    return [(each.line, each.notice.kind, each.notice.place) for each in found]


def test_the_answer_for_a_part_is_the_beginning_of_the_answer_for_the_whole(
    tmp_path: Path,
) -> None:
    lines = text(600, 1, favoured)
    lines.insert(200, act(198, "sensor"))
    lines.insert(400, act(397, "corrected", line=350, number=3))
    whole = answer(tmp_path / "whole.txt", lines)
    assert {kind for _, kind, _ in whole} >= {"pocket", "sensor", "gain"}
    for cut in sorted({at + off for at, _, _ in whole for off in (-1, 0, 1)} | {205, 401}):
        part = answer(tmp_path / "part.txt", lines[:cut])
        assert part == [each for each in whole if each[0] <= cut]


def test_after_a_correction_the_sums_are_those_of_the_coups_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever states were kept to go back to."""
    monkeypatch.setattr(replay_module, "_KEPT_EACH", 50)
    monkeypatch.setattr(replay_module, "_KEPT_MAX", 4)
    monkeypatch.setattr(replay_module, "_RECENT_MAX", 300)  # the second one is longer ago
    lines = text(700, 2)
    for at, of, number in ((650, 500, 3), (690, 20, 4), (695, 500, None)):
        lines.insert(at, act(at - 3, "corrected", line=of, number=number))
    corrected = replayed(written(tmp_path / "corrected.txt", lines))

    def straight(coup: int, _draw: random.Random, fields: Fields) -> None:
        if coup + 2 == 20:
            fields["number"] = 4

    plain = text(700, 2, straight)
    plain[499] = act(497, "note")  # it is void
    plain[649:649] = plain[688:688] = plain[692:692] = [act(650, "note")]
    found, wanted = (
        corrected.watch.save(),
        replayed(written(tmp_path / "p.txt", plain)).watch.save(),
    )
    assert len(found) == len(wanted)
    assert corrected.watch.coups == 699
    numbers = corrected.watch.stream("numbers")
    assert numbers is not None
    other = replayed(tmp_path / "p.txt").watch.stream("numbers")
    assert other is not None
    assert numbers.judge.total == other.judge.total
    assert list(numbers.judge.counts) == list(other.judge.counts)


def test_a_correction_soon_after_its_coup_reads_nothing_again(tmp_path: Path) -> None:
    class Counted(CoupFile):
        begun = 0

        def items(self) -> Iterator[Item]:
            self.begun += 1
            return super().items()

    lines = [*text(30, 5), act(30, "corrected", line=5, number=3)]
    file = Counted(written(tmp_path / "coups.txt", lines))
    replay = Replay(file, lambda: HealthWatch(file.wheel))
    assert len(list(replay.run())) == 31
    assert file.begun == 1


def test_what_was_told_stays_told_when_a_correction_takes_its_reason_away(tmp_path: Path) -> None:
    def stuck(number: int, _draw: random.Random, fields: Fields) -> None:
        if number > 40:
            fields["number"] = 17

    lines = text(150, 3, stuck)
    whole = answer(tmp_path / "whole.txt", lines)
    pocket = next(at for at, kind, _ in whole if kind == "pocket")
    given = [each for each in whole if each[0] <= pocket]
    of = [at for at in range(3, pocket + 1) if lines[at - 1].split(",")[1] == "17"]
    lines[pocket:pocket] = [act(pocket, "corrected", line=at, number=None) for at in of]
    found = answer(tmp_path / "corrected.txt", lines)
    assert found[: len(given)] == given
    assert [kind for _, kind, _ in found].count("pocket") == 1


def test_a_clock_that_goes_back_is_noticed_and_loses_nothing(tmp_path: Path) -> None:
    lines = text(50, 4)
    lines[10] = "1.0," + lines[10].split(",", 1)[1]
    replay = replayed(written(tmp_path / "back.txt", lines))
    assert replay.clock_back == 11
    assert replay.watch.coups == 50


def test_a_file_without_coups_tells_nothing(tmp_path: Path) -> None:
    replay = replayed(written(tmp_path / "none.txt", [*text(0), act(1, "frets")]))
    assert (replay.notices, replay.watch.coups) == ([], 0)
