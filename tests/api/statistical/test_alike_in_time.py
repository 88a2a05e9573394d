"""How long a wrong PIN takes tells nobody who has one: medians over many, taken in turn."""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from people_bench import somebody

from firmware.keys import people as people_file
from firmware.keys.people import SCRYPT, People
from tools.testing.sizes import size

WRONG = "000000"
WITHIN, WITHIN_FEW, MANY = 0.05, 0.5, 1000
SOME = 25  # other people: the file is read anew each time
KNOWN_OLD, KNOWN, UNKNOWN, OTHER_CASE = "old", "anna", "nobody", "ANNA"


@pytest.fixture
def people(tmp_path: Path) -> People:
    path = tmp_path / "people.jsonl"
    others = [somebody(f"p{at}") for at in range(SOME)]
    path.write_bytes(b"".join([somebody(KNOWN), somebody(KNOWN_OLD, p=1), *others]))
    path.chmod(0o600)
    return People(path)


def medians(found: People, names: tuple[str, ...], code: str, times: int) -> dict[str, float]:
    """The median of the thread's own CPU time for each name, one after the other in turn."""
    taken: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(times):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            begun_s = time.thread_time()
            checked = found.check(name, WRONG, "network", "x" * 40)
            taken[name].append(time.thread_time() - begun_s)
            assert checked.code == code
    return {name: statistics.median(each) for name, each in taken.items()}


def apart(found: dict[str, float]) -> float:
    """How far they lie apart, of the least."""
    return max(found.values()) / min(found.values()) - 1


NAMES = (KNOWN, UNKNOWN, KNOWN_OLD, OTHER_CASE)


def test_somebody_unknown_takes_as_long_as_somebody_known(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hash of a fiftieth of the work: what is beside it stands out the more."""
    monkeypatch.setattr(people._delays, "wait_s", lambda *_, **__: 0.0)
    real = people_file._hash

    def quick(pin: str, n: int, r: int, p: int, salt: bytes) -> bytes:
        return real(pin, n // 64, r, p, salt)

    monkeypatch.setattr(people_file, "_hash", quick)
    found = medians(people, NAMES, "wrong_pin", size("wrong PINs of a name"))
    assert apart(found) < WITHIN, found


def test_whole_hashes_take_as_long_for_everybody(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few whole hashes on a busy machine differ by themselves: their work is counted as well."""
    monkeypatch.setattr(people._delays, "wait_s", lambda *_, **__: 0.0)
    real, work = people_file._hash, []

    def counted(pin: str, n: int, r: int, p: int, salt: bytes) -> bytes:
        work.append(n * r * p)
        return real(pin, n, r, p, salt)

    monkeypatch.setattr(people_file, "_hash", counted)
    times = size("whole hashes of a name")
    found = medians(people, NAMES, "wrong_pin", times)
    assert apart(found) < (WITHIN if times >= MANY else WITHIN_FEW), found
    work.clear()
    each = []
    for name in NAMES:
        people.check(name, WRONG, "network", "x" * 40)
        each.append((sum(work), len(work)))
        work.clear()
    n, r, p = SCRYPT
    assert set(each) == {(n * r * (p + 1), 2)}, each
    assert p == 5


def test_a_refusal_before_any_hash_takes_as_long_for_everybody(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_file, "_hash", lambda *_: bytes(32))
    for _ in range(12):  # each is in force for longer than the test
        for name in NAMES:
            people._delays.wrong(name, "network", known=name in (KNOWN, KNOWN_OLD))
    found = medians(people, NAMES, "too_soon", size("wrong PINs of a name"))
    assert apart(found) < WITHIN, found
