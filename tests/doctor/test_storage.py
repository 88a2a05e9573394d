"""Parts, clock, supply, storage, the wheel's files: each situation, and what is said of it."""

from __future__ import annotations

import os
import sqlite3
import subprocess

import pytest
import rest_files
from laid_out import (
    JOURNAL,
    KEYS,
    MMC,
    MOUNTS,
    PEOPLE,
    THROTTLED,
    LaidOut,
    play,
)


def test_a_chip_that_the_kernel_holds(sound: LaidOut) -> None:
    sound.link("sys/bus/i2c/devices/1-0068/driver", "../../../../bus/i2c/drivers/rtc-ds1307")
    sound.virtual.detach_i2c(1, 0x68)  # as the kernel keeps it back
    assert "The kernel holds the clock DS3231 at 0x68 of i2c 1" in sound.one("D14")


def test_a_chip_that_does_not_answer(sound: LaidOut) -> None:
    sound.virtual.detach_i2c(1, 0x50)
    assert "The FRAM MB85RC256V at 0x50 of i2c 1 does not answer" in sound.one("D15")


def test_a_dishs_expanders_are_looked_for(sound: LaidOut) -> None:
    found = sound.examined("boule_pi4").findings
    assert [each.what.split(" at ")[1][:4] for each in found] == ["0x20", "0x21"]


def test_a_clock_in_1970(sound: LaidOut) -> None:
    sound.now_s = lambda: 42.0
    assert "The clock says 1970-01-01 00:00 UTC" in sound.one("D16")


def test_a_clock_that_nothing_keeps(sound: LaidOut) -> None:
    sound.remove("run/systemd/timesync/synchronized")
    assert "Nothing keeps the clock right" in sound.one("D17")
    (sound.root / "sys/class/rtc/rtc0").mkdir(parents=True)
    assert sound.codes() == []


@pytest.mark.parametrize(
    ("bits", "code", "what"),
    [
        ("1", "D23", "the supply's voltage is low"),
        ("50005", "D23", "the supply's voltage is low, it is slowed down"),
        ("80008", "D23", "it is too hot"),
        ("50000", "D24", "the supply's voltage is low, it is slowed down"),
    ],
)
def test_a_weak_supply(sound: LaidOut, bits: str, code: str, what: str) -> None:
    sound.write(THROTTLED, bits + "\n")
    assert f": {what}." in sound.one(code)


def test_the_kernels_own_voltage_alarm(sound: LaidOut) -> None:
    sound.remove(THROTTLED)
    sound.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert "voltage is low" in sound.one("D23")


@pytest.mark.parametrize(
    ("life", "reserve", "what"),
    [
        ("0x0a 0x01", "0x01", "90 % of its life is over"),
        ("0x01 0x0b", "0x01", "its life is over"),
        ("0x01 0x01", "0x03", "nearly all reserve blocks"),
        ("0x0b 0x0b", "0x02", "80 % of the reserve blocks are used, its life is over"),
    ],
)
def test_a_worn_card(sound: LaidOut, life: str, reserve: str, what: str) -> None:
    sound.write(f"{MMC}/life_time", life + "\n")
    sound.write(f"{MMC}/pre_eol_info", reserve + "\n")
    said = sound.one("D18")
    assert "The card mmcblk0 is worn" in said
    assert what in said


def test_a_card_that_does_not_tell_its_wear_is_not_called_good(sound: LaidOut) -> None:
    sound.remove(f"{MMC}/life_time")
    assert "does not tell its wear" in sound.unseen("wear of the card")


def test_a_file_of_another_form_is_not_called_good(sound: LaidOut) -> None:
    sound.write(f"{MMC}/life_time", "unknown\n")
    assert "invalid literal" in sound.unseen("wear of the card")


def test_errors_of_the_file_system(sound: LaidOut) -> None:
    sound.write("sys/fs/ext4/mmcblk0p4/errors_count", "17\n")
    assert "on mmcblk0p4 has counted 17 errors" in sound.one("D19")


