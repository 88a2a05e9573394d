"""Luxembourg, art. 62: « Les jeux ne peuvent être pratiqués qu'argent comptant : tout enjeu sur
parole est interdit. » The players' accounts, and the meters that always add up."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import funded
from stakes_bench import book, ends, place, result, sit

import rules
from firmware.stakes.accounts import (
    ADMITTED,
    BARRED,
    CLOSING_MAX,
    CORRECTED_MAX,
    DESK,
    RELEASED,
    WITHHELD,
    Accounts,
    Meters,
    Refused,
)
from firmware.stakes.answers import YES
from firmware.stakes.book import Book, Paid
from firmware.store.rows import BODY_MAX, plain
from rules.limits import CENTS_MAX


def ask(opened: Book, what: str, **given_: Any) -> Any:
    """An entry that is durable at once."""
    made = opened.entry(what, {"who": "claire"} | given_)
    if not isinstance(made, str):
        opened.entered(*made)
    return made


# --- what may be staked ---------------------------------------------------------------------------
@pytest.mark.req("LU-62.cash")
def test_where_the_house_has_no_money_terminals_take_no_stake() -> None:
    opened = Book(rules.load("roulette_lu"), minimum_cents=500, terminals=(1,), coup=7)
    opened.employee("claire", True)
    answer = opened.sign_on(1, 1)
    assert (answer.accepted, answer.rule) == (False, "art. 62")
    assert "tout enjeu sur parole est interdit" in answer.why
    assert not place(opened).accepted
    assert "art. 62" in ask(opened, "account", player="anna", key=b"")


@pytest.mark.req("LU-62.cash")
def test_a_stake_without_funds_is_refused_with_its_article() -> None:
    opened = book(money=funded("anna", "bert", cents=1_200))
    assert place(opened, 1, 1) == YES
    assert opened.funds_cents(1) == 700
    answer = place(opened, 1, 2, bet="rouge", on=(), cents=800)
    assert (answer.accepted, answer.rule) == (False, "art. 62")
    assert "700 cents are left" in answer.why
    assert place(opened, 1, 3, bet="rouge", on=(), cents=700) == YES
    assert opened.take_back(1, 1) == YES
    assert opened.funds_cents(1) == 500
    assert opened.funds_cents(2) == 1_200
    assert opened.funds_cents(3) == 0


def test_what_is_won_may_be_staked_once_the_end_is_durable() -> None:
    opened = book(money=funded("anna", "bert", cents=500))
    place(opened)
    opened.close(7)
    assert opened.funds_cents(1) == 0
    ends(opened, result(7, 17, "black"))
    assert opened.funds_cents(1) == 18_000
    assert opened.money.meters() == [(DESK, Meters(1_000, 0, 0, 0)), (1, Meters(0, 0, 500, 18_000))]


def test_a_void_gives_back_and_is_neither_staked_nor_won() -> None:
    opened = book(money=funded("anna", "bert", cents=500))
    place(opened)
    opened.close(7)
    assert opened.money.lying_cents() == 500
    ends(opened, {"coup": 7, "seq": 7, "reason": "two_balls"})
    assert opened.funds_cents(1) == 500
    assert opened.money.total() == Meters(1_000, 0, 0, 0)


def test_what_is_put_in_may_be_staked_once_it_is_durable() -> None:
    opened = book(money=funded("anna", "bert", cents=0))
    made = opened.entry("deposit", {"account": 1, "cents": 500, "terminal": DESK, "who": "claire"})
    assert opened.funds_cents(1) == 0
    opened.entered(*made)
    assert opened.funds_cents(1) == 500


# --- who is told ----------------------------------------------------------------------------------
def test_a_payment_belongs_to_the_player_wherever_he_sits() -> None:
    opened = book()
    place(opened)
    opened.close(7)
    opened.sign_off(2)
    ends(opened, result(7, 17, "black"))
    opened.sign_off(1)
    assert sit(opened, 1, "bert") == YES
    assert opened.settled(1).paid == ()
    assert sit(opened, 3, "anna") == YES
    assert opened.settled(3).paid == (Paid(0, 500, 17_500),)  # it was laid at another terminal
    opened.acknowledge_payments(3, 7)
    assert opened.settled(3).paid == ()


def test_after_a_restart_nobody_but_the_player_is_told() -> None:
    before = book()
    place(before)
    record = before.close(7)
    again = book(coup=8, money=funded("carla", "anna", "bert"))
    assert [again.player(1), again.player(2)] == ["anna", "bert"]
    again = Book(
        rules.load("roulette_lu"), minimum_cents=500, terminals=(1, 2), coup=8,
        money=funded("anna", "bert"),
    )  # fmt: skip
    again.restore(record, result(7, 17, "black") | {"stakes": record["seal"]})
    again.employee("claire", True)
    assert sit(again, 1, "bert") == YES
    assert again.settled(1).paid == ()
    assert sit(again, 2, "anna") == YES
    assert again.settled(2).paid == (Paid(0, 500, 17_500),)


# --- the desk -------------------------------------------------------------------------------------
def test_a_receipt_is_given_against_the_account_and_paid_once() -> None:
    opened = book(money=funded("anna", "bert", cents=2_000))
    place(opened)
    assert "1500 cents that do not lie" in ask(opened, "payout", account=1, cents=1_600)
    kind, body = ask(opened, "payout", account=1, cents=0)
    assert (kind, body["cents"], body["receipt"]) == ("money", 1_500, 1)
    assert opened.funds_cents(1) == 0
    assert opened.money.receipts() == [(1, 1, 1_500)]
    assert "no receipt 1 of these sums" in ask(opened, "redeemed", receipt=(1, 1, 1_400))
    assert "no receipt 2" in ask(opened, "redeemed", receipt=(2, 1, 1_500))
    assert ask(opened, "redeemed", receipt=(1, 1, 1_500))[1]["what"] == "redeemed"
    assert "redeemed already" in ask(opened, "redeemed", receipt=(1, 1, 1_500))
    assert opened.money.total() == Meters(4_000, 1_500, 0, 0)


@pytest.mark.parametrize("cents", [0, -1, 2.5, True, CENTS_MAX + 1])
def test_what_is_no_sum_moves_nothing(cents: Any) -> None:
    opened = book()
    before = opened.money.all()
    assert "whole cents from 1" in ask(opened, "deposit", account=1, cents=cents, terminal=DESK)
    if cents:
        assert "art. 62" in ask(opened, "payout", account=1, cents=cents)
    assert opened.money.all() == before


def test_no_account_holds_more_than_can_be_told() -> None:
    opened = book()
    said = ask(opened, "deposit", account=1, cents=CENTS_MAX, terminal=DESK)
    assert said == f"account 1 would hold more than {CENTS_MAX} cents."


def test_an_account_that_is_not_there() -> None:
    opened = book()
    for what, more in (
        ("deposit", {"cents": 500, "terminal": DESK}),
        ("payout", {"cents": 500}),
        ("renewed", {"key": bytes(32)}),
        (BARRED, {"why": "x"}),
    ):
        said = ask(opened, what, account=9, **more)
        assert said == "art. 62: « tout enjeu sur parole est interdit » : there is no account 9."


@pytest.mark.req("LU-20-3.c")
def test_the_management_withholds_a_payment() -> None:
    """Art. 20-3 c: « la Direction du casino se réserve le droit de ne pas payer les gains »."""
    opened = book()
    ask(opened, "payout", account=1, cents=100)
    assert ask(opened, WITHHELD, account=1, why="two terminals")[1]["why"] == "two terminals"
    assert "ne pas payer les gains" in ask(opened, "payout", account=1, cents=500)
    assert "ne pas payer les gains" in ask(opened, "redeemed", receipt=(1, 1, 100))
    assert ask(opened, WITHHELD, account=1, why="again") == "account 1 is withheld already."
    ask(opened, RELEASED, account=1, why="cleared up")
    assert ask(opened, "payout", account=1, cents=500)[0] == "money"


@pytest.mark.req("LU-20-3.c")
def test_the_management_bars_a_player() -> None:
    """Art. 20-3 c: « et d'interdire de jeu les joueurs concernés »."""
    opened = book()
    place(opened)
    ask(opened, BARRED, account=1, why="two terminals")
    assert opened.player(1) is None
    assert opened.accepted_stakes(1) == []
    answer = sit(opened, 3, "anna")
    assert (answer.accepted, answer.rule) == (False, "art. 20-3 c")
    assert "interdire de jeu les joueurs concernés" in answer.why
    ask(opened, ADMITTED, account=1, why="cleared up")
    assert sit(opened, 3, "anna") == YES


