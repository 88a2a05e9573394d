"""Reading and writing sensor traces (contracts/trace.md, "The trace")."""

import errno
import io
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boards
from firmware.core.feed import TIME_ONLY
from firmware.text import trace as trace_module
from firmware.text.trace import TraceError, TraceWriter, line_names, open_trace, write_trace

BOARD = boards.load("roulette_ref")
LINES = line_names(BOARD)

HEADER = """$timescale 1 us $end
$scope module wheel $end
$var wire 1 ! rim0 $end
$var wire 1 " btn_start $end
$upscope $end
$enddefinitions $end
"""
START = HEADER + '#0\n$dumpvars\n0!\n1"\n$end\n'
RIM0, BTN_START = LINES.index("rim0"), LINES.index("btn_start")


@pytest.fixture
def full_disk(monkeypatch):
    """Every file that is opened for writing text takes no byte."""

    class Full(io.FileIO):
        def write(self, data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def full(path, mode, encoding, newline):
        return io.TextIOWrapper(io.BufferedWriter(Full(path, mode)), encoding, newline=newline)

    monkeypatch.setattr(trace_module, "open", full, raising=False)


def read(path):
    """(levels, edges, the error's sentence without the folder, or None)."""
    edges = []
    levels = None
    try:
        with open_trace(path, BOARD) as trace:
            levels = trace.levels
            for edge in trace.edges():
                edges.append(edge)
    except TraceError as error:
        return levels, edges, str(error).replace(f"{path.parent}/", "")
    return levels, edges, None


def read_text(folder: Path, text: str | bytes):
    path = folder / "t.vcd"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path)


@st.composite
def runs(draw):
    """Levels, then edges in order of time, ended by a last time stamp."""
    levels = draw(st.lists(st.integers(0, 1), min_size=len(LINES), max_size=len(LINES)))
    now, current, edges = 0, list(levels), []
    steps = st.tuples(st.integers(0, 10**9), st.integers(0, len(LINES) - 1))
    for gap, line in draw(st.lists(steps, max_size=40)):
        now += gap
        current[line] ^= 1
        edges.append((now, line, current[line]))
    return levels, [*edges, (now + draw(st.integers(0, 10**9)), TIME_ONLY, 0)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(run=runs())
def test_what_was_written_reads_back_as_it_was(tmp_path, run):
    levels, edges = run
    path = tmp_path / "round.vcd"
    write_trace(path, BOARD, edges, levels)
    assert read(path) == (levels, edges, None)


def test_the_written_form_is_the_contracts_to_the_byte(tmp_path):
    path = tmp_path / "golden.vcd"
    edges = [(5, 0, 1), (5, 7, 1), (9, 0, 0), (20, TIME_ONLY, 0)]
    write_trace(path, BOARD, edges, [0] * 6 + [1] * 5)
    wires = "".join(f"$var wire 1 {chr(33 + i)} {name} $end\n" for i, name in enumerate(LINES))
    initial = "".join(f"{int(i > 5)}{chr(33 + i)}\n" for i in range(len(LINES)))
    assert path.read_text() == (
        "$timescale 1 us $end\n$scope module wheel $end\n" + wires + "$upscope $end\n"
        "$enddefinitions $end\n#0\n$dumpvars\n" + initial + "$end\n#5\n1!\n#9\n0!\n#20\n"
    )


def test_a_trace_has_its_name_only_when_it_is_complete(tmp_path):
    path = tmp_path / "t.vcd"
    writer = TraceWriter(path, BOARD)
    writer.edge(5, 0, 1)
    assert not path.exists()
    writer.abandon()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["folder", "fifo", "device", "link to a device"])
def test_what_is_no_regular_file_is_never_replaced_by_a_trace(tmp_path, kind):
    path = tmp_path / "out"
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/null")
    else:
        path.symlink_to("/dev/null")
    before = path.lstat()
    with pytest.raises(TraceError, match="cannot be written: it is no regular file"):
        TraceWriter(path, BOARD)
    assert path.lstat().st_ino == before.st_ino
    assert not path.with_name(path.name + ".part").exists()


def test_a_link_to_a_file_stays_a_link(tmp_path):
    link, target = tmp_path / "link.vcd", tmp_path / "t.vcd"
    link.symlink_to(target)
    write_trace(link, BOARD, [(5, 0, 1), (9, TIME_ONLY, 0)])
    assert link.is_symlink()
    assert read(target)[1] == [(5, 0, 1), (9, TIME_ONLY, 0)]


