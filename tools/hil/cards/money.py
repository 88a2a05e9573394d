"""What must hold of the players' money at a card table, whatever goes wrong: to the cent.

Each account has what people had put in, less what they had paid out, as they asked for it, plus
what the rules pay for the true rounds; never reckoned by firmware/stakes/card_money.py. Each row of
money is what somebody asked for, and what is asked for has its row, or is refused for cause. A
follower's funds are his true balance at the moment of each decision. Nothing is settled twice,
nothing is lost; at each end of a round

    in - out = balances + what lies + what the house has won
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.reasons import INTERRUPTED
from firmware.stakes import accounts, card_kinds, card_round
from firmware.stakes.seal import BrokenSeal
from rules.cards.due import CARD, CHECK, DONE, TURN
from rules.cards.errors import CardsError
from rules.cards.round import next_card, open_round
from rules.cards.stakes import CardTable as Limits
from rules.cards.stakes import accept
from tools.hil.cards import notices
from tools.hil.verdict import Broken
from tools.virtual.card_table import (
    AccountBalances,
    CorrectionRefused,
    MoneyAsked,
    Restarted,
    RoundTruth,
    left,
    lying_on_hands,
)

if TYPE_CHECKING:
    from tools.hil.cards.oracle import CardLog

BALANCE, SUMS, ANSWER, ENTRY = "balance", "sums", "answer", "entry"
_HELD = "super_gold"  # waits for the management where it wins (seeds 000, Super-Jack)
_SIGNS = {accounts.DEPOSIT: 1, accounts.PAYOUT: -1}
_SAME = {  # in a row as it was asked
    accounts.ACCOUNT: ("player", "who"),
    accounts.DEPOSIT: ("account", "cents", "terminal", "who"),
    accounts.PAYOUT: ("account", "cents", "terminal", "who"),
    accounts.BARRED: ("account", "who", "why"),
    accounts.ADMITTED: ("account", "who", "why"),
}
_REFUSED = "P10"


class Version(NamedTuple):
    """How a round stands from a moment on, for who staked from an account. `paid`: by player what
    he is told, (bet, seat, hand, cents, won) each, None: all that he laid, `laid`; `anew`: who has
    to hear of it then.
    """

    at_us: int
    round: int
    paid: dict[str, list[tuple[Any, ...]]] | None
    laid: Counter[str]
    anew: frozenset[str]


class Purses:
    """What each player has by the truth, by name; cents."""

    def __init__(self, limits: Limits, log: CardLog) -> None:
        self.broken: list[Broken] = []
        self.funds: dict[int, list[dict[Any, int]]] = {}  # by round, of each decision
        self.versions: list[Version] = []  # of rounds that have ended, as they came to stand so
        self.names: dict[int, str] = {}  # by account
        self._limits = limits
        self._log = log
        self._truths = {truth.number: truth for truth in log.truths}
        self._entered: Counter[str] = Counter()  # put in, less paid out
        self._undurable: Counter[str] = Counter()  # of it not durable yet: nobody stakes it
        self.sums = accounts.ZERO
        self._won: Counter[str] = Counter()
        self._waiting: list[Any] = []  # payments that wait for the management
        self._waits_of = 0  # their round
        self._all: list[Any] = []  # all payments of that round, also of chips
        self._known: list[Any] = []  # of them, what the management knows of
        self._correction: Any = None  # RoundCorrectionAsked, until it is told or lost
        self._would_have: dict[Any, int] = {}  # each as it was asked, had nothing been paid
        self._corrections = 0  # so many were made
        # Decisions of the round that ended last, as it stands: what each said, and what it laid.
        self._of_round: list[tuple[Any, Counter[str]]] = []
        self._own: list[Any] = []  # all payments of that round to accounts
        self._engaged: list[Any] = []
        self._told: list[Any] = []  # of the round that is open
        self._is_open = self._is_called = False  # a round
        self._is_sealed = False  # what was staked in the one that ended last
        self._is_due = False  # the correction that was asked last: nothing refuses it
        # Since a restart, until its round ends: which of its rows were lost is not known here.
        self._is_unsure = False
        self._asked: Any = None  # MoneyAsked, until it is answered
        self._rows: Counter[str] = Counter()  # of money, as they were told
        self._cents: dict[str, int] = {}  # by such a row: in, or out below 0, as was asked

    def take_fact(self, fact: Any) -> None:
        """Follows what was told."""
        kind = type(fact)
        self._told.append(fact)
        if kind is facts.RoundCorrectionAsked:
            self._ask_correction(fact)
        elif kind is facts.RoundCorrection:
            self._judge_correction(fact)
        elif kind is MoneyAsked:
            self.end_asked()
            self._asked = fact
        elif kind is core_facts.Fault and fact.code == _REFUSED:
            self._refuse()
        elif kind is CorrectionRefused:
            self._refuse_correction(fact.asked)
        elif kind is core_facts.Record:
            self._judge_row(fact.kind, fact.body)
            self._enter(fact.kind, fact.body)
            if fact.body.get("what") == accounts.DEPOSIT:
                self._undurable[self.names[fact.body["account"]]] += fact.body["cents"]
        elif kind is core_facts.Entered and fact.body.get("what") == accounts.DEPOSIT:
            self._undurable[self.names[fact.body["account"]]] -= fact.body["cents"]
        elif kind is facts.RoundStarted:
            self._engaged, self._told = [], [fact]
            self._is_open, self._is_called = True, False
        elif kind is facts.BetsClosed:
            self._is_called = True
            staking = {stake["player"] for stake in self._truths[fact.round].stakes}
            for name, cents in self._free(fact.round).items():
                if cents < 0 and name in staking:
                    text = f"{name} stakes {-cents} cents more than he has in round {fact.round}"
                    self.broken.append(Broken(BALANCE, fact.round, text))
        elif kind is facts.Engaged:
            self._engaged.append(fact)
            self.funds.setdefault(fact.round, []).append(self._free(fact.round))
        elif kind is facts.RoundResult:
            self._settle(fact)
            self._end()
        elif kind is facts.RoundVoid:
            self._note_void(fact)
            self._end()
        elif kind is facts.HeldPaid:
            self._pay_waiting(fact.at_us)
        elif kind is Restarted:
            self._restart(self._log.rows[: fact.rows], fact.at_us)
        elif kind is AccountBalances:
            self.broken += self._compare(fact)

    def _free(self, number: int) -> dict[Any, int]:
        """What each has beside his stakes in a round."""
        lies: Counter[str] = Counter()
        for stake in self._truths[number].stakes:
            lies[stake["player"]] += stake["cents"]
        return {
            name: self._has(name) - self._undurable[name] - lies[name]
            for name in self.names.values()
        }

    def _has(self, name: str) -> int:
        waits: int = sum(each.stake_cents for each in self._waiting if each.player == name)
        return self._entered[name] + self._won[name] - waits

    def _enter(self, kind: str, body: Any) -> None:
        if kind == accounts.ACCOUNT:
            self.names[body["account"]] = body["player"]
        elif kind == accounts.MONEY and body["what"] in _SIGNS:
            cents = self._cents.get(_text(kind, body), 0)
            self._entered[self.names[body["account"]]] += cents
            self._add(max(cents, 0), max(-cents, 0))

    def end_asked(self) -> None:
        """Nothing more follows on what was asked last."""
        if self._asked is not None:
            self._break(f"nothing came of {self._asked}")
        self._asked = None

    def _judge_row(self, kind: str, body: Any) -> None:
        """A row of money is what was asked, to the cent."""
        what = body.get("what", kind)
        self._rows[_text(kind, body)] += 1
        if body.get("request") is not None:
            request = (body["terminal"], body["boot"], body["request"])
            account, cents = self._log.seats.asked_in.get(request, (0, 0))  # type: ignore[union-attr]
            due: dict[str, Any] = {"account": account, "cents": cents, "who": ""}
        else:
            asked, self._asked = self._asked, None
            if asked is None or asked.what != what:
                self._break(f"nobody asked for {what} {body}")
                return
            due = {key: asked.given[key] for key in _SAME[what]} if what in _SAME else {}
            if what == accounts.PAYOUT and due["cents"] == 0:
                due["cents"] = body["cents"] if self._is_unsure else self._to_pay(asked)
        if what in _SIGNS:
            self._cents[_text(kind, body)] = _SIGNS[what] * due["cents"]
        if {key: body.get(key) for key in due} != due:
            self._break(f"a row says {what} {body}; asked was {due}")

    def _refuse(self) -> None:
        """What was asked is not done: only a payout may be, of which nothing is free."""
        asked, self._asked = self._asked, None
        if asked is None or asked.what not in (*_SIGNS, accounts.ACCOUNT):
            return
        if asked.given.get("account", 0) not in self.names and asked.what != accounts.ACCOUNT:
            return  # he has none, as people are asked whom they serve after a restart
        if asked.what != accounts.PAYOUT or not (self._is_unsure or self._to_pay(asked) <= 0):
            self._break(f"{asked} was refused")

    def _to_pay(self, asked: MoneyAsked) -> int:
        """What is free of an account as all of it is asked for."""
        name = self.names[asked.given["account"]]
        free = self._has(name) - self._undurable[name] - asked.lies[name]
        return free - self._added()[name]

    def _added(self) -> Counter[str]:
        """What decisions have added in the round that is open."""
        if not self._is_called:
            return Counter()
        number = self._told[0].round
        truth = self._truths[number]
        accepted, _ = accept(self._limits, [card_round.bare(stake) for stake in truth.stakes])
        lies = laid(self._limits, accepted, self._told, truth, self.funds.get(number, ()))
        lies.subtract(sum_of(accepted))
        return lies

    def _end(self) -> None:
        self._is_open = self._is_called = self._is_unsure = False

    def _break(self, text: str) -> None:
        self.broken.append(Broken(ENTRY, None, text))

    def _restart(self, rows: Sequence[Any], at_us: int) -> None:
        """The accounts are what is durable, and nothing else."""
        self.end_asked()
        self._is_unsure = True
        begun = max([row.body["round"] for row in rows if row.kind == card_kinds.ROUND], default=0)
        # A round that no row has never began.
        self._is_open = self._is_open and bool(self._told) and begun == self._told[0].round
        durable: Counter[str] = Counter()
        self.names, self.sums = {}, self.sums._replace(in_cents=0, out_cents=0)
        self._entered.clear()
        self._undurable.clear()
        for row in rows:
            if row.kind in (accounts.ACCOUNT, accounts.MONEY):
                durable[_text(row.kind, row.body)] += 1
            self._enter(row.kind, row.body)
            if row.kind == card_kinds.PAID and row.body["round"] == self._waits_of:
                self._pay_waiting(at_us)
        asked, self._correction = self._correction, None
        if asked is not None:
            kept_rows = [row for row in rows if row.kind == card_kinds.CORRECTION]
            if len(kept_rows) > self._corrections:
                self._correct(asked, at_us)
        self._tell_last(at_us)
        for text in durable - self._rows:
            self._break(f"nobody was told of the row {text}")
        self._rows = durable

    def _tell_last(self, at_us: int) -> None:
        """Who staked in the round that ended last, and none is open, is told of it anew; not of one
        that was void before the call: no row has its stakes.
        """
        last = self.versions[-1] if self.versions else None
        if last is None or self._is_open:
            return
        if not self._is_sealed and last.at_us == at_us:
            self.versions[-1] = last._replace(anew=frozenset())
        if not self._is_sealed or last.at_us == at_us:
            return
        told = last.laid if last.paid is None else last.paid
        self.versions.append(last._replace(at_us=at_us, anew=frozenset(told)))

    def _note_void(self, fact: Any) -> None:
        """All that accounts laid goes back."""
        number = fact.round
        truth, told = self._truths[number], kept(self._told, self._log.rows, number, fact.reason)
        accepted, _ = accept(self._limits, [card_round.bare(stake) for stake in truth.stakes])
        lies = sum_of(accepted)
        self._own, self._all, self._known, self._of_round = [], [], [], []
        self._is_sealed = any(type(each) is facts.BetsClosed for each in told)
        if self._is_sealed:
            self._note_decisions(number, told)
            lies = laid(self._limits, accepted, told, truth, self.funds.get(number, ()))
        elif fact.reason == INTERRUPTED:
            lies = Counter()  # no row has them
        own = {stake["player"] for stake in truth.stakes if "account" in stake}
        back = Counter({name: cents for name, cents in lies.items() if name in own})
        self.versions.append(Version(fact.at_us, number, None, back, frozenset(back)))

    def _note_paid(self, at_us: int, own: Sequence[Any], anew: set[str]) -> None:
        """Payments of accounts stand so, but for what waits."""
        paid: dict[str, list[tuple[Any, ...]]] = {}
        for each in own:
            if each not in self._waiting:
                where = (each.bet, each.seat or 0, each.hand or 0)
                told = (*where, each.stake_cents, each.won_cents)
                paid.setdefault(each.player, []).append(told)
        told_anew = frozenset(anew & paid.keys())
        self.versions.append(Version(at_us, self._waits_of, paid, Counter(), told_anew))

    def _settle(self, fact: Any) -> None:
        """Pays what the rules pay for the true round."""
        number = fact.round
        truth, funds = self._truths[number], self.funds.get(number, ())
        try:
            payments = truth.played(self._limits, self._engaged, funds).payments()
        except CardsError:
            return  # the oracle of rounds says so
        own_names = {*self.names.values()}
        own = [each for each in payments if each.player in own_names]
        self._waiting = [each for each in own if each.bet == _HELD and each.won_cents > 0]
        self._waits_of, self._own, self._all = number, own, payments
        self._known, self._is_sealed = [], True
        self._note_decisions(number, self._told)
        self._note_paid(fact.at_us, own, own_names)
        self._pay([each for each in own if each not in self._waiting])

    def _ask_correction(self, asked: Any) -> None:
        """Two people ask for it: it is told later, or refused at once, for cause."""
        last = self.versions[-1] if self.versions else None
        is_void = last is None or last.paid is None
        is_reached = last is not None and last.round == asked.round and not self._is_open
        self._is_due = is_reached and self._is_sealed and self._correction is None
        self._is_due = self._is_due and not (asked.cards is None and is_void)
        if self._correction is None:
            self._correction, self._would_have = asked, self._without(asked.round)

    def _without(self, number: int) -> dict[Any, int]:
        """What each would have beside his stakes in that round, had nothing of it been paid."""
        if number not in self._truths:
            return {}
        found = self._free(number)
        for each in self._own:
            waits = each in self._waiting
            found[each.player] += each.stake_cents if waits else -each.won_cents
        return found

    def _refuse_correction(self, asked: Any) -> None:
        if self._correction is asked:
            self._correction = None
        if self._is_due:
            self._break(f"{asked} was refused")

    def _judge_correction(self, fact: Any) -> None:
        """A correction is what was asked, and pays what the rules pay for that."""
        asked, self._correction = self._correction, None
        if asked is None or asked.round != fact.round or (asked.cards is None) != bool(fact.reason):
            self._break(f"nobody asked for {fact}")
            return
        self._correct(asked, fact.at_us)
        if asked.cards is not None and [*map(tuple, fact.payments)] != [*map(tuple, self._all)]:
            text = f"round {fact.round} is corrected to {fact.payments}; due was {self._all}"
            self.broken.append(Broken(SUMS, fact.round, text))

    def _correct(self, asked: Any, at_us: int) -> None:
        """The round that ended last stands otherwise: what it paid is taken, and paid anew."""
        self._corrections += 1
        number = asked.round
        names = {*self.names.values()}
        for each in self._own:
            if each not in self._waiting:
                self._won[each.player] -= each.won_cents
                self._add(0, 0, -each.stake_cents, -each.returned_cents)
        self._waiting, before = [], self._own
        self._waits_of = number
        if asked.cards is None:
            laid_cents: Counter[str] = Counter()
            for each in before:
                laid_cents[each.player] += each.stake_cents
            self._own, self._all = [], []
            version = Version(at_us, number, None, laid_cents, frozenset(laid_cents))
            self.versions.append(version)
            return
        self._all = self._restated(asked).payments()
        self._own = [each for each in self._all if each.player in names]
        self._waiting = [
            each
            for each in self._own
            if each.bet == _HELD and each.won_cents > 0 and each not in self._known
        ]
        told = [each for each in self._own if each not in self._waiting]
        self._known = [each for each in told if each.bet == _HELD]
        self._note_paid(at_us, self._own, names)
        self._pay(told)

    def _restated(self, asked: Any) -> Any:
        """The round as two people say that it was: who bets behind lays with a decision that stood
        what he laid then, and with another what he would have had.
        """
        round_: Any = open_round(self._limits, self._staked(asked.round))
        lay = lying_on_hands(round_) if hasattr(round_, "seats") else Counter()
        free = self._would_have
        cards, stood = list(asked.cards), list(self._of_round)
        said = [one for one, _ in stood] if asked.decisions is None else _said(asked.decisions)
        self._of_round = []
        while (kind := next_card(round_).kind) != DONE:
            if kind == CARD:
                round_.deal(cards.pop(0))
            elif kind == CHECK:
                round_.check()
            elif kind == TURN:
                round_.turn()
            else:
                decision, before = said.pop(0), lying_on_hands(round_)
                as_then = [each for each in stood if each[0] == decision][:1]
                has = left(round_, lay, free)
                for each in as_then:
                    stood.remove(each)
                    has = {name: each[1][name] for name in free}
                round_.decide(*decision, has)
                self._of_round.append((decision, lying_on_hands(round_) - before))
        return round_

    def _staked(self, number: int) -> Any:
        stakes = self._truths[number].stakes
        return accept(self._limits, [card_round.bare(stake) for stake in stakes])[0]

    def _note_decisions(self, number: int, told: Sequence[Any]) -> None:
        """What each decision of a round that has ended said and laid, by the truth."""
        truth, funds = self._truths[number], self.funds.get(number, ())
        engaged = [fact for fact in told if type(fact) is facts.Engaged]
        said = [(each.seat, each.hand, each.do, each.cents) for each in engaged]
        added = additions(self._limits, self._staked(number), told, truth, funds)
        self._of_round = list(zip(said, added, strict=False))

    def _pay(self, payments: Sequence[Any]) -> None:
        for each in payments:
            self._won[each.player] += each.won_cents
            self._add(0, 0, each.stake_cents, each.returned_cents)

    def _add(self, in_: int, out: int, staked: int = 0, returned: int = 0) -> None:
        more = (in_, out, staked, returned)
        self.sums = accounts.Meters(*map(sum, zip(self.sums, more, strict=True)))

    def _pay_waiting(self, at_us: int) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._known += waiting
            self._pay(waiting)
            self._note_paid(at_us, self._own, {each.player for each in waiting})

    def _compare(self, standing: AccountBalances) -> Iterator[Broken]:
        number = standing.round
        for n, cents in standing.cents.items():
            due = self._has(self.names[n])
            if cents != due:
                text = f"after round {number} {self.names[n]} has {cents} cents; due are {due}"
                yield Broken(BALANCE, number, text)
        lies = sum(each.stake_cents for each in self._waiting)
        if (standing.sums, standing.lying_cents) != (self.sums, lies):
            text = f"after round {number} the meters say {standing.sums}, due are {self.sums}"
            yield Broken(SUMS, number, f"{text}; {standing.lying_cents} lie, due are {lies}")
        told = standing.sums
        stands = sum(standing.cents.values()) + standing.lying_cents
        if told.in_cents - told.out_cents != stands + told.staked_cents - told.won_cents:
            yield Broken(SUMS, number, f"after round {number} in less out is not what there is")


def followed(limits: Limits, log: CardLog) -> Purses:
    """Follows the money of a play to its end."""
    purses = Purses(limits, log)
    for fact in log.told:
        purses.take_fact(fact)
    purses.end_asked()
    return purses


def _text(kind: str, body: Any) -> str:
    """A row of money as one text."""
    return f"{kind} {sorted(body.items())}"


def judge(limits: Limits, log: CardLog) -> tuple[dict[int, list[dict[Any, int]]], list[Broken]]:
    """Returns what each player could add at each decision of a play, by round; and what is broken
    of their money.
    """
    if log.seats is None:
        return {}, []
    purses = followed(limits, log)
    broken = purses.broken + list(_folded(log)) + list(notices.judge(purses, log))
    broken += [Broken(ANSWER, None, text) for text in log.seats.wrong]
    return purses.funds, broken + list(_taken_in(log))


def laid(
    limits: Any,
    stakes: list[Any],
    told: Sequence[Any],
    truth: RoundTruth,
    funds: Sequence[dict[Any, int]],
) -> Counter[str]:
    """What each player has laid by what was dealt and decided; the hole card matters to none."""
    total = sum_of(stakes)
    for each in additions(limits, stakes, told, truth, funds):
        total.update(each)
    return total


def additions(
    limits: Any,
    stakes: list[Any],
    told: Sequence[Any],
    truth: RoundTruth,
    funds: Sequence[dict[Any, int]],
) -> list[Counter[str]]:
    """What each decision has laid, by player."""
    round_: Any = open_round(limits, stakes)
    found: list[Counter[str]] = []
    lay = lying_on_hands(round_) if funds else Counter()
    events = [fact for fact in told if type(fact) in (facts.CardDealt, facts.Engaged)]
    dealt = {fact.k: fact for fact in events if type(fact) is facts.CardDealt}
    engaged = [fact for fact in events if type(fact) is facts.Engaged]
    k = decided = 0
    while next_card(round_).kind != DONE:
        kind = next_card(round_).kind
        if kind == "card":
            k += 1
            if k not in dealt:
                break
            card = dealt[k].card
            round_.deal(_some_card(round_) if card is None else card)
        elif kind == "check":
            round_.check()
        elif kind == "turn" or decided == len(engaged):
            break
        else:
            before = lying_on_hands(round_)
            has = left(round_, lay, funds[decided]) if funds else None
            truth.decide(round_, engaged[decided], has)
            decided += 1
            found.append(lying_on_hands(round_) - before)
    return found


def _said(decisions: Sequence[Any]) -> list[tuple[Any, ...]]:
    """What people say that hands decided."""
    return [tuple(each.get(key) for key in ("seat", "hand", "do", "cents")) for each in decisions]


def sum_of(stakes: list[Any]) -> Counter[str]:
    """What lies, by player."""
    total: Counter[str] = Counter()
    for stake in stakes:
        total[stake["player"]] += stake["cents"]
    return total


def _some_card(round_: Any) -> int:
    """A card with which the dealer's ace is no Black Jack."""
    return next(card for card in range(1, 9) if round_.cards.count(card) < round_.table.decks)


