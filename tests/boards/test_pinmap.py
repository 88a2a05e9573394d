"""What `cylindre boards` says a machine lacks, with the machine replaced."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import boards
from tools.pinmap import PinUse, lacks, pin_map


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    for number in (0, 4):
        (tmp_path / f"gpiochip{number}").touch()
    return tmp_path


def gpiod(monkeypatch: pytest.MonkeyPatch, labels: dict[str, str]) -> None:
    """A gpiod whose chips have these labels; one that is not named is not ours to open."""

    class Chip:
        def __init__(self, path: str) -> None:
            self.name = Path(path).name
            if self.name not in labels:
                raise PermissionError(path)

        def __enter__(self) -> "Chip":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def get_info(self) -> Any:
            return SimpleNamespace(label=labels[self.name])

    module = ModuleType("gpiod")
    module.Chip = Chip  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiod", module)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


def chip_lacks(board: str, devices: Path) -> list[tuple[str, str]]:
    return [lack for lack in lacks(boards.load(board), devices) if "GPIO chip" in lack.what]


def test_the_chip_is_found_by_its_label(monkeypatch: pytest.MonkeyPatch, devices: Path) -> None:
    gpiod(monkeypatch, {"gpiochip0": "raspberrypi-exp-gpio", "gpiochip4": "pinctrl-rp1"})
    assert chip_lacks("pi5", devices) == []
    assert chip_lacks("pi4", devices) == [
        ("the GPIO chip pinctrl-bcm2711", "run this on a pi4"),
    ]


def test_without_gpiod_nothing_is_guessed_of_the_chip(
    monkeypatch: pytest.MonkeyPatch, devices: Path
) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert chip_lacks("pi4", devices) == [
        ("the GPIO chip pinctrl-bcm2711 cannot be looked for", "install gpiod first"),
    ]


def test_a_chip_that_may_not_be_opened_is_told(
    monkeypatch: pytest.MonkeyPatch, devices: Path
) -> None:
    gpiod(monkeypatch, {})
    assert [what for what, _ in chip_lacks("pi4", devices)] == [
        "permission to use the GPIO chip pinctrl-bcm2711"
    ]


def test_a_virtual_board_lacks_nothing(devices: Path) -> None:
    assert lacks(boards.load("roulette_ref"), devices) == []


def test_a_cup_is_found_at_the_pin_of_its_expander() -> None:
    uses = pin_map(boards.load("boule_pi4"))
    assert PinUse("cup06", "GPA6", "in, expander 0x20 on sensors") in uses
    assert PinUse("cup07", "GPB0", "in, expander 0x20 on sensors") in uses
    assert PinUse("cup17", "GPB1", "in, expander 0x21 on sensors") in uses
    assert PinUse("int_expander1", 8, "in, interrupt") in uses


@pytest.mark.parametrize("name", boards.NAMES)
def test_every_board_has_a_pin_map_that_names_each_line_once(name: str) -> None:
    board = boards.load(name)
    signals = [use.signal for use in pin_map(board)]
    assert len(signals) == len(set(signals))
    assert set(dict(board["inputs"])) <= set(signals)