# --- the acceptor ---------------------------------------------------------------------------------
def recorded(opened: Book) -> list[Any]:
    """What terminals have put in becomes durable."""
    made = [opened.entry(*asked) for asked in opened.take_asked()]
    for one in made:
        if not isinstance(one, str):
            opened.entered(*one)
    return made


def test_money_in_an_acceptor_is_taken_once_it_is_durable_and_once() -> None:
    opened = book(money=funded("anna", "bert", cents=0), put_in=True)
    assert opened.put_in(1, 77, 5, 2_000) is None
    assert opened.put_in(1, 77, 5, 2_000) is None  # asked again while it is being recorded
    (asked,) = opened.take_asked()
    kind, body = opened.entry(*asked)
    assert opened.put_in(1, 77, 5, 2_000) is None  # not durable yet
    assert opened.funds_cents(1) == 0
    opened.entered(kind, body)
    assert opened.put_in(1, 77, 5, 2_000) == YES
    assert opened.put_in(1, 77, 5, 2_000) == YES  # the answer was lost
    assert recorded(opened) == []
    assert opened.funds_cents(1) == 2_000
    # After a restart the same is asked again: the journal knows it.
    again = Accounts()
    for row in (("account", {"account": 1, "player": "anna", "who": "claire"}), (kind, body)):
        again.add_row(*row)
    assert again.was_deposited(1, 77, 5)
    with pytest.raises(Refused, match="entered already"):
        again.add_row(kind, body)


