"""A file of coups is read line by line; what is of another form is refused with its line."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path

import pytest
from coup_files import HEADER, NAMES, act, line, text, written
from hypothesis import given
from hypothesis import strategies as st

from firmware.health.coup_file import LINE_MAX, CoupFile
from firmware.health.items import Acted, Corrected, Played
from firmware.lib.errors import USAGE, Failure


def test_a_coup_is_read_as_it_stands(tmp_path: Path) -> None:
    first = "12.5,17,1,481233,350000,1,301200,398700,300100,14,1200,3120,7,3,1"
    lines = [*text(0), first, '! {"t_s":86400.0,"act":"levelled"}']
    file = CoupFile(written(tmp_path / "coups.txt", lines))
    played, acted = file.items()
    assert isinstance(played, Played)
    assert (played.line, played.t_s) == (3, 12.5)
    *values, tie = played.coup
    place = HEADER["order"].index(17)  # type: ignore[attr-defined]
    ball = [place, 1, 350000, 1, (301200, 398700, 300100), 14, 1200]
    assert values == [*ball, 3120, 7, 3, 1, None, None]
    assert 0 <= tie < 1 << 32
    assert acted == Acted(4, 86400.0, "levelled")
    assert file.wheel.beams_deg == (0.0, 120.0, 240.0)
    assert list(file.items()) == [played, acted]  # again


def test_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    lines = [*text(0), "1,0,-1,-1,-1,-1,0,0,0,-1,-1,-1,0,-1,1"]
    (played,) = CoupFile(written(tmp_path / "coups.txt", lines)).items()
    assert isinstance(played, Played)
    assert played.coup[:-1] == (0, -1, *[None] * 8, 1, None, None)


def test_a_correction_names_a_coup_before_it(tmp_path: Path) -> None:
    lines = [*text(2), act(2, "corrected", line=4, number=2), act(2, "corrected", line=3)]
    *_, one, other = CoupFile(written(tmp_path / "coups.txt", lines)).items()
    assert one == Corrected(5, 82.0, 4, 1)
    assert other == Corrected(6, 82.0, 3, None)


GOOD = line(1, random.Random(1)).split(",")


def changed(name: str, value: object) -> str:
    values = list(GOOD)
    values[NAMES.split(",").index(name)] = str(value)
    return ",".join(values)


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "1,2,3",
        ",".join([*GOOD, "0"]),
        "\u00e9" + ",".join(GOOD),
        "x" * (LINE_MAX + 1),
        *[changed("t_s", each) for each in ("", "-1", "nan", "inf", "1e99", "noon")],
        *[changed("number", each) for each in ("37", "-1", "1.0", "", "+1", "\u0663", "9" * 400)],
        *[changed("direction", each) for each in (0, 2, -2)],
        *[changed("gap", each) for each in (3, -2)],
        *[changed("q0", each) for each in (-1, 1_000_001, 200_000)],
        changed("votes", 256),
        changed("settle_ms", -2),
        changed("drop_uturn", 1_000_000),
        changed("launch_place", 37),
        "! {}",
        "!",
        "! []",
        "! " + "[" * 3_000,
        '! {"t_s":true,"act":"frets"}',
        '! {"t_s":1,"act":""}',
        '! {"t_s":1,"act":3}',
        '! {"t_s":1e400,"act":"frets"}',
        act(1, "corrected", line=4, number=0),
        act(1, "corrected", line=2, number=0),
        act(1, "corrected", line=3, number=37),
        act(1, "corrected", number=1),
        '# {"wheel":"R8"}',
    ],
)
def test_a_line_of_another_form_is_refused_with_its_number(tmp_path: Path, bad: str) -> None:
    path = written(tmp_path / "coups.txt", [*text(1), bad, *text(1)[2:]])
    with pytest.raises(Failure, match=", line 4: ") as refused:
        list(CoupFile(path).items())
    assert refused.value.exit_code == USAGE


@pytest.mark.parametrize(
    ("what", "where"),
    [
        ({"pockets": 36}, 1),
        ({"order": [0, 0]}, 1),
        ({"order": "0, 1"}, 1),
        ({"beams_deg": [0, 360]}, 1),
        ({"beams_deg": [120, 0, 240]}, 1),
        ({"beams_deg": []}, 1),
        ({"beams_deg": [0, 180]}, 2),
        ({"sensors": 9}, 1),
        ({"wheel": 7}, 1),
    ],
)
def test_a_wheel_that_cannot_be_is_refused(
    tmp_path: Path, what: dict[str, object], where: int
) -> None:
    path = written(tmp_path / "coups.txt", ["# " + json.dumps(HEADER | what), *text(1)[1:]])
    with pytest.raises(Failure, match=f", line {where}: ") as refused:
        CoupFile(path)
    assert refused.value.exit_code == USAGE


@pytest.mark.parametrize("lines", [[], ["#"], ["# {"], text(0)[:1], ["# {}", NAMES]])
def test_a_file_without_its_head_is_refused(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(Failure) as refused:
        CoupFile(written(tmp_path / "coups.txt", lines))
    assert refused.value.exit_code == USAGE


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="no such file") as refused:
        CoupFile(tmp_path / "none")
    assert refused.value.exit_code == USAGE


@given(st.binary(max_size=200), st.integers(0, 2))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, head: int
) -> None:
    path = tmp_path_factory.mktemp("any") / "coups.txt"
    path.write_bytes("".join(f"{each}\n" for each in text(1)[: head + 1]).encode() + data)
    with contextlib.suppress(Failure):
        read = list(CoupFile(path).items())
        assert len(read) == len(path.read_bytes().splitlines()) - 2
