"""The first lines of the docs, on a device: nobody says which board, for its configuration does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_rest import rest
from click.testing import CliRunner, Result

from firmware.keys import folder as keys
from firmware.keys import people
from firmware.lib import places
from firmware.lib.errors import FAILED, OK, Failure
from tools.commands import calibrate, selftest
from tools.technician.doctor.case import open_case
from tools.technician.doctor.machine import Machine

ROOT = Path(__file__).parents[3]
PIN = "246813"


class Device:
    """Its folders, a controller that plays as cylindre.service has it, and a supervisor."""

    def __init__(self, folder: Path) -> None:
        self.config = folder / "etc/cylindre/wheel.toml"
        self.sockets = folder / "run/cylindre"
        self.state = folder / "var/lib/cylindre"
        for made in (self.config.parent, self.sockets, self.state):
            made.mkdir(parents=True)
        self.config.write_text('[wheel]\nboard = "boule_ref"\nid = "table-3"\n')
        self.pin = folder / "pin"
        self.pin.write_text(PIN + "\n")
        weber = people.enrol("weber", "supervisor", PIN)
        (self.state / "people.jsonl").touch(mode=0o600)
        (self.state / "people.jsonl").write_bytes(people.encode(weber))
        keys.ensure_wheel(self.state / "keys")  # as cylindre-keys.service does
        self.process = subprocess.Popen(
            [
                sys.executable, "-P", "-m", "tools.cli", "run", "--config", self.config,
                "--journal", self.state / "journal.db", "--keys", self.state / "keys",
                "--socket", self.sockets, "--seed", "3", "--pace", "5", "--json",
            ],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.process.stdout.readline()  # it plays: the first coup has begun

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    """Whoever asks stands in a folder where nothing is."""
    made = Device(tmp_path)
    monkeypatch.setattr(places, "CONFIG_FILE", made.config)
    monkeypatch.setattr(places, "DEVICE_STATE", made.state)
    monkeypatch.setattr(places, "DEVICE_SOCKETS", made.sockets)
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    yield made
    made.close()


def run(command: object, device: Device, *options: str, given: str = "") -> Result:
    words = ["--as", "weber", "--pin-file", str(device.pin), *options]
    return CliRunner().invoke(command, words, input=given)  # type: ignore[arg-type]


def test_a_selftest_finds_its_wheel_and_keeps_its_certificate(device: Device) -> None:
    rest(device.sockets)  # so that it may be taken out of play
    found = run(selftest.command, device, "--no-hand", "--json")
    assert found.exit_code == OK, found.exception
    summary = json.loads(found.stdout.splitlines()[-1])
    assert summary["certificate"] == str(device.state / "selftest" / "000001-selftest.html")
    page = Path(summary["certificate"]).read_text()
    assert "table-3" in page and "boule" in page.lower()


def test_a_calibration_finds_its_wheel_and_keeps_nothing_beside_the_sockets(
    device: Device,
) -> None:
    rest(device.sockets)  # so that it may be taken out of play
    there = sorted(device.sockets.iterdir())
    found = run(calibrate.command, device, given="s\n" * 20)  # every step is left out
    assert isinstance(found.exception, Failure)
    assert found.exception.exit_code == FAILED
    assert found.exception.sentence == "Nothing was measured: every step was left out."
    assert (device.state / "calibrating.json").exists()  # a memory that a power cut empties: not
    assert sorted(device.sockets.iterdir()) == there


def test_doctor_and_support_bundle_find_the_same_wheel(device: Device) -> None:
    case = open_case(Machine(), None, None)
    assert case.board is not None and case.files is not None
    assert (case.board["name"], case.config.wheel_id) == ("boule_ref", "table-3")
    assert case.files.journal == device.state / "journal.db"
    assert case.files.sockets == device.sockets
