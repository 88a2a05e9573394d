"""The GPIO chip, where the kernel's sysfs does not tell: by gpiod, which is replaced here."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from laid_out import LaidOut


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


@pytest.fixture
def silent(sound: LaidOut) -> LaidOut:
    """A machine whose sysfs has no labels."""
    for path in sound.root.glob("sys/class/gpio/*/label"):
        path.unlink()
    return sound


def test_the_chip_is_found_by_its_label(monkeypatch: pytest.MonkeyPatch, silent: LaidOut) -> None:
    labels = {"gpiochip0": "raspberrypi-exp-gpio", "gpiochip1": "pinctrl-bcm2711"}
    gpiod(monkeypatch, labels)
    assert silent.codes() == []
    gpiod(monkeypatch, labels | {"gpiochip1": "pinctrl-rp1"})
    assert "Run this on a Raspberry Pi 4 Model B" in silent.one("D05")


def test_without_gpiod_nothing_is_guessed_of_the_chip(
    monkeypatch: pytest.MonkeyPatch, silent: LaidOut
) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    assert silent.codes() == []
    assert silent.unseen("the GPIO chip") == "install gpiod first"


def test_a_chip_that_may_not_be_opened_is_told(
    monkeypatch: pytest.MonkeyPatch, silent: LaidOut
) -> None:
    gpiod(monkeypatch, {})
    assert "may not open" in silent.unseen("the GPIO chip")
