"""A table that goes where it is told, asked every 100 ms, and what the displays then hear."""

import select
import time
from typing import Any

from patience import Meter

from firmware.services.gateway.facts import Facts
from firmware.services.gateway.translator import INTERVAL_US, Translator

ASK_US = 100_000
TICK_US = 5_000
SILENCE_S = 3 * INTERVAL_US / 1_000_000  # three lines would have come
STILL = Facts(
    state="BETS_OPEN",
    coup=0,
    open=False,
    rotor=None,
    ball=None,
    rotor_rpm=0,
    number=None,
    last_number=None,
    result_age_ms=None,
    reason=None,
    faults=(),
    game="roulette",
    loop_age_ms=0,
)


def silence(masters: list[int]) -> bool:
    """Whether nothing comes on these lines for SILENCE_S of a machine that runs."""
    began_s = time.monotonic()
    with Meter() as meter:
        while (left_s := began_s + SILENCE_S + meter.stalled_s - time.monotonic()) > 0:
            if select.select(masters, [], [], left_s)[0]:
                return False
    return True


class Table:
    """One translator, the facts that it asks for, and every line with its time."""

    def __init__(self, translator: Translator | None = None, **facts: Any) -> None:
        self.translator = translator or Translator()
        self.facts = STILL._replace(**facts)
        self.told = self.facts  # what the translator has heard of them
        self.now_us = 0
        self.heard: list[tuple[int, bytes]] = []
        self.answers = True  # whether the controller does
        self._result_us: int | None = None
        self._ask_us = 0

    def confirm(self, number: int, **facts: Any) -> None:
        """The controller tells a result."""
        self._result_us = self.now_us
        self.facts = self.facts._replace(
            state="CONFIRMED", open=False, number=number, last_number=number, reason=None, **facts
        )

    def begin(self, coup: int, **facts: Any) -> None:
        """The controller opens a coup."""
        self._result_us = None
        self.facts = self.facts._replace(
            state="BETS_OPEN", coup=coup, open=True, number=None, result_age_ms=None, **facts
        )

    def to(self, state: str, **facts: Any) -> None:
        """The controller goes on, without a number."""
        self._result_us = None
        self.facts = self.facts._replace(state=state, number=None, result_age_ms=None, **facts)

    def run(self, seconds: float) -> list[str]:
        """Lets time pass; returns the lines of it, without their ends."""
        end_us = self.now_us + round(seconds * 1_000_000)
        first = len(self.heard)
        while self.now_us < end_us:
            if self.answers and self.now_us >= self._ask_us:
                self._ask_us = self.now_us + ASK_US
                age = None if self._result_us is None else (self.now_us - self._result_us) // 1000
                self.told = self.facts._replace(result_age_ms=age)
                self.translator.take_answer(self.told, self.now_us)
            out = self.translator.lines(self.now_us)
            assert out == b"" or out.endswith(b"\r\n")
            self.heard += [(self.now_us, line) for line in out.split(b"\r\n")[:-1]]
            self.now_us += TICK_US
        return [line.decode() for _, line in self.heard[first:]]
