"""A wheel's journal with what the watch over its health needs, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_journal

import rules
from firmware.core.facts import CCW, CW
from firmware.store.clock import BUILT_S, Reading

LAYOUT = rules.load("roulette_lu")["layout"]
COUP_S = 40
Change = Callable[[int, random.Random, dict[str, Any], dict[str, Any]], None]


class CoupJournal:
    """Writes coups of a sound wheel, unless they are changed, and what else a wheel writes."""

    def __init__(self, path: Path, seed: object = 0, change: Change = lambda *_: None) -> None:
        self.path = path
        self.now_s = BUILT_S + 1_000_000
        self.coup = self.seq = 0
        self._draw = random.Random(f"journal {seed}")
        self._change = change
        self._journal = own_journal.opened(path, clock=lambda: Reading(self.now_s, True))

    def play(self, coups: int, **body: Any) -> None:
        """Coups with a number. `body`: what else their records say."""
        for _ in range(coups):
            self.begin()
            self.end(**body)

    def begin(self) -> None:
        self.now_s += COUP_S
        self.coup += 1
        self.seq += 1
        self._journal.put(0, "begun", {"coup": self.coup})  # durable with its end

    def end(self, **body: Any) -> None:
        draw, place = self._draw, self._draw.randrange(37)
        said = {
            "gap": draw.choices(range(3), (3, 4, 3))[0],
            "gaps_ppm": [300_000, 400_000, 300_000],
            "rotor_uturn_s": draw.randrange(250_000, 450_000),
            "launch_place": draw.randrange(37),
            "slowing_ppm": int(draw.gauss(0, 15_000)),
            "settled_us": int(draw.gauss(3_000_000, 500_000)),
            "votes": [[sensor, place, 100, 1_000] for sensor in range(3)],
        }
        told = {"place": place, "ball": CCW if self.coup % 2 else CW}
        self._change(self.coup, draw, told, said)
        place, ball = told["place"], told["ball"]
        _, found = own_journal.result(self.coup, LAYOUT[place], seq=self.seq)
        found |= {"compartment": place, "ball": ball, "rotor": -ball} | body
        self._explain(said)
        self._journal.write("result", found)

    def play_of_before(self, coups: int) -> None:
        """Coups of a journal that did not know of the watch."""
        for _ in range(coups):
            self.begin()
            self._explain({})
            self._journal.write(*own_journal.result(self.coup, seq=self.seq, compartment=8))

    def void(self, **more: Any) -> None:
        self.begin()
        self._explain({"gap": 1})
        self._journal.write(*own_journal.void(self.coup, seq=self.seq, **more))

    def act(self, what: str, detail: str = "") -> None:
        body = {"what": what, "who": "weber", "role": "technician", "detail": detail}
        self._journal.write("act", body)

    def correct(self, coup: int, place: int | None) -> None:
        self.seq += 1
        what: dict[str, Any] = {"reason": "croupier"}
        if place is not None:
            what = {"number": LAYOUT[place], "compartment": place, "colour": "red"}
        self._journal.put(0, "evidence", {"coup": coup, "seq": self.seq})
        self._journal.write(*own_journal.correction(coup, self.seq, coup, **what))

    def write(self, kind: str, body: dict[str, Any]) -> None:
        self._journal.write(kind, body)

    def close(self) -> None:
        self._journal.close(10)
        own_journal.keys(self.path.parent / "keys")

    def _explain(self, said: dict[str, Any]) -> None:
        self._journal.put(0, "evidence", said | {"coup": self.coup, "seq": self.seq})
