"""For the tests of files that somebody names: what commands want besides; the rest: walking.py."""

import datetime
import os
import shutil
import sys
from pathlib import Path

import own_journal
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from walking import BOARD, PIN

from firmware.core.house import CROUPIER, MANAGEMENT
from firmware.keys import folder as key_folder
from firmware.keys import people
from firmware.services.update import keys as update_keys
from tools.image import blockmap


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that a command wants besides the path that is tried."""
    folder = tmp_path_factory.mktemp("laid-out")
    own_journal.keys(folder / "keys")
    key_folder.provision(folder / "keys", terminals=1, displays=1)
    own_journal.opened(folder / "journal.db").close()
    update_keys.make(folder / "update", now=datetime.datetime.now(datetime.UTC))
    image = bytes(510) + b"\x55\xaa" + bytes(blockmap.BLOCK - 512)
    (folder / "a.img").write_bytes(image)
    found = blockmap.of_image(folder / "a.img", [(0, blockmap.BLOCK)])
    blockmap.path_of(folder / "a.img").write_text(blockmap.text(found))
    (folder / "a.deb").write_bytes(b"!<arch>\ndebian-binary   1700000000  ")
    for name in ("root.img", "boot.img", "wheel.toml", "trace.vcd", "journal.calibration"):
        (folder / name).touch()
    (folder / "pin").write_text(f"{PIN}\n")
    with people.editing(folder / "var" / BOARD / "people.jsonl") as known:
        known += [people.enrol("anna", CROUPIER, PIN), people.enrol("weber", MANAGEMENT, PIN)]
    (folder / "orders").mkdir()
    stakes = '{"rules": "roulette_lu", "minimum_cents": 500, "number": 17, "stakes": []}'
    (folder / "stakes.json").write_text(stakes)
    return folder


@pytest.fixture
def folder(laid_out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(laid_out, tmp_path, copy_function=_laid_again, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _laid_again(source: str, target: str) -> None:
    """A second name is quicker than a copy, for what is not written in its place."""
    (shutil.copy if source.endswith(".db") else os.link)(source, target)
