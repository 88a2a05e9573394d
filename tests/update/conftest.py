"""A machine with two slots in a folder, keys, and bundles that RAUC has signed."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from update.slots_here import BOARD, runs

from firmware.lib.partitions import STATE_COPY, STATE_FILE
from firmware.services.update import bootenv, keys, release, state, system_conf
from firmware.services.update import bundle as bundle_step
from firmware.services.update.release import Release
from firmware.services.update.slots import FIRMWARE, KEYRING, RAUC_CONF, RELEASE, STATE
from firmware.services.update.state import GOOD, Known, State

NOW = datetime.datetime.now(datetime.UTC)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The root of a wheel that runs 1.0.0 from slot A, with nothing in slot B."""
    root = tmp_path / "machine"
    for folder in (FIRMWARE, STATE, RELEASE.parent, Path("proc"), Path("run")):
        (root / folder).mkdir(parents=True)
    words = bootenv.text(bootenv.words(("A",), {"A": 2}))
    for name in (STATE_FILE, STATE_COPY):
        (root / FIRMWARE / name).write_bytes(words)
    runs(root, "A", "1.0.0")
    state.save(root, State({"A": Known(GOOD, "1.0.0")}, highest="1.0.0"))
    return root


@pytest.fixture
def flashed(machine: Path) -> Path:
    """The same as flashed: both slots in the order, the second empty, and nothing known."""
    for name in (STATE_FILE, STATE_COPY):
        (machine / FIRMWARE / name).write_bytes(bootenv.flashed())
    (machine / STATE / state.NAME).unlink()
    return machine


@pytest.fixture
def bundle(tmp_path: Path) -> Callable[..., Path]:
    """Where RAUC has mounted a bundle."""

    def mounted(version: str, board: str = BOARD) -> Path:
        folder = tmp_path / "mounted"
        folder.mkdir(exist_ok=True)
        (folder / release.NAME).write_text(release.text(Release(version, board)))
        for name in (bundle_step.ROOT, bundle_step.BOOT):
            (folder / name).touch()
        return folder

    return mounted


@pytest.fixture(scope="session")
def held(tmp_path_factory: pytest.TempPathFactory, needs: Callable[..., None]) -> Path:
    """Folders of keys: ours, theirs, and expired, whose authority still holds."""
    needs("rauc", "mksquashfs")
    folder = tmp_path_factory.mktemp("keys")
    keys.make(folder / "ours", now=NOW)
    keys.make(folder / "theirs", now=NOW)
    keys.make(folder / "expired", now=NOW - datetime.timedelta(days=900))
    return folder


@pytest.fixture(scope="session")
def made(held: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a bundle, once for each kind."""
    folder = tmp_path_factory.mktemp("bundles")

    def make(version: str = "2.0.0", *, signer: str = "ours", board: str = BOARD) -> Path:
        out = folder / f"{version}-{signer}-{board}.raucb"
        if not out.exists():
            root = folder / f"{version}-{signer}-{board}"
            root.mkdir()
            (root / "program").write_bytes(bytes(range(256)) + version.encode() * 9999)
            (root / "noise").write_bytes(os.urandom(50_000))
            signs = held / signer
            boot = folder / "boot"
            boot.write_bytes(os.urandom(4096))
            parts = bundle_step.Parts(root, boot, signs / keys.KEY, signs / keys.CERTIFICATE)
            bundle_step.make(out, Release(version, board), parts)
        return out

    return make


@pytest.fixture
def trusting(machine: Path, held: Path) -> Path:
    """The machine with RAUC's configuration; it trusts ours and the authority of the expired."""
    for path in (KEYRING, RAUC_CONF):
        (machine / path).parent.mkdir(parents=True, exist_ok=True)
    trusted = [held / name / keys.AUTHORITY for name in ("ours", "expired")]
    (machine / KEYRING).write_text("".join(path.read_text() for path in trusted))
    text = system_conf.text(BOARD).replace("=/", f"={machine}/")
    (machine / RAUC_CONF).write_text(text)
    return machine
