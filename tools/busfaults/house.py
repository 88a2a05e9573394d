"""A controller as the displays know it: its keys, what it confirmed, and its end of the line.

`Day` plays it coup after coup, faster than any house, while the wire is at fault.
"""

from __future__ import annotations

from random import Random
from typing import Any

import rules
from firmware.bus import record
from firmware.bus.display_host import DisplayHost
from firmware.bus.line import TableLine
from firmware.bus.messages import CONFIRMED, HISTORY_MAX, VOID, Table
from firmware.core.facts import View
from firmware.store.signing import PRIVATE_SIZE, Signer

BAUD = 115200
GAME = "roulette"
RULES = rules.load("roulette_lu")
COLOURS = dict(zip(RULES["layout"], RULES["colours"], strict=True))
_UTC = 1_795_000_000

# How a coup ended: its number and colour, both None for a void.
Outcome = tuple[int | None, str | None]
_VOIDED = "croupier"  # why a correction voids

# Of a day: how long its views last, and how its coups end.
_SHORT_US = (60_000, 500_000)
_SHOWN_US = (300_000, 2_000_000)
_REASONS = ("too_few_turns", "two_balls", "croupier", "sensors_disagree")
_NUMBERS = 37
# A correction, of the coup that ended last or of an older one: not a state of the table.
_CORRECTION = "correction"
_BACK_MAX = 12  # coups


class House:
    """One wheel: gives each outcome its record first, and then shows it."""

    game = GAME
    has_cards = False

    def __init__(self, rng: Random, addresses: range, *, wheel: str = "T1", epoch: int = 1) -> None:
        self._rng = rng
        self.wheel = wheel
        self.epoch = epoch
        self.keys = {address: rng.randbytes(32) for address in addresses}
        self.signer = Signer(rng.randbytes(PRIVATE_SIZE))
        self.first_signer = self.signer
        self.root = self.signer.public
        self.rotations: tuple[bytes, ...] = ()
        self.seq = 0
        self.coup = 0
        self.records: dict[int, bytes] = {}
        # By epoch and seq: the last coup that had ended by then, and how it stood.
        self.outcomes: dict[tuple[int, int], tuple[int, Outcome]] = {}
        self._corrects = [False]  # by seq
        self._ended: dict[int, Outcome] = {}  # coups, in their order, as they stand
        self._stands: dict[int, int] = {}  # by coup: seq of the record that says how it stands
        self._history: list[tuple[tuple[int, str] | None, ...]] = [()]
        self.view = View("BETS_OPEN", 1, 0, 1, None, None, None)
        self.troubles: list[tuple[str, str]] = []
        self.start()

    def start(self) -> None:
        """Begins as after a start of the process: another session, the records as they were."""
        self.display_host = DisplayHost(
            self._rng.getrandbits(64),
            self.keys,
            self.records.get,
            game=self.game,
            epoch=self.epoch,
            kid=self.signer.kid,
            rotations=self.rotations,
            table=table(self.wheel),
            baud=BAUD,
            cards=self.has_cards,
        )
        self.line = TableLine(self.display_host)
        self.line.show_view(self.view)

    def exchange(self, data: bytes, now_us: int) -> list[bytes]:
        """The loop's poll of the bus: the frames to send."""
        frames = self.line.exchange(data, now_us)
        self.troubles += self.line.troubles()
        return frames

    def set_view(self, view: View) -> None:
        """What all displays shall light from now on."""
        self.view = view
        self.line.show_view(view)

    def rotate(self) -> None:
        """Another signing key, said by the one before it. To be followed by `start`."""
        fresh = Signer(self._rng.randbytes(PRIVATE_SIZE))
        told = self._sign(kind="rotation", next_key=fresh.public, seq=self.seq or None)
        self.rotations = (*self.rotations, told)
        self.signer = fresh

    def confirm(self, number: int) -> View:
        """A result, recorded; the view that shows it."""
        colour = COLOURS[number]
        self._record("result", number=number, colour=colour)
        return View(CONFIRMED, self.coup, self.seq, 1, number, colour, None)

    def void(self, reason: str) -> View:
        """A void, recorded."""
        self._record("void", reason=reason)
        return View(VOID, self.coup, self.seq, 1, None, None, reason)

    def correct(self, number: int | None, back: int = 0) -> View:
        """Another number, None for a void, for the coup that ended so many before the last one;
        recorded. The table goes on as it was, but where that coup is the one that it shows."""
        coup = list(self._ended)[-1 - back]
        outcome: dict[str, Any] = {"reason": _VOIDED}
        if number is not None:
            outcome = {"number": number, "colour": COLOURS[number]}
        told = {"coup": coup, "corrects": self._stands[coup], "manual": ("Anne", "Luc")}
        self._record("correction", **told, **outcome)
        if coup != self.coup or self.view.state not in (CONFIRMED, VOID):
            return self.view._replace(seq=self.seq)
        if number is None:
            return View(VOID, coup, self.seq, 1, None, None, _VOIDED)
        return View(CONFIRMED, coup, self.seq, 1, number, COLOURS[number], None)

    @property
    def ended(self) -> int:
        """How many coups have ended."""
        return len(self._ended)

    def history(self, seq: int) -> tuple[tuple[int, str] | None, ...]:
        """Every coup's number and colour up to the record `seq`, None for a void; newest last."""
        return self._history[seq]

    def outcomes_told(self) -> int:
        """How many coups the last messages.HISTORY_MAX records tell of."""
        past = range(max(1, self.seq - HISTORY_MAX + 1), self.seq + 1)
        return sum(not self._corrects[seq] for seq in past)

    def _record(self, kind: str, **outcome: Any) -> None:
        self.seq += 1
        coup: int = outcome.pop("coup", self.coup)
        before = self.records.get(self.seq - 1)
        self.records[self.seq] = self._sign(
            kind=kind,
            seq=self.seq,
            coup=coup,
            game=self.game,
            rules_hash=bytes(8),
            firmware=bytes(8),
            prev=bytes(16),
            after=None if before is None else record.digest(before),
            **self.about(),
            **outcome,
        )
        self._ended[coup] = (outcome.get("number"), outcome.get("colour"))
        self._stands[coup] = self.seq
        last = next(reversed(self._ended))
        self.outcomes[self.epoch, self.seq] = (last, self._ended[last])
        self._corrects.append(kind == "correction")
        past = self._ended.values()
        self._history.append(
            tuple(None if number is None else (number, str(colour)) for number, colour in past)
        )

    def about(self) -> dict[str, Any]:
        """What all its outcomes have."""
        return {"rules": RULES["name"], "layout_verified": True, "rotor": 1, "ball": -1}

    def _sign(self, **fields: Any) -> bytes:
        utc = _UTC + 45 * self.coup
        return self.signer.sign(
            {"wheel": self.wheel, "epoch": self.epoch, "utc": utc, "quality": 3, **fields}
        )


