"""The field recorder: a coup that was played is decided the same again, or it is said where not."""

import errno
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S

from firmware.config import Config
from firmware.config.game import Game, choose
from firmware.core.coup.timers import Timers
from firmware.run.recorder_tap import EDGES_MAX, HeardUart, Tap
from firmware.services.recorder import again, files, recorder
from firmware.store.recorded_coup import BUS_IN, DRIVE, FACT, Coup, Note
from firmware.text.trace import open_trace
from tools.virtual.simulate import Simulation

COUPS = 4
BOARDS = ("roulette_ref", "vingt_trois_ref", "boule_ref")


def played(board: str, coups: int = COUPS, seed: int = 5, hand: bool = False) -> list[Coup]:
    """The recordings of so many coups."""
    kept: list[Coup] = []
    game = choose(board, Config())
    simulation = Simulation(
        game,
        seed=seed,
        hand=hand,
        tap=lambda core, levels: Tap(core, game.board, levels, kept.append),
    )
    for _ in simulation.play(coups):
        pass
    return kept


def head_of(board: str, hand: bool = False) -> dict[str, Any]:
    driven = not hand and choose(board, Config()).board["rotor"] == "driven"
    house = Config(call_us=0, undetected="void").house._replace(driven=driven)
    return recorder.about(choose(board, Config()), Config(), house)


@pytest.fixture(scope="module")
def coup() -> Coup:
    return played("roulette_ref", 2)[-1]


def through_the_disk(folder: Path, coup: Coup, board: str, hand: bool = False) -> Any:
    """What today's core makes of it, from the files."""
    path = files.save(folder, coup, choose(board, Config()).board, head_of(board, hand))
    head = files.load_head(path)
    found, game = again.reopen(path, head)
    return again.compare(found, game, head["house"])


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("hand", [False, True])
def test_every_recorded_coup_is_decided_the_same_again(
    tmp_path: Path, board: str, hand: bool
) -> None:
    coups = played(board, hand=hand)
    assert len(coups) >= COUPS
    for coup in coups:
        found = through_the_disk(tmp_path, coup, board, hand)
        assert [item for item in found if item.verdict != again.SAME] == [], coup.number
        events = [item.then["event"] for item in found if item.then]
        assert "coup_started" in events and events[-1] in ("result", "void")


