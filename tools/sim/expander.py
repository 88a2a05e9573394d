"""The MCP23017 as a virtual chip, and the cups of a virtual dish on its pins.

Registers and interrupts after the datasheet (Microchip DS20001952: tables 3-1 to 3-5, sections
3.5 and 3.6), so that the driver that runs in the wheel reads what the chip would answer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from boards import lines
from firmware.shims.virtual import VirtualMachine

Edge = tuple[int, int, int]  # at_us, line, level

# The registers of one port, in the order of their addresses.
_NAMES = "IODIR IPOL GPINTEN DEFVAL INTCON IOCON GPPU INTF INTCAP GPIO OLAT".split()
_IODIR, _IPOL, _GPINTEN, _DEFVAL, _INTCON, _IOCON, _, _INTF, _INTCAP, _GPIO, _OLAT = range(11)
_COUNT = len(_NAMES)
_BANK, _MIRROR, _SEQOP, _ODR, _INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02  # bits of IOCON
_PORT_B_BANK_1 = 0x10  # table 3-4: where port B begins if BANK is 1


def _places(*, bank: bool) -> tuple[tuple[int, int | None], ...]:
    """The port and register at each address; None where table 3-4 or 3-5 has none."""
    found: list[tuple[int, int | None]] = []
    for address in range(256):
        if bank:
            port, register = divmod(address, _PORT_B_BANK_1)
        else:
            register, port = divmod(address, 2)
        found.append((port, register if port < 2 and register < _COUNT else None))
    return tuple(found)


_PLACES = (_places(bank=False), _places(bank=True))


class _Port:
    """Eight pins and their registers."""

    def __init__(self, registers: memoryview) -> None:
        """`registers`: of this port, in the order of _NAMES. GPIO is kept as a read finds it."""
        self.pins = 0  # what the world drives
        self.at = registers
        self.reset()

    def reset(self) -> None:
        """As after power-on: table 3-5."""
        for register in range(_COUNT):
            self.at[register] = 0
        self.at[_IODIR] = 0xFF
        self._last = self.at[_GPIO] = self._value()

    @property
    def is_quiet(self) -> bool:
        """Whether a read of any register changes nothing."""
        return not self.at[_INTF] and self._last == self.at[_GPIO]

    def _value(self) -> int:
        inputs = self.at[_IODIR]
        return (self.pins & inputs | self.at[_OLAT] & ~inputs) ^ self.at[_IPOL] & inputs

    def update_interrupt(self) -> None:
        """Raises the interrupt if a pin that may is not as it should be (section 3.6.4)."""
        at = self.at
        value = at[_GPIO] = self._value()
        by_change = (value ^ self._last) & ~at[_INTCON]
        by_default = (value ^ at[_DEFVAL]) & at[_INTCON]
        flagged = (by_change | by_default) & at[_GPINTEN] & at[_IODIR]
        if flagged and not at[_INTF]:  # the first change is captured, further ones are not
            at[_INTF] = flagged
            at[_INTCAP] = value

    def read(self, register: int) -> int:
        """One byte; reading INTCAP or GPIO ends the interrupt once it is out."""
        answer = self.at[register]
        if register in (_INTCAP, _GPIO):
            self.at[_INTF] = 0
            self._last = self.at[_GPIO]
            self.update_interrupt()
        return answer

    def write(self, register: int, byte: int) -> None:
        """One byte; INTF and INTCAP cannot be written, GPIO is the output latch."""
        if register == _GPIO:
            register = _OLAT
        if register not in (_INTF, _INTCAP):
            self.at[register] = byte
            self.update_interrupt()


class ChipMcp23017:
    """One chip on a virtual bus: `machine.attach_i2c(bus, address, ChipMcp23017())`."""

    def __init__(self) -> None:
        """Powered on, nothing on its pins."""
        # By address, as they lie with BANK 0: table 3-5.
        self._registers = bytearray(2 * _COUNT)
        every = memoryview(self._registers)
        self._ports = (_Port(every[0::2]), _Port(every[1::2]))
        self._pointer = 0

    def set_pin(self, pin: int, level: int) -> None:
        """The world drives pin 0 to 15 (GPA0 to GPB7)."""
        port, bit = self._ports[pin // 8], 1 << pin % 8
        port.pins = port.pins | bit if level else port.pins & ~bit
        port.update_interrupt()

    def brown_out(self) -> None:
        """The supply dips: all registers as after power-on, the pins as the world has them."""
        self._pointer = 0
        for port in self._ports:
            port.reset()

    def interrupt(self, pin: int = 0) -> int:
        """The level of INTA (0) or INTB (1) with a pull-up on it (section 3.6.1)."""
        iocon = self._iocon()
        active = self._ports[pin].at[_INTF]
        if iocon & _MIRROR and not active:
            active = self._ports[1 - pin].at[_INTF]
        high = iocon & (_INTPOL | _ODR) == _INTPOL
        return int(bool(active) == high)

    def write(self, data: bytes) -> None:
        """The first byte is the address of a register, the others go there."""
        if data:
            self._pointer = data[0]
        for byte in data[1:]:
            port, register = self._here()
            if register == _IOCON:  # one register at two addresses
                for each in self._ports:
                    each.at[_IOCON] = byte & 0xFE  # bit 0 is not there and reads 0
            elif register is not None:
                self._ports[port].write(register, byte)
            self._move_on()

    def read(self, count: int) -> bytes:
        """So many registers from the pointer on."""
        begin, end = self._pointer, self._pointer + count
        quiet = end <= 2 * _INTCAP or (self._ports[0].is_quiet and self._ports[1].is_quiet)
        if quiet and end <= 2 * _COUNT and not self._iocon() & (_BANK | _SEQOP):
            self._pointer = end % (2 * _COUNT)  # side by side: all that a driver's poll reads
            return bytes(self._registers[begin:end])
        answer = bytearray()
        for _ in range(count):
            port, register = self._here()
            answer.append(0 if register is None else self._ports[port].read(register))
            self._move_on()
        return bytes(answer)

    def _iocon(self) -> int:
        """One register at two addresses."""
        return self._registers[2 * _IOCON]

    def _here(self) -> tuple[int, int | None]:
        """The port and register at the pointer."""
        return _PLACES[self._iocon() & _BANK != 0][self._pointer]

    def _move_on(self) -> None:
        """Section 3.2.1: on to the next register, or with SEQOP to the port's other half."""
        iocon = self._iocon()
        bank = iocon & _BANK
        if iocon & _SEQOP:
            self._pointer ^= 0 if bank else 1
            return
        last = _PORT_B_BANK_1 + _COUNT - 1 if bank else 2 * _COUNT - 1
        self._pointer = 0 if self._pointer >= last else self._pointer + 1


