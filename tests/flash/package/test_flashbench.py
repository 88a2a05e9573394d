"""The comparison of ours with dd: it needs no loop device; what it cannot do is one sentence."""

import pytest
from click.testing import CliRunner

from tools.image import flashbench
from tools.image.flashbench import BMAPTOOL, DD, DD_DIRECT, VERIFY, WRITE, Measured


@pytest.fixture
def no_loop_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flashbench.shutil, "which", lambda name: None)


@pytest.mark.usefixtures("no_loop_device")
def test_without_a_loop_device_a_file_is_written() -> None:
    result = CliRunner().invoke(flashbench.main, ["--mib", "4", "--rounds", "1"])
    assert result.exit_code == 0, result.output
    rows = [line.split("  ")[0] for line in result.stdout.splitlines()[1:]]
    assert rows == [DD, DD_DIRECT, WRITE, VERIFY]  # bmaptool counts as missing here, too


@pytest.mark.usefixtures("no_loop_device")
def test_what_needs_a_loop_device_says_so() -> None:
    result = CliRunner().invoke(flashbench.main, ["--mib", "4", "--card", "90"])
    assert result.exit_code == 1
    assert result.stderr == "--card slows a loop device down, and none can be had here.\n"


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (("--disk", "/dev/nothing-there"), 3, "There is no /dev/nothing-there: plug the card in"),
        (("--image", "/gone.img"), 2, "/gone.img has no block map beside it that can be used"),
        (("--disk", "/dev/null", "--card", "9"), 2, "--card is for a loop device"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(
    options: tuple[str, ...], code: int, sentence: str
) -> None:
    result = CliRunner().invoke(flashbench.main, [*options, "--mib", "1"])
    assert result.exit_code == code, result.output
    assert result.stderr.startswith(sentence)
    assert result.stderr.count("\n") == 1


def test_ours_is_set_against_the_faster_dd_of_the_same_round() -> None:
    rows = {DD: [2.0, 4.0, 9.0], DD_DIRECT: [3.0, 2.0, 8.0], WRITE: [2.2, 2.2, 8.0]}
    measured = {name: Measured(name, 1, seconds) for name, seconds in rows.items()}
    assert flashbench.ratio(measured) == pytest.approx(1.1)
    assert BMAPTOOL not in measured