def test_a_disk_that_went_read_only(sound: LaidOut) -> None:
    sound.write("proc/mounts", MOUNTS.replace("/data ext4 rw", "/data ext4 ro"))
    said = sound.one("D20")
    assert "/data/cylindre cannot be written: /dev/mmcblk0p4" in said
    assert "mount -o remount,rw /data" in said


@pytest.mark.needs("mounts")
@pytest.mark.parametrize(("size_kb", "code"), [(2_000, "D21"), (5_000, None), (1_000_000, None)])
def test_a_full_disk(sound: LaidOut, size_kb: int, code: str | None) -> None:
    disk = sound.root / "data"
    keys = sound.root / "keys"
    (sound.root / KEYS).rename(keys)
    options = ["mount", "-t", "tmpfs", "-o", f"size={size_kb}k", "none", str(disk)]
    subprocess.run(options, check=True)
    try:
        assert sound.codes() == ([] if code is None else [code])
        if code is None:
            filled = size_kb * 1000 - min(4_500_000, size_kb * 40)
            with (disk / "filling").open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, filled)
            assert set(sound.codes()) <= {"D21", "D22"}
            assert sound.codes()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_keys_that_others_may_read(sound: LaidOut) -> None:
    (sound.root / KEYS / "wheel.key").chmod(0o644)
    said = sound.one("D25")
    assert "somebody else may read or change it (mode 644)" in said
    assert f"chmod 600 {sound.root / KEYS / 'wheel.key'}" in said


def test_a_root_of_trust_that_others_may_change(sound: LaidOut) -> None:
    (sound.root / KEYS / "wheel.pub").chmod(0o666)
    assert "chmod 644" in sound.one("D25")


def test_a_key_that_is_a_link(sound: LaidOut) -> None:
    key = sound.root / KEYS / "display-01.key"
    key.rename(sound.root / "elsewhere")
    key.symlink_to(sound.root / "elsewhere")
    assert "it points elsewhere" in sound.one("D25")


def test_pins_that_others_may_read(sound: LaidOut) -> None:
    sound.write(PEOPLE).chmod(0o640)
    if os.geteuid() == 0:
        os.chown(sound.root / PEOPLE, 990, 990)
    assert "people.jsonl is not kept as it must be: somebody else may read" in sound.one("D25")


def test_a_journal_that_was_altered(sound: LaidOut) -> None:
    path = play(sound.root, 3)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE journal SET utc = '2026-01-01T00:00:00Z' WHERE n = 3")
    connection.close()
    assert "row 3 is missing or was changed" in sound.one("D26")


def test_a_journal_that_is_none(sound: LaidOut) -> None:
    sound.write(JOURNAL, "no journal at all")
    assert "is no journal of a wheel" in sound.one("D26")


def test_what_lies_beside_a_journal_has_nothing_deleted(sound: LaidOut) -> None:
    path = play(sound.root, 3)
    victim = rest_files.put_evil(path, sound.root / "victim")
    assert "names another file" in sound.one("D26")
    assert victim.exists()


def test_a_long_journal_is_looked_at_from_its_end(
    sound: LaidOut, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = play(sound.root, 8)
    monkeypatch.setattr("tools.technician.doctor.wheel.ROWS", 5)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE journal SET utc = 'x' WHERE n = 2")
    connection.close()
    assert sound.codes() == []
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM journal WHERE n = 7")
    connection.close()
    assert "row 7 is missing" in sound.one("D26")


def test_each_mistake_of_the_configuration(sound: LaidOut) -> None:
    sound.write("etc/cylindre/wheel.toml", '[wheel]\nbord = "pi4"\n[rotor]\ntarget_rpm = 99\n')
    found = [each for each in sound.examined("pi4").findings if each.code == "D27"]
    assert len(found) == 2
    assert 'Did you mean "board"?' in found[0].what


def test_the_deepest_mount_counts_in_whatever_order_they_were_made(sound: LaidOut) -> None:
    sound.write("proc/mounts", "\n".join(reversed(MOUNTS.splitlines())) + "\n")
    assert sound.codes() == []
