"""Which GPIOs of the header a line of config.txt takes, where the board may want them.

Source: README of /boot/firmware/overlays (their parameters and defaults) and, for the buses, the
tables of boards/raspberry.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boards import raspberry
from tools.technician.doctor.boot import Settings

# fmt: off
_PARAMS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("spi", (7, 8, 9, 10, 11)),
    ("i2s", (18, 19, 20, 21)),
)
# Each overlay: pins it always takes, and parameters that name a pin, with their defaults.
_OVERLAYS: tuple[tuple[str, tuple[int, ...], tuple[tuple[str, int], ...]], ...] = (
    ("dht11", (), (("gpiopin", 4),)),
    ("dpi18", tuple(range(22)), ()),
    ("dpi24", tuple(range(28)), ()),
    ("gpio-fan", (), (("gpiopin", 12),)),
    ("gpio-ir", (), (("gpio_pin", 18),)),
    ("gpio-ir-tx", (), (("gpio_pin", 18),)),
    ("gpio-key", (), (("gpio", 3),)),
    ("gpio-led", (), (("gpio", 19),)),
    ("gpio-poweroff", (), (("gpiopin", 26),)),
    ("gpio-shutdown", (), (("gpio_pin", 3),)),
    ("hifiberry-dac", (18, 19, 20, 21), ()),
    ("pps-gpio", (), (("gpiopin", 18),)),
    ("pwm", (), (("pin", 18),)),
    ("pwm-2chan", (), (("pin", 18), ("pin2", 19))),
    ("pwm-ir-tx", (), (("gpio_pin", 18),)),
    ("rotary-encoder", (), (("pin_a", 4), ("pin_b", 17))),
    ("sdio", (22, 23, 24, 25, 26, 27), ()),
    ("spi1-1cs", (19, 20, 21), (("cs0_pin", 18),)),
    ("spi1-2cs", (19, 20, 21), (("cs0_pin", 18), ("cs1_pin", 17))),
    ("spi1-3cs", (19, 20, 21), (("cs0_pin", 18), ("cs1_pin", 17), ("cs2_pin", 16))),
    ("w1-gpio", (), (("gpiopin", 4),)),
    ("w1-gpio-pullup", (), (("gpiopin", 4), ("extpullup", 5))),
)
# fmt: on


def taken(settings: Settings, board: dict[str, Any]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every line of config.txt that takes pins, and which; but the buses of the board itself."""
    for name, pins in _PARAMS:
        if settings.has(f"dtparam={name}=on"):
            yield f"dtparam={name}=on", pins
    for name, always, named in _OVERLAYS:
        if name in settings.overlays:
            chosen = settings.overlays[name]
            pins = always + tuple(_number(chosen.get(key), default) for key, default in named)
            yield f"dtoverlay={name}", pins
    model = board["model"]
    for kind, key in (("uart", "uarts"), ("i2c", "i2c")):
        for bus in raspberry.MODELS[model][key]:
            lines = raspberry.bus_settings(model, kind, bus[0])
            held = [line for line in lines if settings.has(line)]
            # Bluetooth's overlays take nothing: they give the header its UART.
            if held and (kind, bus[0]) not in board["buses"].values() and bus[0]:
                yield held[0], bus[-1]


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdigit() else default
