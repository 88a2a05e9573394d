"""What is looked for after a power cut; the cut itself is in the suite (make kernel-rig)."""

import pytest

from firmware.lib.errors import FAILED, NO_DEVICE, Failure
from tools.hil.kernel import power

TRUTHS = [{"coup": 1, "number": None}, {"coup": 1, "number": 17}, {"coup": 2, "number": 4}]


def test_a_number_that_was_recorded_before_the_cut_is_held_against_the_truth():
    assert power._untrue({1: {"number": 17}, 2: {"number": 4}}, TRUTHS) == []
    (text,) = power._untrue({1: {"number": 17}, 2: {"number": 5}}, TRUTHS)
    assert text == "coup 2 was recorded as 5, and the ball lay in 4"


def test_a_coup_that_the_cut_made_void_or_left_out_is_not_untrue():
    assert power._untrue({1: {"number": 17}, 2: {"number": None}}, TRUTHS) == []
    assert power._untrue({1: {"number": 17}}, TRUTHS) == []


def test_a_coup_after_the_cut_is_not_held_against_the_truth_before():
    """The wheel's process began anew with the machine: its coups count from 1 again."""
    assert power._untrue({1: {"number": 17}, 3: {"number": 30}}, TRUTHS) == []


def a_mkfs(folder, code):
    path = folder / "mkfs.ext4"
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)


def test_the_disk_is_made_also_where_the_path_leads_to_no_sbin(monkeypatch, tmp_path):
    a_mkfs(tmp_path, 0)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(power, "_SBIN", str(tmp_path))
    assert power._made_disk(tmp_path / "out").stat().st_size == power.DISK_BYTES


@pytest.mark.parametrize(("code", "exit_code"), [(1, FAILED), (None, NO_DEVICE)])
def test_a_disk_that_cannot_be_made_is_one_sentence(monkeypatch, tmp_path, code, exit_code):
    if code is not None:
        a_mkfs(tmp_path, code)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(power, "_SBIN", str(tmp_path))
    with pytest.raises(Failure) as found:
        power._made_disk(tmp_path / "out")
    assert found.value.exit_code == exit_code