def kept(
    told: Sequence[Any], rows: Sequence[Any], number: int, reason: str | None
) -> Sequence[Any]:
    """What was told of a round; of one that a restart found, without what no row keeps: it was told
    a moment before the power was lost, and people give back what lies on the cloth.
    """
    if reason != INTERRUPTED:
        return told
    own = [row for row in rows if row.body.get("round") == number]
    closed = any(row.kind == card_kinds.STAKES for row in own)
    engaged = {row.body["n"] for row in own if row.kind == card_kinds.ENGAGEMENT}
    return [
        fact
        for fact in told
        if (type(fact) is not facts.BetsClosed or closed)
        and (type(fact) is not facts.Engaged or fact.n in engaged)
    ]


def _folded(log: CardLog) -> Iterator[Broken]:
    """Each row follows on those before, as `cylindre journal verify` has it."""
    money = accounts.Accounts()
    for row in log.rows:
        try:
            if row.kind in accounts.FOLDED:
                money.add_row(row.kind, json.loads(json.dumps(row.body)))
        except (accounts.Refused, BrokenSeal, KeyError, TypeError, ValueError) as error:
            yield Broken(SUMS, row.body.get("round"), f"a row {row.kind} cannot follow: {error!r}")
            return


def _taken_in(log: CardLog) -> Iterator[Broken]:
    """What an acceptor took in is entered, once."""
    assert log.seats is not None
    found: Counter[tuple[int, int, int, int]] = Counter()
    for row in log.rows:
        if row.kind == accounts.MONEY and row.body.get("request") is not None:
            body = row.body
            found[body["terminal"], body["boot"], body["request"], body["cents"]] += 1
    for request, cents in log.seats.taken_in.items():
        if (*request, cents) not in found:
            yield Broken(SUMS, None, f"terminal {request[0]} took {cents} cents in for nothing")
    for (terminal, *_), times in found.items():
        if times > 1:
            yield Broken(SUMS, None, f"terminal {terminal} took money in {times} times")