def table(wheel: str) -> Table:
    """What the displays are told of limits."""
    return Table(RULES["name"], wheel, 500, 500, (("plein", 20), ("cheval", 40)), None)


class Day:
    """Gives the house its next view when its time has come; `held` stops the clock."""

    def __init__(self, rng: Random, house: House) -> None:
        self._rng = rng
        self._house = house
        self._next_us = 0
        self._waiting: list[View] = []
        self.held = False

    def step(self, now_us: int) -> View | None:
        """The view that begins now, if one does; it is shown already."""
        if self.held or now_us < self._next_us:
            return None
        if not self._waiting:
            self._waiting = self._coup()
        view = self._waiting.pop(0)
        if view.state in ("CONFIRMED", "VOID", _CORRECTION):
            view = self._end(view.state)
        else:
            view = view._replace(seq=self._house.seq)
        low, high = _SHOWN_US if view.state in ("CONFIRMED", "VOID") else _SHORT_US
        self._next_us = now_us + self._rng.randrange(low, high)
        self._house.set_view(view)
        return view

    def _coup(self) -> list[View]:
        """How the next coup goes; its outcome is made when its time comes."""
        house, rng = self._house, self._rng
        house.coup += 1
        states = ["BETS_OPEN", "BALL_IN_TRACK", "NO_MORE_BETS"]
        if rng.random() < 0.1:
            states.insert(1, _CORRECTION)
        way = rng.random()
        if way < 0.7:
            states += ["BALL_DROPPED", "DETECTED", "CONFIRMED"]
        elif way < 0.8:
            states += ["MANUAL", "CONFIRMED"]
        else:
            states += ["VOID"]
        while rng.random() < 0.2:
            states += [_CORRECTION]
        if rng.random() < 0.05:
            states += ["FAULT"]
        return [View(state, house.coup, 0, 1, None, None, None) for state in states]

    def _end(self, state: str) -> View:
        house, rng = self._house, self._rng
        if state == _CORRECTION:
            return self._correction()
        if state == "VOID":
            return house.void(rng.choice(_REASONS))
        return house.confirm(rng.randrange(_NUMBERS))

    def _correction(self) -> View:
        """Of any of the last coups, to a number or to a void; of none if none has ended."""
        house, rng = self._house, self._rng
        if not house.ended:
            return house.view
        back = rng.choice((0, rng.randrange(min(_BACK_MAX, house.ended))))
        return house.correct(None if rng.random() < 0.25 else rng.randrange(_NUMBERS), back)
