"""A journal that cannot be written: the wheel says so, and nothing unrecorded is ever lit."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crash_bench import CrashBench, cylindre, watch_until, whole

NOT_RECORDED = "S10"


@pytest.fixture
def small_disk(tmp_path: Path, needs: Callable[..., None]) -> Iterator[Path]:
    """A disk of 64 KiB."""
    needs("mounts")
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def has(bench: CrashBench, event: str) -> Callable[[], bool]:
    def told() -> bool:
        assert bench.run is not None
        return any(line["event"] == event for line in bench.run.lines)

    return told


def is_told_full(bench: CrashBench) -> Callable[[], bool]:
    def told() -> bool:
        assert bench.run is not None
        return any(line.get("code") == NOT_RECORDED for line in bench.run.lines)

    return told


def unrecorded(bench: CrashBench, known: dict[int, dict]) -> None:
    """Asserts that nothing was told or lit since that is not in the journal."""
    for seq, number in bench.lit:
        assert known[seq]["number"] == number
    assert {told["seq"] for told in bench.results} <= set(known)


def played(bench: CrashBench) -> None:
    """One coup, recorded and lit."""
    bench.start(seed=1, pace=5)
    watch_until([bench], has(bench, "result"))
    watch_until([bench], lambda: bool(bench.lit))
    assert bench.kill(signal.SIGTERM)[0] == 0
    whole(bench)


def test_a_file_that_may_not_grow_holds_back_every_result(
    benches: Callable[..., CrashBench],
) -> None:
    bench = benches()
    played(bench)
    before = bench.outcomes()
    bench.start(seed=2, fsize=bench.journal.stat().st_size)
    watch_until([bench], has(bench, "detected"))
    watch_until([bench], is_told_full(bench))
    _, said = bench.kill(signal.SIGTERM)
    assert "Traceback" not in said
    after = bench.outcomes()
    unrecorded(bench, after)
    assert len(after) >= len(before)
    whole(bench)


@pytest.mark.req("IEC-CR-2.10")
def test_a_full_disk_holds_back_every_result_until_there_is_room(
    benches: Callable[..., CrashBench], small_disk: Path
) -> None:
    bench = benches(journals=small_disk)
    bench.start(seed=1)
    watch_until([bench], has(bench, "result"))
    filler = small_disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(512))
    watch_until([bench], is_told_full(bench))
    bench.read()
    held = bench.outcomes()
    unrecorded(bench, held)
    filler.unlink()
    watch_until([bench], lambda: max(told["seq"] for told in bench.results) > max(held))
    assert bench.kill(signal.SIGTERM)[0] == 0
    whole(bench)


def test_a_disk_that_is_read_only_is_one_sentence_and_no_wheel_turns(
    benches: Callable[..., CrashBench], small_disk: Path
) -> None:
    bench = benches(journals=small_disk)
    played(bench)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    before = bench.journal.read_bytes()
    ended = cylindre(
        "run", "--board", bench.board, "--journal", bench.journal, "--fram", bench.fram,
        "--keys", bench.keys, "--coups", 1, "--json",
    )  # fmt: skip
    assert ended.returncode in (1, 4)
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert bench.journal.read_bytes() == before
    assert os.listdir(small_disk) == [bench.journal.name]
