"""The last certificates of a wheel, in a folder beside its journal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware.lib.errors import FAILED, Failure
from tools.technician.selftest.certificate import KEPT, keep_certificate, kept_certificates


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_last_twenty_are_kept_whatever_the_clock_says_and_nothing_else_goes(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "selftest"
    keep_certificate(folder, "1")
    (folder / "2026-11.html").write_text("laid there by hand")
    for number in range(2, KEPT + 3):
        path = keep_certificate(folder, str(number))
        os.utime(path, (1_000_000 - number,) * 2)
    there = kept_certificates(folder)
    assert [path.read_text() for path in there] == [str(n) for n in range(3, KEPT + 3)]
    assert len(names(folder)) == KEPT + 1 and "2026-11.html" in names(folder)


def test_where_it_cannot_be_kept_is_one_sentence_and_none_is_removed(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="Give --certificate") as refused:
        keep_certificate(tmp_path / "none" / "selftest", "1")
    assert refused.value.exit_code == FAILED
    (tmp_path / "file").write_text("")
    with pytest.raises(Failure, match="not a directory"):
        keep_certificate(tmp_path / "file", "1")
