"""The input lines of a Linux machine, through gpiod 2.x: timed edges, levels, and `Pin.irq`.

The port `Edges` of firmware.ports. One request owns every input line (a second owner would get
EBUSY), with the kernel's CLOCK_MONOTONIC stamps and no debouncing. Callbacks run where edges are
read; there is no thread: a Python callback behind one busy thread was 5-15 ms late.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from firmware.shims.edge_ledger import DOUBT, HOLD_US, Edge, EdgeLedger
from firmware.shims.machine import Pin

QUEUE = 1024  # edges the kernel holds: the most it grants (64 lines x 16), some 20 s of a coup
CHECK_US = 10_000  # the levels are compared this often: a get_values costs 20 us on a Pi
READS_MAX = 64  # of a queue at a time: a line that chatters must not keep the loop here


def _monotonic_us() -> int:
    return time.monotonic_ns() // 1000


def find_chip(gpiod: Any, label: str, folder: Path = Path("/dev")) -> str:
    """Returns the path of the GPIO chip called `label`: its number differs from kernel to kernel.

    Raises FileNotFoundError if this machine has none.
    """
    for path in sorted(folder.glob("gpiochip*")):
        with gpiod.Chip(str(path)) as chip:
            if chip.get_info().label == label:
                return str(path)
    raise FileNotFoundError(f"This machine has no GPIO chip {label}. Choose the board that it is.")


class GpiodEdges:
    """Reads edges of `pins` (line i is pins[i]) and levels of `pins` and `polled`."""

    def __init__(
        self,
        gpiod: Any,
        chip: str,
        *,
        pins: Sequence[int],
        polled: Sequence[int] = (),
        now_us: Callable[[], int] = _monotonic_us,
    ) -> None:
        """Requests the lines of the chip at path `chip` through the module `gpiod`.

        Raises OSError if the chip is not there or a line has another owner.
        """
        self.now_us = now_us
        self._gpiod = gpiod
        self._pins = tuple(pins)
        self._line = {pin: line for line, pin in enumerate(pins)}
        self._bias = dict.fromkeys((*pins, *polled), gpiod.line.Bias.AS_IS)
        self._watchers: dict[int, tuple[Callable[[], None], int]] = {}
        self._request = gpiod.request_lines(
            chip, config=self._config(), consumer="cylindre", event_buffer_size=QUEUE
        )
        self.initial_levels = tuple(self._levels())  # what the edges start from
        self._ledger = EdgeLedger(self.initial_levels, now_us())
        self._check_at_us = now_us() + CHECK_US

    def read(self, until_us: int) -> Sequence[Edge]:
        """Waits for edges, no later than `until_us`; returns (at_us, line, level) in order of time.

        An empty answer says that none came by `until_us`. After a DOUBT comes the line's level, at
        once or when it is known again.
        """
        while True:
            now_us = self.now_us()
            found = self._drain(now_us)
            if found:
                return found
            if now_us >= until_us:
                self._ledger.promise(until_us)
                return found
            wake_us = min(until_us, self._ledger.deadline_us() or until_us)
            self._request.wait_edge_events(max(0, wake_us - now_us) / 1_000_000)

    def level(self, pin: int) -> int:
        """Returns the level of an input line now. Raises ValueError for a pin that is none."""
        self._want(pin)
        return int(bool(self._request.get_value(pin)))

    def watch(self, pin: int, call: Callable[[], None] | None, trigger: int) -> None:
        """Calls `call` from `read` at edges named by `trigger` (Pin.IRQ_*); None ends it.

        Raises ValueError for a pin whose edges are not read.
        """
        if pin not in self._line:
            raise ValueError(f"GPIO {pin} gives no edges: the board does not name it in `inputs`.")
        if call is None:
            self._watchers.pop(self._line[pin], None)
        else:
            self._watchers[self._line[pin]] = (call, trigger)

    def set_pull(self, pin: int, pull: int | None) -> None:
        """Sets the bias: Pin.PULL_UP, Pin.PULL_DOWN, None for none, -1 to leave it."""
        self._want(pin)
        bias = self._gpiod.line.Bias
        wanted = {
            Pin.PULL_UP: bias.PULL_UP,
            Pin.PULL_DOWN: bias.PULL_DOWN,
            None: bias.DISABLED,
            -1: self._bias[pin],
        }[pull]
        if wanted != self._bias[pin]:
            self._bias[pin] = wanted
            # Every line must be named: gpiod sets those that are not to its defaults.
            self._request.reconfigure_lines(self._config())

    def close(self) -> None:
        """Gives the lines back."""
        self._request.release()

    def _want(self, pin: int) -> None:
        if pin not in self._bias:
            raise ValueError(f"GPIO {pin} is not an input of this board. Name it in its file.")

    def _config(self) -> dict[int, Any]:
        line = self._gpiod.line
        return {
            pin: self._gpiod.LineSettings(
                direction=line.Direction.INPUT,
                edge_detection=line.Edge.BOTH if pin in self._line else line.Edge.NONE,
                bias=bias,
                event_clock=line.Clock.MONOTONIC,
            )
            for pin, bias in self._bias.items()
        }

    def _levels(self) -> list[int]:
        return [int(bool(value)) for value in self._request.get_values(self._pins)]

    def _drain(self, now_us: int) -> list[Edge]:
        rising = self._gpiod.EdgeEvent.Type.RISING_EDGE
        for _ in range(READS_MAX):
            if not self._request.wait_edge_events(0):
                break
            for event in self._request.read_edge_events():
                self._ledger.add_edge(
                    event.timestamp_ns // 1000,
                    self._line[event.line_offset],
                    1 if event.event_type == rising else 0,
                    line_seqno=event.line_seqno,
                    seqno=event.global_seqno,
                )
        else:
            self._check_at_us = now_us + CHECK_US  # not drained: the levels are ahead of us
        found = self._ledger.release(now_us)
        if now_us >= self._check_at_us:
            self._check_at_us = now_us + CHECK_US
            self._ledger.check(now_us, self._levels())
            found += self._ledger.release(now_us)
        if self._watchers:
            self._call(found)
        return found

    def _call(self, found: Sequence[Edge]) -> None:
        for _, line, level in found:
            call, trigger = self._watchers.get(line, (None, 0))
            edge = Pin.IRQ_RISING if level else Pin.IRQ_FALLING
            if call and level != DOUBT and trigger & edge:
                call()


__all__ = ["DOUBT", "HOLD_US", "Edge", "GpiodEdges", "find_chip"]
