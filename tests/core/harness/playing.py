"""Plays the edges of any of the three apparatus through the core, and judges what it said.

session = ROULETTE.session(seed)    # or VINGT_TROIS, or boule(cups)
session.play(session.plan())
coups = ROULETTE.coups(session)     # what the core said of each, by the truth that it is of
assert not ROULETTE.wrong_numbers(coups)
assert not late_calls(coups)
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import boards
import boards.boule_ref
import rules
from firmware.core import facts
from firmware.core.controller import Controller
from firmware.core.coup.restart_state import FRESH
from firmware.core.feed import feed
from firmware.core.house import HOUSE
from harness.dish import DishSession
from harness.places import LAYOUT
from harness.plate import PlateSession
from harness.sessions import Session, Truth
from harness.watched import ENDS, Watched
from harness.wheel import WheelSession
from rules import layouts


class Coup:
    """What the core said of one planned coup."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self.facts: list[Any] = []

    @property
    def ends(self) -> list[Any]:
        """Its results and voids."""
        return self.all(ENDS)

    @property
    def outcome(self) -> str:
        """The word result, a void's reason, or how many ends it has if not one."""
        if len(self.ends) != 1:
            return f"{len(self.ends)} ends"
        end = self.ends[0]
        return "result" if isinstance(end, facts.Result) else str(end.reason)

    def all(self, kind: Any) -> list[Any]:
        """The facts of that kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def one(self, kind: Any) -> Any:
        """The only fact of that kind, or None."""
        found = self.all(kind)
        assert len(found) <= 1, found
        return found[0] if found else None


def in_coups(truths: Sequence[Truth], told: Sequence[Any]) -> list[Coup]:
    """The facts by the coup in whose time theirs began; an end at the trace's end: the last one."""
    coups = [Coup(truth) for truth in truths]
    opens = [truth.opens_us for truth in truths]
    own: dict[int, Coup] = {}
    for fact in told:
        if isinstance(fact, facts.CoupStarted):
            own[fact.coup] = coups[max(bisect.bisect_right(opens, fact.at_us) - 1, 0)]
        if not isinstance(fact, facts.Fault):
            own[fact.coup].facts.append(fact)
    return coups


def outcomes(coups: Sequence[Coup]) -> list[str]:
    """How each ended."""
    return [coup.outcome for coup in coups]


def with_(**knobs: object) -> Callable[[Any], None]:
    """What sets attributes of a plan."""

    def knob(plan: Any) -> None:
        for name, value in knobs.items():
            assert hasattr(plan, name)
            setattr(plan, name, value)

    return knob


def late_calls(coups: Sequence[Coup]) -> list[str]:
    """Every call that came after the ball had left the track."""
    late = []
    for index, coup in enumerate(coups):
        for call in coup.all(facts.NoMoreBets):
            if coup.truth.drop_us is not None and call.at_us > coup.truth.drop_us:
                late.append(f"coup {index}: {(call.at_us - coup.truth.drop_us) / 1e6:.3f} s late")
    return late


def complaints(coups: Sequence[Coup]) -> list[str]:
    """All that is not as the truth of its coup expects it, or could not be."""
    return [f"{coup.truth.kind}: {why}: {coup.facts}" for coup in coups for why in _odd(coup)]


def _odd(coup: Coup) -> list[str]:
    truth, results = coup.truth, coup.all(facts.Result)
    why = []
    if len(coup.ends) not in truth.coups:
        why.append("so many coups")
    if any(result.compartment != truth.lies(result.at_us) for result in results):
        why.append("a wrong number")
    if truth.expect == "void" and results:
        why.append("a number")
    if truth.expect == "result" and not results:
        why.append("no number")
    if results:
        why += late_calls([coup])
    return why


class Apparatus(NamedTuple):
    """What differs from one apparatus to another."""

    board: Any
    rules: Any
    session: Callable[..., Session]
    layout: Sequence[int]  # the number of each compartment

    def controller(self, **options: Any) -> Controller:
        """A new core; `options` are those of the house, or the restart state and the book."""
        restart_state, book = options.pop("restart_state", FRESH), options.pop("book", None)
        house = HOUSE._replace(**options)
        return Controller(
            self.board, self.rules, restart_state=restart_state, house=house, book=book
        )

    def replayed(self, session: Session, **options: Any) -> list[Any]:
        """The facts of a whole session, each record durable at once."""
        return list(feed(self.controller(**options), session.edges(), session.levels()))

    def coups(self, session: Session, **options: Any) -> list[Coup]:
        """A whole session, the core's every answer watched."""
        watched = Watched(self.controller(**options))
        return in_coups(session.truths, watched.run(session))

    def played(self, seed: int, *knobs: Callable[[Any], None], clean_after: int = 2) -> list[Coup]:
        """A clean coup, one for each knob, and clean ones after: no number wrong, no call late."""
        session = self.session(seed)
        session.play(session.plan())
        for knob in knobs:
            plan = session.plan()
            knob(plan)
            session.play(plan)
        for _ in range(clean_after):
            session.play(session.plan())
        coups = self.coups(session)
        assert not self.wrong_numbers(coups)
        assert not late_calls(coups)
        return coups

    def wrong_numbers(self, coups: Sequence[Coup]) -> list[str]:
        """Every number that was not where the ball lay when it was decided."""
        wrong = []
        for end in [end for coup in coups for end in coup.all(facts.Result)]:
            places = {coup.truth.lies(end.at_us) for coup in coups} - {None}
            at = end.compartment
            if at not in places or (self.layout[at], self.rules["colours"][at]) != (
                end.number, end.colour,
            ):  # fmt: skip
                wrong.append(f"coup {end.coup}: {end} at {end.at_us}, the ball in {places}")
        return wrong


@functools.cache
def boule(cups: int = 18) -> Apparatus:
    """A dish with so many cups."""
    played = rules.load("boule_fr", layouts.boule(cups))
    session = functools.partial(DishSession, cups=cups)
    return Apparatus(boards.boule_ref.board(cups), played, session, played["layout"])


def _turning(
    board: str, session: Callable[..., Session], layout: Sequence[int] | None = None
) -> Apparatus:
    data = boards.load(board)
    played = rules.load(data["rules"])
    return Apparatus(data, played, session, layout or played["layout"])


# The layout of the wheel is read anew; that of the plate is ours, and no source gives it.
ROULETTE = _turning("roulette_ref", WheelSession, LAYOUT)
VINGT_TROIS = _turning("vingt_trois_ref", PlateSession)
BY_BOARD = {"roulette_ref": ROULETTE, "vingt_trois_ref": VINGT_TROIS, "boule_ref": boule()}
