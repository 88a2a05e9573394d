"""Packages, devices, the line and pins: each situation as its files look, and what is said."""

from __future__ import annotations

import os

import pytest
from laid_out import (
    CMDLINE,
    CMDLINE_TXT,
    CONFIG,
    CONFIG_TXT,
    DEBUG,
    GPIO_TEXT,
    MOUNTS,
    SITE,
    LaidOut,
)


def test_an_old_python(sound: LaidOut) -> None:
    sound.remove("usr/bin/python3")
    sound.link("usr/bin/python3", "python3.9")
    assert "Python 3.9 is too old" in sound.one("D01")


@pytest.mark.parametrize(
    ("folder", "package"),
    [
        ("gpiod-2.3.0.dist-info", "gpiod"),
        ("rpi_lgpio-0.6.dist-info", "rpi-lgpio"),
        ("smbus2-0.5.0.dist-info", "smbus2"),
    ],
)
def test_a_missing_package(sound: LaidOut, folder: str, package: str) -> None:
    sound.remove(f"{SITE}/{folder}/METADATA")
    (sound.root / SITE / folder).rmdir()
    assert f"The package {package} is missing" in sound.one("D02")


def test_both_gpio_packages(sound: LaidOut) -> None:
    sound.write(f"{SITE}/RPi.GPIO-0.7.1.dist-info/METADATA", "Name: RPi.GPIO\n")
    assert "RPi.GPIO is installed beside rpi-lgpio" in sound.one("D03")


def test_debians_own_gpio_package_counts(sound: LaidOut) -> None:
    egg = "usr/lib/python3/dist-packages/RPi.GPIO-0.7.1a4.egg-info/PKG-INFO"
    sound.write(egg, "Metadata-Version: 2.1\nName: RPi.GPIO\n")
    assert "apt remove python3-rpi.gpio" in sound.one("D03")


def test_lgpio_has_no_place_for_its_pipe(sound: LaidOut) -> None:
    sound.environment["LG_WD"] = "/run/cylindre"
    assert "There is no such folder" in sound.one("D13")
    (sound.root / "run/cylindre").mkdir()
    (sound.root / "run/cylindre").chmod(0o700)
    assert "permissions keep that user out" in sound.one("D13")
    (sound.root / "run/cylindre").chmod(0o777)
    assert "read-only file system" in sound.one("D13")
    sound.write("proc/mounts", MOUNTS + "tmpfs /run tmpfs rw,nosuid 0 0\n")
    assert sound.codes() == []


def test_the_board_of_another_machine(sound: LaidOut) -> None:
    sound.write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    sound.write("sys/class/gpio/gpiochip512/label", "pinctrl-rp1\n")
    found = {each.code: each for each in sound.examined().findings}
    assert sorted(found) == ["D04", "D05"]
    assert "This is a Raspberry Pi 5 Model B Rev 1.0, and the board pi4" in found["D04"].what
    assert "(pi5)" in found["D04"].remedy
    assert "pinctrl-bcm2711" in found["D05"].what


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
    assert {each.code for each in found} == {"D06"}
    groups = {each.remedy.split()[3] for each in found}
    assert groups == {"gpio", "i2c", "dialout"}


def test_i2c_is_not_turned_on(sound: LaidOut) -> None:
    sound.remove("dev/i2c-1")
    sound.write(CONFIG, CONFIG_TXT.replace("dtparam=i2c_arm=on", "dtparam=i2c_arm=off"))
    said = sound.one("D09")
    assert "/dev/i2c-1, for the sensors, is not here" in said
    assert "has no line that turns it on" in said
    assert "Write dtparam=i2c_arm=on into /boot/firmware/config.txt" in said


def test_a_bus_turned_on_since_the_start(sound: LaidOut) -> None:
    sound.remove("dev/i2c-1")
    assert "turns it on since the last start" in sound.one("D09")


def test_a_bus_that_the_next_start_will_not_have(sound: LaidOut) -> None:
    sound.write(CONFIG, CONFIG_TXT.replace("dtparam=i2c_arm=on", ""))
    assert "does not turn on i2c 1" in sound.one("D10")


def test_an_adapter_of_the_line_that_is_unplugged(sound: LaidOut) -> None:
    config = sound.root / "etc/cylindre/wheel.toml"
    config.write_text(config.read_text() + "\n[level]\n")
    config.write_text(config.read_text().replace("[bus]", '[bus]\nport = "/dev/ttyUSB0"'))
    sound.remove("dev/ttyAMA0")
    said = sound.one("D09")
    assert "/dev/ttyUSB0, for the displays" in said
    assert "[bus] port of the configuration" in said


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("dtparam=i2c_arm", True),
        ("dtparam=spi=off,i2c_arm=on", True),
        ("dtparam=i2c=yes", True),
        ("[pi4]\ndtparam=i2c_arm=on", True),
        ("[pi5]\ndtparam=i2c_arm=on", False),
        ("[none]\ndtparam=i2c_arm=on\n[all]", False),
        ("#dtparam=i2c_arm=on", False),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off", False),
        ("include more.txt", True),
    ],
)
def test_config_txt_is_read_as_the_firmware_reads_it(
    sound: LaidOut, line: str, holds: bool
) -> None:
    sound.write(CONFIG, CONFIG_TXT.replace("dtparam=i2c_arm=on", "") + line + "\n")
    sound.write("boot/firmware/more.txt", "dtparam=i2c_arm=on\n")
    assert sound.codes() == ([] if holds else ["D10"])


