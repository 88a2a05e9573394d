"""The places where a machine can be: one bench each for the conformance suite.

A bench is the world around a `machine`: it moves inputs, looks at outputs, puts chips on I2C.
A further place is one more class in BENCHES. Inside the guest of tools.hil.kernel the benches are
the real kernel's (kernel_bench.py), and no other.
"""

import enum
import os
import sys
import types
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware.shims.edges import GpiodEdges
from firmware.shims.pi import PiMachine
from firmware.shims.virtual import RegisterDevice, VirtualMachine, uart_pair

sys.path.insert(0, str(Path(__file__).parent))
from far_end import FarEnd

INPUT, OTHER_INPUT, POLLED = 17, 4, 23
I2C_ADDR = 0x53
IN_THE_GUEST = "HIL_OUT" in os.environ


class VirtualBench:
    duty_error_u16 = 0

    def __init__(self, monkeypatch, tmp_path):
        self.now_us = 0
        self.machine = VirtualMachine(lambda: self.now_us)
        near, self._far = uart_pair()
        self.machine.attach_uart(0, near)
        self.chip = bytearray(64)
        self.machine.attach_i2c(1, I2C_ADDR, RegisterDevice(self.chip))

    def set_input(self, pin, level):
        self.machine.set_input(pin, level)

    def pump(self):
        """Lets the machine notice what happened."""

    def level(self, pin):
        return self.machine.level(pin)

    def duty_u16(self, pin):
        return self.machine.duty_u16(pin)

    def far_write(self, data):
        self._far.write(data)

    def far_read(self, count):
        return self._far.read(count)

    def unplug(self):
        self.machine._ports[0].unplug()

    def feeds(self):
        return len(self.machine.dog.fed_us)

    def close(self):
        pass


# --- stand-ins for the modules of others, by the names and shapes of their sources ------------
class FakeLines:
    """What the kernel knows of the lines."""

    def __init__(self):
        self.levels = dict.fromkeys(range(28), 0)
        self.owner = {}
        self.waves = {}


def fake_rpi_gpio(lines):
    """RPi.GPIO as rpi-lgpio 0.6 has it, for outputs and PWM."""
    gpio = types.ModuleType("RPi.GPIO")
    gpio.BCM, gpio.OUT, gpio.IN = 11, 0, 1

    class Pwm:
        def __init__(self, channel, frequency):
            if channel in lines.waves:
                raise RuntimeError("A PWM object already exists for this GPIO channel")
            self.channel, self.frequency, self.dc = channel, float(frequency), None
            lines.waves[channel] = self

        def start(self, dc):
            self.dc = float(dc)
            assert 0 <= self.dc <= 100

        def stop(self):
            lines.waves.pop(self.channel, None)
            lines.levels[self.channel] = 0

        def ChangeDutyCycle(self, dc):  # noqa: N802
            self.start(dc)

        def ChangeFrequency(self, frequency):  # noqa: N802
            self.frequency = float(frequency)

    def setup(channel, direction, initial=None):
        assert direction == gpio.OUT, "inputs belong to gpiod"
        if lines.owner.setdefault(channel, "RPi.GPIO") != "RPi.GPIO":
            raise Exception("'GPIO busy'")
        if initial is not None:
            lines.levels[channel] = initial

    def output(channel, value):
        assert lines.owner.get(channel) == "RPi.GPIO"
        lines.levels[channel] = int(value)

    gpio.setup, gpio.output, gpio.PWM = setup, output, Pwm
    gpio.input = lambda channel: lines.levels[channel]
    gpio.setmode = gpio.setwarnings = lambda mode: None
    gpio.cleanup = lambda channels: [lines.owner.pop(channel) for channel in channels]
    return gpio