def test_money_that_cannot_be_taken_is_given_back_with_the_reason() -> None:
    opened = book(money=funded("anna", "bert", cents=CENTS_MAX), put_in=True)
    assert opened.put_in(1, 77, 5, 2_000) is None
    assert "would hold more" in recorded(opened)[0]
    answer = opened.put_in(1, 77, 5, 2_000)
    assert answer is not None and not answer.accepted and "would hold more" in answer.why
    nobody = opened.put_in(3, 77, 5, 2_000)
    assert nobody is not None and nobody.rule == "art. 20-3 b"
    at_desk = book().put_in(1, 77, 5, 2_000)
    assert at_desk is not None and (at_desk.rule, at_desk.accepted) == ("art. 62", False)


# --- corrections and the day ----------------------------------------------------------------------
def test_a_correction_puts_the_accounts_right() -> None:
    opened = book(money=funded("anna", "bert", cents=1_000))
    place(opened, 1, 1)
    place(opened, 2, 1, bet="rouge", on=(), cents=1_000)
    opened.close(7)
    ends(opened, result(7, 17, "black"))
    ask(opened, "payout", account=1, cents=18_000)
    opened.corrected({"coup": 7, "seq": 8, "corrects": 7, "number": 1, "colour": "red"})
    # What was paid out is owed: nothing can be staked on it.
    assert [one.cents for one in opened.money.all()] == [500 - 18_000, 2_000]
    assert opened.funds_cents(1) == 0
    opened.corrected({"coup": 7, "seq": 9, "corrects": 8, "reason": "croupier"})
    assert [one.cents for one in opened.money.all()] == [1_000 - 18_000, 1_000]
    assert opened.money.total() == Meters(2_000, 18_000, 0, 0)


