"""Looks after what the coup does not need: is the wheel level, is the clock right. Notices only.

A transfer on I2C waits for the bus, so a thread of its own does it; the loop takes what there is to
say as it takes what people ask. A state is told when it begins, not as long as it lasts.
"""

import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from firmware.core.facts import Trouble

# The chip measures every 10 ms; half of that makes a mean of 256 in 5 s, and tilt comes slower.
PERIOD_US = 20_000
BARREN_MAX = 768  # readings without a level: that of three means. A chip that is well gives one
RETRY_US = 10_000_000  # a sensor that does not answer is asked again
CLOCK_US = 3_600_000_000  # a clock chip loses 0.2 s a day, and its battery no more than once
WAITING_MAX = 16  # notices the loop may be behind; a sensor that comes and goes makes 2 in 10 s
_CLOSE_S = 1.0  # the kernel gives up a stuck transfer after about a second

NOT_LEVEL = "L10"
NO_LEVEL = "L11"
CLOCK_NOT_SET = "T10"
NO_CLOCK = "T11"


class Checks:
    """What level and clock have to say. `poll` waits for their bus."""

    def __init__(self, level: Any, clock: Any, *, warn_mdeg: int) -> None:
        """Takes drivers.level_adxl345, drivers.clock_ds3231, and how much tilt is told."""
        self._level = level
        self._clock = clock
        self._warn_mdeg = warn_mdeg
        self._measuring = False
        self._barren = 0  # readings since the last level
        self._over = False  # that was over the limit
        self._level_at_us = 0
        self._clock_at_us = 0
        self._said: dict[str, str | None] = {"level": None, "clock": None}
        self._mdeg: tuple[int, int] | None = None  # the last level
        self._time: Any = None  # the clock's last Reading

    def poll(self, now_us: int) -> Sequence[Trouble]:
        """Does what is due, every PERIOD_US; returns what is newly wrong."""
        found: list[Trouble] = []
        if now_us >= self._level_at_us:
            self._look_at_level(now_us, found)
        if now_us >= self._clock_at_us:
            self._clock_at_us = now_us + CLOCK_US
            self._look_at_clock(found)
        return found

    def parts(self) -> dict[str, Any]:
        """Returns what both said last, for a technician; None: it does not answer.

        A level is a mean of some seconds: until there is one its angles are None.
        """
        time_read = self._time
        level = None
        if self._said["level"] != NO_LEVEL:
            x_mdeg, y_mdeg = self._mdeg or (None, None)
            level = {"x_mdeg": x_mdeg, "y_mdeg": y_mdeg, "zero_mdeg": self._level.zero_mdeg}
        return {
            "level": level,
            "clock": None if time_read is None else time_read._asdict(),
        }

    def _look_at_level(self, now_us: int, found: list[Trouble]) -> None:
        try:
            if not self._measuring:
                self._level.start()
                self._measuring = True
                self._barren = 0
            xy_mdeg = self._level.sample()
        except OSError:
            xy_mdeg = None
            self._barren = BARREN_MAX
        if xy_mdeg is not None:
            self._barren = 0
            self._mdeg = xy_mdeg
            self._judge(xy_mdeg, found)
            return
        self._barren += 1
        if self._barren > BARREN_MAX:
            self._measuring = False
            self._level_at_us = now_us + RETRY_US
            self._mdeg = None
            self._say("level", NO_LEVEL, "", found)

    def _judge(self, xy_mdeg: tuple[int, int], found: list[Trouble]) -> None:
        x_mdeg, y_mdeg = xy_mdeg
        # Over only below half of what began it: a wheel at the limit is told once.
        warned = self._said["level"] == NOT_LEVEL
        limit_mdeg = self._warn_mdeg // 2 if warned else self._warn_mdeg
        square = x_mdeg * x_mdeg + y_mdeg * y_mdeg
        # Seen again before it is told: a mean scatters by 14 mdeg, and bears a knock.
        sure = warned or self._over
        self._over = square >= limit_mdeg * limit_mdeg
        tilted = self._over and sure
        detail = f"X {x_mdeg / 1000:+.2f}, Y {y_mdeg / 1000:+.2f} degrees."
        self._say("level", NOT_LEVEL if tilted else None, detail, found)

    def _look_at_clock(self, found: list[Trouble]) -> None:
        try:
            self._time = self._clock.read()
            code = None if self._time.trusted else CLOCK_NOT_SET
        except OSError:
            self._time = None
            code = NO_CLOCK
        self._say("clock", code, "", found)

    def _say(self, chip: str, code: str | None, detail: str, found: list[Trouble]) -> None:
        if code is not None and code != self._said[chip]:
            found.append(Trouble(0, code, detail))
        self._said[chip] = code


class SlowSensors:
    """Goes round in a thread of its own. For the loop it is an EventSource."""

    def __init__(self, checks: Checks) -> None:
        """Starts the thread at once."""
        self._checks = checks
        self._found: deque[Trouble] = deque(maxlen=WAITING_MAX)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._go_round, name="slow-sensors", daemon=True)
        self._thread.start()

    def take_events(self) -> Sequence[Trouble]:
        """Returns what is newly wrong since the last call, at_us = 0."""
        found = []
        while self._found:
            found.append(self._found.popleft())
        return found

    def parts(self) -> dict[str, Any]:
        """Returns what level and clock said last. May be called by another thread."""
        return self._checks.parts()

    def decided(self, refusal: str | None) -> None:
        """Does nothing: troubles are never refused."""

    def close(self) -> None:
        """Ends the rounds. A transfer that is stuck is left to itself."""
        self._closing.set()
        self._thread.join(_CLOSE_S)

    def _go_round(self) -> None:
        while not self._closing.wait(PERIOD_US / 1_000_000):
            self._found.extend(self._checks.poll(time.monotonic_ns() // 1000))