class World(Protocol):
    """The dish: the port `Edges`, with every line of the board in it."""

    def read(self, until_us: int) -> Iterable[Edge]:
        """Edges up to `until_us`, in order of time."""
        ...

    def now_us(self) -> int:
        """The time of their clock."""
        ...


class CupChips:
    """Puts the cups of a dish behind virtual chips, and gives the chips' interrupts instead.

    What comes out is numbered by its place in `lines.watched`: the lines that have a GPIO, then the
    interrupts.
    """

    def __init__(
        self, board: dict[str, Any], machine: VirtualMachine, world: World, levels: Sequence[int]
    ) -> None:
        """Attaches the chips to the machine's buses. `levels`: of all the board's lines now."""
        self.now_us: Callable[[], int] = world.now_us
        self._read = world.read
        watched = [number for number, _ in lines.watched(board)]
        self._place = {number: at for at, number in enumerate(watched)}
        self._first = len(watched) - len(board["expanders"])  # from here on, interrupts
        self.chips: list[ChipMcp23017] = []
        self._at: dict[int, tuple[int, int]] = {}  # a line's chip and pin
        for at, (bus, address, _, _) in enumerate(board["expanders"]):
            chip = ChipMcp23017()
            for line, pin in lines.of_chip(board, at):
                self._at[line] = (at, pin)
                chip.set_pin(pin, levels[line])
            machine.attach_i2c(board["buses"][bus][1], address, chip)
            self.chips.append(chip)
        self._interrupt = [chip.interrupt() for chip in self.chips]
        self.initial_levels = [levels[line] for line in watched[: self._first]] + self._interrupt

    def read(self, until_us: int) -> Iterator[Edge]:
        """Edges up to `until_us`, made one by one as they are asked for.

        Whoever takes an interrupt can read the chip before the next cup changes, as on a board.
        """
        yield from self._moved(self.now_us())  # whoever set a chip up moved its line
        for at_us, line, level in self._read(until_us):
            if line not in self._at:
                yield at_us, self._place[line], level
                continue
            chip, pin = self._at[line]
            self.chips[chip].set_pin(pin, level)
            yield from self._moved(at_us)
            yield from self._moved(at_us)  # a chip that was read meanwhile lets its line go

    def _moved(self, at_us: int) -> Iterator[Edge]:
        """The interrupt lines that are no longer as they were."""
        for at, chip in enumerate(self.chips):
            level = chip.interrupt()
            if level != self._interrupt[at]:
                self._interrupt[at] = level
                yield at_us, self._first + at, level
