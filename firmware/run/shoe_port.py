"""The card shoe at its port: bytes of the line in, events for the loop out, and the table's orders
to the shoe.
"""

from collections.abc import Callable, Sequence
from typing import Any

from drivers.rs485 import Rs485Port
from drivers.shoe_serial import ShoeSerial
from firmware.core.cards import states
from firmware.core.cards.facts import (
    AGAIN,
    COUNT,
    HELD,
    CardView,
    Guide,
    Release,
    ShoeCounted,
    ShoeEmpty,
    ShoeLoaded,
)


class ReleaseLine:
    """The board's line to the shoe's brake, or to a lamp in its place: a FactListener."""

    def __init__(self, pin: Any) -> None:
        """`pin`: of a machine, 1 while a card may leave; none may yet."""
        self._pin = pin
        self.hold()

    def take_fact(self, fact: Any) -> None:
        """Lets a card go, or holds all."""
        if type(fact) is Release:
            self._pin.value(int(fact.is_on))

    def hold(self) -> None:
        """Holds all cards."""
        self._pin.value(0)


# A count that is due begins, or begins again, with one of these.
_BEGINS_COUNT = (ShoeLoaded, ShoeEmpty, ShoeCounted)


class ShoePort:
    """One shoe: an EventSource of the loop, and a FactListener for what the shoe is to do."""

    def __init__(
        self, shoe: ShoeSerial, open_uart: Callable[[], Any], now_us: Callable[[], int]
    ) -> None:
        """`open_uart` gives a machine UART or raises OSError; a lost port is opened again."""
        self._shoe = shoe
        self._port = Rs485Port(open_uart)
        self._now_us = now_us
        self._state = ""  # the table's
        self._code = ""  # what its screen has

    def take_events(self) -> Sequence[Any]:
        """Returns what the shoe said since the last call; sends what it is to be told."""
        now_us = self._now_us()
        self._port.poll(now_us)
        told = self._shoe.receive(self._port.read(), now_us)
        if self._is_counted() and any(type(each) in _BEGINS_COUNT for each in told):
            self._shoe.count()  # once more, unless the table has what it asked for
        data = self._shoe.take_bytes()
        if data:
            self._port.write(data)
        return told

    def decided(self, refusal: str | None) -> None:
        """Does nothing: what a card comes to is shown, and a shoe is not refused."""

    def take_fact(self, fact: Any) -> None:
        """Has the shoe hold its cards or let one go, ask for it again, or count what is left.

        It is counted between two shoes alone, and until the table asks for something else: two
        people may have said what is in it.
        """
        was_counted = self._is_counted()
        if type(fact) is CardView:
            self._state = fact.state
        elif type(fact) is Release:
            self._shoe.release(fact.is_on)
        elif type(fact) is Guide:
            self._code = fact.code
            if fact.code == HELD and AGAIN in dict(fact.args)["ways"]:
                self._shoe.again()
        if self._is_counted() != was_counted:
            self._shoe.count(not was_counted)

    def _is_counted(self) -> bool:
        return self._code == COUNT and self._state == states.NO_SHOE

    def close(self) -> None:
        """Gives the port back."""
        self._port.close()
