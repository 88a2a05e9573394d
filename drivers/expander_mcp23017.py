"""Sixteen inputs behind I2C: an MCP23017 that says by an interrupt line when one of them changes.

Datasheet: Microchip MCP23017/MCP23S17, DS20001952; registers by table 3-5 (IOCON.BANK = 0, ports A
and B side by side, the address moves on by itself). Bit 0 is GPA0, bit 8 is GPB0. Revision D calls
GPA7 and GPB7 outputs only: one that changes while it is read disturbs SDA. Leave them unconnected.

All pins have their pull-up: a sensor whose cable is cut reads 1, and standing there is noticed.
Refuses to know what hangs on the pins, and when to read.
"""

import errno

from firmware.shims.typed import Any, NamedTuple

ADDRESS = 0x20  # section 3.3.1: 0100 A2 A1 A0, so 0x20 to 0x27
PINS = 16
OUTPUT_ONLY = (7, 15)  # GPA7, GPB7: revision D, table 2-1

_FIRST = 0x00  # table 3-5: IODIRA
_IOCON = 0x0A
_IOCON_BANK_1 = 0x05  # where IOCON lies if BANK is 1 (table 3-4); GPINTENB if it is 0
_INTF = 0x0E  # then INTCAP at 0x10 and GPIO at 0x12, two ports each
# Register 3-6: bit 6 MIRROR, either port moves both INT pins; bit 1 INTPOL, they are active high.
# BANK, SEQOP and ODR stay 0: ports side by side, the address moves on, the line is driven.
_CONFIGURATION = 0x42
# What table 3-5 has from IODIRA to GPPUB, two ports each. INTCON 0 compares each pin with its own
# last value (register 3-5), so DEFVAL does not matter.
# fmt: off
_SET_UP = bytes((
    0xFF, 0xFF,  # IODIR: inputs
    0x00, 0x00,  # IPOL: as they are
    0xFF, 0xFF,  # GPINTEN: each pin interrupts
    0x00, 0x00,  # DEFVAL
    0x00, 0x00,  # INTCON: on change
    _CONFIGURATION, _CONFIGURATION,  # IOCON: one register at two addresses
    0xFF, 0xFF,  # GPPU: 100 kohm to the supply
))
# fmt: on

# 16 bits each. `flagged`: the pins that raised the interrupt; `captured`: all levels at that
# moment, for the ports that have a pin flagged (else old); `present`: all levels now.
Reading = NamedTuple("Reading", [("flagged", int), ("captured", int), ("present", int)])


class ExpanderMcp23017:
    """Sets the chip up and reads it. Raises OSError if it does not answer."""

    def __init__(self, i2c: Any, address: int = ADDRESS) -> None:
        """Takes a machine I2C. Transfers nothing yet."""
        self._i2c = i2c
        self._address = address

    def start(self) -> None:
        """Sets the chip up, whatever it was set to. Raises OSError: EIO if it does not keep it.

        Brings no level: what was pending goes with the first `read`.
        """
        write = self._i2c.writeto_mem
        write(self._address, _IOCON_BANK_1, b"\x00")  # BANK 0; harmless where it is 0 already
        write(self._address, _IOCON, bytes((_CONFIGURATION,)))  # from here the address moves on
        write(self._address, _FIRST, _SET_UP)
        if not self.check():
            raise OSError(errno.EIO, "the MCP23017 does not keep what it is set to")

    def read(self) -> Reading:
        """Returns what changed first and what is now, in one transfer; this ends the interrupt.

        A pulse that ended before shows as captured; what changed between its start and now, and
        back, does not (section 3.6.4: the first change is captured, further ones are not).
        """
        data = self._i2c.readfrom_mem(self._address, _INTF, 6)
        return Reading(data[0] | data[1] << 8, data[2] | data[3] << 8, data[4] | data[5] << 8)

    def check(self) -> bool:
        """Returns whether the chip still has its set-up: a dip of the supply resets it (section
        3.1).
        """
        data = self._i2c.readfrom_mem(self._address, _FIRST, len(_SET_UP))
        return bytes(data) == _SET_UP
