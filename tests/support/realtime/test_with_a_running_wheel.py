"""A bundle of a wheel that plays, by somebody who is logged in."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from a_wheel import refused
from click.testing import CliRunner
from patience import LAST_RESORT_S, until

from firmware.keys.people import encode, enrol
from firmware.store.reader import rows
from tools.commands import support_bundle
from tools.technician.support import bundle

ROOT = Path(__file__).parents[3]
PIN = "correct horse"


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A wheel whose first coup has begun: its folder, and its process."""
    folder = tmp_path / "var" / "roulette_ref"
    folder.mkdir(parents=True)
    people = folder / "people.jsonl"
    people.touch(mode=0o600)
    people.write_bytes(encode(enrol("weber", "technician", PIN)))
    process = subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            "tools.cli",
            "run",
            "--board",
            "roulette_ref",
            "--record",
            "anywhere/records",
            "--pace",
            "5",
            "--json",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line).get("event") == "coup_started":
                break
        else:
            pytest.fail(process.stderr.read() if process.stderr else "it ended")
        yield folder, process
    finally:
        process.kill()
        process.communicate()


def test_its_recorded_coups_are_in_it_without_an_option(
    playing: tuple[Path, subprocess.Popen[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it plays, and when it was killed."""
    _, process = playing
    assert process.stdout is not None
    next(line for line in process.stdout if json.loads(line).get("coup") == 2)
    until((tmp_path / "anywhere/records/000001-coup-1").exists, "the recorded coup")
    monkeypatch.chdir(tmp_path)
    for killed in (False, True):
        if killed:
            process.kill()
            process.wait(LAST_RESORT_S)
        path = tmp_path / f"bundle-{killed}.tar.gz"
        result = CliRunner().invoke(support_bundle.command, ["--out", str(path)])
        assert result.exit_code == 0, repr(result.exception)
        assert "coups/000001-coup-1/trace.vcd" in bundle.read(path).files
        assert ("status.json" in bundle.read(path).files) is not killed


def test_who_packed_it_stands_in_the_journal_with_its_hash(
    playing: tuple[Path, subprocess.Popen[str]], tmp_path: Path
) -> None:
    folder, process = playing
    (tmp_path / "pin").write_text(PIN + "\n")
    (tmp_path / "wrong").write_text("000999\n")
    path = tmp_path / "table-3.tar.gz"
    where = ["--board", "roulette_ref", "--journal", str(folder / "journal.db")]
    where += ["--keys", str(folder / "keys"), "--people", str(folder / "people.jsonl")]
    where += ["--socket", str(folder), "--out", str(path), "--as", "weber", "--pin-file"]

    result = CliRunner().invoke(support_bundle.command, [*where, str(tmp_path / "pin"), "--json"])
    assert result.exit_code == 0, repr(result.exception)
    found = bundle.read(path)
    assert json.loads(found.files["status.json"])["coup"] == 1
    assert json.loads(found.files["journal/verify.json"])["intact"] is True

    everything = path.read_bytes() + gzip.decompress(path.read_bytes())
    assert PIN.encode() not in everything
    for key in (folder / "keys").glob("*.key"):
        assert key.read_text().strip().encode() not in everything

    wrong = [*where, str(tmp_path / "wrong"), "--out", str(tmp_path / "second")]
    failure = refused(CliRunner().invoke(support_bundle.command, wrong))
    assert "PIN is wrong" in failure.sentence
    assert not (tmp_path / "second").exists()

    process.terminate()  # a clean stop: what it took is in the journal then
    process.wait(LAST_RESORT_S)
    acts = [json.loads(row.body) for row in rows(folder / "journal.db") if row.kind == "act"]
    told = next(act for act in acts if act["what"] == "support")
    assert (told["who"], told["detail"]) == ("weber", path.name)
    assert told["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
