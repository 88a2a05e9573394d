"""What each Raspberry Pi brings: its GPIO lines, the pins its buses take, its PWM pins.

GPIO numbers are Broadcom's (BCM). Sources:
- Pi 4, CM4: "BCM2711 ARM Peripherals" (2022-01-18), table 94, alternative functions; Compute
  Module 4 datasheet, section 2.4; pins of the extra buses as their overlays default to
  (README of /boot/firmware/overlays: uart2-5, i2c3-6).
- Zero 2 W: "BCM2835 ARM Peripherals", section 6.2 (the RP3A0 carries a BCM2710A1, same block).
- Pi 5: "RP1 Peripherals" (2023-11-07), table 4, GPIO functions of bank 0.
- 40-pin header: "Raspberry Pi HAT+ specification", the pin-out; GPIO 0 to 27 are there, and GPIO 0
  and 1 are for the HAT's ID EEPROM.
- Names of the models: `model` of each device tree, arch/arm64/boot/dts/broadcom.
- What turns a bus on in config.txt: README of /boot/firmware/overlays.
- gpiochip labels: drivers/pinctrl/bcm/pinctrl-bcm2835.c and drivers/pinctrl/pinctrl-rp1.c. Chips
  are found by label: the number of the Pi 5's went from 4 to 0 with kernel 6.6.45.
- UART 0 carries Bluetooth on Pi 4 and Zero 2 W until `dtoverlay=disable-bt` gives it to the header.
"""

# By their positions, from 1 on: a GPIO, or what else is there.
# fmt: off
HEADER = (
    "3V3", "5V",
    2, "5V",
    3, "GND",
    4, 14,
    "GND", 15,
    17, 18,
    27, "GND",
    22, 23,
    "3V3", 24,
    10, "GND",
    9, 25,
    11, 8,
    "GND", 7,
    0, 1,
    5, "GND",
    6, 12,
    13, "GND",
    19, 16,
    26, 20,
    "GND", 21,
)
# fmt: on
_GPIO = tuple(range(28))
_ID_EEPROM = (0, 1)
_BCM_UART0 = (0, "/dev/ttyAMA0", (14, 15))
_BCM_I2C1 = (1, (2, 3))

# machine: the model as its device tree names it; overlays: what ends the names of those that turn a
# bus on; uarts: (number, path, (tx, rx)); i2c: (number, (sda, scl)).
# fmt: off
_BCM2711 = {
    "overlays": "",
    "gpio": _GPIO,
    "reserved": _ID_EEPROM,
    "gpiochip": "pinctrl-bcm2711",
    "uarts": (
        _BCM_UART0,
        (2, "/dev/ttyAMA2", (0, 1)),
        (3, "/dev/ttyAMA3", (4, 5)),
        (4, "/dev/ttyAMA4", (8, 9)),
        (5, "/dev/ttyAMA5", (12, 13)),
    ),
    "i2c": (_BCM_I2C1, (3, (4, 5)), (4, (8, 9)), (5, (12, 13)), (6, (22, 23))),
    "pwm": (12, 13, 18, 19),
}
MODELS: dict = {  # type: ignore[type-arg]
    "pi4": dict(_BCM2711, machine="Raspberry Pi 4 Model B"),
    "cm4": dict(_BCM2711, machine="Raspberry Pi Compute Module 4"),
    "zero2w": {
        "machine": "Raspberry Pi Zero 2 W",
        "overlays": "",
        "gpio": _GPIO,
        "reserved": _ID_EEPROM,
        "gpiochip": "pinctrl-bcm2835",
        "uarts": (_BCM_UART0,),
        "i2c": (_BCM_I2C1,),
        "pwm": (12, 13, 18, 19),
    },
    "pi5": {
        "machine": "Raspberry Pi 5 Model B",
        "overlays": "-pi5",
        "gpio": _GPIO,
        "reserved": _ID_EEPROM,
        "gpiochip": "pinctrl-rp1",
        "uarts": (
            (0, "/dev/ttyAMA0", (14, 15)),
            (1, "/dev/ttyAMA1", (0, 1)),
            (2, "/dev/ttyAMA2", (4, 5)),
            (3, "/dev/ttyAMA3", (8, 9)),
            (4, "/dev/ttyAMA4", (12, 13)),
        ),
        "i2c": ((0, (0, 1)), (1, (2, 3)), (2, (4, 5)), (3, (6, 7))),
        "pwm": (12, 13, 14, 15, 18, 19),
    },
}
# fmt: on


def bus_pins(model: str, kind: str, number: int) -> tuple:  # type: ignore[type-arg]
    """Returns the pins of a model's bus: (tx, rx) of a "uart", (sda, scl) of an "i2c".

    Raises KeyError if the model has no such bus.
    """
    for bus in MODELS[model]["uarts" if kind == "uart" else "i2c"]:
        if bus[0] == number:
            pins: tuple = bus[-1]  # type: ignore[type-arg]
            return pins
    raise KeyError((model, kind, number))


def uart_path(model: str, number: int) -> str:
    """Returns the tty of a model's UART. Raises KeyError if it has no such UART."""
    for known, path, _ in MODELS[model]["uarts"]:
        if known == number:
            return str(path)
    raise KeyError((model, "uart", number))


def bus_settings(model: str, kind: str, number: int) -> tuple:  # type: ignore[type-arg]
    """Returns the lines of config.txt that turn a bus on: any one of them does, the first is the
    best.
    """
    suffix = MODELS[model]["overlays"]
    overlay = "dtoverlay=" + kind + str(number)
    if kind == "i2c" and number == 1:
        return ("dtparam=i2c_arm=on", "dtparam=i2c=on", "dtparam=i2c1=on", overlay + suffix)
    if kind == "uart" and number == 0:
        if suffix:
            return ("dtparam=uart0=on", overlay + suffix, overlay)
        return ("dtoverlay=disable-bt", "dtoverlay=miniuart-bt")
    return (overlay + suffix, overlay) if suffix else (overlay,)


def model_called(machine: str) -> str | None:
    """Returns the key in MODELS of what a device tree calls `machine`; None for another machine."""
    for name in sorted(MODELS):
        known = MODELS[name]["machine"]
        if machine == known or machine.startswith(known + " Rev"):
            return str(name)
    return None