def test_what_is_staked_of_money_that_a_correction_takes_away_goes_back() -> None:
    """Art. 62: nothing is staked on word. What was sealed lies."""
    opened = book(money=funded("anna", "bert", cents=500))
    place(opened)
    opened.close(7)
    ends(opened, result(7, 17, "black"))
    assert place(opened, 1, 2, bet="rouge", on=(), cents=17_000, coup=8) == YES
    assert place(opened, 1, 3, bet="noir", on=(), cents=600, coup=8) == YES
    opened.corrected({"coup": 7, "seq": 8, "corrects": 7, "number": 1, "colour": "red"})
    assert opened.accepted_stakes(1) == []
    assert opened.close(8)["total_cents"] == 0
    assert opened.money.account(1).cents == 0


def test_a_player_is_told_what_stands_and_told_anew_what_was_corrected() -> None:
    opened = book()
    place(opened, 1, 1)
    opened.close(7)
    ends(opened, result(7, 17, "black"))
    seat = opened.seat(1)
    assert opened.corrected({"coup": 7, "seq": 8, "corrects": 7, "number": 1, "colour": "red"})
    assert opened.settled(1)[:] == (7, 1, "red", (Paid(1, 500, -500),))
    assert opened.seat(1) != seat  # so that a terminal which has heard of coup 7 hears again
    opened.acknowledge_payments(1, 7)
    assert opened.settled(1).paid == ()


def test_coups_without_stakes_do_not_push_one_out_of_reach() -> None:
    opened = book()
    place(opened)
    opened.close(7)
    ends(opened, result(7, 17, "black"))
    for coup in range(8, 8 + CORRECTED_MAX):
        opened.close(coup)
        ends(opened, result(coup, 1, "red"))
    before = opened.money.account(1).cents
    assert opened.corrected({"coup": 7, "seq": 99, "number": 1, "colour": "red"})
    assert opened.money.account(1).cents == before - 18_000


def test_a_closing_that_the_journal_has_no_room_for_is_refused() -> None:
    money = funded(*[f"player {at}" for at in range(CLOSING_MAX + 1)], cents=1)
    with pytest.raises(Refused, match="pay some out first"):
        money.close(10, "weber")
    money.add_row("money", money.pay_out(1, 1, reserved_cents=0, who="claire"))
    money.add_row("money", money.redeem(1, 1, 1, who="claire"))
    assert len(plain(money.close(10, "weber"))) < BODY_MAX


@pytest.mark.parametrize(("name", "other"), [("ÉMILE", "émile"), ("Ÿ", "ÿ"), ("ŁUKASZ", "łukasz")])
def test_a_name_in_large_letters_is_the_same_name(name: str, other: str) -> None:
    """Also where the interpreter's lower() knows the ASCII letters alone."""
    with pytest.raises(Refused, match="has account 1 already"):
        funded(name).open(other, "claire")


def test_a_closing_has_the_days_sums_and_a_start_goes_on_from_it_alone() -> None:
    opened = book(money=funded("anna", "bert", cents=1_000))
    place(opened)
    assert "cannot be closed" in ask(opened, "closing", day=10)
    opened.close(7)
    assert "cannot be closed" in ask(opened, "closing", day=10)
    ends(opened, result(7, 1, "red"))
    ask(opened, "payout", account=2, cents=400)
    kind, body = ask(opened, "closing", day=10)
    assert (body["drop_cents"], body["won_cents"], body["hold_cents"]) == (2_000, 0, 500)
    assert body["meters"] == [[0, 2_000, 400, 0, 0], [1, 0, 0, 500, 0]]
    assert "closed already" in ask(opened, "closing", day=10)
    again = Accounts()
    for n, player in ((1, "anna"), (2, "bert")):
        again.add_row("account", {"account": n, "player": player, "who": "claire"})
    again.add_row(kind, body)
    assert again.all() == opened.money.all()
    assert again.receipts() == opened.money.receipts() == [(1, 2, 400)]
    assert again.meters() == []
    assert again.open("carla", "claire")["account"] == 3


