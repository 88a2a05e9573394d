"""What the page's bench makes of what it measured; it is played by `python -m tools.bench.page`."""

import json

import pytest

import boards
from firmware.services.recorder import files
from firmware.store.recorded_coup import DOUBT, FACT, Coup, Note
from firmware.text.trace import write_trace
from tools.bench.page import __main__ as page
from tools.bench.page.edges import Tape, beside, tape_of
from tools.bench.page.rows import rows
from tools.bench.page.table import CALL, EDGE, Amiss, Watched
from tools.bench.page.viewer import Viewer, alike
from tools.hil.stage.transcript import Line

BOARD = boards.load("roulette_ref")
MADE = [(1_000 * at, at % 3, at % 2) for at in range(1, 200)]
LEVELS = (0,) * len(BOARD["inputs"])
SHIFT_US = 7_000_300  # a process knows when another began to a hundredth of a second


def made(folder):
    """The wheel's own trace."""
    path = folder / "wheel.vcd"
    changes, levels = [], list(LEVELS)
    for at_us, line, level in MADE:
        if levels[line] != level:
            levels[line] = level
            changes.append((at_us, line, level))
    write_trace(path, BOARD, [*changes, (300_000, -1, 0)], LEVELS)
    return path, changes


def told_of(changes):
    """As the controller tells them: times count from its own start."""
    return [[at_us - SHIFT_US, line, level] for at_us, line, level in changes]


def test_edges_that_were_all_told_lack_nothing(tmp_path):
    path, changes = made(tmp_path)
    assert beside(told_of(changes), path, SHIFT_US + 4_321) == Tape(len(changes), [])


def test_an_edge_that_was_not_told_is_missed(tmp_path):
    path, changes = made(tmp_path)
    told = told_of(changes)
    del told[40]
    assert beside(told, path, SHIFT_US) == Tape(len(changes), [changes[40][0]])


def test_an_edge_told_a_microsecond_late_is_none_that_was_made(tmp_path):
    path, changes = made(tmp_path)
    told = told_of(changes)
    told[40][0] += 1
    found = beside(told, path, SHIFT_US)
    assert found.amiss_us == [changes[40][0], changes[40][0] + 1]


def test_edges_of_which_none_were_told_are_not_compared(tmp_path):
    path, _ = made(tmp_path)
    assert beside([], path, SHIFT_US) == Tape(0, [])


@pytest.fixture
def recorded(tmp_path):
    """One coup as the recorder keeps it, its beginning at 20 ms of the recording."""
    trace, changes = made(tmp_path)
    from_us = 30_000

    def record(edges, *notes):
        taken = [(at_us - from_us, line, level) for at_us, line, level in edges if at_us >= from_us]
        began = Note(20_000, FACT, {"event": "coup_started", "coup": 1})
        levels = list(LEVELS)
        for at_us, line, level in changes:
            if at_us < from_us:
                levels[line] = level
        coup = Coup(1, tuple(levels), {}, True, taken, [began, *notes], 200_000, False)
        tapes = tmp_path / "tapes"
        files.tidy(tapes)
        files.save(tapes, coup, BOARD, {})
        told = Line(0, {"event": "coup_started", "coup": 1, "t_us": 50_000 - SHIFT_US}, 0)
        return tape_of(tapes, trace, [told], SHIFT_US)

    return changes, record


def test_a_tape_with_every_edge_lacks_none(recorded):
    changes, record = recorded
    tape = record(changes)
    assert tape.made > 100
    assert tape.amiss_us == []


def test_a_doubt_on_the_tape_is_an_edge_lost(recorded):
    changes, record = recorded
    assert record(changes, Note(60_000, DOUBT, 3)).amiss_us == [90_000]


# --- viewers ------------------------------------------------------------------------------------
def frame(viewer, t_us, edges, *, held=False, lost=0):
    told = {"event": "edges", "t_us": t_us, "held": held, "lost": lost, "edges": edges}
    viewer.read_line(b"event: edges\n")
    viewer.read_line(b"data: " + json.dumps(told).encode() + b"\n")
    viewer.read_line(b"\n")


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("tools.bench.page.viewer.time.monotonic", lambda: now[0])
    return now


def test_frames_count_from_the_call_to_the_number_and_not_while_they_are_held(clock):
    viewer = Viewer()
    for at in range(200):
        clock[0] = at * 0.05
        is_held = not 50 <= at < 150
        t_us = round(clock[0] * 1e6)
        frame(viewer, t_us, [] if is_held else [[t_us, 0, 1]], held=is_held)
    assert viewer.moving() == [20.0]
    assert viewer.frames == 200
    assert viewer.count == 100


