"""Orders for the unit that may change the machine: whole, or not there."""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from firmware.lib import order_folder
from firmware.lib.errors import Failure


def left(folder: Path, data: bytes, what: str = order_folder.CONFIG) -> order_folder.Draft:
    async def pieces() -> AsyncIterator[bytes]:
        yield data[:3]
        yield data[3:]

    draft = order_folder.Draft(folder, what)
    asyncio.run(order_folder.written(draft, pieces()))
    return draft


def test_an_order_names_its_file_with_its_hash(tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    draft = left(folder, b"[wheel]\n")
    name = draft.order("weber")
    told = json.loads((folder / f"{name}.order").read_text())
    assert (told["what"], told["who"]) == ("config", "weber")
    assert told["sha256"] == hashlib.sha256((folder / told["file"]).read_bytes()).hexdigest()
    assert folder.stat().st_mode & 0o777 == 0o750
    (found,) = order_folder.state(folder)
    assert "ok" not in found


def test_what_became_of_it_is_shown_beside_it(tmp_path: Path) -> None:
    names = [left(tmp_path, b"a%d" % at).order("weber") for at in range(3)]
    (tmp_path / f"{names[1]}.done").write_text('{"ok":false,"text":"No."}')
    (tmp_path / f"{names[1]}.order").unlink()
    found = order_folder.state(tmp_path)
    assert [each["name"] for each in found] == list(reversed(names))
    assert (found[1]["ok"], found[1]["text"]) == (False, "No.")


def test_old_answers_go_and_what_is_no_order_is_left_out(tmp_path: Path) -> None:
    for at in range(order_folder.KEPT + 5):
        (tmp_path / f"{at:020d}-config.done").write_text('{"ok":true}')
    (tmp_path / "99999999999999999999-config.done").write_bytes(b"\xff{")
    (tmp_path / "99999999999999999998-config.order").write_text("[]")
    (tmp_path / "notes.txt").write_text("hello")
    assert len(order_folder.state(tmp_path)) == order_folder.KEPT - 1
    assert len(list(tmp_path.glob("*.done"))) == order_folder.KEPT
    assert order_folder.state(tmp_path / "nowhere") == []


def test_a_clock_that_is_set_back_puts_no_order_before_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [left(tmp_path, b"a%d" % at).order("weber") for at in range(order_folder.KEPT)]
    for name in names:
        (tmp_path / f"{name}.done").write_text('{"ok":true,"text":"Done."}')
        (tmp_path / f"{name}.order").unlink()
    monkeypatch.setattr(
        order_folder.time, "time_ns", lambda: 60_000_000_000
    )  # a clock without a battery
    then = [left(tmp_path, b"b%d" % at).order("weber") for at in range(2)]
    assert [*names, *then] == sorted([*names, *then])
    (tmp_path / f"{then[0]}.done").write_text('{"ok":true,"text":"Done now."}')
    assert order_folder.state(tmp_path)[1]["text"] == "Done now."
    assert (tmp_path / f"{then[0]}.done").exists()


def test_what_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"some"
        raise Failure(1, "It broke off.")

    draft = order_folder.Draft(tmp_path, order_folder.UPDATE)
    with pytest.raises(Failure):
        asyncio.run(order_folder.written(draft, pieces()))
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_folder, "BUNDLE_MAX", 5)
    with pytest.raises(Failure, match="no bundle of ours"):
        left(tmp_path, b"123456", order_folder.UPDATE)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_nothing_and_is_one_sentence(tmp_path: Path) -> None:
    """/dev/full stands for the file: it takes nothing."""
    draft = order_folder.Draft(tmp_path, order_folder.UPDATE)
    os.unlink(draft.path)
    os.symlink("/dev/full", draft.path)
    draft._file.close()
    draft._file = draft.path.open("wb")
    with pytest.raises(Failure, match="no space left"):
        draft.write(b"x" * 100_000)
    draft.discard()
    assert list(tmp_path.iterdir()) == []
