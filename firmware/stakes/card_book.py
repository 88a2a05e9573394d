"""The stakes book of a card table: what players at terminals lay before the call and decide after
it, who bets behind whose hand, and what each is to be told (terminal_book.py: who sits where).

A terminal's address is its seat. One address may be the followers' host, which carries players who
bet behind a hand (Live Casino, s. 2.9). Stakes of the same table that no terminal laid, chips on
the cloth, are the core's, and are judged together with these.
"""

from firmware.shims.typed import Any, NamedTuple, Sequence
from firmware.stakes import card_kinds, card_round
from firmware.stakes.answers import (
    CASH_ONLY,
    EMPLOYEE,
    YES,
    Answer,
    CardDue,
    CardPaid,
    CardSettled,
)
from firmware.stakes.bets_behind import BetsBehind
from firmware.stakes.card_money import Settled as Round
from firmware.stakes.card_money import credits_of
from firmware.stakes.terminal_book import STAKES_MAX, TerminalBook
from rules.cards.stakes import accept

ELSEWHERE = 0  # the id, at a terminal, of a stake that was laid at another
NOTHING = CardSettled(0, None, ())

# What the core asks of one seat. `costs`: (decision, least, most) cents, of those that lay money;
# `until_us`: None for no limit; `points`: of that hand, as a screen has them.
Asked = NamedTuple(
    "Asked",
    [
        ("kind", str),
        ("seat", int),
        ("hand", int),
        ("choices", "Sequence[str]"),
        ("costs", "Sequence[tuple[str, int, int]]"),
        ("seen", int),
        ("until_us", "int | None"),
        ("points", str),
    ],
)


