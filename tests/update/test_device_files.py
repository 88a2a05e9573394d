"""What lies on a wheel for updates: RAUC's configuration, what it calls, the unit."""

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.image.layout import SLOTS, device
from tools.update import system_conf
from tools.update.slots import KEYRING, LIBEXEC

UNIT = Path(__file__).parents[2] / "tools/device/systemd/cylindre-update-commit.service"
EXPOSURE_MAX = 25  # tenths: 2.5


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


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_the_unit_is_hardened():
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE_MAX}", UNIT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-400:]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_the_unit_is_one(tmp_path):
    """With a command that is on this machine."""
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/usr/bin/cylindre", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