class FakeRequest:
    """gpiod.LineRequest of gpiod 2.5: numbered edges in a queue that drops its oldest."""

    def __init__(self, lines, config, queue):
        self.lines, self.config, self.size = lines, config, queue
        self.queue, self.seqno, self.line_seqno = [], 0, {}
        self.waited, self.reconfigured = [], []
        for pin in config:
            if lines.owner.setdefault(pin, "gpiod") != "gpiod":
                raise OSError(16, "Device or resource busy")

    def edge(self, pin, level, at_ns, *, lost=False, count=True):
        self.lines.levels[pin] = level
        if count:
            self.seqno += 1
            self.line_seqno[pin] = self.line_seqno.get(pin, 0) + 1
        if lost or self.config[pin].edge_detection is not FAKE_GPIOD.line.Edge.BOTH:
            return
        kind = FAKE_GPIOD.EdgeEvent.Type(1 if level else 2)
        self.queue.append(FakeEvent(kind, at_ns, pin, self.seqno, self.line_seqno[pin]))
        del self.queue[: -self.size]

    def wait_edge_events(self, timeout=None):
        self.waited.append(timeout)
        return bool(self.queue)

    def read_edge_events(self, max_events=None):
        assert self.queue, "a real one would block"
        events, self.queue = self.queue[:64], self.queue[64:]
        return events

    def get_value(self, line):
        return FAKE_GPIOD.line.Value(self.lines.levels[line])

    def get_values(self, lines=None):
        return [self.get_value(line) for line in lines or self.config]

    def reconfigure_lines(self, config):
        assert set(config) == set(self.config), "others would lose their settings"
        self.config = config
        self.reconfigured.append(config)

    def release(self):
        for pin in self.config:
            self.lines.owner.pop(pin, None)


@dataclass(frozen=True)
class FakeEvent:
    event_type: object
    timestamp_ns: int
    line_offset: int
    global_seqno: int
    line_seqno: int


@dataclass
class FakeLineSettings:
    direction: object = None
    edge_detection: object = None
    bias: object = None
    event_clock: object = None


def _fake_gpiod():
    gpiod = types.SimpleNamespace(LineSettings=FakeLineSettings)
    gpiod.EdgeEvent = types.SimpleNamespace(
        Type=enum.Enum("Type", [("RISING_EDGE", 1), ("FALLING_EDGE", 2)])
    )

    class Value(enum.Enum):
        INACTIVE = 0
        ACTIVE = 1

        def __bool__(self):
            return self is Value.ACTIVE

    gpiod.line = types.SimpleNamespace(
        Value=Value,
        Direction=enum.Enum("Direction", ["AS_IS", "INPUT", "OUTPUT"]),
        Edge=enum.Enum("Edge", ["NONE", "RISING", "FALLING", "BOTH"]),
        Bias=enum.Enum("Bias", ["AS_IS", "UNKNOWN", "DISABLED", "PULL_UP", "PULL_DOWN"]),
        Clock=enum.Enum("Clock", ["MONOTONIC", "REALTIME", "HTE"]),
    )
    return gpiod


FAKE_GPIOD = _fake_gpiod()


def gpiod_over(lines, requests, label="pinctrl-rp1"):
    """A gpiod module whose requests land in `requests`."""
    module = types.ModuleType("gpiod")
    module.__dict__.update(vars(FAKE_GPIOD))

    class Chip:
        def __init__(self, path):
            self.path = path

        def __enter__(self):
            return self

        def __exit__(self, *args):
            pass

        def get_info(self):
            return types.SimpleNamespace(label=label)

    def request_lines(path, config, consumer=None, event_buffer_size=None):
        requests.append(FakeRequest(lines, config, event_buffer_size))
        return requests[-1]

    module.Chip, module.request_lines = Chip, request_lines
    return module


class FakeSmbus:
    """smbus2.SMBus over a RegisterDevice, as i2c-dev answers on a Pi 4."""

    def __init__(self, chip):
        self._device = RegisterDevice(chip)

    def _answering(self, addr):
        if addr != I2C_ADDR:
            raise OSError(121, "Remote I/O error")
        return self._device

    def write_quick(self, addr):
        self._answering(addr)

    def write_byte(self, addr, value):
        self._answering(addr).write(bytes((value,)))

    def read_byte(self, addr):
        return self._answering(addr).read(1)[0]

    def read_i2c_block_data(self, addr, register, length):
        assert length <= 32
        self._answering(addr).write(bytes((register,)))
        return list(self._device.read(length))

    def write_i2c_block_data(self, addr, register, data):
        assert len(data) <= 32
        self._answering(addr).write(bytes((register, *data)))

    def i2c_rdwr(self, *messages):
        for message in messages:
            if message.count:
                message.data = self._answering(message.addr).read(message.count)
            else:
                self._answering(message.addr).write(message.data)


@dataclass
class FakeMessage:
    addr: int
    data: bytes = b""
    count: int = 0

    def __iter__(self):
        return iter(self.data)


def fake_smbus2(chip):
    module = types.ModuleType("smbus2")
    module.SMBus = lambda bus: FakeSmbus(chip)
    module.i2c_msg = types.SimpleNamespace(
        write=lambda addr, data: FakeMessage(addr, bytes(data)),
        read=lambda addr, count: FakeMessage(addr, count=count),
    )
    return module


@dataclass
class FakeIoctl:
    calls: list = field(default_factory=list)

    def __call__(self, file, request, argument):
        self.calls.append((request, argument))


