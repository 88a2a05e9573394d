"""A bench at a virtual wheel in jumping time: the port tools.technician.selftest.bench.Bench.

The wheel's own driver turns the motor, by the speed that the core's rotor reads of the encoder.
"""

from __future__ import annotations

import rules
from drivers.rotor_motor import LIMITS, RotorMotor
from firmware.core.sense.rotor import RotorEncoder
from firmware.lib.errors import FAILED, Failure
from firmware.shims.virtual import VirtualMachine
from tools.sim.by_hand import ByHand
from tools.sim.ports import Bridge
from tools.sim.table import virtual_table
from tools.technician.selftest.recording import Recording

PERIOD_US = 10_000
WAYS = {"ccw": 1, "cw": -1, None: 0}


class JumpingBench:
    """`board`: how the wheel is built; the drawing that the tools go by may be another."""

    def __init__(self, board, *, preset=None, seed=1, spoil=lambda edges: edges, parts=None):
        self.board = board
        self.names = [name for name, *_ in board["inputs"]]
        self.table = virtual_table(board, rules.load(board["rules"]), preset, seed)
        self.hand = ByHand(self.table, board, seed)
        self.spoil = spoil
        self.said = {} if parts is None else parts
        self.acts, self.services, self.turns, self.kept = [], [], [], []
        self.faults, self.untold = [], []
        self.now_us = 0
        self.levels = self.table.initial_levels()
        self._machine = VirtualMachine()
        self._bridge = Bridge(board, self._machine)
        self._until_us = None
        self._motor = None
        if board["rotor"] == "driven":
            self._rotor = RotorEncoder(cycles=board["geometry"]["encoder_cycles"])
            for channel in ("a", "b"):
                line = self.names.index(f"enc_{channel}")
                self._rotor.preset(channel, self.levels[line])
            self._motor = self._make_motor()
        self.hand.wait(True)

    def _make_motor(self):
        pins, safety, machine = (
            dict(self.board["outputs"]),
            dict(self.board["safety_inputs"]),
            self._machine,
        )
        out = machine.Pin.OUT
        return RotorMotor(
            pwm=machine.PWM(machine.Pin(pins["motor_pwm"], out), freq=1000, duty_u16=0),
            direction=machine.Pin(pins["motor_dir"], out),
            enable=machine.Pin(pins["motor_enable"], out, value=0),
            estop=machine.Pin(safety["estop"], machine.Pin.IN),
            overcurrent=machine.Pin(safety["overcurrent"], machine.Pin.IN),
            limits=LIMITS,
        )

    # --- the port -----------------------------------------------------------------------------
    def status(self):
        out = bool(self.services and self.services[-1][0])
        return {"state": "SERVICE" if out else "BETS_OPEN", "open": False}

    def service(self, on, why):
        self.services.append((on, why))

    def turn(self, way, rpm, for_s):
        if self._motor is None:
            raise Failure(FAILED, "No motor turns this rotor.")
        self.turns.append((way, rpm))
        self._motor.drive(WAYS[way], self.now_us, round(rpm * 1_000_000 / 60))
        self._until_us = self.now_us + round(for_s * 1_000_000)

    def forget(self):
        for _, line, level in self.untold:
            self.levels[line] = level
        self.untold = []

    def pass_time(self, for_s):
        """Somebody is asked meanwhile: what the lines do is told late, to whoever listens next."""
        end_us = self.now_us + round(for_s * 1_000_000)
        while self.now_us < end_us:
            self.untold += self._step()

    def listen(self, for_s):
        levels, edges, begin_us = list(self.levels), [], self.now_us
        if self.untold:
            begin_us, edges, self.untold = self.untold[0][0], self.untold, []
        end_us = self.now_us + round(for_s * 1_000_000)
        while self.now_us < end_us:
            edges += self._step()
        for _, line, level in edges:
            self.levels[line] = level
        return Recording(self.names, levels, edges, begin_us, end_us)

    def parts(self):
        return self.said

    def act(self, what, detail, sha256=None):
        self.acts.append((what, detail, sha256))

    def calibrate(self, values):
        self.kept.append(values)
        return "0" * 64

    # --- the wheel ----------------------------------------------------------------------------
    def _step(self):
        self.now_us += PERIOD_US
        permille = self._bridge.permille(self.now_us)
        found = self.spoil(self.table.advance(self.now_us, permille))
        if self._motor is not None:
            self._turned(found)
        return found

    def _turned(self, found):
        for at_us, line, level in found:
            name = self.names[line]
            if name == "enc_a":
                self._rotor.edge_a(at_us, level)
            elif name == "enc_b":
                self._rotor.edge_b(at_us, level)
        if self._until_us is not None and self.now_us >= self._until_us:
            self._motor.drive(0, self.now_us)
            self._until_us = None
        code = self._motor.poll(self.now_us, self._rotor.speed_uturn_s(self.now_us))
        if code is not None:
            self.faults.append({"code": code, "text": code})