@pytest.mark.parametrize("edges", [1, 20_000])  # refused at the end, or on the way
def test_a_full_disk_is_a_sentence_and_leaves_nothing_behind(tmp_path, full_disk, edges):
    path = tmp_path / "t.vcd"
    with pytest.raises(TraceError, match=r"t\.vcd: cannot be written: no space left on device\."):
        write_trace(path, BOARD, ((k, 0, k & 1) for k in range(1, edges + 1)))
    assert list(tmp_path.iterdir()) == []


def test_lines_that_the_trace_lacks_read_0_and_initial_levels_are_no_edges(tmp_path):
    levels, edges, error = read_text(tmp_path, START + "#7\n1!\n#9\n")
    assert levels == [int(name == "btn_start") for name in LINES]
    assert (edges, error) == ([(7, RIM0, 1), (9, TIME_ONLY, 0)], None)


def test_a_level_that_the_line_has_already_is_no_edge(tmp_path):
    _, edges, _ = read_text(tmp_path, START + '#7\n0!\n1"\n1!\n#8\n1!\n0!\n#9\n')
    assert edges == [(7, RIM0, 1), (8, RIM0, 0), (9, TIME_ONLY, 0)]


def test_changes_at_one_time_stamp_keep_their_order(tmp_path):
    _, edges, _ = read_text(tmp_path, START + '#7 0" 1! 0! 1"\n#8\n')
    assert edges[:-1] == [(7, BTN_START, 0), (7, RIM0, 1), (7, RIM0, 0), (7, BTN_START, 1)]


@pytest.mark.parametrize(
    ("scale", "stamp"), [("1 us", 7), ("1us", 7), ("100 ns", 70), ("1ps", 7_000_000)]
)
def test_any_time_scale_that_gives_whole_microseconds_is_read(tmp_path, scale, stamp):
    text = START.replace("1 us", scale) + f"#{stamp}\n1!\n#{stamp}\n"
    assert read_text(tmp_path, text)[1:] == ([(7, RIM0, 1), (7, TIME_ONLY, 0)], None)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + '#0\n0!\n1"\n#7\n1!\n#7\n',
        START + "$comment août 2026: essai $end\n#7\n1!\n#7\n",
        START + "#7\n1!\n#7\n\n$comment the end $end\n",
        START.replace("#0\n$dumpvars", "$dumpvars").replace("\n", "\r\n") + "#0\n#7\n1!\n#7\r\n",
        START.replace("\n", " ") + "#7 1! #7\n",
    ],
)
def test_harmless_differences_of_form_change_nothing(tmp_path, text):
    levels, edges, error = read_text(tmp_path, text)
    assert error is None
    assert levels is not None
    assert levels[BTN_START] == 1
    assert edges == [(7, RIM0, 1), (7, TIME_ONLY, 0)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "t.vcd:1: the file is empty; record the trace again."),
        (b"\x7fELF\x02\x00\xff\n\n", "t.vcd:1: this is not a VCD trace."),
        ("a,b\n1,2\n", "t.vcd:1: this is not a VCD trace."),
        (
            HEADER.replace("rim0", "rim9") + "#0\n",
            't.vcd:3: board roulette_ref has no line "rim9"; did you mean "rim2"?',
        ),
        (
            HEADER.replace("wire 1 !", "wire 8 !"),
            't.vcd:3: "rim0" is a 8-bit wire, not a 1-bit wire.',
        ),
        (
            HEADER.replace("btn_start", "rim0"),
            't.vcd:4: wire "rim0" or its identifier """ is declared twice.',
        ),
        (
            HEADER.replace("1 us", "1 as"),
            "t.vcd:1: time scale 1 as; `$timescale 1 us $end` is expected.",
        ),
        (
            HEADER.replace("module wheel", "module top"),
            't.vcd:2: scope "top" where one scope "wheel" is expected.',
        ),
        (HEADER[:60], "t.vcd:3: the file is cut short here, in the middle of a record."),
        (HEADER.partition("$upscope")[0], "t.vcd:4: the file ends before $enddefinitions."),
        (HEADER, "t.vcd:6: the file ends before the first time stamp."),
        (START.rpartition("$end")[0], "t.vcd:10: the file ends inside $dumpvars."),
        (START.replace("0!", "x!"), 't.vcd:9: "rim0" becomes "x"; a trace holds 0 and 1 alone.'),
        (
            START.replace("1 us", "1 ns") + "#1500\n",
            "t.vcd:12: time #1500 falls between two microseconds.",
        ),
    ],
)
def test_a_trace_refused_before_its_first_edge_says_where_and_why(tmp_path, text, sentence):
    _, edges, error = read_text(tmp_path, text)
    assert error == sentence
    assert edges in ([], [(0, TIME_ONLY, 0)])