def test_what_was_held_back_is_one_frame_in_however_many_lines(clock):
    viewer = Viewer()
    for at in range(100):
        clock[0] = at * 0.05
        for _ in range(3 if not at else 1):
            t_us = round(clock[0] * 1e6) + 1
            frame(viewer, t_us, [[t_us, 0, 1]])
    assert viewer.moving() == [20.0]


def test_a_frame_that_does_not_come_is_seen_in_the_rate_and_as_the_longest_gap(clock):
    viewer = Viewer()
    for at in [*range(50), *range(60, 101)]:
        clock[0] = at * 0.05
        t_us = round(clock[0] * 1e6) + 1
        frame(viewer, t_us, [[t_us - (550_000 if at == 60 else 0), 0, 1], [t_us, 0, 1]])
    assert viewer.moving() == [pytest.approx(18.0, abs=0.1)]
    assert viewer.gap_s == pytest.approx(0.55)


def test_a_wheel_that_rests_between_owes_no_frames(clock):
    viewer = Viewer()
    for at in [*range(50), *range(150, 200)]:
        clock[0] = at * 0.05
        t_us = round(clock[0] * 1e6) + 1
        frame(viewer, t_us, [[t_us, 0, 1]])
    assert viewer.moving() == [20.0, 20.0]


def test_viewers_who_were_told_otherwise_are_not_alike(clock):
    seen = [Viewer(), Viewer()]
    for at in range(5):
        for viewer in seen:
            frame(viewer, at, [[at, 0, 1]])
    assert alike(seen)
    frame(seen[0], 5, [[5, 0, 1]])
    frame(seen[1], 5, [[5, 0, 0]])
    for viewer in seen:
        frame(viewer, 6, [])
    assert not alike(seen)


# --- the table ----------------------------------------------------------------------------------
LOOKED = {
    "moving": [[20.0, 19.99]], "longest_gap_ms": [60], "alike": True, "lost": [0],
    "core_percent": {"1": 1.2, "2": 2.0}, "core_percent_most": {"1": 2.0, "2": 3.0},
    "resident_mb": {"1": 48.0, "2": 39.0},
}  # fmt: skip
ALONE = Watched(
    coups=2,
    due=2,
    spans=[(0, 40_000_000), (40_000_000, 80_000_000)],
    edges=5_000,
    amiss=[],
    wrong=0,
    broken=[],
    lead_s=[1.0, 1.2],
    page=None,
    looked=LOOKED,
    page_pid="",
    controller_pid="2",
    stills=[],
)
WATCHED = ALONE._replace(page=Tape(6_000, []), page_pid="1")


def missed(watched):
    return [row.name for row in rows([watched, ALONE]) if row.kept is False]


def test_a_page_that_costs_nothing_keeps_every_promise(capsys):
    assert missed(WATCHED) == []
    assert page.shown([WATCHED, ALONE])
    assert "edges compared" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"amiss": [Amiss(EDGE, 5, 5)]}, "edges lost"),
        ({"amiss": [Amiss(CALL, 0, 40_000_000)]}, "calls lost"),
        ({"wrong": 1}, "wrong numbers"),
        ({"broken": ["the journal is not intact"]}, "anything else broken"),
        ({"looked": LOOKED | {"alike": False}}, "tables whose viewers were told unlike"),
        ({"looked": LOOKED | {"lost": [3]}}, "  given up by the oscilloscope"),
        (
            {"looked": LOOKED | {"moving": [[19.0, 19.2]]}},
            "frames a second, least / median at any viewer",
        ),
        (
            {"looked": LOOKED | {"core_percent": {"1": 10.0, "2": 2.0}}},
            "page, % of a core, median / most",
        ),
    ],
)
def test_what_is_lost_where_somebody_looks_breaks_its_promise(change, name, capsys):
    broken = WATCHED._replace(**change)
    assert missed(broken) == [name]
    assert not page.shown([broken, ALONE])
    assert "MISSED" in capsys.readouterr().out


def test_what_the_machine_lost_by_standing_still_is_counted_apart():
    broken = WATCHED._replace(amiss=[Amiss(EDGE, 5_000_000, 5_000_000)])
    then = broken._replace(stills=[(4_000_000, 4_500_000)])
    assert missed(then) == []
    apart = {row.name: row.page for row in rows([then, ALONE])}
    assert apart["  edges lost then"] == "1"
    assert apart["  coups then"] == apart["  times"] == "1"
    assert missed(broken._replace(stills=[(60_000_000, 60_500_000)])) == ["edges lost"]


def test_what_a_table_loses_that_nobody_looks_at_is_not_the_pages_doing():
    lost = ALONE._replace(amiss=[Amiss(EDGE, 5, 5)])
    assert [row.name for row in rows([WATCHED, lost]) if row.kept is False] == []
