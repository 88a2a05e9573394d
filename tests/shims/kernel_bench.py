"""The bench of a real kernel: gpio-sim, gpiod, rpi-lgpio, i2c-dev, ttys. Inside its guest alone."""

import os
import select
import tempfile
import threading
import time
from functools import cache

from far_end import FarEnd

from firmware.shims.edges import GpiodEdges
from firmware.shims.pi import PiMachine
from firmware.shims.virtual import RegisterDevice
from tools.hil.kernel.devices import BUS, ChipBus, SimChip
from tools.hil.stage.wheel import disable_timer_slack

LABEL = "pinctrl-bcm2711"
INPUTS = (4, 17, 23)
MEASURE_S = 0.2  # of a wave of 1 kHz: 200 periods


@cache
def chip():
    """The guest's one chip: it lives as long as the guest."""
    return SimChip(LABEL)


def real_edges(pins, polled):
    import gpiod

    return GpiodEdges(gpiod, chip().path, pins=pins, polled=polled)


class KernelBench(FarEnd):
    """PiMachine with nothing stood in for."""

    duty_error_u16 = 2000  # a software wave is as good as its thread's wakes: 3 % at 1 kHz

    def __init__(self, monkeypatch, tmp_path, pins, polled, addr):
        os.environ.setdefault("LG_WD", tempfile.gettempdir())  # as firmware.shims.pi does
        from RPi import GPIO

        for pin in INPUTS:
            chip().set_input(pin, 0)
        self.chip = bytearray(64)
        self._bus = ChipBus()
        self._bus.attach_i2c(BUS, addr, RegisterDevice(self.chip))
        self._closing, self._closed = os.pipe()
        self._server = threading.Thread(target=self._serve, daemon=True)
        self._server.start()
        super().__init__(tmp_path, lambda *arguments: None)
        self.edges = real_edges(pins, polled)
        self.machine = PiMachine(GPIO, self.edges, self.ports)

    def _serve(self):
        while True:
            ready = select.select([self._bus, self._closing], [], [])[0]
            if self._closing in ready:
                return
            self._bus.serve()

    def set_input(self, pin, level):
        chip().set_input(pin, level)

    def pump(self):
        return self.edges.read(self.edges.now_us() + 1_000)

    def level(self, pin):
        return chip().level(pin)

    def duty_u16(self, pin):
        time.sleep(0.01)  # a period that had begun is over
        chip().duty_u16(pin)
        time.sleep(MEASURE_S)
        return chip().duty_u16(pin)

    def close(self):
        self.machine.close()
        os.write(self._closed, b"\0")
        self._server.join()
        self._bus.close()
        for fd in (self._closing, self._closed):
            os.close(fd)
        self.hang_up()


class KernelEdgeBench:
    """GpiodEdges of the real gpiod; what was planned is done at its time, by threads."""

    tolerance_us = 2_000  # the planner's wake, on a busy machine

    def __init__(self, pins, polled, levels):
        for pin in INPUTS:
            chip().set_input(pin, levels.get(pin, 0))
        self.edges = real_edges(pins, polled)
        self._planned = []

    @property
    def now_us(self):
        return self.edges.now_us()

    def edge_at(self, at_us, pin, level):
        self._planned.append(threading.Thread(target=self._make, args=(at_us, pin, level)))
        self._planned[-1].start()

    def edge_now(self, pin, level):
        time.sleep(0.00001)  # virtual time stands while nobody sleeps
        chip().set_input(pin, level)

    def set_level(self, pin, level):
        chip().set_input(pin, level)

    def _make(self, at_us, pin, level):
        disable_timer_slack()
        time.sleep(max(0, at_us - self.now_us) / 1_000_000)
        chip().set_input(pin, level)

    def close(self):
        for thread in self._planned:
            thread.join()
        self.edges.close()
