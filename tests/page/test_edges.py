"""The edges that are kept for the oscilloscope, and the VCD that is made of them."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vcd.reader import TokenKind, tokenize

import boards
from firmware.services.page import edges
from firmware.services.page.edges import Kept
from firmware.text.trace import open_trace

NAMES = ["rim0", "rim1", "enc_a"]


def lines(levels: list[int], names: list[str] = NAMES) -> bytes:
    told = {"ok": True, "do": "edges", "lines": names, "levels": levels, "t_us": 0}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def frame(found: list[Any], t_us: int = 0, *, held: bool = False) -> bytes:
    told = {"event": "edges", "t_us": t_us, "held": held, "lost": 0, "edges": found}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def read(text: str) -> tuple[dict[str, int | str], list[tuple[int, str, int | str]], int]:
    """Levels at the beginning, changes, and the last time."""
    names: dict[str, str] = {}
    first: dict[str, int | str] = {}
    changes: list[tuple[int, str, int | str]] = []
    now, dumping = 0, False
    for token in tokenize(io.BytesIO(text.encode())):
        if token.kind is TokenKind.VAR:
            assert token.var.size == 1
            names[token.var.id_code] = token.var.ref_str
        elif token.kind is TokenKind.CHANGE_TIME:
            now = token.time_change
        elif token.kind is TokenKind.DUMPVARS:
            dumping = True
        elif token.kind is TokenKind.END:
            dumping = False
        elif token.kind is TokenKind.CHANGE_SCALAR:
            name, value = names[token.scalar_change.id_code], token.scalar_change.value
            if dumping:
                first[name] = value
            else:
                changes.append((now, name, value))
    return first, changes, now


def test_nothing_is_exported_before_anything_was_seen() -> None:
    assert Kept().vcd(0, 1) is None


def test_what_comes_besides_edges_is_not_for_the_oscilloscope() -> None:
    kept = Kept()
    assert kept.add_line(b'{"event":"number_keyed","number":17}\n') is None
    assert kept.add_line(b'{"event":"fault","code":"W21"}\n') is None
    assert kept.add_line(b'{"event":"estimate","coup":7}\n') == (
        "estimate", b'{"event":"estimate","coup":7}',
    )  # fmt: skip
    name, data = kept.add_line(lines([0, 1, 0])) or ("", b"")
    assert (name, json.loads(data)["lines"]) == ("lines", NAMES)


def test_a_doubt_stands_as_x_and_what_came_before_gives_the_first_levels() -> None:
    kept = Kept()
    kept.add_line(lines([0, 1, 0]))
    kept.add_line(frame([[10, 0, 1], [20, 1, 0], [30, 2, -1], [40, 2, 1]], 100))
    first, changes, end = read(kept.vcd(15, 100) or "")
    assert first == {"rim0": "1", "rim1": "1", "enc_a": "0"}
    assert changes == [(5, "rim1", "0"), (15, "enc_a", "x"), (25, "enc_a", "1")]
    assert end == 85


def test_a_line_that_was_away_is_in_doubt_meanwhile_and_what_came_before_stays() -> None:
    kept = Kept()
    kept.add_line(lines([0, 1, 0]))
    kept.add_line(frame([[10, 0, 1], [20, 1, 0]], 50))
    kept.add_line(lines([1, 1, 1]))
    kept.add_line(frame([], 90, held=True))  # says nothing of how the lines stand
    kept.add_line(frame([[70, 1, 0]], 100))
    first, changes, _ = read(kept.vcd(0, 1000) or "")
    assert first == {"rim0": "0", "rim1": "1", "enc_a": "0"}
    assert changes[:2] == [(10, "rim0", "1"), (20, "rim1", "0")]
    assert sorted(changes[2:5]) == [(50, "enc_a", "x"), (50, "rim0", "x"), (50, "rim1", "x")]
    assert {at for at, _, _ in changes[5:]} == {70}
    assert {name: level for _, name, level in changes[5:]} == {
        "rim0": "1", "rim1": "0", "enc_a": "1",
    }  # fmt: skip
    assert "x" not in (kept.vcd(kept.whole_us, 1000) or "x").partition("$dumpvars")[2]


@pytest.mark.parametrize("told_us", [5, 500])
def test_of_a_controller_that_is_gone_nothing_joins_the_next(told_us: int) -> None:
    """Its time is its own, whether that is behind the last one's or beyond."""
    kept = Kept()
    kept.add_line(lines([0, 1, 0]))
    kept.add_line(frame([[10, 0, 1]], 50))
    if told_us > 50:
        kept.part()
    kept.add_line(lines([0, 0, 0]))
    kept.add_line(frame([[told_us, 2, 1]], told_us))
    first, changes, _ = read(kept.vcd(0, 1000) or "")
    assert first == {"rim0": "0", "rim1": "0", "enc_a": "0"}
    assert changes == [(told_us, "enc_a", "1")]


