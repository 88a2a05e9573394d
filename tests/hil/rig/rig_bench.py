"""Two GPIO chips and the wires between them, at gpiod's boundary."""

import enum
import types
from collections import deque

from tools.hil.rig import probe, wiring

EXAMPLE = wiring.Path(wiring.__file__).with_name("rig.example.toml")
OURS, THEIRS = "ours", "theirs"


class Value(enum.Enum):
    INACTIVE = 0
    ACTIVE = 1


class Wires:
    """Nets of (chip, pin). A net is high if anything on it drives high; a driver drives either."""

    def __init__(self):
        self.nets = []
        self.driven = {}
        self.watchers = []
        self.stuck = set()  # of nets, by index
        self.now_us = 0

    def join(self, *pins):
        self.nets.append(set(pins))

    def level(self, at):
        for number, net in enumerate(self.nets):
            if at in net:
                return int(number in self.stuck or any(self.driven.get(pin) for pin in net))
        return self.driven.get(at, 0)

    def drive(self, at, level):
        before = [[watched(pin) for pin in pins] for watched, pins, _ in self.watchers]
        self.driven[at] = level
        for (watched, pins, queue), old in zip(self.watchers, before, strict=True):
            for pin, was in zip(pins, old, strict=True):
                if (level := watched(pin)) != was:
                    queue.append((self.now_us, pin, level))


class FakeGpiod:
    """What of gpiod 2.x the rig uses."""

    class EdgeEvent:
        class Type(enum.Enum):
            RISING_EDGE = 1
            FALLING_EDGE = 2

    line = types.SimpleNamespace(
        Value=Value,
        Direction=enum.Enum("Direction", "INPUT OUTPUT"),
        Edge=enum.Enum("Edge", "NONE BOTH"),
        Bias=enum.Enum("Bias", "AS_IS PULL_DOWN"),
        Clock=enum.Enum("Clock", "MONOTONIC"),
    )

    def __init__(self, wires, chip):
        self.wires, self.chip = wires, chip
        self.held = set()

    @staticmethod
    def LineSettings(**settings):  # noqa: N802
        return types.SimpleNamespace(**settings)

    def request_lines(self, path, *, config, consumer, event_buffer_size=0):
        assert not self.held & set(config), "EBUSY"
        self.held |= set(config)
        return FakeRequest(self, config)


class FakeRequest:
    def __init__(self, gpiod, config):
        self.gpiod, self.config = gpiod, config
        self.queue = deque()
        for pin, settings in config.items():
            if settings.direction is gpiod.line.Direction.OUTPUT:
                self.set_value(pin, settings.output_value)
        watched = [pin for pin, each in config.items() if hasattr(each, "edge_detection")]
        gpiod.wires.watchers.append((self._level, watched, self.queue))

    def _level(self, pin):
        return self.gpiod.wires.level((self.gpiod.chip, pin))

    def get_values(self, pins):
        return [Value(self._level(pin)) for pin in pins]

    def set_value(self, pin, value):
        assert self.config[pin].direction is self.gpiod.line.Direction.OUTPUT
        self.gpiod.wires.drive((self.gpiod.chip, pin), value.value)

    def wait_edge_events(self, timeout):
        return bool(self.queue)

    def read_edge_events(self):
        kind = self.gpiod.EdgeEvent.Type
        events = [
            types.SimpleNamespace(
                timestamp_ns=at * 1000,
                line_offset=pin,
                event_type=kind.RISING_EDGE if level else kind.FALLING_EDGE,
            )
            for at, pin, level in self.queue
        ]
        self.queue.clear()
        return events

    def release(self):
        self.gpiod.held -= set(self.config)


def wired(found, skip=(), **crossed):
    """The wires as the file has them; `skip`: not there; `crossed`: NAME=OTHER ends at OTHER."""
    wires = Wires()
    theirs = dict((*found.board["inputs"], *found.board["safety_inputs"], *found.board["outputs"]))
    for name, pin in found.pins.items():
        if name not in skip:
            wires.join((OURS, pin), (THEIRS, theirs[crossed.get(name, name)]))
    return wires


def probed(wires, found):
    return probe.Pins(FakeGpiod(wires, THEIRS), found.board)
