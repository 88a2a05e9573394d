"""The doctor on an image of ours: its card mounted on a laptop, and the machine that runs it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import of_image
import pytest
from laid_out import LaidOut
from of_image import BOOT, DTB, SITE, WHEEL

from tools.technician.doctor import tree
from tools.technician.doctor.problems import PROBLEMS

ONLY_RUNNING = "only the machine itself can tell, running from this card"


@pytest.fixture
def card(tmp_path: Path, needs: Callable[..., None]) -> LaidOut:
    needs("dtc", "mkimage")
    return of_image.card(tmp_path / "card", tmp_path / "parts")


@pytest.fixture
def running(card: LaidOut) -> LaidOut:
    return of_image.started(card)


def test_on_the_card_of_an_image_nothing_is_found(card: LaidOut) -> None:
    examined = card.examined()
    assert examined.findings == ()
    unseen = dict(examined.not_seen)
    assert "args.txt of the card's boot-a" in unseen.pop("a console on the line")
    assert {*unseen.values()} == {ONLY_RUNNING}
    seen = {"the configuration", "Python", "packages", "Bluetooth on the line", "overlays"}
    seen |= {"permissions of keys and people", "the journal's last rows", "room on the disk"}
    assert not seen & unseen.keys()
    assert {"the clock", "devices of the buses", "permissions of devices"} <= unseen.keys()


def test_on_an_image_that_runs_nothing_is_found_and_all_is_seen(running: LaidOut) -> None:
    assert running.examined() == ((), ())


def test_a_card_without_a_configuration_is_of_its_images_board(card: LaidOut) -> None:
    card.remove("data/etc/wheel.toml")
    assert card.examined().findings == ()
    assert "packages" not in dict(card.examined().not_seen)


def test_a_mistake_in_the_cards_configuration_is_mended_there(card: LaidOut) -> None:
    card.write("data/etc/wheel.toml", WHEEL.replace("board", "bord"))
    found = [each for each in card.examined("pi4").findings if each.code == "D27"]
    assert 'Did you mean "board"?' in found[0].what
    assert "on the card's data partition" in found[0].remedy


@pytest.mark.parametrize(
    ("folder", "checks"),
    [
        ("data", ("permissions of keys and people", "the journal's last rows", "room on the disk")),
        ("boot/firmware", ("Bluetooth on the line", "overlays")),
    ],
)
def test_a_partition_that_is_not_mounted_is_not_judged(
    card: LaidOut, folder: str, checks: tuple[str, ...]
) -> None:
    for path in (card.root / folder).iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    examined = card.examined()
    assert examined.findings == ()
    assert all("mount the card's" in dict(examined.not_seen)[check] for check in checks)


def test_a_tree_that_leaves_the_uart_to_bluetooth(card: LaidOut) -> None:
    of_image.plain(card.root / DTB)
    found = {each.code: each for each in card.examined().findings}
    assert [*found] == ["D07", "D09"]
    assert "does not give it to the header" in found["D07"].cause
    assert "flash the card again" in found["D07"].remedy
    assert "/dev/i2c-1" in found["D09"].what


@pytest.mark.parametrize("board", ["boule_pi4", "vingt_trois_pi4"])
def test_the_boards_that_share_a_carrier_share_its_tree(card: LaidOut, board: str) -> None:
    card.write("data/etc/wheel.toml", WHEEL.replace("pi4", board))
    assert card.codes() == []


def test_a_tree_without_the_headers_pins_is_not_enough(card: LaidOut) -> None:
    whole = tree.parse((card.root / DTB).read_bytes())
    assert tree.gives(whole, "uart", 0, (14, 15))
    assert tree.gives(whole, "i2c", 1, (2, 3))
    assert not tree.gives(whole, "uart", 0, (32, 33))
    assert not tree.gives(whole, "uart", 3, (4, 5))


def test_a_tree_with_the_headers_pins_and_bluetooth_is_not_enough(card: LaidOut) -> None:
    whole = tree.parse((card.root / DTB).read_bytes())
    del whole["/soc/serial@7e201000/bluetooth"]["status"]  # without one, a node is on
    assert not tree.gives(whole, "uart", 0, (14, 15))
    del whole["/soc/serial@7e201000/bluetooth"]
    assert tree.gives(whole, "uart", 0, (14, 15))


def test_a_tree_that_is_cut_short_is_told_as_not_seen(card: LaidOut) -> None:
    whole = (card.root / DTB).read_bytes()
    for size in (0, 8, 60, len(whole) // 2, len(whole) - 20):
        (card.root / DTB).write_bytes(whole[:size])
        assert card.codes() == []
        assert "device tree" in card.unseen("Bluetooth on the line")


def test_a_running_tree_with_bluetooth(running: LaidOut) -> None:
    running.write("proc/device-tree/soc/serial@7e201000/bluetooth/status", "okay\0")
    assert "device tree of the running kernel has Bluetooth" in running.one("D07")


def test_where_config_txt_is_kept_back_the_running_tree_tells(running: LaidOut) -> None:
    shutil.rmtree(running.root / BOOT)
    assert running.codes() == []
    assert [each.check for each in running.examined().not_seen] == ["overlays"]
    shutil.rmtree(running.root / "proc/device-tree/soc")
    assert "there is no /boot/firmware/config.txt" in running.unseen("Bluetooth on the line")


def test_a_line_that_somebody_wrote_into_the_images_config_txt(card: LaidOut) -> None:
    card.add(f"{BOOT}/config.txt", "dtoverlay=w1-gpio")
    said = card.one("D11")
    assert "dtoverlay=w1-gpio takes GPIO 4, which the board has for rim0." in said
    assert "on the card's first partition, on a laptop" in said


def test_both_gpio_packages_in_the_images_software(card: LaidOut) -> None:
    card.write(f"{SITE}/RPi.GPIO-0.7.1.dist-info/METADATA", "Name: RPi.GPIO\n")
    said = card.one("D03")
    assert "beside rpi-lgpio" in said
    assert "pip" not in said.split("Pi 5.")[1]


@pytest.mark.parametrize("package", ["gpiod", "rpi_lgpio", "smbus2"])
def test_a_package_that_the_software_has_lost(card: LaidOut, package: str) -> None:
    (found,) = (card.root / SITE).glob(f"{package}-*.dist-info")
    shutil.rmtree(found)
    assert "Install an update on the service page" in card.one("D02")


def test_a_console_on_the_line_of_an_image(running: LaidOut) -> None:
    running.write("proc/cmdline", "rauc.slot=A console=ttyAMA0,115200\n")
    assert "args.txt on the card's partitions boot-a and boot-b" in running.one("D08")


def test_a_module_that_nobody_loads_is_seen_on_the_card(card: LaidOut) -> None:
    card.remove("usr/lib/modules-load.d/cylindre.conf")
    assert "nobody loads the module i2c-dev" in card.one("D28")
    card.write("etc/modules", "# i2c-dev\ni2c_dev\n")
    assert card.codes() == []


@pytest.mark.needs("root")
def test_a_device_that_lost_our_group(running: LaidOut) -> None:
    os.chown(running.root / "dev/i2c-1", 0, 0)
    assert "cylindre may not use /dev/i2c-1, and no group may" in running.one("D29")
    running.write("etc/group", "gpio:x:993:\ncylindre:x:641:\n")
    os.chown(running.root / "dev/i2c-1", 0, 993)
    assert "It belongs to the group gpio" in running.one("D06")


def test_an_unset_clock_of_an_image(running: LaidOut) -> None:
    running.now_s = lambda: 42.0
    assert "a network whose DHCP names a time server" in running.one("D16")


def test_a_worn_emmc_of_an_image(running: LaidOut) -> None:
    running.write("sys/block/mmcblk0/device/life_time", "0x0b 0x01\n")
    assert "its life is over" in running.one("D18")


def test_keys_on_the_card_are_found_where_they_lie(card: LaidOut) -> None:
    key = card.root / "data/cylindre/keys/wheel.key"
    key.chmod(0o644)
    said = card.one("D25")
    assert f"on a laptop, with the card mounted: chmod 600 {key}" in said


def test_people_by_a_relative_path_are_found_on_the_card(card: LaidOut) -> None:
    card.write("data/etc/wheel.toml", WHEEL.replace("/var/lib/cylindre/", ""))
    people = card.write("data/etc/people.jsonl")
    os.chown(people, of_image.UID, of_image.UID)
    people.chmod(0o640)
    assert f"{people} is not kept as it must be" in card.one("D25")


def test_no_remedy_for_an_image_wants_a_login() -> None:
    logins = ("systemctl", "apt ", "pip ", "usermod", "raspi-config", "timedatectl", "dmesg")
    for each in PROBLEMS:
        remedy = each.on_image or each.remedy
        assert not [word for word in logins if word in remedy], each.code
