"""A wheel changes its key: whoever trusts wheel.pub follows, and no cut loses the wheel its key."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.bus import ed25519, record
from firmware.keys import folder as keys
from firmware.keys import key_files, rotation
from firmware.lib import durable
from firmware.lib.errors import CONFIGURATION, FAILED, USAGE, Failure
from firmware.store import signing
from firmware.store.database import chunks, reading
from firmware.store.fram import Head
from firmware.store.fram_file import FileFram
from firmware.store.identity import Identity
from firmware.store.journal import Journal, JournalError
from firmware.store.verify import first_bad
from tools.journal import key_command

WHOSE = Identity("table-3", "roulette", "roulette_lu", bytes(8), True, bytes(8), "virtual")


def result(seq: int) -> dict[str, object]:
    return {
        "coup": seq,
        "seq": seq,
        "number": 17,
        "compartment": 8,
        "colour": "black",
        "rotor": 1,
        "ball": -1,
    }


class Bench:
    """A folder of keys, a journal and, if wanted, its FRAM."""

    def __init__(self, folder: Path) -> None:
        self.keys = folder / "keys"
        self.journal = folder / "journal"
        self.fram: Path | None = None
        keys.provision(self.keys, displays=1)

    def play(self, seq: int) -> bytes:
        """Opens the journal as a wheel does, and records one result."""
        memory = None if self.fram is None else FileFram(self.fram)
        store = Journal(
            self.journal,
            signer=rotation.open_signer(self.keys, self.journal),
            identity=WHOSE,
            head=None if memory is None else Head(memory),
            next_epoch=lambda: keys.next_epoch(self.keys),
            rotations=rotation.read_chain(self.keys),
        )
        try:
            store.write("result", result(seq), patience_s=3.0)
            found = store.record(seq)
            assert found is not None
            return found
        finally:
            store.close()
            if memory is not None:
                memory.close()

    def rotate(self) -> tuple[bytes, bytes]:
        return key_command.rotate(self.keys, self.journal, self.fram, None)

    def believed(self) -> list[str]:
        """The kinds of the journal's records, once whoever trusts wheel.pub alone believes it."""
        assert first_bad(self.journal, keys.read_root(self.keys)) is None
        with reading(self.journal) as connection:
            every = [row.body for chunk in chunks(connection) for row in chunk]
        return [said.kind for said in map(record.parse, every) if said is not None]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_after_a_rotation_the_new_key_signs_and_the_root_stays(bench: Bench) -> None:
    root = keys.read_root(bench.keys)
    bench.play(1)
    old, new = bench.rotate()
    assert old == root != new
    assert signing.public_of(keys.read_private(bench.keys)) == new
    assert keys.read_root(bench.keys) == root
    found = bench.play(2)
    assert record.decode_signed(found, new, ed25519.verify) is not None
    assert record.decode_signed(found, old, ed25519.verify) is None
    assert bench.believed() == ["epoch", "result", "rotation", "result"]
    assert rotation.public_keys(bench.keys) == (old, new)
    assert {path.stat().st_mode & 0o777 for path in bench.keys.glob("*.key")} == {0o600}
    assert not list(bench.keys.glob("*.new"))


def test_a_key_is_rotated_again_and_again_and_the_chain_leads_to_the_last(bench: Bench) -> None:
    bench.play(1)
    for seq in (2, 3, 4):
        bench.rotate()
        bench.play(seq)
    public = rotation.public_keys(bench.keys)
    assert len(set(public)) == 4
    assert bench.believed() == ["epoch", "result"] + 3 * ["rotation", "result"]
    key = keys.read_root(bench.keys)
    for data in rotation.read_chain(bench.keys):
        said = record.decode_signed(data, key, ed25519.verify)
        assert said is not None
        key = said.next_key
    assert key == public[-1]


def test_a_journal_begun_after_a_rotation_leads_back_to_the_root(bench: Bench) -> None:
    bench.play(1)
    bench.rotate()
    bench.journal.rename(bench.journal.with_name("old"))
    bench.play(1)
    store = Journal(
        bench.journal, signer=rotation.open_signer(bench.keys, bench.journal), identity=WHOSE
    )
    store.close()
    assert store.rotations == rotation.read_chain(bench.keys)
    assert store.epoch == 2
    assert bench.believed() == ["epoch", "rotation", "result"]


