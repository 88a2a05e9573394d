"""The MB85RC256V as a virtual chip, after its datasheet (Fujitsu DS501-00017)."""

from firmware.shims.virtual import VirtualMachine

SIZE = 32_768
_ID_ADDRESS = 0x7C  # "Reading Device ID": reserved slave address F8H
_ID = b"\x00\xa5\x10"
_ADDRESS_SIZE = 2


class ChipMb85rc256v:
    """32 KiB behind a pointer of two bytes that goes on by itself, and from the end to 0."""

    def __init__(self) -> None:
        """As it leaves the factory, and not write-protected."""
        self.memory = bytearray(SIZE)
        self.protected = False  # the pin WP
        self._at = 0

    def write(self, data: bytes) -> None:
        """Two bytes of address, the top bit of which does not count; then data, byte by byte."""
        if len(data) < _ADDRESS_SIZE:
            return
        self._at = int.from_bytes(data[:_ADDRESS_SIZE]) % SIZE
        for byte in data[_ADDRESS_SIZE:]:
            if not self.protected:
                self.memory[self._at] = byte
            self._at = (self._at + 1) % SIZE

    def read(self, count: int) -> bytes:
        """Bytes from the pointer on ("Current address read")."""
        answer = bytes(self.memory[(self._at + at) % SIZE] for at in range(count))
        self._at = (self._at + count) % SIZE
        return answer


class _Names:
    """Who answers at the reserved address: the chip whose address word is sent."""

    def __init__(self, address: int) -> None:
        self._address = address
        self._asked = -1

    def write(self, data: bytes) -> None:
        self._asked = data[0] >> 1

    def read(self, count: int) -> bytes:
        known = _ID if self._asked == self._address else b"\xff\xff\xff"
        return bytes(known[at % len(known)] for at in range(count))


def attach(machine: VirtualMachine, bus: int, address: int) -> ChipMb85rc256v:
    """Puts a new chip on a bus of the machine."""
    chip = ChipMb85rc256v()
    machine.attach_i2c(bus, address, chip)
    machine.attach_i2c(bus, _ID_ADDRESS, _Names(address))
    return chip