class PiBench(FarEnd):
    """The Pi provider: stand-ins for RPi.GPIO, gpiod and smbus2, a real pty for pyserial."""

    duty_error_u16 = 0

    def __init__(self, monkeypatch, tmp_path):
        self.chip = bytearray(64)
        monkeypatch.setitem(sys.modules, "smbus2", fake_smbus2(self.chip))
        self.lines, self.requests, self.now_us = FakeLines(), [], 1_000_000
        self.edges = GpiodEdges(
            gpiod_over(self.lines, self.requests),
            "/dev/gpiochip0",
            pins=(INPUT, OTHER_INPUT),
            polled=(POLLED,),
            now_us=lambda: self.now_us,
        )
        self.ioctl = FakeIoctl()
        super().__init__(tmp_path, self.ioctl)
        self.machine = PiMachine(fake_rpi_gpio(self.lines), self.edges, self.ports)

    def set_input(self, pin, level):
        self.now_us += 100
        if self.lines.levels[pin] != level:
            self.requests[0].edge(pin, level, self.now_us * 1000)

    def pump(self):
        self.now_us += 100
        return self.edges.read(self.now_us)

    def level(self, pin):
        return self.lines.levels[pin]

    def duty_u16(self, pin):
        wave = self.lines.waves.get(pin)
        return round(wave.dc * 65535 / 100) if wave else 0

    def close(self):
        self.machine.close()
        self.hang_up()


BENCHES = {"virtual": VirtualBench, "pi": PiBench}


def kernel_bench(monkeypatch, tmp_path):
    from kernel_bench import KernelBench

    return KernelBench(monkeypatch, tmp_path, (INPUT, OTHER_INPUT), (POLLED,), I2C_ADDR)


if IN_THE_GUEST:
    BENCHES = {"kernel": kernel_bench}


@pytest.fixture(params=sorted(BENCHES))
def bench(request, monkeypatch, tmp_path):
    bench = BENCHES[request.param](monkeypatch, tmp_path)
    yield bench
    bench.close()


class EdgeBench:
    """GpiodEdges over a stand-in of gpiod; waiting makes time pass, and what was planned happen."""

    tolerance_us = 0

    def __init__(self, levels=()):
        self.now_us, self.plan, self.requests, self.lines = 1_000_000, [], [], FakeLines()
        self.lines.levels.update(levels)
        self.gpiod = gpiod_over(self.lines, self.requests)
        self.edges = GpiodEdges(
            self.gpiod,
            "/dev/gpiochip0",
            pins=(INPUT, OTHER_INPUT),
            polled=(POLLED,),
            now_us=lambda: self.now_us,
        )
        self.request = self.requests[0]
        wait = self.request.wait_edge_events

        def wait_and_let_time_pass(timeout):
            until_us = self.now_us + round(timeout * 1_000_000)
            while self.plan and self.plan[0][0] <= until_us and not self.request.queue:
                self.now_us = max(self.now_us, self.plan[0][0])
                self.plan.pop(0)[1]()
            if not self.request.queue:
                self.now_us = until_us
            return wait(timeout)

        self.request.wait_edge_events = wait_and_let_time_pass

    def at(self, at_us, call):
        self.plan.append((at_us, call))

    def edge_at(self, at_us, pin, level, **how):
        self.at(at_us, lambda: self.request.edge(pin, level, at_us * 1000, **how))

    def edge_now(self, pin, level):
        self.now_us += 1
        self.request.edge(pin, level, self.now_us * 1000)

    def set_level(self, pin, level):
        self.lines.levels[pin] = level

    def close(self):
        pass


@pytest.fixture
def edge_bench():
    return EdgeBench


@pytest.fixture
def edges_bench():
    """Makes benches of edges, of the place that this is."""
    made = []

    def make(levels=()):
        if IN_THE_GUEST:
            from kernel_bench import KernelEdgeBench

            made.append(KernelEdgeBench((INPUT, OTHER_INPUT), (POLLED,), dict(levels)))
        else:
            made.append(EdgeBench(levels))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


@pytest.fixture
def fake_gpio():
    """The stand-ins (lines, RPi.GPIO, gpiod) of one machine."""

    def make(label="pinctrl-rp1"):
        lines, requests = FakeLines(), []
        return types.SimpleNamespace(
            lines=lines,
            requests=requests,
            gpio=fake_rpi_gpio(lines),
            gpiod=gpiod_over(lines, requests, label),
        )

    return make


@pytest.fixture
def settings_class():
    return FakeLineSettings
