"""What must hold of every round of cards, wherever it was played: judged by the true cards.

Always: a confirmed round has the cards that lie on the cloth, in the order in which they were
drawn, at the places that the rules send them to, and pays what the rules pay for these; what a
hand said is what counts; a void gives back every cent; every round ends, once; nothing is told as
its end before that is durable; a round that is held says what ends that; nobody is told the hole
card before it is turned. Of each fault: it is told by one of its codes, and the rounds end as its
entry says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.stakes import card_kinds, card_round
from firmware.stakes.seal import BrokenSeal
from rules.cards import deck
from rules.cards.errors import CardsError
from rules.cards.stakes import accept
from tools.hil.cards import faults, money, notices
from tools.hil.cards.scenario import CardScenario
from tools.hil.faults.entry import EITHER, VOID
from tools.hil.verdict import (
    BROKEN,
    CRASHED,
    FALSE_ALARM,
    NO_ENDING,
    OUTCOME,
    TWICE,
    UNNOTICED,
    Broken,
)
from tools.virtual.card_seats import CardSeats
from tools.virtual.card_table import RoundTruth, campaign_limits
from tools.virtual.late_store import Row

CONFIRMED = faults.CONFIRMED
OPEN = "open"

# Rules beside those of the wheel (tools/hil/verdict.py), in the order of how bad it is.
WRONG_CARDS, WRONG_PAY, WRONG_DECISION = "wrong_cards", "wrong_pay", "wrong_decision"
FOREIGN = "foreign"
VOID_SHORT, NOT_DURABLE, NO_SENTENCE = "void_short", "not_durable", "no_sentence"
HOLE_TOLD = "hole_told"
Funds = Sequence[dict[Any, int]]  # what each player with an account could add at each decision
RULES = (
    (WRONG_CARDS, "wrong rounds confirmed"),
    (WRONG_PAY, "wrong payments"),
    (money.BALANCE, "accounts that are a cent off"),
    (money.SUMS, "sums that do not add up"),
    (money.ENTRY, "entries that nobody asked for so"),
    (notices.HEARD, "players told otherwise"),
    (money.ANSWER, "answers that must not be"),
    (FOREIGN, "rounds confirmed with a foreign card"),
    (WRONG_DECISION, "decisions that nobody said"),
    (VOID_SHORT, "voids that did not return every cent"),
    (NOT_DURABLE, "ends told before they were durable"),
    (HOLE_TOLD, "hole cards told too early"),
    (NO_ENDING, "rounds without an end"),
    (NO_SENTENCE, "rounds held without a way out"),
    (TWICE, "rounds ended twice"),
    (UNNOTICED, "faults unnoticed"),
    (FALSE_ALARM, "false alarms"),
    (OUTCOME, "rounds that ended otherwise than they should"),
    (BROKEN, "promises of a place broken"),
    (CRASHED, "crashes"),
)
# Told of a sound round all the same: a shoe without a key, what people are answered, and keys that
# act on nothing, as one does whose two lines a busy machine reads at once.
_NO_ALARM = ("K15", "K20", "P10")
_COUNT = "K16"
# Of these a card may leave the shoe that nobody can number; it is missed as the shoe is changed.
_UNCOUNTED = ("reader", "shoe", "line", "cards", "hand")


class CardLog(NamedTuple):
    """All that came of a play. `begun`: the round in which each use began, None: in none."""

    told: Sequence[Any]
    rows: Sequence[Row]
    truths: Sequence[RoundTruth]
    begun: Sequence[int | None]
    screen: str  # what stood there at the end
    seats: CardSeats | None = None  # where players have accounts


class Judged(NamedTuple):
    """One round. `uses`: of the scenario, that touched it; of them `own` began in it."""

    number: int
    verdict: str  # CONFIRMED, VOID or OPEN
    reason: str | None
    held: bool
    uses: tuple[int, ...]
    own: tuple[int, ...]


class CardVerdict(NamedTuple):
    """A play judged."""

    rounds: tuple[Judged, ...]
    broken: tuple[Broken, ...]


def judge(scenario: CardScenario, log: CardLog) -> CardVerdict:
    """Holds all that was told against what must hold."""
    by_round = _by_round(log.told)
    truths = {truth.number: truth for truth in log.truths}
    rounds = tuple(
        _judged(number, by_round[number], scenario, log) for number in sorted(by_round) if number
    )
    limits = campaign_limits(scenario.setup.game)
    decks = limits.decks
    funds, of_money = money.judge(limits, log)
    broken = [
        *of_money,
        *_ended(scenario.rounds, rounds, by_round, log),
        *_durable(log),
        *_secret(by_round),
    ]
    broken += _foreign(log, decks)
    broken += _miscounted(scenario, log, by_round)
    collected = {
        each[3]["round"]: each
        for each in card_round.collect(
            [row[1:] for row in log.rows if row.kind != card_kinds.CORRECTION]
        )
    }
    for one in rounds:
        truth, told = truths[one.number], by_round[one.number]
        broken += _sentences(one.number, told)
        if one.verdict == CONFIRMED:
            of_rows = collected[one.number]  # it was told, and the row of its end is there
            broken += _confirmed(scenario, truth, told, of_rows, funds.get(one.number, ()))
        elif one.verdict == VOID:
            broken += _returned(
                scenario,
                truth,
                money.kept(told, log.rows, one.number, one.reason),
                funds.get(one.number, ()),
            )
        broken += _expected(scenario, one, by_round)
    return CardVerdict(rounds, tuple(broken))


def _by_round(told: Sequence[Any]) -> dict[int, list[Any]]:
    """What was told from the beginning of each round to that of the next one."""
    found: dict[int, list[Any]] = {0: []}
    number = 0
    for fact in told:
        if type(fact) is facts.RoundStarted:
            number = fact.round
            found.setdefault(number, [])
        found[number].append(fact)
    return found


def _judged(number: int, told: list[Any], scenario: CardScenario, log: CardLog) -> Judged:
    ends = [fact for fact in told if type(fact) in (facts.RoundResult, facts.RoundVoid)]
    end = ends[-1] if ends else None
    verdict = OPEN if end is None else CONFIRMED if type(end) is facts.RoundResult else VOID
    held = any(type(fact) is facts.Guide and fact.code == facts.HELD for fact in told)
    touching, own = [], []
    for at in range(len(scenario.uses)):
        begun = log.begun[at]
        if begun is not None and begun <= number:
            if number <= begun + _settles(scenario, at):
                touching.append(at)
            if begun == number:
                own.append(at)
    reason = getattr(end, "reason", None)
    return Judged(number, verdict, reason, held, tuple(touching), tuple(own))


# --- always ---------------------------------------------------------------------------------------
def _ended(
    wanted: int, rounds: Sequence[Judged], by_round: dict[int, list[Any]], log: CardLog
) -> Iterator[Broken]:
    if len(rounds) < wanted and not [one for one in rounds if one.verdict == OPEN]:
        text = f"round {len(rounds) + 1} never began; the screen had {log.screen}"
        yield Broken(NO_ENDING, len(rounds) + 1, text)
    for one in rounds:
        ends = Counter(
            fact.round
            for fact in by_round[one.number]
            if type(fact) in (facts.RoundResult, facts.RoundVoid)
        )
        if one.verdict == OPEN:
            text = f"round {one.number} never ended; the screen had {log.screen}"
            yield Broken(NO_ENDING, one.number, text)
        elif ends != {one.number: 1}:
            yield Broken(TWICE, one.number, f"round {one.number} ended as {dict(ends)}")


def _durable(log: CardLog) -> Iterator[Broken]:
    """The row of an end is there before it is told."""
    done = {
        (row.body["round"], row.body["seq"]): row.at_us
        for row in log.rows
        if row.kind in (card_kinds.RESULT, card_kinds.VOID)
    }
    for fact in log.told:
        if type(fact) in (facts.RoundResult, facts.RoundVoid):
            at_us = done.get((fact.round, fact.seq))
            if at_us is None or at_us > fact.at_us:
                text = f"the end of round {fact.round} was told before it was durable"
                yield Broken(NOT_DURABLE, fact.round, text)


def _secret(by_round: dict[int, list[Any]]) -> Iterator[Broken]:
    for number, told in by_round.items():
        turned = False
        for fact in told:
            if type(fact) in (facts.HoleTurned, facts.RoundCorrection):
                turned = True  # or two people say what it was
            elif type(fact) is facts.CardDealt and fact.to == "d*" and fact.card is not None:
                yield Broken(HOLE_TOLD, number, f"the hole card of round {number} was told")
            elif type(fact) is facts.CardView and fact.round == number and not turned:
                for place, cards in fact.hands:
                    if place == "d" and len(cards) > 1 and _has_hole(told) and cards[1] >= 0:
                        text = f"the hole card of round {number} was shown"
                        yield Broken(HOLE_TOLD, number, text)


def _has_hole(told: Sequence[Any]) -> bool:
    return any(type(fact) is facts.CardDealt and fact.to == "d*" for fact in told)


def _sentences(number: int, told: Sequence[Any]) -> Iterator[Broken]:
    for fact in told:
        if type(fact) is facts.Guide:
            args = dict(fact.args)
            if not fact.code or (fact.code == facts.HELD and not (args["ways"] and args["why"])):
                yield Broken(NO_SENTENCE, number, f"round {number} was held as {fact}")


def _confirmed(
    scenario: CardScenario, truth: RoundTruth, told: Sequence[Any], of_rows: Any, funds: Funds
) -> Iterator[Broken]:
    """A result against what lies on the cloth; `of_rows`: the round as card_round.collect has
    it.
    """
    number = truth.number
    end = next(fact for fact in told if type(fact) is facts.RoundResult)
    engaged = [fact for fact in told if type(fact) is facts.Engaged]
    yield from _decisions(truth, engaged)
    true = [deck.text_of(card.card) for card in truth.cards]
    stakes, cards, engagements, end_row = of_rows
    rows = [row["card"] for row in sorted(cards, key=lambda row: int(row["k"]))]
    if rows != true:
        text = f"round {number} has {' '.join(rows)}; on the cloth lie {' '.join(true)}"
        yield Broken(WRONG_CARDS, number, text)
        return
    try:
        played = truth.played(campaign_limits(scenario.setup.game), engaged, funds)
    except CardsError as error:
        yield Broken(WRONG_CARDS, number, f"round {number} is none: {error.sentence}")
        return
    places = [row["to"] for row in sorted(cards, key=lambda row: int(row["k"]))]
    if places != played.places:
        yield Broken(WRONG_CARDS, number, f"round {number}: its cards lie at {places}")
    due = [tuple(payment) for payment in played.payments()]
    if [tuple(payment) for payment in end.payments] != due:
        text = f"round {number} paid {list(end.payments)}; due was {due}"
        yield Broken(WRONG_PAY, number, text)
    if end.outcome != played.outcome():
        yield Broken(WRONG_PAY, number, f"round {number} has another outcome: {end.outcome}")
    try:
        told_again = card_round.payments(stakes, cards, engagements, end_row)
    except BrokenSeal as error:
        yield Broken(WRONG_PAY, number, f"the rows of round {number} are broken: {error}")
        return
    if [tuple(payment) for payment in told_again] != due:
        yield Broken(WRONG_PAY, number, f"the rows of round {number} pay otherwise")


def _decisions(truth: RoundTruth, engaged: Sequence[Any]) -> Iterator[Broken]:
    """What counts is what a hand said; and what nobody said is to stand, uninsured."""
    for each in engaged:
        of_insurance = each.do in ("insure", "no_insurance")
        said = truth.said.get((each.seat, each.hand, each.seen, of_insurance))
        passive = "no_insurance" if of_insurance else "stand"
        is_ended = each.by == facts.BY_TIME or (of_insurance and said is None)
        if each.do != (passive if is_ended else said):
            text = f"seat {each.seat}, hand {each.hand} said {said}; {each.do} counts"
            yield Broken(WRONG_DECISION, truth.number, text)


def _foreign(log: CardLog, decks: int) -> Iterator[Broken]:
    """No result stands on a shoe that had a card too often, twice, or of two sets, by its rows."""
    drawn: dict[int, Any] = {}  # by ordinal: what is read again has the same
    for row in log.rows:
        if row.kind == card_kinds.SHOE and row.body["what"] == "begun":
            drawn = {}
        elif row.kind == card_kinds.CARD_ROW:
            drawn[row.body["ordinal"]] = row.body
        elif row.kind == card_kinds.RESULT:
            kinds = Counter(each["card"] for each in drawn.values() if each["card"])
            idents = [each["id"] for each in drawn.values() if each["id"]]
            marks = {ident.split("-")[0] for ident in idents}
            most = max(kinds.values(), default=0)
            if most > decks or len({*idents}) < len(idents) or len(marks) > 1:
                number = row.body["round"]
                text = f"round {number} was confirmed with a card that is none of the shoe's"
                yield Broken(FOREIGN, number, text)


def _miscounted(
    scenario: CardScenario, log: CardLog, by_round: dict[int, list[Any]]
) -> Iterator[Broken]:
    """A count agrees where each card that left the shoe has a number, whoever lost power."""
    begun = [
        log.begun[at]
        for at, use in enumerate(scenario.uses)
        if faults.find(use.fault).layer in _UNCOUNTED
    ]
    first = min([number for number in begun if number is not None], default=None)
    for number, told in by_round.items():
        if first is not None and first <= number:
            break
        for fact in told:
            if type(fact) is core_facts.Fault and fact.code == _COUNT:
                yield Broken(FALSE_ALARM, number, f"in round {number}: {fact.text}")


def _returned(
    scenario: CardScenario, truth: RoundTruth, told: Sequence[Any], funds: Funds
) -> Iterator[Broken]:
    """A void gives back, to each player, all that he laid: also what was added."""
    end = next(fact for fact in told if type(fact) is facts.RoundVoid)
    closed = [fact for fact in told if type(fact) is facts.BetsClosed]
    found: Counter[str] = Counter()
    for player, _, _, _, cents in end.returned:
        found[player] += cents
    limits = campaign_limits(scenario.setup.game)
    accepted, _ = accept(limits, [card_round.bare(stake) for stake in truth.stakes])
    due = money.laid(limits, accepted, told, truth, funds) if closed else money.sum_of(accepted)
    # Before the call a stake may not have been told yet, or only to a controller that is no more.
    if found != due and (closed or found):
        text = f"the void of round {truth.number} returned {dict(found)}; laid were {dict(due)}"
        yield Broken(VOID_SHORT, truth.number, text)


def _settles(scenario: CardScenario, at: int) -> int:
    """So many rounds after its own a fault of the play may still touch."""
    return faults.find(scenario.uses[at].fault).expect.settles_coups


def _lingers(scenario: CardScenario, at: int) -> bool:
    """Whether a fault may still be at work in the round after its own."""
    number = scenario.uses[at].round
    return _settles(scenario, at) > 1 or sum(use.round == number for use in scenario.uses) > 1


# --- of its faults --------------------------------------------------------------------------------
def _expected(
    scenario: CardScenario, one: Judged, by_round: dict[int, list[Any]]
) -> Iterator[Broken]:
    told = by_round[one.number]
    if not one.uses:
        for fact in told:
            if type(fact) is core_facts.Fault and fact.code not in (*_NO_ALARM, _COUNT):
                yield Broken(FALSE_ALARM, one.number, f"in round {one.number}: {fact.text}")
        if one.verdict == VOID:
            text = f"nothing was wrong in round {one.number}: void, {one.reason}"
            yield Broken(OUTCOME, one.number, text)
        return
    # Of two faults one may hide the other, or put it off; so may one that stays for rounds.
    before = [at for at in one.uses if at not in one.own]
    if len(one.own) != 1 or any(_lingers(scenario, at) for at in before):
        return
    at = one.own[0]
    use = scenario.uses[at]
    expect = faults.find(use.fault).expect
    if expect.outcome != EITHER and one.verdict != expect.outcome:
        text = f"{use.fault} made round {one.number} {one.verdict}, {one.reason}"
        yield Broken(OUTCOME, one.number, text, at)
    elif one.verdict == VOID and expect.reasons and one.reason not in expect.reasons:
        text = f"{use.fault} made round {one.number} void as {one.reason}"
        yield Broken(OUTCOME, one.number, text, at)
    # What lasts from the round before is no news in this one.
    codes = {
        fact.code
        for each in range(one.number - bool(before), one.number + 2)
        for fact in by_round.get(each, ())
        if type(fact) is core_facts.Fault
    }
    if expect.codes and not codes & {*expect.codes}:
        text = f"{use.fault} in round {one.number} was never told as {' or '.join(expect.codes)}"
        yield Broken(UNNOTICED, one.number, text, at)
