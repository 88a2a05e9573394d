"""The devices of a board's buses: there, for good, and the controller's to use."""

from __future__ import annotations

import os

from laid_out import CONFIG, CONFIG_TXT, LaidOut


def test_a_device_that_the_user_may_not_use(sound: LaidOut) -> None:
    sound.write("etc/group", f"dialout:x:{os.getgid()}:pi\n")
    (sound.root / "dev/gpiochip0").chmod(0o666)
    (sound.root / "dev/gpiochip1").chmod(0o666)
    (sound.root / "dev/i2c-1").chmod(0o666)
    said = sound.one("D06")
    assert "cylindre may not use /dev/ttyAMA0" in said
    assert "usermod -a -G dialout cylindre" in said


def test_nobody_is_told_to_become_a_member_of_root(sound: LaidOut) -> None:
    sound.write("etc/group", f"root:x:{os.getgid()}:\n")
    found = sound.examined().findings
    assert {each.code for each in found} == {"D29"}
    assert {each.remedy.split()[-1] for each in found} == {"gpio.", "i2c.", "dialout."}


def test_a_member_of_a_group_that_may_not_is_not_told_to_join_it(sound: LaidOut) -> None:
    (sound.root / "dev/i2c-1").chmod(0o600)
    said = sound.one("D29")
    assert "cylindre may not use /dev/i2c-1, and no group may" in said
    assert "mode 600" in said


def test_i2c_is_not_turned_on(sound: LaidOut) -> None:
    sound.remove("dev/i2c-1")
    sound.write(CONFIG, CONFIG_TXT.replace("dtparam=i2c_arm=on", "dtparam=i2c_arm=off"))
    said = sound.one("D09")
    assert "/dev/i2c-1, for the sensors, is missing" in said
    assert "does not say dtparam=i2c_arm=on" in said
    assert "Write dtparam=i2c_arm=on into /boot/firmware/config.txt" in said


def test_a_bus_turned_on_since_the_start(sound: LaidOut) -> None:
    sound.remove("dev/i2c-1")
    assert "turns it on since the last start" in sound.one("D09")


def test_i2c_is_on_and_nobody_loaded_the_module_for_its_device(sound: LaidOut) -> None:
    sound.remove("dev/i2c-1")
    (sound.root / "sys/bus/i2c/devices/i2c-1").mkdir(parents=True)
    said = sound.one("D28")
    assert "nobody loads the module i2c-dev" in said
    assert "Write i2c-dev into /etc/modules" in said


def test_a_bus_that_the_next_start_will_not_have(sound: LaidOut) -> None:
    sound.write(CONFIG, CONFIG_TXT.replace("dtparam=i2c_arm=on", ""))
    assert "does not turn on i2c 1" in sound.one("D10")


def test_an_adapter_of_the_line_that_is_unplugged(sound: LaidOut) -> None:
    config = sound.root / "etc/cylindre/wheel.toml"
    config.write_text(config.read_text() + "\n[level]\n")
    config.write_text(config.read_text().replace("[bus]", '[bus]\nport = "/dev/ttyUSB0"'))
    sound.remove("dev/ttyAMA0")
    said = sound.one("D30")
    assert "/dev/ttyUSB0, the line of the displays" in said
    assert "[bus] port of the configuration" in said
