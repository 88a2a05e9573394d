"""Sets the truth of simulated coups beside what was decided about them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from firmware.core import facts
from firmware.lib.language import N_, Message, listed
from tools.sim.truth import CoupTruth

# A coup may be opened this long before its truth begins: the button comes before the rotor.
EARLY_US = 3_000_000

RIGHT = N_("right")
WRONG = N_("wrong")
VOID = N_("void")


class Judged(NamedTuple):
    """One coup: the truth, the decision, and how they go together. Times in microseconds."""

    coup: int  # as the controller counts
    truth: CoupTruth | None  # None: a coup of which the wheel knows nothing
    decision: Any  # facts.Result or facts.Void
    verdict: str  # RIGHT, WRONG or VOID
    late: bool  # the call came when the ball had left the track
    lead_us: int | None  # from the call to the drop
    verified_us: int | None  # from the ball at rest to the verified number
    verified_uturn: int | None  # the same, as turns of the rotor; None where nothing turns

    def as_json(self) -> dict[str, Any]:
        """The line that `cylindre sim --json` prints; it has no time, for it is no event."""
        return {
            "event": "judged",
            "coup": self.coup,
            "verdict": self.verdict,
            "late": self.late,
            "lead_us": self.lead_us,
            "rest_to_verified_us": self.verified_us,
            "rest_to_verified_uturn": self.verified_uturn,
            "decision": dict(facts.fact_line(self.decision) or ()),
            "truth": None if self.truth is None else self.truth.as_dict(),
        }


class _Coup:
    """What the facts have said about one coup so far."""

    def __init__(self, start_us: int) -> None:
        self.start_us = start_us
        self.call_us: int | None = None
        self.detected_us: int | None = None
        self.speed_uturn_s = 0
        self.end: Any = None


class Score:
    """Takes facts and truths as they come; judges every coup that has ended."""

    def __init__(self, *, turns: bool = True) -> None:
        """`turns`: the apparatus has a rotor."""
        self._turns = turns
        self._coups: dict[int, _Coup] = {}
        self._used = 0  # truths up to here have found their coup, or never will
        self._given: set[int] = set()  # truths whose ball has given a number
        self.missed = 0  # truths of which no coup was opened
        self.judged: list[Judged] = []

    def add(self, fact: Any, speed_uturn_s: int) -> None:
        """One fact of the core, and the rotor's speed at that time."""
        if isinstance(fact, facts.CoupStarted):
            self._coups[fact.coup] = _Coup(fact.at_us)
        elif isinstance(fact, facts.NoMoreBets):
            self._coups[fact.coup].call_us = fact.at_us
        elif isinstance(fact, facts.Detected):
            self._coups[fact.coup].detected_us = fact.at_us
            self._coups[fact.coup].speed_uturn_s = abs(speed_uturn_s)
        elif isinstance(fact, (facts.Result, facts.Void)):
            self._coups[fact.coup].end = fact

    def judge(self, truths: Sequence[CoupTruth], *, final: bool = False) -> list[Judged]:
        """Judges what can be judged now, in order; returns it once.

        `truths`: all so far, in order of time. One whose ball has not been lifted yet is waited
        for, unless nothing comes any more (`final`).
        """
        new = []
        for number in sorted(self._coups):
            coup = self._coups[number]
            if coup.end is None:
                break
            index = self._truth_of(coup, truths)
            if index is not None and truths[index].t_lift_us is None and not final:
                break
            truth = None
            if index is not None:
                truth = truths[index]
                self.missed += max(index - self._used, 0)
                self._used = max(self._used, index + 1)
                if isinstance(coup.end, facts.Result):
                    self._given.add(index)
            del self._coups[number]
            judged = _judged(number, coup, truth)
            new.append(judged if self._turns else judged._replace(verified_uturn=None))
        if final:
            self.missed += sum(truth.t_lift_us is not None for truth in truths[self._used :])
            self._used = len(truths)
        self.judged.extend(new)
        return new

    def _truth_of(self, coup: _Coup, truths: Sequence[CoupTruth]) -> int | None:
        """The index of the coup's truth, or None.

        Of a number: whose ball lay there when it was decided, but for no ball twice. Of a void: in
        whose time the coup was opened; what was void, the croupier may have begun again.
        """
        if isinstance(coup.end, facts.Result):
            last = len(truths) - 1
            # A slow disk may put the result off; the ball was seen before.
            seen_us = coup.end.at_us if coup.detected_us is None else coup.detected_us
            while last >= 0 and truths[last].t_start_us > seen_us:
                last -= 1
            return None if last < 0 or last in self._given else last
        for index in range(max(self._used - 1, 0), len(truths)):
            truth = truths[index]
            lift_us = math.inf if truth.t_lift_us is None else truth.t_lift_us
            if truth.t_start_us - EARLY_US <= coup.start_us < lift_us:
                return index
        return None


