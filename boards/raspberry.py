"""What each Raspberry Pi brings: its GPIO lines, the pins its buses take, its PWM pins.

GPIO numbers are Broadcom's (BCM). Sources:
- Pi 4, CM4: "BCM2711 ARM Peripherals" (2022-01-18), table 94, alternative functions; Compute
  Module 4 datasheet, section 2.4; pins of the extra buses as their overlays default to
  (README of /boot/firmware/overlays: uart2-5, i2c3-6).
- Zero 2 W: "BCM2835 ARM Peripherals", section 6.2 (the RP3A0 carries a BCM2710A1, same block).
- Pi 5: "RP1 Peripherals" (2023-11-07), table 4, GPIO functions of bank 0.
- 40-pin header: GPIO 0 to 27; GPIO 0 and 1 are for the HAT's ID EEPROM ("HAT+ specification").
- gpiochip labels: drivers/pinctrl/bcm/pinctrl-bcm2835.c and drivers/pinctrl/pinctrl-rp1.c. Chips
  are found by label: the number of the Pi 5's went from 4 to 0 with kernel 6.6.45.
- UART 0 carries Bluetooth on Pi 4 and Zero 2 W until `dtoverlay=disable-bt` gives it to the header.
"""

_HEADER = tuple(range(28))
_ID_EEPROM = (0, 1)
_BCM_UART0 = (0, "/dev/ttyAMA0", (14, 15))
_BCM_I2C1 = (1, (2, 3))

# uarts: (number, path, (tx, rx)); i2c: (number, (sda, scl)).
# fmt: off
_BCM2711 = {
    "gpio": _HEADER,
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
    "pi4": _BCM2711,
    "cm4": _BCM2711,
    "zero2w": {
        "gpio": _HEADER,
        "reserved": _ID_EEPROM,
        "gpiochip": "pinctrl-bcm2835",
        "uarts": (_BCM_UART0,),
        "i2c": (_BCM_I2C1,),
        "pwm": (12, 13, 18, 19),
    },
    "pi5": {
        "gpio": _HEADER,
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
    """The pins of a model's bus: (tx, rx) of a "uart", (sda, scl) of an "i2c".

    Raises KeyError if the model has no such bus.
    """
    for bus in MODELS[model]["uarts" if kind == "uart" else "i2c"]:
        if bus[0] == number:
            pins: tuple = bus[-1]  # type: ignore[type-arg]
            return pins
    raise KeyError((model, kind, number))
