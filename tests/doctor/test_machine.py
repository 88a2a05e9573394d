"""Packages, devices, the line and pins: each situation as its files look, and what is said."""

from __future__ import annotations

import shutil

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


def test_debians_own_gpio_package_counts_where_the_program_sees_it(sound: LaidOut) -> None:
    egg = "usr/lib/python3/dist-packages/RPi.GPIO-0.7.1a4.egg-info/PKG-INFO"
    sound.write(egg, "Metadata-Version: 2.1\nName: RPi.GPIO\n")
    assert sound.codes() == []  # Raspberry Pi OS brings it; an environment does not see it
    sound.write("opt/cylindre/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = true\n")
    assert "apt remove python3-rpi.gpio" in sound.one("D03")


def test_where_the_program_is_not_installed_nothing_is_missing_for_it(sound: LaidOut) -> None:
    shutil.rmtree(sound.root / SITE)
    assert sound.codes() == []
    assert sound.unseen("packages") == "the program is not installed there"


@pytest.mark.parametrize(
    "place", ["home/pi/cylindre/.venv/lib/python3.11/site-packages", "usr/lib/cylindre"]
)
def test_the_program_is_found_where_people_install_it(sound: LaidOut, place: str) -> None:
    (sound.root / place).parent.mkdir(parents=True)
    (sound.root / SITE).rename(sound.root / place)
    assert sound.examined() == ((), ())


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


def test_a_pi_5s_first_serial_port_is_not_the_headers(sound: LaidOut) -> None:
    sound.write("etc/cylindre/wheel.toml", '[wheel]\nboard = "pi5"\n')
    sound.write(CMDLINE, "console=serial0,115200 " + CMDLINE_TXT)
    sound.add(CONFIG, "dtparam=uart0=on")
    assert "D08" not in sound.codes()
    sound.add(CONFIG, "dtparam=uart0_console=on")
    assert "D08" in sound.codes()


def test_a_console_on_another_uart_is_none_of_ours(sound: LaidOut) -> None:
    sound.write(CMDLINE, "console=serial0,115200 " + CMDLINE_TXT)
    sound.link("dev/serial0", "ttyS0")
    assert sound.codes() == []


@pytest.mark.parametrize(
    "folder",
    ["etc/systemd/system/getty.target.wants", "run/systemd/generator/getty.target.wants"],
)
def test_a_login_on_the_line(sound: LaidOut, folder: str) -> None:
    unit = "/lib/systemd/system/of-that-machine-alone@.service"
    sound.link(f"{folder}/serial-getty@ttyAMA0.service", unit)
    said = sound.one("D08")
    assert f"is started by /{folder}" in said
    assert "systemctl disable --now serial-getty@ttyAMA0" in said


def test_a_login_that_is_masked_is_none(sound: LaidOut) -> None:
    unit = "serial-getty@ttyAMA0.service"
    sound.link(f"run/systemd/generator/getty.target.wants/{unit}", "/lib/systemd/system/x")
    sound.link(f"etc/systemd/system/{unit}", "/dev/null")
    assert sound.codes() == []


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