class CardBook(TerminalBook):
    """One round after the other. Give it each row that the table records (firmware.core.cards)."""

    def __init__(
        self,
        limits: Any,
        *,
        terminals: Sequence[int],
        coup: int = 1,
        money: Any = None,
        keys: "dict[int, bytes] | None" = None,
        put_in: bool = False,
        followers: "int | None" = None,
    ) -> None:
        """`limits`: of rules.cards.stakes; `terminals`: their addresses; `coup`: the round to come;
        `followers`: the address of their host, one of `terminals`. Money as firmware.stakes.book.
        """
        rules = limits.rules
        TerminalBook.__init__(
            self,
            rules["regulation"],
            terminals=terminals,
            coup=coup,
            money=money,
            keys=keys,
            put_in=put_in,
        )
        self.goes_on = False  # no round is played again with the same stakes
        self.behind = BetsBehind(self, limits, followers)
        self.is_changed = False  # stakes were laid or taken back since the core last looked
        self._limits = limits
        self._has_seats = rules["family"] == "blackjack"
        self._late: tuple[str, str] = rules["late"]
        self._play: str = rules["articles"]["play"]
        self._chips: list[Any] = []  # stakes that no terminal laid
        self._record: Any = None  # the last that was sealed
        self._asked_now: list[Asked] = []  # of whom something is due
        self._decisions: list[tuple[int, Any]] = []  # for the core: terminal, Decide
        # By terminal: its last decision, boot and request; the answer, None while it waits.
        self._decided: dict[int, tuple[Any, Any]] = {}
        self._ended: CardSettled = NOTHING
        # Round and account of payments that wait for the management.
        self._held: list[tuple[int, int]] = []

    # --- the round, as the core tells it ----------------------------------------------------------
    def open_coup(self, coup: int) -> None:
        """Opens a round: what was laid since the last one ended is for it."""
        self.coup = coup

    def take_chips(self, stakes: Sequence[Any]) -> "Sequence[Any]":
        """Takes what lies on the cloth that no terminal laid, all of it; returns what of it the
        table does not take, rules.cards.stakes.Refusal each.
        """
        own = self._bare()
        laid, refused = accept(self._limits, own + list(stakes))
        if [one for one in refused if _is_among(one.stake, own)]:
            return refused  # what terminals have lying stays, so those do not lie beside it
        self._chips = [stake for stake in laid if not _is_among(stake, own)]
        return refused

    def chips(self) -> "Sequence[Any]":
        """Returns what lies on the cloth that no terminal laid."""
        return list(self._chips)

    def stakes(self) -> "list[Any]":
        """Returns all that lies before the call, as it would be sealed."""
        return list(self._stakes) + list(self._chips)

    def add_row(self, kind: str, body: Any) -> None:
        """Takes a row that the table records; an end, of any kind, once it is durable."""
        if self.money is not None and kind in card_kinds.MONEY:
            self.money.add_row(kind, body)
        if kind == card_kinds.STAKES:
            self._record, self._closed, self._reserved = body, True, {}
        elif kind in (card_kinds.RESULT, card_kinds.VOID):
            self._end(kind, body)
        elif kind == card_kinds.PAID:
            waited = [n for number, n in self._held if number == body["round"]]
            self._tell_round(body["round"], waited)

    def corrected(self, body: Any) -> bool:
        """Takes a durable correction: the accounts are put right, and their players told anew.

        Returns False where that is out of reach: people pay the differences.
        """
        if self.money is None or self.money.is_empty:
            return True
        self.add_row(card_kinds.CORRECTION, body)
        if self.money.cards().of_round(body["round"]) is None:
            return not self._had_stakes(body["round"])
        self._tell_round(body["round"], None)
        if self._ended.coup == body["round"]:
            self._ended = CardSettled(body["round"], _outcome(body), ())
        self._uncover()
        return True

    def restore(self, stakes: Any, end: Any) -> None:
        """Takes up, after a restart, the stakes sealed last (None: none), and their round's end:
        players are told what they have not heard.
        """
        self._record = stakes
        self._tell_end(end)

    def restore_open(self, coup: int, stakes: Any) -> None:
        """Takes up, after a restart, a round that it interrupted: no stake is taken before its end.
        `stakes`: sealed ones, or None.
        """
        self._record = stakes
        self._closed, self.coup = True, coup

    def show_asked(self, asked: Sequence[Asked]) -> None:
        """Takes of whom something is due from now on."""
        self._asked_now = list(asked)

    def take_decisions(self) -> "Sequence[tuple[int, Any]]":
        """Returns what terminals have decided since the last call: address and Decide."""
        taken = self._decisions
        self._decisions = []
        return taken

    def answer_decision(self, terminal: int, answer: Answer) -> None:
        """Takes what became of a terminal's decision."""
        asked, waits = self._decided.get(terminal, (None, YES))
        if waits is None:
            self._decided[terminal] = (asked, answer)

    def is_held(self, seat: int) -> bool:
        """Returns whether an account has a main stake on a seat."""
        return self._holder(seat) is not None

    def why_short(self, seat: int, cents: int) -> "Answer | None":
        """Returns why who has the hand of a seat cannot lay so much more (art. 62), or None."""
        n = self._holder(seat)
        if n is None or cents <= self.free_cents(n):
            return None
        return self._lacks(n)

    # --- what a terminal may ask ------------------------------------------------------------------
    @property
    def is_open(self) -> bool:
        """Returns whether stakes are taken now, from whoever is seated."""
        return not self._closed and not self._suspended and bool(self._employees)

    def due(self, terminal: int) -> "CardDue | None":
        """Returns what who sits at a terminal is to decide now: only what the rules and his money
        allow; None for nothing.
        """
        n = self._seats.get(terminal)
        if n is None or self._suspended:
            return None
        for one in self._asked_now:
            if self._holder(one.seat) != n:
                continue
            free, choices, most = self.free_cents(n), [], 0
            costs = {do: (least, cents) for do, least, cents in one.costs}
            for do in one.choices:
                least, cents = costs.get(do, (0, 0))
                if least <= free:
                    choices.append(do)
                    most = max(most, cents)
            return CardDue(
                one.kind,
                one.seat,
                one.hand,
                tuple(choices),
                most,
                one.seen,
                one.until_us,
                one.points,
            )
        return None

    def settled(self, terminal: int) -> CardSettled:
        """Returns what a terminal is to be told: the oldest round with stakes of who sits there
        that he has not heard, else the last that ended.
        """
        return self.untold(self._seats.get(terminal, 0), terminal)

    def is_waiting(self, terminal: int, coup: int) -> bool:
        """Returns whether a payment of that round to who sits there waits for the management."""
        return (coup, self._seats.get(terminal, 0)) in self._held

    def last_settled(self) -> CardSettled:
        """Returns the last round that ended, for who is told of no stakes."""
        return self._ended

    def stake(
        self, terminal: int, number: int, *, coup: int, bet: str, on: Sequence[int], cents: int
    ) -> Answer:
        """Places a stake of the seated player on `coup`. `number`: the terminal's own for it; `on`:
        its seat, at baccarat nothing.
        """
        if terminal == self.behind.address:
            return Answer(False, "", "this address carries who bets behind, and seats nobody")
        if bet == card_round.BEHIND:
            return Answer(False, self.behind.article, "who sits at the table does not bet behind")
        asked: dict[str, Any] = {"bet": bet, "cents": cents}
        if self._has_seats:
            asked["seat"] = on[0] if len(on) == 1 else None
        known = self.known(self._seats.get(terminal), terminal, number, coup, asked)
        if known is not None:
            return known
        if terminal not in self._seats:
            why = self._unseated.get(terminal)
            if why is not None:
                return Answer(False, "", f"an employee has signed you off: {why}")
            return self.sign_on_first()
        n = self._seats[terminal]
        refusal = self.refused_now(n, coup) or self._not_his_seat(terminal, asked.get("seat"))
        return refusal or self.lay(n, terminal, number, asked)

    def take_back(self, terminal: int, number: int) -> Answer:
        """Takes a stake back; possible until the call, and not what another needs beside it."""
        n = self._seats.get(terminal)
        where = (n, terminal, number)
        return self.take_off(
            [one for one in self._stakes if (one["account"], one["terminal"], one["id"]) == where],
            f"there is no stake {number} on the cloth",
        )

    def decide(self, terminal: int, boot: int, request: int, ask: Any) -> "Answer | None":
        """Takes a decision of who sits there; None: the core has yet to judge it, ask again.

        `ask`: a Decide of terminal_messages. The same request of the same boot counts once.
        """
        asked, (last, answer) = (boot, request), self._decided.get(terminal, (None, YES))
        if asked == last:
            return answer  # type: ignore[no-any-return]
        if answer is None:
            return Answer(False, self._play, "your decision before is being judged")
        n = self._seats.get(terminal)
        if n is None:
            return self.sign_on_first()
        if not self._closed or ask.coup != self.coup:
            return Answer(False, self._play, "nobody decides now")
        if self._holder(ask.seat) != n:
            return Answer(False, self._play, f"the hand of seat {ask.seat} is not yours")
        self._decided[terminal] = (asked, None)
        self._decisions.append((terminal, ask))
        return None

    # --- what bets behind ask (bets_behind.py) ----------------------------------------------------
    def account_stakes(self) -> "Sequence[Any]":
        """Returns the stakes of accounts in the round that is played."""
        if not self._closed:
            return self._stakes
        if self._record is None or self._record["round"] != self.coup:
            return []
        return [one for one in self._record["stakes"] if one.get("account") is not None]

    def is_played(self, seat: int) -> bool:
        """Returns whether somebody sits at a seat, or has laid chips there."""
        if seat in self._seats and seat != self.behind.address:
            return True
        laid = self._stakes + self._chips
        return any(one["bet"] == "main" and one["seat"] == seat for one in laid)

    def known(
        self, n: "int | None", terminal: Any, number: int, coup: int, asked: "dict[str, Any]"
    ) -> "Answer | None":
        """Returns the answer to a stake that was taken before: a restart, or the line, lost it."""
        record = self._record
        sealed = record is not None and record["round"] == coup
        for one in record["stakes"] if sealed else self._stakes:
            if (one.get("terminal"), one.get("id")) != (terminal, number):
                continue
            if terminal == self.behind.address and one["account"] != n:
                continue  # each follower counts for himself
            is_his = n is None or one["account"] == n
            if is_his and all(one.get(key) == asked[key] for key in asked):
                return YES
            return Answer(False, "", f"stake {number} is another stake already")
        return None

    def refused_now(self, n: int, coup: int) -> "Answer | None":
        """Returns why no stake of that account is taken now, whatever it is; or None."""
        if self._closed or coup != self.coup:
            return Answer(False, self._late[0], self._late[1])
        if self._suspended:
            return Answer(False, "", "the table is out of play until its fault is cleared")
        if not self._employees:
            return self.refuse(EMPLOYEE)
        if len([one for one in self._stakes if one["account"] == n]) >= STAKES_MAX:
            return Answer(False, "", f"a terminal places {STAKES_MAX} stakes at most")
        return None

    def lay(self, n: int, terminal: Any, number: int, asked: "dict[str, Any]") -> Answer:
        """Takes a stake of an account, `number` of that terminal; or says why not."""
        stake = dict(asked)
        stake["player"] = self.money.account(n).player
        _, refused = accept(self._limits, self._bare() + [stake] + self._chips)
        if refused:  # the new one, or one that cannot lie beside it
            own = [one for one in refused if one.stake is stake] or refused
            return Answer(False, own[0].rule, own[0].why)
        if stake["cents"] > self.free_cents(n):
            return self._lacks(n)
        self._reserved[n] = self._reserved.get(n, 0) + stake["cents"]
        stake["account"], stake["terminal"], stake["id"] = n, terminal, number
        self._stakes.append(stake)
        self.is_changed = True
        return YES

    def take_off(self, found: "Sequence[Any]", none: str) -> Answer:
        """Takes the first of these stakes off the table; `none`: what is answered for none."""
        if not found:
            return Answer(False, "", none)
        if self._closed:
            return Answer(False, self._late[0], self._late[1] + " : the stake lies")
        stake = found[0]
        rest = [card_round.bare(one) for one in self._stakes if one is not stake] + self._chips
        _, refused = accept(self._limits, rest)
        if refused:
            one = refused[0]
            return Answer(False, one.rule, f"take back first what goes with it: {one.why}")
        self._give_back(stake)
        return YES

    def untold(self, n: int, terminal: Any) -> CardSettled:
        """Returns what the player of account `n` is to be told there; as `settled`."""
        waiting = self._settled.get(n)
        if not waiting:
            return self._ended
        told, where, _ = waiting[0]
        paid = []
        for one, at in zip(told.paid, where):
            number = one.id if at == terminal else ELSEWHERE
            paid.append(CardPaid(number, one.bet, one.seat, one.hand, one.cents, one.won_cents))
        return CardSettled(told.coup, told.outcome, tuple(paid))

    # --- within -----------------------------------------------------------------------------------
    def _elsewhere(self, n: int) -> "Answer | None":
        return self.behind.why_not_seated(n)

    def _barred(self, n: int) -> None:
        self.behind.sign_off(n)
        if not self._closed:
            for stake in [one for one in self._stakes if one["account"] == n]:
                self._give_back(stake)

    def _bare(self) -> "list[Any]":
        return [card_round.bare(stake) for stake in self._stakes]

    def _holder(self, seat: int) -> "int | None":
        """Returns the account whose main stake lies on a seat, or None."""
        for stake in self.account_stakes():
            if stake["bet"] == "main" and stake["seat"] == seat:
                return int(stake["account"])
        return None

    def _not_his_seat(self, terminal: int, seat: "int | None") -> "Answer | None":
        """Returns why a terminal lays nothing at a seat that is another's, or None."""
        if seat is None or seat == terminal:
            return None
        article = self._limits.rules["seats"][0]
        if seat in self._seats:
            return Answer(False, article, f"another player sits at seat {seat}")
        if not self._limits.rules["several_hands"]:
            return Answer(
                False, self._limits.rules["articles"]["hands"], "a player has one hand alone"
            )
        return None

    def _lacks(self, n: int) -> Answer:
        return self.refuse(CASH_ONLY, f"{self.free_cents(n)} cents are left, put money in first")

    def _give_back(self, stake: Any) -> None:
        self._stakes.remove(stake)
        self._reserved[stake["account"]] -= stake["cents"]
        self.is_changed = True

    def _end(self, kind: str, body: Any) -> None:
        if self._closed:
            self._tell_end(body)
        elif self._stakes:  # void before the call: none was sealed
            paid: dict[int, list[Any]] = {}
            hand = 1 if self._has_seats else 0
            for stake in self._stakes:
                where = (stake["id"], stake["bet"], stake.get("seat") or 0, hand)
                told = CardPaid(*(where + (stake["cents"], 0)))
                paid.setdefault(stake["account"], []).append((told, stake["terminal"]))
            self._tell_all(CardSettled(body["round"], None, ()), paid)
        self._ended = CardSettled(body["round"], _outcome(body), ())
        self._stakes, self._chips, self._reserved, self._asked_now = [], [], {}, []
        self._closed = False
        self.coup = body["round"] + 1
        self.is_changed = True

    def _tell_end(self, end: Any) -> None:
        """Has each player told what the round paid him; not what waits for the management."""
        found = None if self.money is None else self.money.cards().of_round(end["round"])
        if found is not None:
            self._note_held(found)
            self._tell_paid(found)
        self._ended = CardSettled(end["round"], _outcome(end), ())

    def _note_held(self, settled: Round) -> None:
        """Notes of which accounts a payment of a round waits for the management."""
        number = settled.end["round"]
        self._held = [one for one in self._held if one[0] != number]
        for credit in credits_of(settled) if settled.waits else ():
            if credit.waits:
                self._held.append((number, credit.stake["account"]))

    def _tell_round(self, number: int, accounts: "Sequence[int] | None") -> None:
        """Has players told anew of a round: it was corrected (None: all of them), or what waited is
        paid.
        """
        found = None if self.money is None else self.money.cards().of_round(number)
        if found is None:
            return
        self._note_held(found)
        self._tell_anew(number, accounts)
        self._tell_paid(found, accounts)
        self._seat_anew()

    def _tell_paid(self, settled: Round, accounts: "Sequence[int] | None" = None) -> None:
        paid: dict[int, list[Any]] = {}
        for stake, payment, waits in credits_of(settled):
            if waits or (accounts is not None and stake["account"] not in accounts):
                continue
            said = CardPaid(
                stake["id"],
                payment.bet,
                payment.seat or 0,
                payment.hand or 0,
                payment.stake_cents,
                payment.won_cents,
            )
            paid.setdefault(stake["account"], []).append((said, stake["terminal"]))
        end = settled.end
        self._tell_all(CardSettled(end["round"], _outcome(end), ()), paid)

    def _tell_all(self, ended: CardSettled, paid: "dict[int, list[Any]]") -> None:
        for n in sorted(paid):
            told = CardSettled(ended.coup, ended.outcome, tuple([one for one, _ in paid[n]]))
            self._tell(n, told, [at for _, at in paid[n]])

    def _had_stakes(self, number: int) -> bool:
        """Returns whether an account paid a stake of the round that was sealed last."""
        record = self._record
        if record is None or record["round"] != number:
            return False
        return any(one.get("account") is not None for one in record["stakes"])

    def _uncover(self) -> None:
        """Gives back, the last first, stakes that their account no longer has (art. 62)."""
        if self._closed:
            return
        for stake in list(self._stakes)[::-1]:
            if stake not in self._stakes:
                continue
            n = stake["account"]
            if self.money.account(n).cents < self._reserved.get(n, 0):
                self._give_back(stake)


def _is_among(stake: Any, own: "Sequence[Any]") -> bool:
    """Returns whether it is one of those, and not only alike."""
    return any(stake is one for one in own)


def _outcome(end: Any) -> "dict[str, Any] | None":
    """Returns what a terminal is told of an outcome."""
    outcome = end.get("outcome")
    if outcome is None:
        return None
    if "dealer" in outcome:
        return {"dealer": outcome["dealer"]["points"]}
    return {name: outcome[name] for name in ("winner", "player", "banker")}
