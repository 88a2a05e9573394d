"""Plays rounds on the virtual card table in virtual time, each judged by the cards on the cloth.

Deterministic: the same seed gives the same facts at the same times. What lay on the cloth comes
from the hand that laid it, and never reaches the table's machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from firmware.config import Config
from firmware.config.card_game import open_card_table
from firmware.config.game import Game
from firmware.core.cards import facts
from firmware.core.cards.lines import card_line
from firmware.lib.language import N_, Message, listed
from firmware.run.card_play import house_of
from firmware.stakes.card_round import body_of
from firmware.text import card_words
from firmware.text.money import money
from rules.cards import deck
from rules.cards.errors import CardsError
from rules.cards.stakes import accept
from tools.virtual.card_table import RoundTruth, Setup, VirtualCardTable
from tools.virtual.score import RIGHT, SPREAD_HEAD, VOID, WRONG, spread, spread_line

# A table whose hands and machine wait for each other would play for ever.
ROUND_MAX_US = 900_000_000
_OF_TABLE = ("rules", "decks", "minimum_cents", "maximum_multiple", "house")


class JudgedRound(NamedTuple):
    """One round: the truth, the decision, and how they go together.

    `truth`: the round as `cylindre settle` takes it; `returned_cents`: to the players, of what they
    `staked_cents`, by the decision.
    """

    round: int
    truth: dict[str, Any]
    decision: Any  # facts.RoundResult or facts.RoundVoid
    verdict: str  # RIGHT, WRONG or VOID
    took_us: int  # from its beginning to its end
    staked_cents: int
    returned_cents: int

    def as_json(self) -> dict[str, Any]:
        """The line that `cylindre sim --json` prints; it has no time, for it is no event."""
        return {
            "event": "judged",
            "round": self.round,
            "verdict": self.verdict,
            "took_us": self.took_us,
            "decision": dict(card_line(self.decision) or ()),
            "truth": self.truth,
        }


class CardSimulation:
    """One card table, from its first round to its last."""

    def __init__(self, game: Game, *, seed: int, config: Config) -> None:
        """`config`: what the house chose. Raises ConfigError where the table cannot open so."""
        self._limits = open_card_table(game, config)
        house = house_of(config)
        setup = Setup(game.rules["name"], seed, confirm=config.confirm, reader=house.reader)
        self._table = VirtualCardTable(setup, self._limits, house)
        self._engaged: list[Any] = []  # of the round that is open
        self._began_us = 0  # that round
        self._judged: list[JudgedRound] = []
        self._unended = 0

    def play(self, rounds: int) -> Iterator[Any]:
        """Plays, and yields the facts of each round, and the round judged once it is over."""
        table = self._table
        for number in range(1, rounds + 1):
            table.play(table.now_us + ROUND_MAX_US, lambda number=number: table.ended >= number)  # type: ignore[misc]
            for fact in self._take():
                yield fact
                if type(fact) in (facts.RoundResult, facts.RoundVoid):
                    self._judged.append(self._judge(fact))
                    yield self._judged[-1]
            if table.ended < number:
                self._unended += 1
                return

    def _take(self) -> Iterator[Any]:
        """Gives what was told since, and forgets it: a play may be long."""
        told, self._table.told = self._table.told, []
        self._table.store.rows.clear()
        for fact in told:
            if type(fact) is facts.RoundStarted:
                self._engaged, self._began_us = [], fact.at_us
            elif type(fact) is facts.Engaged:
                self._engaged.append(fact)
            yield fact

    def _judge(self, end: Any) -> JudgedRound:
        truth = self._table.truths.pop()
        self._table.truths.clear()
        if type(end) is facts.RoundVoid:
            verdict = VOID
            staked = returned = sum(cents for *_, cents in end.returned)
        else:
            verdict = RIGHT if self._is_right(truth, end) else WRONG
            staked = sum(payment.stake_cents for payment in end.payments)
            returned = sum(payment.returned_cents for payment in end.payments)
        took_us = end.at_us - self._began_us
        told = self._settles(truth)
        return JudgedRound(end.round, told, end, verdict, took_us, staked, returned)

    def _is_right(self, truth: RoundTruth, end: Any) -> bool:
        """Whether the result is what the rules make of the cards that lay there."""
        try:
            played = truth.played(self._limits, self._engaged)
        except CardsError:
            return False
        due = [*played.payments()], played.outcome()
        return ([*end.payments], end.outcome) == due

    def _settles(self, truth: RoundTruth) -> dict[str, Any]:
        """The round as `cylindre settle` takes it."""
        accepted, _ = accept(self._limits, list(truth.stakes))
        sealed = body_of(self._limits, truth.number, accepted, ())
        return {key: sealed[key] for key in _OF_TABLE} | {
            "stakes": sealed["stakes"],
            "cards": [deck.text_of(card.card) for card in truth.cards],
            "decisions": [
                {"seat": each.seat, "hand": each.hand, "do": each.do} for each in self._engaged
            ],
        }

    def summary(self) -> dict[str, Any]:
        """The figures of the play: counts, money in cents, and spreads."""
        judged = self._judged
        verdicts = Counter(one.verdict for one in judged)
        reasons = Counter(one.decision.reason for one in judged if one.verdict == VOID)
        cards = [float(len(one.truth["cards"])) for one in judged]
        return {
            "event": "summary",
            "rounds": len(judged),
            "right": verdicts[RIGHT],
            "wrong": verdicts[WRONG],
            "void": verdicts[VOID],
            "void_reasons": dict(sorted(reasons.items())),
            "unended": self._unended,
            "staked_cents": sum(one.staked_cents for one in judged),
            "returned_cents": sum(one.returned_cents for one in judged),
            "round_s": spread([one.took_us / 1e6 for one in judged], 3),
            "cards": spread(cards, 1),
        }


_HEAD = N_("   round   cards       s      staked    returned   verdict   decision")


def round_line(judged: JudgedRound | None) -> Message:
    """One round as a line of a table; of None the table's head."""
    if judged is None:
        return Message(_HEAD)
    if judged.verdict == VOID:
        reason = card_words.reason(judged.decision.reason)
        decision: str = Message("void: {reason}", reason=reason)
    else:
        decision = card_words.outcome(judged.decision.outcome)
    return Message(
        "{round:8d}{cards:8d}{took:>8}{staked:>12}{returned:>12}   {verdict:<8}  {decision}",
        round=judged.round,
        cards=len(judged.truth["cards"]),
        took=f"{judged.took_us / 1e6:.1f}",
        staked=money(judged.staked_cents),
        returned=money(judged.returned_cents),
        verdict=Message(judged.verdict),
        decision=decision,
    )


def round_summary_lines(played: str, figures: dict[str, Any]) -> list[str]:
    """The figures of CardSimulation.summary, below what was played."""
    reasons = [
        Message("{reason} {count}", reason=card_words.reason(reason), count=count)
        for reason, count in figures["void_reasons"].items()
    ]
    return [
        "",
        played,
        Message(
            "  right {right}   wrong {wrong}   void {void}{reasons}{unended}",
            right=figures["right"],
            wrong=figures["wrong"],
            void=figures["void"],
            reasons=Message(" ({reasons})", reasons=listed(reasons)) if reasons else "",
            unended=Message("   without an end 1") if figures["unended"] else "",
        ),
        Message(
            "  staked {staked}   returned {returned}",
            staked=money(figures["staked_cents"]),
            returned=money(figures["returned_cents"]),
        ),
        "",
        Message(SPREAD_HEAD),
        spread_line(N_("a round, s"), figures["round_s"]),
        spread_line(N_("cards of a round"), figures["cards"]),
    ]