def _judged(number: int, coup: _Coup, truth: CoupTruth | None) -> Judged:
    lead_us = verified_us = verified_uturn = None
    late = False
    if truth is not None and truth.t_drop_us is not None and coup.call_us is not None:
        lead_us = truth.t_drop_us - coup.call_us
        late = lead_us <= 0
    if truth is not None and truth.t_rest_us is not None and coup.detected_us is not None:
        verified_us = coup.detected_us - truth.t_rest_us
        verified_uturn = verified_us * coup.speed_uturn_s // 1_000_000
    if isinstance(coup.end, facts.Void):
        verdict = VOID
    elif truth is not None and truth.right(coup.end.at_us, coup.end.compartment, coup.end.number):
        verdict = RIGHT
        late = late or coup.call_us is None
    else:
        verdict = WRONG
    return Judged(number, truth, coup.end, verdict, late, lead_us, verified_us, verified_uturn)


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value that `share` of all do not exceed (nearest rank); None of none."""
    ranked = sorted(values)
    return ranked[max(0, math.ceil(share * len(ranked)) - 1)] if ranked else None


def spread(values: Sequence[float], digits: int) -> dict[str, float | None]:
    """Least, 5, 50 and 95 % and most of some values, rounded; None each of none."""
    found = {"min": percentile(values, 0)}
    for share in (5, 50, 95):
        found[f"p{share}"] = percentile(values, share / 100)
    found["max"] = percentile(values, 1)
    return {key: None if value is None else round(value, digits) for key, value in found.items()}


def summary(score: Score) -> dict[str, Any]:
    """The figures of a run: counts, and spreads in seconds and in turns of the rotor."""
    judged = score.judged
    verdicts = Counter(coup.verdict for coup in judged)
    reasons = Counter(coup.decision.reason for coup in judged if coup.verdict == VOID)
    leads = [coup.lead_us / 1e6 for coup in judged if coup.lead_us is not None]
    verified = [coup.verified_us / 1e6 for coup in judged if coup.verified_us is not None]
    turns = [coup.verified_uturn / 1e6 for coup in judged if coup.verified_uturn is not None]
    return {
        "event": "summary",
        "coups": len(judged) + score.missed,
        "right": verdicts[RIGHT],
        "wrong": verdicts[WRONG],
        "void": verdicts[VOID],
        "void_reasons": dict(sorted(reasons.items())),
        "missed": score.missed,
        "late": sum(coup.late for coup in judged),
        "late_void": sum(coup.late and coup.verdict == VOID for coup in judged),
        "lead_s": spread(leads, 3),
        "rest_to_verified_s": spread(verified, 3),
        "rest_to_verified_turns": spread(turns, 3),
    }


SPREAD_HEAD = N_("                              min      5 %     50 %     95 %      max")
_HEAD = N_(
    "    coup   truth         decision                 verdict   lead s   rest to verified s  turns"
)


def coup_line(judged: Judged | None) -> Message:
    """One coup as a line of a table; of None the table's head."""
    if judged is None:
        return Message(_HEAD)
    truth = "-" if judged.truth is None or judged.truth.number is None else judged.truth.number
    if isinstance(judged.decision, facts.Void):
        decision = Message(
            "void {reason}", reason=Message(judged.decision.reason.replace("_", " "))
        )
    else:
        colour = Message(judged.decision.colour)
        decision = Message("{number} {colour}", number=judged.decision.number, colour=colour)
    verdict = Message(judged.verdict)
    return Message(
        "{coup:8d}   {truth:<12}  {decision:<23}  {verdict:<8}{lead:>8}   {rest:>18}{turns:>7}",
        coup=judged.coup,
        truth=str(truth),
        decision=decision,
        verdict=Message("{verdict} LATE", verdict=verdict) if judged.late else verdict,
        lead=_seconds(judged.lead_us),
        rest=_seconds(judged.verified_us),
        turns=_seconds(judged.verified_uturn),
    )


def _seconds(micro: int | None) -> str:
    return "-" if micro is None else f"{micro / 1e6:.2f}"


def summary_lines(played: str, figures: dict[str, Any]) -> list[str]:
    """The figures of score.summary, below what was played."""
    reasons = [
        Message("{reason} {count}", reason=Message(reason.replace("_", " ")), count=count)
        for reason, count in figures["void_reasons"].items()
    ]
    counts = Message(
        "  right {right}   wrong {wrong}   void {void}{reasons}{missed}   late calls {late}",
        right=figures["right"],
        wrong=figures["wrong"],
        void=figures["void"],
        reasons=Message(" ({reasons})", reasons=listed(reasons)) if reasons else "",
        missed=Message("   missed {missed}", missed=figures["missed"]) if figures["missed"] else "",
        late=figures["late"],
    )
    if figures["late_void"]:
        counts += Message(" ({count} of them in void coups)", count=figures["late_void"])
    lines = [
        "",
        played,
        counts,
        "",
        Message(SPREAD_HEAD),
        spread_line(N_("call to drop, s"), figures["lead_s"]),
        spread_line(N_("rest to verified, s"), figures["rest_to_verified_s"]),
    ]
    if figures["rest_to_verified_turns"]["max"] is not None:  # a dish does not turn
        name = N_("rest to verified, turns")
        lines.append(spread_line(name, figures["rest_to_verified_turns"]))
    return lines


def spread_line(name: str, values: dict[str, float | None]) -> Message:
    """A spread as a line below SPREAD_HEAD."""
    cells = ("-" if value is None else f"{value:.2f}" for value in values.values())
    row = "".join(f"{cell:>9}" for cell in cells)
    return Message("  {name:<23}{row}", name=Message(name), row=row)