def test_the_fram_goes_along(bench: Bench, tmp_path: Path) -> None:
    bench.fram = tmp_path / "fram"
    bench.play(1)
    with pytest.raises(Failure, match="goes with a FRAM: give its --fram") as caught:
        key_command.rotate(bench.keys, bench.journal, None, None)
    assert caught.value.exit_code == USAGE
    bench.rotate()
    bench.play(2)
    assert bench.believed() == ["epoch", "result", "rotation", "result"]


CUTS = ("link", "journal", "after the journal", "chain", "rename")


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("before", [0, 1])
def test_a_cut_anywhere_leaves_the_wheel_its_key(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, cut: str, before: int
) -> None:
    bench.play(1)
    for _ in range(before):
        bench.rotate()
    with monkeypatch.context() as patched:
        _break(patched, cut)
        with pytest.raises((Failure, KeyboardInterrupt)):
            bench.rotate()
    durable = cut not in ("link", "journal")
    assert len(bench.believed()) == 2 + before + durable
    # The wheel plays on, with the key that its journal names, and can be rotated still.
    bench.play(2)
    assert len(rotation.read_chain(bench.keys)) == before + durable
    bench.rotate()
    bench.play(3)
    assert len(rotation.read_chain(bench.keys)) == before + durable + 1
    rotations = (before + durable) * ["rotation"]
    assert bench.believed() == ["epoch", "result", *rotations, "result", "rotation", "result"]
    assert not list(bench.keys.glob("*.new"))
    assert not list(bench.keys.glob("*.part"))


