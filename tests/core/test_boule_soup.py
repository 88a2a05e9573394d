"""Boule in a mess: coups with every trouble a dish may have, and edges that no dish makes.

Held throughout: never a wrong number, one end a coup, the call at the first beam; and by
harness.watched the order of coups, records and views.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from harness.dish_by_hand import REST_S, Dish
from harness.mess import DELAYS_US, anything
from harness.playing import in_coups
from harness.sessions import Truth
from harness.watched import ENDS, Watched, codes
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.core import facts

# What may be wrong with a coup, and whether its number may come nevertheless.
CLEAN = ("nothing", "misses", "noise", "gaps", "pauses", "presses")
EITHER = ("hop", "weak", "hand", "dead_cup", "lost_edge", "void_button")
VOID = ("between", "unseen", "second", "second_late", "stuck", "object", "lifted", "no_start")


class Mess:
    """Coups on end, each with one thing wrong. `places`: what lay where, and when."""

    def __init__(self, seed: int, cups: int = 18) -> None:
        self.random = random.Random(seed)
        self.dish = Dish(cups)
        self.at_s = 1.0
        self.truths: list[Truth] = []
        self.places: list[Any] = []  # the cup, or None where there is none to tell

    def play(self, kind: str) -> None:
        """One more coup."""
        r, dish = self.random, self.dish
        cup = r.randrange(dish.cups)
        begin_s = self.at_s
        if kind != "no_start":
            dish.press(begin_s)
        drop_s = dish.throw(
            begin_s + r.uniform(1.7, 4.0),
            way=r.choice((-1, 1)),
            turns=r.uniform(0.5, 2.9) if kind == "weak" else r.uniform(4.7, 7.8),
            from_turn=r.uniform(0.0, 1.0),
            missed=0.08 if kind == "misses" else 0.0,
            seed=r.randrange(1000),
        )
        rest_s = dish.hops(drop_s, self._hops(cup, pausing=kind == "pauses"))
        lift_s = rest_s + REST_S
        start_us = round(begin_s * 1e6)
        self.truths.append(Truth(start_us - 1_000, start_us, round(lift_s * 1e6), [], kind=kind))
        self.places.append(None if kind in VOID else cup)
        trouble = getattr(self, "_" + kind, None)
        if trouble is None or not trouble(cup, begin_s, drop_s, rest_s, lift_s):
            dish.cup(cup, rest_s, REST_S)
        self.at_s = lift_s + r.uniform(1.9, 4.0)

    def _hops(self, last: int, *, pausing: bool) -> list[tuple[int, float, float]]:
        r = self.random
        lasts = (0.7, 1.0) if pausing else (0.03, 0.04, 0.06, 0.09, 0.25, 0.7)
        hops = [
            (r.randrange(self.dish.cups), r.choice(lasts), r.uniform(0.04, 0.45))
            for _ in range(r.randrange(1, 14))
        ]
        return [*hops[:-1], (self._other(last), *hops[-1][1:])]  # it comes from elsewhere

    def _other(self, cup: int) -> int:
        away = self.random.randrange(1, self.dish.cups)
        return (cup + away) % self.dish.cups

    # Each returns True if the ball does not simply rest in its cup.
    def _noise(self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float) -> None:
        r = self.random
        for _ in range(60):
            name = r.choice(self.dish.lines[: 3 + self.dish.cups])
            at_s = r.uniform(begin_s, lift_s)
            line = self.dish.lines.index(name)
            near = any(abs(at_s - edge[0]) < 0.02 for edge in self.dish.found if edge[1] == line)
            if not near and (name != f"cup{cup:02d}" or at_s < rest_s - 0.01):
                self.dish.pulse(name, at_s, r.uniform(0.0001, 0.0019))

    def _gaps(self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float) -> bool:
        at_s = rest_s
        while at_s < lift_s - 1.1:
            lasts_s = self.random.uniform(0.2, 1.0)
            self.dish.cup(cup, at_s, lasts_s)
            at_s += lasts_s + self.random.uniform(0.001, 0.008)
        self.dish.cup(cup, at_s, lift_s - at_s)
        return True

    def _presses(self, cup: int, begin_s: float, drop_s: float, rest_s: float, _: float) -> None:
        for _time in range(3):
            self.dish.press(self.random.uniform(begin_s + 0.3, drop_s))

    def _hop(self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float) -> bool:
        """Out of its cup again, later than a ball pauses."""
        other = self._other(cup)
        leaves_s = rest_s + self.random.uniform(1.0, 4.0)
        self.dish.cup(cup, rest_s, leaves_s - rest_s)
        self.dish.cup(other, leaves_s + 0.2, lift_s - leaves_s - 0.2)
        self.places[-1] = (cup, leaves_s, other)
        return True

    def _hand(self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float) -> None:
        """Somebody reaches over the rim, or over the dish."""
        names = self.dish.lines[: 3 + self.dish.cups]
        for name in self.random.sample(names, 2):
            if name != f"cup{cup:02d}":
                self.dish.pulse(name, self.random.uniform(begin_s, lift_s), 0.05)

    def _dead_cup(self, cup: int, begin_s: float, *_: float) -> bool:
        """One sensor sees nothing, in this coup: perhaps the one where the ball comes to rest."""
        dead = self.random.choice((cup, self._other(cup)))
        line = self.dish.lines.index(f"cup{dead:02d}")
        self.dish.found = [e for e in self.dish.found if e[1] != line or e[0] < begin_s]
        return dead == cup

    def _lost_edge(self, cup: int, begin_s: float, drop_s: float, rest_s: float, _: float) -> None:
        name = self.random.choice(self.dish.lines[: 3 + self.dish.cups])
        if name != f"cup{cup:02d}":
            self.dish.line(name, self.random.uniform(begin_s, rest_s), -1)

    def _void_button(
        self, cup: int, begin_s: float, drop_s: float, rest_s: float, _: float
    ) -> None:
        self.dish.press(self.random.uniform(begin_s + 0.3, rest_s), "btn_void")

    def _between(
        self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float
    ) -> bool:
        at_s = rest_s
        while at_s < lift_s - 0.3:
            self.dish.cup(cup, at_s, 0.08)
            self.dish.cup((cup + 1) % self.dish.cups, at_s + 0.1, 0.09)
            at_s += 0.22
        return True

    def _unseen(self, *_: Any) -> bool:
        return True

    def _second(
        self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float
    ) -> None:
        self._lies(self._other(cup), rest_s - self.random.uniform(0.0, 1.0), lift_s)

    def _second_late(
        self, cup: int, begin_s: float, _: float, rest_s: float, lift_s: float
    ) -> None:
        at_s = rest_s + self.random.uniform(0.0, 2.3)
        self.dish.cup(self._other(cup), at_s, lift_s - at_s)

    def _stuck(self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float) -> None:
        """One of the cups that the ball meets on its way stays dark."""
        own = self.dish.lines.index(f"cup{cup:02d}")
        passes = [
            edge
            for edge in self.dish.found
            if edge[0] >= drop_s and edge[1] != own and edge[1] >= 3 and edge[2] == 1
        ]
        at_s, line, _ = self.random.choice(passes)
        self.dish.found = [edge for edge in self.dish.found if edge[1] != line or edge[0] <= at_s]
        self.dish.found.append((lift_s, line, 0))

    def _object(
        self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float
    ) -> None:
        at_s = self.random.uniform(begin_s - 0.5, drop_s - 1.5)
        self._lies(self._other(cup), at_s, lift_s)

    def _lies(self, cup: int, at_s: float, lift_s: float) -> None:
        line = self.dish.lines.index(f"cup{cup:02d}")
        self.dish.found = [edge for edge in self.dish.found if edge[1] != line or edge[0] < at_s]
        self.dish.cup(cup, at_s, lift_s - at_s)

    def _lifted(
        self, cup: int, begin_s: float, drop_s: float, rest_s: float, lift_s: float
    ) -> bool:
        self.dish.cup(cup, rest_s, self.random.uniform(0.1, 2.4))
        return True


def wrong(mess: Mess, told: list[Any]) -> list[str]:
    """Every number where no ball lay, and every end that its kind does not allow."""
    bad = []
    for place, coup in zip(mess.places, in_coups(mess.truths, told), strict=True):
        kind, results = coup.truth.kind, coup.all(facts.Result)
        if len(coup.ends) != 1:
            bad.append(f"{kind}: {coup.outcome}: {coup.facts}")
        for result in results:
            right = place
            if isinstance(place, tuple):
                right = place[0] if result.at_us / 1e6 < place[1] else place[2]
            if result.compartment != right:
                bad.append(f"{kind}: {result}, the ball in {right}")
        if kind in CLEAN and not results:
            bad.append(f"{kind}: {coup.ends}")
    return bad


@pytest.mark.parametrize("cups", [9, 18, 36])
@pytest.mark.parametrize("seed", range(12))
def test_troubles_on_end_give_no_wrong_number_and_cost_no_clean_coup(seed: int, cups: int) -> None:
    mess = Mess(seed, cups)
    for _ in range(12):
        mess.play(mess.random.choice(CLEAN + EITHER + VOID))
        mess.play("nothing")
    assert not wrong(mess, mess.dish.play())


@pytest.mark.parametrize("kind", CLEAN + EITHER + VOID)
def test_every_trouble_ends_as_it_should(kind: str) -> None:
    mess = Mess(7)
    for _ in range(8):
        mess.play(kind)
    told = mess.dish.play()
    assert not wrong(mess, told)


def test_the_call_comes_at_the_first_beam_of_every_throw() -> None:
    mess = Mess(3)
    for kind in CLEAN:
        mess.play("nothing" if kind in ("misses", "noise") else kind)
    told = mess.dish.play()
    falls = [edge[0] for edge in mess.dish.edges() if edge[1] < 3 and edge[2] == 0]
    for coup in in_coups(mess.truths, told):
        call = coup.one(facts.NoMoreBets)
        assert call.at_us == min(fall for fall in falls if fall > coup.truth.start_us)


@pytest.mark.parametrize("seed", range(24))
def test_a_dish_in_a_mess_among_requests_breaks_nothing(seed: int) -> None:
    mess = Mess(seed)
    for _ in range(4):
        mess.play(mess.random.choice(CLEAN + EITHER + VOID))
    core = mess.dish.controller(**options(seed))
    watched = Watched(core, delay_us=DELAYS_US[seed % 4])
    watched.start(mess.dish.levels)
    r = random.Random(seed)
    for edge in mess.dish.edges():
        watched.edge(*edge)
        if r.random() < 0.01:
            watched.event(anything(r, edge[0]))
    finished(watched)


def options(seed: int) -> dict[str, Any]:
    """What a house may choose at boule."""
    return {
        "confirm": ("auto", "croupier")[seed % 2],
        "after_throw_us": (0, 2_000_000, 60_000_000)[seed % 3],
        "alternate_throws": seed % 5 == 0,
        "undetected": ("void", "manual")[seed // 2 % 2],
    }


def finished(watched: Watched) -> None:
    """Ends it; every coup that was started has ended once, in order."""
    watched.end()
    started = [fact.coup for fact in watched.facts if isinstance(fact, facts.CoupStarted)]
    assert [fact.coup for fact in watched.facts if isinstance(fact, ENDS)] == started
    assert "" not in codes(watched.facts)


@pytest.mark.parametrize("seed", range(24))
def test_random_edges_on_every_line_break_nothing(seed: int) -> None:
    r = random.Random(seed)
    dish = Dish()
    watched = Watched(dish.controller(**options(seed)), delay_us=DELAYS_US[seed % 4])
    watched.start([r.randrange(2) for _ in dish.lines])
    at_us = 0
    for _ in range(2_500):
        at_us += r.randrange(r.choice((200, 2_000, 15_000, 300_000, 3_000_000)))
        watched.edge(at_us, r.randrange(len(dish.lines)), r.choice((0, 1, 0, 1, 0, 1, -1)))
        if r.random() < 0.01:
            watched.event(anything(r, at_us))
    finished(watched)


edge = st.tuples(st.integers(0, 700_000), st.integers(0, 22), st.sampled_from((0, 1, 1, 0, -1)))


@settings(max_examples=150)
@given(st.lists(edge, max_size=120), st.integers(0, 29), st.integers(0, 3))
def test_any_edges_at_all_break_nothing(
    steps: list[tuple[int, int, int]], chosen: int, delay: int
) -> None:
    watched = Watched(Dish().controller(**options(chosen)), delay_us=DELAYS_US[delay])
    watched.start(None)
    at_us = 0
    for after_us, line, level in steps:
        at_us += after_us
        watched.edge(at_us, line, level)
    watched.until(at_us + 400_000_000)
    finished(watched)