def test_an_include_of_itself_ends(sound: LaidOut) -> None:
    sound.add(CONFIG, "include config.txt")
    assert sound.codes() == []


def test_bluetooth_has_the_uart(sound: LaidOut) -> None:
    sound.write(CONFIG, CONFIG_TXT.replace("dtoverlay=disable-bt", ""))
    said = sound.one("D07")
    assert "/boot/firmware/config.txt does not say dtoverlay=disable-bt" in said
    sound.link("dev/serial1", "ttyAMA0")
    assert "/dev/serial1, the UART of Bluetooth, is ttyAMA0" in sound.one("D07")
    sound.link("sys/bus/serial/drivers/hci_uart_bcm/serial0-0", "../../../../devices/platform/soc")
    (sound.root / "sys/devices/platform/soc").mkdir(parents=True, exist_ok=True)
    assert "driver hci_uart holds it" in sound.one("D07")


@pytest.mark.parametrize("overlay", ["miniuart-bt", "pi3-disable-bt", "disable-bt"])
def test_any_overlay_that_moves_bluetooth_does(sound: LaidOut, overlay: str) -> None:
    sound.write(CONFIG, CONFIG_TXT.replace("disable-bt", overlay))
    assert sound.codes() == []


def test_a_console_on_the_line(sound: LaidOut) -> None:
    sound.write(CMDLINE, "console=serial0,115200 " + CMDLINE_TXT)
    sound.link("dev/serial0", "ttyAMA0")
    said = sound.one("D08")
    assert "A console is on /dev/ttyAMA0" in said
    assert "console=serial0 stands in /boot/firmware/cmdline.txt" in said


def test_a_console_by_the_firmwares_name_on_a_card_without_a_machine(sound: LaidOut) -> None:
    sound.write(CMDLINE, "console=serial0,115200 " + CMDLINE_TXT)
    assert "console=serial0 stands in" in sound.one("D08")


def test_a_console_of_the_running_kernel(sound: LaidOut) -> None:
    sound.write("proc/cmdline", "console=ttyAMA0,115200 " + CMDLINE_TXT)
    assert "stands in /proc/cmdline" in sound.one("D08")


def test_a_console_on_another_uart_is_none_of_ours(sound: LaidOut) -> None:
    sound.write(CMDLINE, "console=serial0,115200 " + CMDLINE_TXT)
    sound.link("dev/serial0", "ttyS0")
    assert sound.codes() == []


@pytest.mark.parametrize(
    "folder",
    ["etc/systemd/system/getty.target.wants", "run/systemd/generator/getty.target.wants"],
)
def test_a_login_on_the_line(sound: LaidOut, folder: str) -> None:
    unit = "/lib/systemd/system/serial-getty@.service"
    sound.link(f"{folder}/serial-getty@ttyAMA0.service", unit)
    said = sound.one("D08")
    assert f"is started by /{folder}" in said
    assert "systemctl disable --now serial-getty@ttyAMA0" in said


@pytest.mark.parametrize(
    ("line", "signals"),
    [
        ("dtparam=spi=on", "pocket0, pocket1, pocket2, key_croupier, key_management"),
        ("dtoverlay=w1-gpio", "rim0"),
        ("dtoverlay=w1-gpio,gpiopin=17", "enc_b"),
        ("dtoverlay=gpio-shutdown", "sensors scl"),
        ("dtoverlay=uart3", "rim0, rim1"),
        ("dtoverlay=i2c6", "btn_void, estop"),
    ],
)
def test_an_overlay_that_takes_our_pins(sound: LaidOut, line: str, signals: str) -> None:
    sound.add(CONFIG, line)
    said = sound.one("D11")
    assert said.endswith("Take it out there, and restart.")
    assert f"which the board has for {signals}." in said


def test_a_line_in_use_by_somebody_else(sound: LaidOut) -> None:
    mine = "gpio-516 (GPIO4               |cylindre            )"
    sound.write(DEBUG, GPIO_TEXT.replace(mine, "gpio-516 (GPIO4               |onewire@4)"))
    assert "GPIO 4, our rim0, is in use by onewire@4" in sound.one("D12")


def test_lines_are_read_of_kernels_without_global_numbers(sound: LaidOut) -> None:
    new = "gpiochip0: 58 GPIOs, parent: platform/fe200000.gpio, pinctrl-bcm2711:\n"
    sound.write(DEBUG, new + " gpio-23  (GPIO23              |sysfs               ) in  lo\n")
    assert "GPIO 23, our estop, is in use by sysfs" in sound.one("D12")