def test_a_closing_whose_sums_are_not_the_days_is_refused() -> None:
    money = funded("anna")
    body = money.close(10, "weber")
    for wrong in (
        {"drop_cents": body["drop_cents"] - 1},
        {"accounts": [[1, "anna", 5, False, False]]},
    ):
        with pytest.raises(Refused, match="do not add up"):
            money.add_row("closing", body | wrong)
    money.add_row("closing", body)


def test_a_correction_of_a_closed_day_moves_nothing_here() -> None:
    """Its sums are signed: people pay the difference (`cylindre settle --journal`)."""
    opened = book()
    place(opened)
    opened.close(7)
    ends(opened, result(7, 17, "black"))
    ask(opened, "closing", day=10)
    before = opened.money.all()
    opened.corrected({"coup": 7, "seq": 8, "corrects": 7, "number": 1, "colour": "red"})
    assert opened.money.all() == before


# --- whatever happens -----------------------------------------------------------------------------
class Table:
    """A table of three players whose rows are durable one by one, and that may be killed."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, Any]] = []
        self.base_cents = 0
        self.coup = 1
        self.seq = 0
        self.day = 0
        self.start()
        for at, player in enumerate(("anna", "bert", "carla"), 1):
            self.enter("account", player=player, key=bytes(32))
            self.enter("deposit", account=at, cents=3_000, terminal=DESK)

    def start(self) -> None:
        """What a start folds from the rows: from the last closing on."""
        money, stakes, end = self.fold(self.last_closing()), None, None
        for kind, body in self.rows:
            if kind == "stakes":
                stakes, end = body, None
            elif kind in ("result", "void"):
                self.coup = body["coup"] + 1
                if stakes is not None and body["coup"] == stakes["coup"]:
                    end = body
        self.book = Book(
            rules.load("roulette_lu"), minimum_cents=100, terminals=(1, 2, 3), coup=self.coup,
            money=money, put_in=True,
        )  # fmt: skip
        if stakes is not None:
            self.book.restore(stakes, end)
        self.book.employee("claire", True)
        if stakes is not None and end is None:  # the core ends what a crash left open
            self.end("void", stakes["coup"], {"reason": "interrupted"})

    def enter(self, what: str, **more: Any) -> None:
        made = self.book.entry(what, {"who": "claire"} | more)
        if not isinstance(made, str):
            self.rows.append(made)
            self.book.entered(*made)

    def end(self, kind: str, coup: int, body: dict[str, Any]) -> None:
        self.seq += 1
        body = body | {"coup": coup, "seq": self.seq}
        seal = self.book.sealed(coup)
        if seal is not None:
            body["stakes"] = seal
        self.rows.append((kind, body))
        self.book.ended(body)
        self.coup = coup + 1

    def check(self) -> None:
        """In - out = balances + what lies + what the house has won, and a fold says the same."""
        money = self.book.money
        total = money.total()
        balances = sum(account.cents for account in money.all())
        won = total.staked_cents - total.won_cents
        assert self.base_cents + total.in_cents - total.out_cents == (
            balances + money.lying_cents() + won
        )
        for folded in (self.fold(0), self.fold(self.last_closing())):
            assert folded.all() == money.all()
            assert folded.meters() == money.meters()
            assert folded.receipts() == money.receipts()

    def fold(self, first: int) -> Accounts:
        """From that row on, and from the accounts that were opened before."""
        folded = Accounts()
        for at, (kind, body) in enumerate(self.rows):
            if at >= first or kind == "account":
                folded.add_row(kind, body)
        return folded

    def last_closing(self) -> int:
        return max([at for at, (kind, _) in enumerate(self.rows) if kind == "closing"], default=0)


OPS = st.tuples(
    st.sampled_from(
        "on off stake stake stake back close result void kill correct put payout redeem closing"
        " unseat lost".split()
    ),
    st.integers(1, 3),
    st.integers(1, 40),
)


@pytest.mark.req("LU-62.cash")
@settings(max_examples=150, deadline=None)
@given(st.lists(OPS, max_size=60))
def test_the_meters_add_up_over_kills_voids_corrections_and_restarts(
    ops: list[tuple[str, int, int]],
) -> None:
    table = Table()
    asked = 0
    for do, at, number in ops:
        opened = table.book
        if do == "on":
            opened.sign_on(at, number % 3 + 1)
        elif do == "off":
            opened.sign_off(at)
        elif do == "unseat":
            opened.unseat(at, "x")
        elif do == "stake":
            asked += 1
            bet, on = (("plein", (number % 37,)), ("rouge", ()))[number % 2]
            opened.stake(at, asked, coup=opened.coup, bet=bet, on=on, cents=100 * (number % 9 + 1))
        elif do == "back":
            lie = opened.accepted_stakes(at)
            if lie:
                opened.take_back(at, lie[-1][0])
        elif do in ("close", "lost"):
            record = opened.close(table.coup)
            if do == "close" and ("stakes", record) not in table.rows:
                table.rows.append(("stakes", record))
            elif do == "lost" and ("stakes", record) not in table.rows:
                table.start()  # killed before the seal was durable: they took no part
        elif do == "result":
            if opened.sealed(table.coup) is not None:
                table.end(
                    "result", table.coup, {"number": number % 37, "colour": colour(number % 37)}
                )
        elif do == "void":
            table.end("void", table.coup, {"reason": "croupier"})
        elif do == "kill":
            table.start()
        elif do == "correct":
            ended = [body for kind, body in table.rows if kind in ("result", "void")]
            if ended:
                table.seq += 1
                body = {"coup": ended[-(number % len(ended)) - 1]["coup"], "seq": table.seq}
                if number % 3:
                    body |= {"number": number % 37, "colour": colour(number % 37)}
                table.rows.append(("correction", body))
                opened.corrected(body)
        elif do == "put":
            asked += 1
            opened.put_in(at, 5, asked, 100 * number)
            for one in opened.take_asked():
                table.enter(one[0], **{k: v for k, v in one[1].items() if k != "who"})
        elif do == "payout":
            table.enter("payout", account=at, cents=number * 50 if number % 2 else 0)
        elif do == "redeem":
            shown = [*opened.money.receipts(), (9, 9, 9)][0]
            table.enter("redeemed", receipt=shown)
        else:
            table.day += 1
            if opened.sealed(table.coup) is None:
                before = len(table.rows)
                table.enter("closing", day=table.day)
                if len(table.rows) > before:
                    table.base_cents = sum(one.cents for one in opened.money.all())
        table.check()


def colour(number: int) -> str:
    game = rules.load("roulette_lu")
    return str(game["colours"][game["layout"].index(number)])


def test_a_correction_reaches_back_over_the_last_coups_alone() -> None:
    opened = book()
    for coup in range(7, 7 + CORRECTED_MAX + 1):
        place(opened, 1, coup, coup=coup)
        opened.close(coup)
        ends(opened, result(coup, 1, "red"))
    before = opened.money.all()
    opened.corrected({"coup": 7, "seq": 999, "number": 17, "colour": "black"})
    assert opened.money.all() == before
    opened.corrected({"coup": 8, "seq": 1_000, "number": 17, "colour": "black"})
    assert opened.money.all()[0].cents == before[0].cents + 18_000
