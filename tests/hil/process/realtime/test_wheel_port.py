"""`cylindre run --wheel-port`: what people can get wrong is one sentence."""

import os
from pathlib import Path

import pytest

from firmware.lib.errors import NO_DEVICE, USAGE
from tools import cli
from tools.hil import remote


@pytest.mark.parametrize(
    ("options", "exit_code", "said"),
    [
        (["--board", "pi4", "--wheel-port", "x"], USAGE, "are for a virtual wheel; pi4"),
        (
            ["--board", "roulette_ref", "--wheel-port", "x", "--seed", "1"],
            USAGE,
            "has its own chance: give no --seed",
        ),
        (["--board", "roulette_ref", "--wheel-port", "/dev/none"], NO_DEVICE, "/dev/none"),
    ],
)
def test_a_wheel_port_that_cannot_be_is_one_sentence(
    options: list[str], exit_code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", *options]) == exit_code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_a_line_without_a_wheel_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(remote, "HELLO_S", 0.01)
    monkeypatch.chdir(tmp_path)
    master, slave = os.openpty()
    code = cli.main(["run", "--board", "boule_ref", "--wheel-port", os.ttyname(slave)])
    os.close(master)
    os.close(slave)
    assert code == NO_DEVICE
    assert "No wheel answers on" in capsys.readouterr().err
