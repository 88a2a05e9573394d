"""Memory that keeps without a battery and never wears out: an MB85RC256V, 32 KiB of FRAM on I2C.

Datasheet: Fujitsu MB85RC256V, DS501-00017 (section names below). A byte is there when it has been
acknowledged: no page, no write time, no erasing, 10^12 writes a byte ("Features"). With WP high
the chip acknowledges and keeps nothing ("Write Protect"): who must be sure reads back.

Refuses to know what lies where.
"""

from firmware.shims.typed import Any

ADDRESS = 0x50  # "Device address word": 1010 A2 A1 A0, so 0x50 to 0x57
SIZE = 32_768  # "Memory map": 15 bits of address; past the end it goes on at 0 (rollover)

# "Reading Device ID": the reserved address F8H, then the chip's own address word.
_ID_ADDRESS = 0x7C
_ID = b"\x00\xa5\x10"  # Fujitsu 00A, density 5, product 510
# Bytes in one transfer: 1.6 ms at 400 kHz. The sensors on the same bus wait no longer than that.
_CHUNK = 64


class FramMb85rc256v:
    """Reads and writes the chip. Raises OSError if it does not answer."""

    def __init__(self, i2c: Any, address: int = ADDRESS) -> None:
        """Takes a machine I2C of at most 1 MHz. Transfers nothing yet."""
        self._i2c = i2c
        self._address = address

    def identify(self) -> bool:
        """Returns whether this is the chip.

        An EEPROM answers at the same address, and wears out.
        """
        found = self._i2c.readfrom_mem(_ID_ADDRESS, self._address << 1, len(_ID))
        return bytes(found) == _ID

    def read(self, at: int, size: int) -> bytes:
        """`size` bytes from the address `at` on. Raises ValueError beyond the end."""
        _want_inside(at, size)
        data = b""
        while len(data) < size:
            count = min(_CHUNK, size - len(data))
            data += self._i2c.readfrom_mem(self._address, at + len(data), count, addrsize=16)
        return data

    def write(self, at: int, data: bytes) -> None:
        """Puts bytes there in their order; they stay as soon as this returns.

        After an OSError nobody knows how many are there. Raises ValueError beyond the end.
        """
        _want_inside(at, len(data))
        for done in range(0, len(data), _CHUNK):
            part = data[done : done + _CHUNK]
            self._i2c.writeto_mem(self._address, at + done, part, addrsize=16)


def _want_inside(at: int, size: int) -> None:
    # The chip would go on at 0, over what lies there.
    if at < 0 or size < 0 or at + size > SIZE:
        raise ValueError("the MB85RC256V has " + str(SIZE) + " bytes")
