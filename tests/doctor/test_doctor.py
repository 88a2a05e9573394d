"""What is said on a sound machine, of an empty one, without a board, and in which order."""

from __future__ import annotations

from pathlib import Path

from laid_out import (
    CONFIG,
    CONFIG_TXT,
    THROTTLED,
    LaidOut,
    play,
)

from tools.technician.doctor import examine as examine_module
from tools.technician.doctor.problems import GRADES, PROBLEMS


def test_on_a_sound_machine_nothing_is_found_and_all_is_seen(sound: LaidOut) -> None:
    play(sound.root, 3)
    assert sound.examined() == examine_module.Examined((), ())


def test_an_empty_machine_is_not_called_sound(tmp_path: Path) -> None:
    laid = LaidOut(tmp_path)
    laid.write("etc/passwd", "cylindre:x:990:990::/:\n")
    examined = laid.examined("pi4")
    seen = {each.check for each in examined.not_seen}
    wanted = {"Python", "wear of the card", "supply and heat", "the model", "overlays"}
    wanted |= {"a console on the line", "GPIO lines in use", "the disk can be written", "packages"}
    assert wanted <= seen
    assert examined.findings == ()


def test_without_a_board_it_says_what_it_did_not_look_at(sound: LaidOut) -> None:
    sound.remove("etc/cylindre/wheel.toml")
    sound.write("proc/device-tree/model", "Some PC\0")
    examined = sound.examined()
    assert examined.findings == ()
    names = len(examine_module._OF_BOARDS) + len(examine_module._OF_WHEELS)
    assert len([each for each in examined.not_seen if "give --board" in each.why]) == names


def test_the_model_chooses_the_board_where_nobody_does(sound: LaidOut) -> None:
    sound.remove("etc/cylindre/wheel.toml")
    sound.write(CONFIG, CONFIG_TXT.replace("dtoverlay=disable-bt", ""))
    assert sound.codes() == ["D07", "D20"]  # and its files are looked for on the read-only root


def test_the_worst_comes_first(sound: LaidOut) -> None:
    sound.write(THROTTLED, "50000\n")  # a warning
    sound.write("sys/fs/ext4/mmcblk0p4/errors_count", "3\n")  # harm
    sound.remove("dev/i2c-1")  # it stops
    found = sound.examined().findings
    assert [each.code for each in found] == ["D09", "D19", "D24"]
    assert [each.grade for each in found] == list(GRADES)


def test_every_code_is_once_in_the_table_in_order() -> None:
    codes = [each.code for each in PROBLEMS]
    assert codes == [f"D{at:02d}" for at in range(1, len(codes) + 1)]
    assert {each.grade for each in PROBLEMS} == set(GRADES)


def test_every_code_of_the_table_is_tested_here() -> None:
    text = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert [each.code for each in PROBLEMS if f'"{each.code}"' not in text] == []
