"""A shoe on its line, its driver, and the table: cards go from the readers to a paid round."""

from __future__ import annotations

import random
from typing import Any

import pytest
from harness.card_place import BURNED, CardPlace

from drivers import shoe_messages as messages
from drivers.shoe_end import ShoeEnd
from drivers.shoe_serial import ShoeSerial
from firmware.core import facts as core_facts
from firmware.core.cards import facts, hold, states
from rules.cards import deck

KEY = bytes(range(32))
STEP_US = 20_000
# Player 9, banker 6: two naturals' worth of cards and no more.
NATURAL = "9S 3D KS 3S"


class Line:
    """Both ends of the line of a table's shoe. `harm`: what befalls each run of bytes."""

    def __init__(self, seed: str = "", harm: float = 0.0) -> None:
        self.place = CardPlace("baccarat_live", idents=False)
        self.decks = self.place.limits.decks
        self.now_us = 0
        self.driver = ShoeSerial(77, 0, KEY)
        self.shoe = ShoeEnd("virtual", "17", self.decks, boot=5, key=KEY)
        self._rng = random.Random(seed)
        self._harm = harm
        self.drawn = 0

    def go(self, ms: int) -> None:
        for _ in range(ms * 1000 // STEP_US):
            self.now_us += STEP_US
            for fact in self.driver.receive(
                self._over(self.shoe.take_bytes(self.now_us)), self.now_us
            ):
                self.place.tell(type(fact), *fact[1:])
            self.driver.release(self.place.last(facts.Release).is_on)
            self.shoe.receive(self._over(self.driver.take_bytes()), self.now_us)

    def _over(self, data: bytes) -> bytes:
        if not data or self._rng.random() >= self._harm:
            return data
        at = self._rng.randrange(len(data))
        return self._rng.choice((b"", data * 2, data[:at], data[:at] + b"\x55" + data[at:]))

    def pull(self, text: str, other: str | None = None) -> None:
        """Pulls a card once the shoe lets it go. other: what the second reader reads."""
        for _ in range(100):
            if self.shoe.is_released(self.now_us):
                break
            self.go(100)
        assert self.shoe.is_released(self.now_us), "no card was let go"
        card = deck.card_of(text)
        read2 = card if other is None else deck.card_of(other)
        self.drawn += 1
        self.shoe.edge(messages.IN, self.now_us)
        self.go(100)
        self.shoe.card(card, f"S17-{self.drawn:04}", card, read2, self.now_us)
        self.go(100)
        self.shoe.edge(messages.OUT, self.now_us)
        self.go(1500)

    def begin(self) -> None:
        """Burns, takes a stake and calls."""
        self.go(2000)
        self.place.key(facts.KEY_START)
        for text in BURNED.split():
            self.pull(text)
        self.place.stake(None, 2000, bet="player", player="p9")
        self.place.call()


@pytest.mark.parametrize("harm", [0.0, 0.2])
def test_a_round_is_dealt_over_the_line_and_paid(harm: float) -> None:
    line = Line("a bad line", harm)
    line.begin()
    for text in NATURAL.split():
        line.pull(text)
    place = line.place
    assert place.state == states.CONFIRMED
    dealt = [(fact.to, fact.card) for fact in place.all(facts.CardDealt)]
    assert dealt == list(zip("PBPB", map(deck.card_of, NATURAL.split()), strict=True))
    assert [payment.won_cents for payment in place.end.payments] == [2000]
    assert place.end.verified


@pytest.mark.req("TABLE-M1.whole")
def test_what_the_readers_do_not_agree_on_is_held_and_read_again() -> None:
    line = Line()
    line.begin()
    line.pull("9S")
    held = deck.card_of("3D")
    line.shoe.edge(messages.IN, line.now_us)
    line.shoe.card(held, "", held, held + 1, line.now_us)
    line.shoe.edge(messages.OUT, line.now_us)
    line.go(1000)
    assert line.place.state == states.HOLD
    assert line.place.table.hold.why == hold.UNREAD
    line.place.tell(facts.CardPulledBack, 0, facts.SHOE)
    line.shoe.edge(messages.IN, line.now_us)
    line.shoe.card(held, "S17-0008", held, held, line.now_us)
    line.shoe.edge(messages.OUT, line.now_us)
    line.go(1000)
    line.drawn += 1
    for text in NATURAL.split()[2:]:
        line.pull(text)
    assert line.place.state == states.CONFIRMED


@pytest.mark.req("TABLE-misdeal.trouble")
def test_a_shoe_that_falls_silent_holds_the_round_and_lets_no_card_go() -> None:
    line = Line()
    line.begin()
    line.pull("9S")
    line._harm, line._rng = 1.0, Deaf()
    line.go(2000)
    assert line.place.state == states.HOLD
    assert not line.shoe.is_released(line.now_us)
    assert "K13" in line.place.faults()
    line._harm = 0.0
    line.go(1000)
    ended = [fact.code for fact in line.place.all(core_facts.FaultEnded)]
    assert ended == ["K13"]


class Deaf(random.Random):
    """A line that is cut."""

    def choice(self, seq: Any) -> Any:
        return seq[0]