def test_a_trace_that_ends_with_its_initial_levels_is_cut_short(tmp_path):
    _, edges, error = read_text(tmp_path, START)
    assert edges == [(0, TIME_ONLY, 0)]
    assert error is not None
    assert error.endswith("without a last time stamp; it is cut short.")
    assert read_text(tmp_path, HEADER + "#5\n")[1:] == ([(5, TIME_ONLY, 0)], None)


@pytest.mark.parametrize(
    ("tail", "sentence"),
    [
        ("1", "t.vcd:14: the file is cut short here, in the middle of a record."),
        ("#", "t.vcd:14: the file is cut short here, in the middle of a record."),
        ("$comm", "t.vcd:14: the file is cut short here, in the middle of a record."),
        ("$comment half a", "t.vcd:14: the file is cut short here, in the middle of a record."),
        ("#80", "t.vcd:14: the file is cut short here, in the middle of a record."),
        ("0!", "t.vcd:14: the file is cut short here, in the middle of a record."),
        ("#12\n", "t.vcd:14: time goes back, from 70 to 12 us; the file is damaged or cut short."),
        ("", "t.vcd:13: the file ends in the middle, without a last time stamp; it is cut short."),
        (
            "$comment x $end\n",
            "t.vcd:14: the file ends in the middle, without a last time stamp; it is cut short.",
        ),
        ("z!\n", 't.vcd:14: "rim0" becomes "z"; a trace holds 0 and 1 alone.'),
        ("1%\n", 't.vcd:14: no wire was declared with the identifier "%".'),
        ("b101 !\n", "t.vcd:14: a change vector has no place here; 1-bit changes are expected."),
        (
            "$var wire 1 % rim1 $end\n",
            "t.vcd:14: a var has no place here; 1-bit changes are expected.",
        ),
        (
            "#9999999999999999\n",
            "t.vcd:14: time #9999999999999999 is more than ten years away; the file is damaged.",
        ),
        ("hello\n#90\n", 't.vcd:14: no wire was declared with the identifier "ello".'),
        ("what\n#90\n", 't.vcd:14: no wire was declared with the identifier "hat".'),
        ("1 !\n#90\n", "t.vcd:14: this line is no VCD record."),
        ("£!\n#90\n", "t.vcd:14: this line is no VCD record."),
    ],
)
def test_what_came_before_the_damage_is_still_read(tmp_path, tail, sentence):
    _, edges, error = read_text(tmp_path, START + "#70\n1!\n" + tail)
    assert error == sentence
    assert edges == [(70, RIM0, 1), (70, TIME_ONLY, 0)]


def test_a_trace_cut_anywhere_never_reads_as_something_else(tmp_path):
    whole = START + '#70\n1!\n#1070\n0!\n0"\n#22000\n'
    _, expected, _ = read_text(tmp_path, whole)
    for length in range(len(whole)):
        _, edges, error = read_text(tmp_path, whole[:length])
        changes = [edge for edge in edges if edge[1] != TIME_ONLY]
        assert changes == expected[: len(changes)]
        ends = whole[:length].rpartition("\n")[0].rpartition("\n")[2]
        complete = whole[length - 1] == "\n" and ends.startswith("#") and length > len(START)
        assert (error is None) == complete


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(junk=st.binary(max_size=60))
def test_any_bytes_are_an_edge_or_a_sentence_never_a_crash(tmp_path, junk):
    _, _, error = read_text(tmp_path, START.encode() + junk)
    assert error is None or error.startswith("t.vcd:")
    _, _, error = read_text(tmp_path, junk)
    assert error is not None
    assert error.startswith("t.vcd:")


@pytest.mark.parametrize("name", ["nowhere.vcd", "."])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, name):
    with (
        pytest.raises(TraceError, match=r"cannot be read: (no such|is a dir)"),
        open_trace(tmp_path / name, BOARD),
    ):
        pytest.fail("opened")


def test_fifty_thousand_changes_are_read_within_seconds(tmp_path):
    path = tmp_path / "long.vcd"
    write_trace(path, BOARD, ((k * 1000, 6, k & 1) for k in range(1, 50_000)))
    began = time.process_time()
    _, edges, error = read(path)
    assert (len(edges), error) == (50_000, None)
    assert time.process_time() - began < 10  # measured: 0.3 s; a limit against quadratic reading
