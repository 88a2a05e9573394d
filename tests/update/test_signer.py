"""Keys that sign updates: whole or not at all, and judged before anybody waits for a bundle."""

from __future__ import annotations

import datetime
import errno
import os
from pathlib import Path

import pytest

from firmware.lib import durable
from firmware.lib.errors import FAILED, OK, USAGE, Failure
from firmware.services.update import keys, signer
from tools import cli

NOW = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
YEARS = datetime.timedelta(days=900)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ours")
    keys.make(folder, now=NOW)
    return folder


def refused(key: Path, certificate: Path, now: datetime.datetime = NOW) -> str:
    with pytest.raises(Failure) as found:
        signer.check(key, certificate, now)
    assert found.value.exit_code == USAGE
    assert "\n" not in found.value.sentence
    return found.value.sentence


def test_a_key_and_its_certificate_may_sign(ours: Path) -> None:
    signer.check(ours / keys.KEY, ours / keys.CERTIFICATE, NOW)


def test_an_expired_certificate_is_told_by_who_makes_not_by_the_wheel(ours: Path) -> None:
    said = refused(ours / keys.KEY, ours / keys.CERTIFICATE, NOW + YEARS)
    assert "expired on 2028-11-21" in said


def test_a_builders_clock_at_1970_is_told(ours: Path) -> None:
    start = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    said = refused(ours / keys.KEY, ours / keys.CERTIFICATE, start)
    assert "here it is 1970-01-01. Set this machine's clock." in said


def test_a_foreign_certificate_is_told(ours: Path) -> None:
    assert "of another key" in refused(ours / keys.AUTHORITY_KEY, ours / keys.CERTIFICATE)


@pytest.mark.parametrize("data", [b"", b"\xff" * 3000, b"-----BEGIN PRIVATE KEY-----\n"])
def test_what_is_no_key_and_no_certificate_is_told(ours: Path, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.pem"
    path.write_bytes(data)
    assert "is no private key" in refused(path, ours / keys.CERTIFICATE)
    assert "is no certificate" in refused(ours / keys.KEY, path)


def test_a_full_disk_leaves_no_half_authority_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real, left = durable._write_part, [2]

    def write(path: Path, content: bytes, mode: int) -> Path:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, content, mode)

    monkeypatch.setattr(durable, "_write_part", write)
    folder = tmp_path / "keys"
    assert cli.main(["update", "keys", str(folder)]) == FAILED
    assert capsys.readouterr().err == f"Cannot write {folder}: no space left on device.\n"
    assert list(folder.iterdir()) == []
    left[0] = 4
    assert cli.main(["update", "keys", str(folder)]) == OK
    assert cli.main(["update", "keys", str(folder)]) == FAILED


def test_a_dry_run_makes_no_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "keys"
    assert cli.main(["update", "keys", str(folder), "--dry-run"]) == OK
    assert capsys.readouterr().out.startswith(f"Would make {folder}/authority.pem\n")
    assert not folder.exists()