def test_who_begins_to_look_while_edges_are_held_back_knows_when_the_levels_were() -> None:
    kept = Kept()
    kept.add_line(lines([0, 1, 0]))
    kept.add_line(frame([[10, 0, 1]], 50))
    kept.add_line(frame([], 90, held=True))
    told = json.loads(kept.snapshot())
    assert (told["levels"], told["t_us"]) == ([1, 1, 0], 50)  # edges of 60 may still come


def test_who_begins_to_look_is_told_how_the_lines_stand_now() -> None:
    kept = Kept()
    kept.add_line(lines([0, 1, 0]))
    kept.add_line(frame([[10, 0, 1], [20, 1, 0]], 50))
    told = json.loads(kept.snapshot())
    assert (told["lines"], told["levels"], told["t_us"]) == (NAMES, [1, 0, 0], 50)


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 2), st.integers(-1, 1)), max_size=60),
    st.integers(0, 1500),
    st.integers(0, 1500),
    st.integers(1, 7),
)
def test_an_export_says_what_was_seen(
    steps: list[tuple[int, int, int]], from_us: int, length: int, cut: int
) -> None:
    """Whichever frames the edges came in, and whichever part is wanted."""
    found, now = [], 0
    for by, line, level in steps:
        now += by
        found.append([now, line, level])
    kept = Kept()
    kept.add_line(lines([0, 0, 0]))
    for at in range(0, len(found), cut):
        kept.add_line(frame(found[at : at + cut], now))
    to_us = from_us + length
    first, changes, end = read(kept.vcd(from_us, to_us) or "")
    assert end <= length
    level: dict[str, Any] = dict(first)
    for at, name, value in changes:
        assert 0 < at <= length
        level[name] = value
    for line, name in enumerate(NAMES):
        before = [told for at, each, told in found if each == line and at <= to_us]
        want = before[-1] if before else 0
        assert str(level[name]) == (str(want) if want >= 0 else "x")


def test_what_is_too_old_goes_and_the_levels_stay_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "KEPT_MAX", 400)
    kept = Kept()
    kept.add_line(lines([0, 0, 0]))
    for at in range(50):
        kept.add_line(frame([[at * 10, 0, at % 2], [at * 10 + 1, 1, 1]], at * 10))
    first, changes, _ = read(kept.vcd(0, 1000) or "")
    assert first["rim1"] == "1"
    assert 0 < len(changes) < 20


def test_a_replay_takes_the_export(tmp_path: Path) -> None:
    """The form of contracts/trace.md, with all the lines of a board."""
    board = boards.load("roulette_ref")
    names = [name for name, _ in board["inputs"]]
    kept = Kept()
    kept.add_line(lines([0] * len(names), names))
    kept.add_line(frame([[10, 0, 1], [20, 6, 1], [35, 0, 0]], 100))
    path = tmp_path / "scope.vcd"
    path.write_text(kept.vcd(0, 2**53) or "")
    with open_trace(path, board) as trace:
        *found, end = trace.edges()
    assert found == [(10, 0, 1), (20, 6, 1), (35, 0, 0)]
    assert end[0] == 100
