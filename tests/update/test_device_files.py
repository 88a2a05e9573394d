"""What lies on a wheel for updates: RAUC's configuration, what it calls, the unit."""

import configparser
import subprocess
from pathlib import Path

import pytest

from firmware.lib.partitions import SLOTS, device
from firmware.services.update import system_conf
from firmware.services.update.slots import KEYRING, LIBEXEC

SYSTEMD = Path(__file__).parents[2] / "tools/image/systemd"
UNITS = [SYSTEMD / f"cylindre-update-{name}.service" for name in ("started", "commit")]
EXPOSURE_MAX = 25  # tenths: 2.5


@pytest.mark.req("IEC-EDR-3.12")
def test_rauc_is_told_of_both_slots():
    conf = configparser.ConfigParser()
    conf.read_string(system_conf.text("pi4"))
    assert conf["system"]["compatible"] == "cylindre-pi4"
    assert conf["keyring"]["path"] == f"/{KEYRING}"
    assert conf["keyring"]["use-bundle-signing-time"] == "true"
    for index, slot in enumerate(SLOTS):
        assert conf[f"slot.rootfs.{index}"]["device"] == device(slot.root.name)
        assert conf[f"slot.rootfs.{index}"]["bootname"] == slot.bootname
        assert conf[f"slot.boot.{index}"]["parent"] == f"rootfs.{index}"


def test_rauc_calls_what_is_there():
    conf = configparser.ConfigParser()
    conf.read_string(system_conf.text("pi4"))
    called = {Path(path).name for path in conf["handlers"].values()}
    assert called == set(system_conf.scripts())
    assert all(path.startswith(f"/{LIBEXEC}/") for path in conf["handlers"].values())


@pytest.mark.parametrize("name", sorted(system_conf.scripts()))
def test_what_rauc_calls_hands_its_words_on(tmp_path, name):
    script = tmp_path / name
    script.write_text(system_conf.scripts("echo")[name])
    done = subprocess.run(["sh", script, "set-state", "A B", "x"], capture_output=True, text=True)
    words = "bootloader set-state A B x" if "bootloader" in name else "pre-install"
    assert done.stdout == f"update rauc {words}\n"


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_the_unit_is_hardened(unit):
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE_MAX}", unit]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-400:]


@pytest.mark.needs("systemd-analyze")
def test_the_units_are_understood(tmp_path):
    """With a command that is on this machine."""
    for unit in UNITS:
        text = unit.read_text().replace("/usr/bin/cylindre", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    command = ["systemd-analyze", "verify", *(tmp_path / unit.name for unit in UNITS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_starts_come_back_before_the_controller_begins():
    """And the lock of who updates can be taken: /run is not read-only."""
    early, late = (unit.read_text() for unit in UNITS)
    assert "\nBefore=cylindre.service " in early
    assert "update started" in early and "update settle" in late
    wanted = next(line for line in late.splitlines() if line.startswith("Wants="))
    assert UNITS[0].name in wanted
    for text in (early, late):
        assert "\nReadWritePaths=-/boot/firmware -/data /run\n" in text