def _break(patched: pytest.MonkeyPatch, cut: str) -> None:
    def power(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    if cut == "link":
        patched.setattr(os, "link", power)
    elif cut == "journal":
        patched.setattr(Journal, "write", power)
    elif cut == "after the journal":
        patched.setattr(rotation, "_finish", power)
    elif cut == "chain":
        patched.setattr(durable, "replace", power)
    else:
        patched.setattr(durable, "rename", power)


def test_a_rotation_that_lacks_its_last_step_is_finished_without_the_journal(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.play(1)
    with monkeypatch.context() as patched:
        _break(patched, "rename")
        with pytest.raises(KeyboardInterrupt):
            bench.rotate()
    bench.journal.rename(bench.journal.with_name("old"))
    bench.play(1)
    assert len(rotation.public_keys(bench.keys)) == 2
    assert bench.believed() == ["epoch", "rotation", "result"]


def test_a_key_that_no_journal_came_to_know_is_taken_up(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.play(1)
    with monkeypatch.context() as patched:
        _break(patched, "journal")
        with pytest.raises(KeyboardInterrupt):
            bench.rotate()
    waiting = key_files.read_secret(keys.new_wheel_file(bench.keys))
    _, new = bench.rotate()
    assert new == signing.public_of(waiting)


@pytest.mark.parametrize("what", ["link", "rename"])
def test_a_full_disk_is_one_sentence(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    bench.play(1)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os if what == "link" else Path, what, full)
        with pytest.raises(Failure, match=r"Cannot write .*: no space left on device\.") as caught:
            bench.rotate()
    assert caught.value.exit_code == FAILED
    bench.play(2)


def test_a_running_controller_is_not_rotated_under_its_feet(bench: Bench) -> None:
    bench.play(1)
    store = Journal(
        bench.journal, signer=rotation.open_signer(bench.keys, bench.journal), identity=WHOSE
    )
    try:
        with pytest.raises(Failure, match="Another controller writes the journal") as caught:
            bench.rotate()
    finally:
        store.close()
    assert caught.value.exit_code == FAILED
    bench.play(2)
    assert rotation.read_chain(bench.keys) == ()


def test_without_a_journal_nothing_is_rotated(bench: Bench) -> None:
    with pytest.raises(Failure, match="There is no journal"):
        bench.rotate()
    assert not bench.journal.exists()
    assert not keys.new_wheel_file(bench.keys).exists()


def test_another_wheels_journal_is_not_rotated(bench: Bench, tmp_path: Path) -> None:
    bench.play(1)
    (tmp_path / "other").mkdir()
    other = Bench(tmp_path / "other")
    other.play(1)
    other.journal = bench.journal
    with pytest.raises(Failure, match="is signed by the key"):
        other.rotate()
    assert bench.believed() == ["epoch", "result"]
    bench.play(2)


def test_a_key_rotated_too_often_asks_for_a_new_folder(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotation, "ROTATIONS_MAX", 2)
    bench.play(1)
    bench.rotate()
    bench.rotate()
    with pytest.raises(Failure, match="rotated 2 times: provision another folder"):
        bench.rotate()
    bench.play(2)


SPOILT: list[tuple[str, Callable[[list[str]], list[str]]]] = [
    ("noise", lambda lines: ["x", *lines]),
    ("first lost", lambda lines: lines[1:]),
    ("last lost", lambda lines: lines[:-1]),
    ("swapped", lambda lines: lines[::-1]),
    ("one bit", lambda lines: [lines[0][:-1] + ("0" if lines[0][-1] != "0" else "1"), *lines[1:]]),
    ("twice", lambda lines: [*lines, lines[-1]]),
    ("gone", lambda _: []),
]


@pytest.mark.parametrize(("name", "spoil"), SPOILT)
def test_a_chain_that_does_not_lead_to_the_key_is_refused(
    bench: Bench, name: str, spoil: Callable[[list[str]], list[str]]
) -> None:
    bench.play(1)
    bench.rotate()
    bench.rotate()
    path = rotation.chain_file(bench.keys)
    path.write_text("".join(line + "\n" for line in spoil(path.read_text().splitlines())))
    with pytest.raises(Failure, match="restore") as caught:
        bench.play(2)
    assert caught.value.exit_code == CONFIGURATION, name


def test_a_result_in_the_chain_is_no_rotation(bench: Bench) -> None:
    found = bench.play(1)
    rotation.chain_file(bench.keys).write_text(found.hex() + "\n")
    with pytest.raises(Failure, match=r"wheel\.chain:1: this is no rotation"):
        rotation.public_keys(bench.keys)


def test_another_wheels_key_beside_the_root_is_refused(bench: Bench, tmp_path: Path) -> None:
    keys.ensure_wheel(tmp_path / "other")
    keys.wheel_file(tmp_path / "other").replace(keys.wheel_file(bench.keys))
    with pytest.raises(Failure, match=r"wheel\.key does not belong to .*wheel\.pub"):
        rotation.open_signer(bench.keys, bench.journal)


def test_the_chain_others_could_change_is_refused(bench: Bench) -> None:
    bench.play(1)
    bench.rotate()
    rotation.chain_file(bench.keys).chmod(0o666)
    with pytest.raises(Failure, match="can be changed by others"):
        bench.play(2)


def test_a_journal_error_while_writing_is_a_failure(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.play(1)

    def full(*_: object) -> None:
        raise JournalError("no space is left. Free or replace the storage.")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "write", full)
        with pytest.raises(Failure, match="no space is left"):
            bench.rotate()
    bench.play(2)
    assert rotation.read_chain(bench.keys) == ()


def test_what_a_folder_holds_is_told_without_its_secrets(bench: Bench) -> None:
    bench.play(1)
    old, new = bench.rotate()
    found = key_command.summary(bench.keys)
    assert found == {
        "root": old.hex(),
        "current": new.hex(),
        "kid": record.key_id(new).hex(),
        "signs": new.hex(),
        "rotations": 1,
        "unfinished": False,
        "epoch": 1,
        "displays": [1],
        "terminals": [],
    }
    secrets = [keys.read_private(bench.keys), *keys.read_displays(bench.keys).values()]
    assert not [secret for secret in secrets if secret.hex() in str(found)]
    keys.wheel_file(bench.keys).unlink()  # as on a display
    assert key_command.summary(bench.keys)["signs"] is None