def calibrated() -> Game:
    """A roulette whose ring sensors were found a compartment further than they are drawn."""
    game = choose("roulette_ref", Config())
    geometry = game.board["geometry"]
    found = tuple(1000 * deg + 360_000 // 37 for deg in geometry["pocket_deg"])
    return game._replace(board={**game.board, "geometry": {**geometry, "pocket_mdeg": found}})


def recorded_when_calibrated(folder: Path, **other: Any) -> Path:
    """A coup of such a wheel, kept."""
    game = calibrated()
    kept: list[Coup] = []
    simulation = Simulation(
        game, seed=5, tap=lambda core, levels: Tap(core, game.board, levels, kept.append)
    )
    for _ in simulation.play(1):
        pass
    house = Config(call_us=0, undetected="void").house._replace(driven=True)
    return files.save(folder, kept[0], game.board, recorder.about(game, Config(), house) | other)


def test_a_coup_of_a_calibrated_wheel_is_decided_by_what_was_measured_then(tmp_path: Path) -> None:
    path = recorded_when_calibrated(tmp_path)
    head = files.load_head(path)
    coup, game = again.reopen(path, head)
    found = again.compare(coup, game, head["house"])
    assert found[-1].then is not None and found[-1].then["event"] == "result"
    assert {item.verdict for item in found} == {again.SAME}
    drawn = again.compare(coup, choose("roulette_ref", Config()), head["house"])
    assert drawn[-1].verdict == again.DIFFERS, "the drawing alone gives the number beside it"


@pytest.mark.parametrize("pocket_mdeg", [[60_000], 3, ["60"] * 3, {"0": 1}])
def test_measured_sensors_that_this_board_does_not_have_are_one_sentence(
    tmp_path: Path, pocket_mdeg: Any
) -> None:
    path = recorded_when_calibrated(tmp_path, pocket_mdeg=pocket_mdeg)
    with pytest.raises(again.UnknownGame, match="ring sensors"):
        again.reopen(path, files.load_head(path))


def test_a_number_that_is_decided_otherwise_today_is_said(tmp_path: Path, coup: Coup) -> None:
    at = next(
        at for at, note in enumerate(coup.notes)
        if note.kind == FACT and note.value["event"] == "result"
    )  # fmt: skip
    note = coup.notes[at]
    other = note._replace(value=note.value | {"number": (note.value["number"] + 1) % 37})
    notes = [*coup.notes[:at], other, *coup.notes[at + 1 :]]
    found = through_the_disk(tmp_path, coup._replace(notes=notes), "roulette_ref")
    assert [item.verdict for item in found].count(again.DIFFERS) == 1
    assert found[-1].verdict == again.DIFFERS


def test_an_event_that_does_not_come_today_is_missing_and_one_too_many_is_new(
    tmp_path: Path, coup: Coup
) -> None:
    fault = {"t_us": 0, "event": "fault", "code": "W21", "text": "W21: a beam."}
    notes = [note for note in coup.notes if not _is(note, "no_more_bets")]
    notes.insert(0, Note(10, FACT, fault))
    found = through_the_disk(tmp_path, coup._replace(notes=notes), "roulette_ref")
    assert {item.verdict for item in found} == {again.SAME, again.MISSING, again.NEW}


def test_a_call_that_comes_later_than_the_tolerance_differs(tmp_path: Path, coup: Coup) -> None:
    late = again.TOLERANCE_US + 1_000
    notes = [
        note._replace(at_us=note.at_us - late) if _is(note, "no_more_bets") else note
        for note in coup.notes
    ]
    found = through_the_disk(tmp_path, coup._replace(notes=notes), "roulette_ref")
    assert again.DIFFERS in {item.verdict for item in found}


def _is(note: Note, event: str) -> bool:
    return note.kind == FACT and note.value["event"] == event


def test_the_trace_is_one_that_other_tools_open_and_holds_the_orders_to_the_motor(
    tmp_path: Path, coup: Coup
) -> None:
    board = choose("roulette_ref", Config()).board
    path = files.save(tmp_path, coup, board, head_of("roulette_ref"))
    with open_trace(path / files.TRACE, board) as trace:
        edges = list(trace.edges())
    assert edges[:-1] == coup.edges and edges[-1][0] == coup.end_us
    assert DRIVE in {note.kind for note in played("vingt_trois_ref", 1)[0].notes}


def test_only_the_last_coups_are_kept_and_nothing_else_is_touched(
    tmp_path: Path, coup: Coup
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    said: list[str] = []
    board = choose("roulette_ref", Config()).board
    keeper = recorder.Recorder(
        tmp_path, board, head_of("roulette_ref"), kept=2, say=said.append
    )  # fmt: skip
    for number in (1, 2, 3):
        keeper.keep(coup._replace(number=number))
    keeper.close()
    assert [files.load_head(path)["number"] for path in files.recordings(tmp_path)] == [2, 3]
    assert (tmp_path / "mine.txt").exists() and said == []


def test_what_a_crash_left_half_written_is_no_recording_and_is_removed(
    tmp_path: Path, coup: Coup
) -> None:
    board = choose("roulette_ref", Config()).board
    whole = files.save(tmp_path, coup, board, head_of("roulette_ref"))
    half = tmp_path / "000002-coup-9.part"
    half.mkdir()
    (half / files.TRACE).write_text("$timescale")
    assert files.recordings(tmp_path) == [whole]
    files.tidy(tmp_path)
    assert not half.exists() and files.recordings(tmp_path) == [whole]


def test_a_full_disk_is_said_once_and_so_is_its_end(
    tmp_path: Path, coup: Coup, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    save, full = files.save, [True]

    def on_a_full_disk(*arguments: Any) -> Path:
        if full[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return save(*arguments)

    monkeypatch.setattr(files, "save", on_a_full_disk)
    board = choose("roulette_ref", Config()).board
    keeper = recorder.Recorder(tmp_path, board, head_of("roulette_ref"), say=said.append)
    keeper.keep(coup)
    keeper.keep(coup)
    while keeper.waiting:
        threading.Event().wait(0.001)
    full[0] = False
    keeper.keep(coup)
    keeper.close()
    assert len(said) == 2 and "no space left" in said[0] and "works again" in said[1]
    assert len(files.recordings(tmp_path)) == 1


def _keeper(folder: Path, said: list[str], kept: int) -> recorder.Recorder:
    board = choose("roulette_ref", Config()).board
    return recorder.Recorder(
        folder, board, head_of("roulette_ref"), kept=kept, say=said.append
    )  # fmt: skip


def test_fewer_are_kept_from_the_start_on_where_fewer_are_asked_for(
    tmp_path: Path, coup: Coup
) -> None:
    board = choose("roulette_ref", Config()).board
    for _ in range(3):
        files.save(tmp_path, coup, board, head_of("roulette_ref"))
    _keeper(tmp_path, [], kept=1).close()
    assert [path.name[:6] for path in files.recordings(tmp_path)] == ["000003"]


@pytest.mark.parametrize(("kept", "left"), [(2, [2, 3]), (1, [1])])
def test_on_a_full_disk_a_coup_takes_the_place_of_the_oldest_but_never_of_the_last(
    tmp_path: Path, coup: Coup, monkeypatch: pytest.MonkeyPatch, kept: int, left: list[int]
) -> None:
    said: list[str] = []
    save = files.save

    def on_a_disk_for(*arguments: Any) -> Path:
        if len(files.recordings(tmp_path)) >= kept:
            raise OSError(errno.ENOSPC, "No space left on device")
        return save(*arguments)

    monkeypatch.setattr(files, "save", on_a_disk_for)
    keeper = _keeper(tmp_path, said, kept)
    for number in (1, 2, 3):
        keeper.keep(coup._replace(number=number))
    keeper.close()
    assert [files.load_head(path)["number"] for path in files.recordings(tmp_path)] == left
    assert len(said) == (kept == 1)


def test_a_coup_is_not_said_to_be_lost_because_an_older_one_cannot_be_removed(
    tmp_path: Path, coup: Coup, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    keeper = _keeper(tmp_path, said, kept=1)

    def refuse(*_: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(files, "forget", refuse)
    keeper.keep(coup)
    keeper.keep(coup)
    keeper.close()
    assert len(said) == 1 and "is kept, but older ones cannot be removed" in said[0]
    assert len(files.recordings(tmp_path)) == 2


def test_a_disk_that_does_not_keep_up_loses_coups_and_never_holds_the_wheel_up(
    tmp_path: Path, coup: Coup, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    goes_on = threading.Event()
    save = files.save
    monkeypatch.setattr(files, "save", lambda *some: goes_on.wait(LAST_RESORT_S) and save(*some))
    board = choose("roulette_ref", Config()).board
    keeper = recorder.Recorder(tmp_path, board, head_of("roulette_ref"), say=said.append)
    for _ in range(recorder.WAITING_MAX + 3):
        keeper.keep(coup)
    assert len(said) == 1 and "too slow" in said[0]
    goes_on.set()
    keeper.close()
    assert len(files.recordings(tmp_path)) <= recorder.WAITING_MAX + 1


@pytest.mark.parametrize("name", [files.HEAD, files.NOTES, files.TRACE])
@pytest.mark.parametrize("how", ["empty", "cut", "flipped", "missing"])
def test_a_recording_that_is_not_as_it_was_written_is_one_sentence(
    tmp_path: Path, coup: Coup, name: str, how: str
) -> None:
    board = choose("roulette_ref", Config()).board
    path = files.save(tmp_path, coup, board, head_of("roulette_ref"))
    whole = (path / name).read_bytes()
    # The head's last line but one is its digest; a line of notes is cut off whole.
    cut = whole.rfind(b"\n", 0, -1) + 1
    damaged = {"empty": b"", "cut": whole[:cut], "flipped": whole.replace(b"1", b"2", 1)}
    (path / name).unlink()
    if how in damaged:
        (path / name).write_bytes(damaged[how])
    with pytest.raises(files.RecordingError, match=r"Copy it anew|another version"):
        files.load_head(path)


def test_a_head_of_brackets_alone_is_damaged(tmp_path: Path) -> None:
    (tmp_path / files.HEAD).write_text("[" * 9_999)
    with pytest.raises(files.RecordingError, match="damaged, or of no recorded coup"):
        files.load_head(tmp_path)


@pytest.mark.parametrize("notes", [b"[]\n", b"17\n", b"[" * 9_999, b"no note", b"\xff"])
def test_notes_that_are_none_are_damaged_though_the_digest_is_theirs(
    tmp_path: Path, coup: Coup, notes: bytes
) -> None:
    board = choose("roulette_ref", Config()).board
    path = files.save(tmp_path, coup, board, head_of("roulette_ref"))
    (path / files.NOTES).unlink()
    (path / files.NOTES).write_bytes(notes)
    head = json.loads((path / files.HEAD).read_text())
    (path / files.HEAD).write_text(json.dumps(head | {"sha256": files.digest(path, head)}))
    with pytest.raises(files.RecordingError, match="damaged, or of no recorded coup"):
        files.load(path, files.load_head(path), board)


def test_a_recording_of_another_version_is_a_sentence(tmp_path: Path, coup: Coup) -> None:
    board = choose("roulette_ref", Config()).board
    path = files.save(tmp_path, coup, board, head_of("roulette_ref"))
    head = json.loads((path / files.HEAD).read_text())
    for part in ("house", "memory", "config"):
        with pytest.raises(again.UnknownGame, match=r"another .*'more'.*; replay it with that one"):
            again.reopen(path, head | {part: head[part] | {"more": 1}})
    (path / files.HEAD).write_text(json.dumps(head | {"version": 99}))
    with pytest.raises(files.RecordingError, match="another version"):
        files.load_head(path)


class _Core:
    """A core that answers nothing."""

    timers = Timers()

    def restart_state(self) -> Any:
        from firmware.core.coup.restart_state import FRESH

        return FRESH

    def speed_uturn_s(self, now_us: int) -> int:
        return 0

    def edge(self, at_us: int, line: int, level: int) -> tuple[()]:
        return ()


def test_what_is_kept_while_nobody_plays_has_a_limit() -> None:
    board = choose("roulette_ref", Config()).board
    tap = Tap(_Core(), board, (), lambda coup: None)
    for at in range(EDGES_MAX):
        tap.edge(at * 100, 0, at & 1)
    assert tap.held < 20_000


def test_bytes_on_the_bus_are_noted_both_ways_and_pass_unchanged() -> None:
    class Uart:
        def read(self) -> bytes:
            return b"\x01\x02"

        def write(self, data: bytes) -> int:
            return 2

        def deinit(self) -> None:
            pass

    heard: list[tuple[str, bytes]] = []
    uart = HeardUart(Uart(), lambda kind, data: heard.append((kind, data)))
    assert uart.read() == b"\x01\x02" and uart.write(b"abc") == 2
    assert heard == [(BUS_IN, b"\x01\x02"), ("bus_out", b"ab")]  # what the line took
