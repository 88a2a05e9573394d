"""Luxembourg, règlement grand-ducal du 12 février 1979 (2015), art. 8: orphelins."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.stakes.abandoned import (
    COUPS,
    DAYS,
    LOST,
    MARKED,
    PAID_IN,
    RETURNED,
    announcement,
    last_day,
    worth_cents,
)
from firmware.stakes.orphelins import COUP, RENUMBERED, TEXT_MAX, Orphelins, Refused
from rules.limits import open_table

TABLE = open_table(rules.load("roulette_lu"), 500)
DAY = 739_941
OWNER = {"name": "Jean Weber", "address": "1 rue Flammang, Mondorf", "proof": "camera 3, 21h14"}
PLEIN = {"bet": "plein", "on": [17], "cents": 500}
ROUGE = {"bet": "rouge", "on": [], "cents": 500}


class Book:
    """A register in memory: what a restart would fold again is in `entries`, as JSON."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, str, str]] = []
        self.said = Orphelins()

    def enter(self, kind: str, body: Any) -> int:
        n = len(self.entries) + 1
        self.entries.append((n, kind, json.dumps(body)))
        self.said.add_entry(n, kind, json.loads(self.entries[-1][2]))
        return n

    def mark(self, stake: Any, coup: int = 0, day: int = DAY, table: Any = TABLE) -> int:
        return self.enter(MARKED, self.said.mark(table, stake, coup=coup, day=day, who="anna"))

    def play(self, coup: int, number: int, colour: str) -> None:
        body = self.said.play(coup, number, colour)
        if body is not None:
            self.enter(COUP, body)

    def pay(self, day: int = DAY) -> list[str]:
        entries = self.said.due(day)
        for kind, body in entries:
            self.enter(kind, body)
        return [kind for kind, _ in entries]

    def give_back(self, n: int, day: int = DAY, **owner: str) -> int:
        body = self.said.give_back(n, day=day, who="weber", **(OWNER | owner))
        return self.enter(RETURNED, body)

    def restarted(self) -> Orphelins:
        again = Orphelins()
        for n, kind, body in self.entries:
            again.add_entry(n, kind, json.loads(body))
        return again


def paid(*coups: tuple[int, str], stake: Any = PLEIN) -> Book:
    """A register with one stake after those coups, paid in or lost if there were three."""
    book = Book()
    book.mark(stake)
    for coup, (number, colour) in enumerate(coups, 1):
        book.play(coup, number, colour)
    book.pay()
    return book


WON = ((17, "black"), (5, "red"), (5, "red"))
MISSED = ((5, "red"), (5, "red"), (5, "red"))


@pytest.mark.req("LU-8.three_coups")
def test_it_is_paid_in_after_three_coups_and_not_before() -> None:
    """« Les « orphelins » sont versés après trois coups joués dans la caisse du casino »."""
    book = Book()
    book.mark(ROUGE)
    for coup in (1, 2):
        book.play(coup, 5, "red")
        assert book.pay() == []
    book.play(3, 5, "red")
    assert book.said.total_cents == 0
    assert book.pay() == [PAID_IN]
    assert book.said.total_cents == 500 + 3 * 500
    assert book.pay() == []
    book.play(4, 5, "red")
    assert book.said.total_cents == 2_000


@pytest.mark.req("LU-8.sum")
def test_a_coup_before_it_was_paid_in_is_not_counted_as_a_fourth() -> None:
    """Whoever pays in may be late: a full disk, a clerk that was restarted."""
    book = Book()
    n = book.mark(ROUGE)
    for coup in range(1, COUPS + 1):
        book.play(coup, 1, "red")
    worth = worth_cents(book.said.all()[0])
    assert book.said.counted(COUPS + 1) == []
    book.play(COUPS + 1, 1, "red")
    assert [(one.n, one.coups, worth_cents(one)) for one in book.said.all()] == [(n, COUPS, worth)]


def test_the_sum_is_the_stake_and_the_winnings_together() -> None:
    """« déterminé par la mise initiale oubliée et de ses gains cumulés »."""
    book = paid((17, "black"), (17, "black"), (17, "black"))
    assert book.said.total_cents == 500 + 3 * 35 * 500


def test_winnings_lie_beside_the_stake_and_are_not_lost_with_it() -> None:
    book = paid(*WON)
    (orphelin,) = book.said.all()
    assert (orphelin.left_cents, orphelin.won_cents) == (0, 17_500)
    assert book.said.total_cents == 17_500


def test_at_zero_a_simple_chance_loses_half_and_the_cent_that_cannot_be_halved() -> None:
    """Art. 37-2: « les mises placées sur les chances simples perdent de moitié »."""
    book = Book()
    book.mark(ROUGE)
    left = []
    for coup in (1, 2, 3):
        book.play(coup, 0, "green")
        left.append(book.said.all()[0].left_cents)
    assert left == [250, 125, 62]


def test_what_lost_everything_is_entered_as_lost_and_nothing_is_paid_in() -> None:
    book = paid(*MISSED)
    assert [(one.state, worth_cents(one)) for one in book.said.all()] == [(LOST, 0)]
    assert book.said.total_cents == 0


def test_a_coup_that_had_ended_when_it_was_found_is_not_counted() -> None:
    book = Book()
    book.mark(ROUGE, coup=7)
    book.play(7, 5, "red")
    assert [kind for _, kind, _ in book.entries] == [MARKED]
    book.play(8, 5, "red")
    assert book.said.all()[0].coups == 1


def test_a_coup_is_entered_once_and_only_if_a_stake_is_counted_in_it() -> None:
    book = Book()
    book.play(1, 5, "red")
    assert book.entries == []
    book.mark(ROUGE, coup=1)
    for _ in range(2):
        book.play(2, 5, "red")
    assert book.said.all()[0].coups == 1
    with pytest.raises(Refused, match="counted already"):
        book.said.add_entry(3, COUP, {"coup": 2, "number": 5, "colour": "red"})


def test_two_stakes_found_at_different_times_are_each_counted_three_coups() -> None:
    book = Book()
    first = book.mark(ROUGE)
    book.play(1, 5, "red")
    second = book.mark(PLEIN, coup=1)
    for coup in (2, 3):
        book.play(coup, 17, "black")
    book.pay()
    states = {one.n: (one.state, one.coups) for one in book.said.all()}
    assert states == {first: (PAID_IN, 3), second: (MARKED, 2)}
    book.play(4, 17, "black")
    assert book.pay() == [PAID_IN]


@pytest.mark.parametrize(
    ("stake", "why"),
    [
        ({"bet": "cheval", "on": [1, 36], "cents": 500}, "art. 37-2: .*neighbours"),
        ({"bet": "plein", "on": [17], "cents": 499}, "art. 37-3: .*minimum"),
        ({"bet": "plein", "on": [17], "cents": 10_500}, "art. 37-3: .*maximum"),
        ({"bet": "pleine", "on": [17], "cents": 500}, "art. 37-2: there is no bet"),
        ({"bet": "plein", "on": [17], "cents": -500}, "cents must be"),
        ({"bet": "rouge", "on": [], "cents": 501}, "odd"),
    ],
)
def test_a_stake_that_the_table_would_not_have_taken_is_refused(stake: Any, why: str) -> None:
    book = Book()
    with pytest.raises(Refused, match=why):
        book.mark(stake)
    assert book.entries == []


@pytest.mark.req("LU-8.seven_days")
def test_it_is_returned_within_seven_calendar_days_of_its_entry() -> None:
    """« endéans les sept jours de calendrier qui suivent l'enregistrement »."""
    book = paid(*WON)
    (orphelin,) = book.said.all()
    assert last_day(orphelin) == DAY + DAYS
    with pytest.raises(Refused, match=r"art\. 8: .*sept jours.* 8 days have passed"):
        book.give_back(1, DAY + DAYS + 1)
    book.give_back(1, DAY + DAYS)
    assert book.said.all()[0].state == RETURNED
    assert book.said.total_cents == 0


def test_the_seven_days_count_from_the_payment_and_not_from_the_day_it_was_found() -> None:
    book = Book()
    book.mark(PLEIN, day=DAY - 1)
    for coup, (number, colour) in enumerate(WON, 1):
        book.play(coup, number, colour)
    book.pay(DAY)
    book.give_back(1, DAY + DAYS)
    assert book.said.total_cents == 0


def test_a_clock_that_was_set_back_returns_nothing() -> None:
    with pytest.raises(Refused, match="set the clock"):
        paid(*WON).give_back(1, DAY - 1)


def test_a_clock_that_lost_its_time_costs_the_owner_none_of_his_seven_days() -> None:
    book = Book()
    book.mark(ROUGE)
    for coup in (1, 2, 3):
        book.play(coup, 5, "red")
    assert book.pay(day=719_163) == [PAID_IN]  # 1 January 1970
    book.give_back(1, DAY + 7)
    assert book.said.total_cents == 0


@pytest.mark.req("LU-8.register")
def test_the_entry_of_a_return_has_all_that_the_article_asks_for() -> None:
    """« le montant total des « orphelins » est arrêté et le montant du remboursement est déduit de
    ce total en ayant soin d'indiquer le nom et l'adresse de l'intéressé, des justifications
    produites ainsi qu'une référence à l'inscription primitive »."""
    book = paid(*WON)
    payment = len(book.entries)
    n = book.give_back(1, DAY + 1)
    assert json.loads(book.entries[n - 1][2]) == {
        "of": 1,
        "entry": payment,
        "day": DAY + 1,
        "cents": 17_500,
        "before_cents": 17_500,
        "total_cents": 0,
        "who": "weber",
        **OWNER,
    }


@pytest.mark.parametrize("what", ["name", "address", "proof"])
@pytest.mark.parametrize("text", ["", "  ", "a\nb", "x" * (TEXT_MAX + 1)])
def test_a_return_without_the_owner_or_the_proof_is_refused(what: str, text: str) -> None:
    book = paid(*WON)
    with pytest.raises(Refused, match=rf"art\. 8: .*nom et l'adresse.*the {what} must be"):
        book.give_back(1, **{what: text})
    assert book.said.total_cents == 17_500


def test_what_cannot_be_returned_says_why() -> None:
    book = Book()
    book.mark(PLEIN)
    with pytest.raises(Refused, match=r"après trois coups joués.* still counted"):
        book.give_back(1)
    with pytest.raises(Refused, match="no abandoned stake was entered as number 2"):
        book.give_back(2)
    with pytest.raises(Refused, match="nothing was paid in"):
        paid(*MISSED).give_back(1)
    book = paid(*WON)
    book.give_back(1)
    with pytest.raises(Refused, match="returned already"):
        book.give_back(1)


@pytest.mark.parametrize(("colour", "cents"), [("red", 500 + 500), ("black", 0)])
def test_at_vingt_trois_the_colour_of_the_case_counts_whatever_their_order(
    colour: str, cents: int
) -> None:
    book = Book()
    book.mark(ROUGE, table=open_table(rules.load("vingt_trois_fr"), 500))
    book.play(1, 12, colour)
    assert worth_cents(book.said.all()[0]) == cents


def test_old_entries_stay_what_they_were_when_the_limits_change() -> None:
    book = Book()
    book.mark(PLEIN)
    dearer = open_table(rules.load("roulette_lu"), 1_000)
    with pytest.raises(Refused, match="minimum"):
        book.mark(PLEIN, table=dearer)
    book.mark({"bet": "plein", "on": [17], "cents": 1_000}, table=dearer)
    book.play(1, 17, "black")
    assert [worth_cents(one) for one in book.restarted().all()] == [18_000, 36_000]


def test_a_coup_of_another_game_counts_for_nothing() -> None:
    book = Book()
    book.mark(
        {"bet": "plein", "on": [5], "cents": 500}, table=open_table(rules.load("boule_fr"), 500)
    )
    book.play(1, 33, "black")
    assert book.said.all()[0].coups == 0


def test_a_new_journal_numbers_its_coups_anew_and_the_count_goes_on() -> None:
    book = Book()
    book.mark(ROUGE, coup=498)
    for coup in (499, 500):
        book.play(coup, 5, "red")
    assert book.said.renumber(500) is None
    body = book.said.renumber(0)
    book.enter(RENUMBERED, body)
    assert book.said.renumber(0) is None
    book.play(1, 5, "red")
    assert book.pay() == [PAID_IN]
    assert book.said.total_cents == 2_000


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (PAID_IN, {"of": 1, "day": DAY, "cents": 500, "before_cents": 0, "total_cents": 500}),
        (LOST, {"of": 1, "day": DAY}),
        (RETURNED, {"of": 1, "entry": 1, "cents": 500}),
        (COUP, {"coup": "2", "number": 5, "colour": "red"}),
        (COUP, {"coup": 2}),
        (MARKED, {"coup": 1}),
        ("unknown", {}),
        (COUP, None),
    ],
)
def test_an_entry_that_cannot_follow_is_refused_and_changes_nothing(kind: str, body: Any) -> None:
    book = Book()
    book.mark(PLEIN)
    book.play(1, 17, "black")
    before = (book.said.all(), book.said.coup, book.said.total_cents)
    with pytest.raises((Refused, KeyError, TypeError, ValueError)):
        book.said.add_entry(3, kind, body)
    assert (book.said.all(), book.said.coup, book.said.total_cents) == before


@pytest.mark.parametrize("change", [{"cents": 17_501}, {"before_cents": 1}, {"total_cents": 0}])
def test_sums_that_do_not_add_up_are_refused(change: dict[str, int]) -> None:
    book = Book()
    book.mark(PLEIN)
    for coup, (number, colour) in enumerate(WON, 1):
        book.play(coup, number, colour)
    ((kind, body),) = book.said.due(DAY)
    with pytest.raises(Refused, match="add up"):
        book.said.add_entry(9, kind, body | change)
    assert book.said.total_cents == 0


def test_the_payment_is_announced_in_french_and_english() -> None:
    assert announcement(3, 18_005, 45_000) == (
        "Orphelin n° 3 : 180.05 versés à la caisse après trois coups joués (art. 8), total 450.00."
        " / Orphelin no. 3: 180.05 paid into the cash after three coups (art. 8), total 450.00."
    )


STAKES = (
    PLEIN,
    ROUGE,
    {"bet": "cheval", "on": [0, 2], "cents": 20_000},
    {"bet": "deux_douzaines", "on": [1, 2], "cents": 700},
    {"bet": "pair", "on": [], "cents": 180_000},
)
steps = st.one_of(
    st.tuples(st.just("mark"), st.integers(0, len(STAKES) - 1)),
    st.tuples(st.just("coup"), st.integers(0, 36)),
    st.tuples(st.just("void"), st.just(0)),
    st.tuples(st.just("back"), st.integers(1, 30)),
    st.tuples(st.just("day"), st.integers(1, 5)),
    st.tuples(st.just("restart"), st.just(0)),
    st.tuples(st.just("new journal"), st.just(0)),
)


@given(st.lists(steps, max_size=60), st.booleans())
def test_the_balance_is_what_was_paid_in_less_what_was_returned(
    asked: list[tuple[str, int]], restarts: bool
) -> None:
    """« dont le solde créditeur [...] représente une somme égale au total général donné par le
    carnet »; no stake is paid in or returned twice, and restarts change nothing."""
    book = Book()
    coup, day = 0, DAY
    for do, value in asked:
        if do == "mark":
            book.mark(STAKES[value], coup=coup, day=day)
        elif do == "coup":
            coup += 1
            colours = TABLE.rules["colours"]
            book.play(coup, value, colours[TABLE.rules["layout"].index(value)])
            book.pay(day)
        elif do == "void":
            coup += 1
        elif do == "day":
            day += value
        elif do == "new journal":
            coup = 0
            body = book.said.renumber(coup)
            if body is not None:
                book.enter(RENUMBERED, body)
        elif do == "restart" and restarts:
            book.said = book.restarted()
            assert book.pay(day) == []
        elif do == "back":
            one = {one.n: one for one in book.said.all()}.get(value)
            may = one is not None and one.state == PAID_IN and day <= last_day(one)
            if may:
                book.give_back(value, day)
            else:
                with pytest.raises(Refused):
                    book.give_back(value, day)
    bodies = [(kind, json.loads(body)) for _, kind, body in book.entries]
    ended = [body["of"] for kind, body in bodies if kind in (PAID_IN, LOST)]
    back = [body["of"] for kind, body in bodies if kind == RETURNED]
    assert len(set(ended)) == len(ended)
    assert len(set(back)) == len(back)
    paid_in = sum(body["cents"] for kind, body in bodies if kind == PAID_IN)
    returned = sum(body["cents"] for kind, body in bodies if kind == RETURNED)
    assert book.said.total_cents == paid_in - returned >= 0
    for one in book.said.all():
        assert one.coups == COUPS or one.state == MARKED
    again = book.restarted()
    assert (again.all(), again.total_cents, again.coup) == (
        book.said.all(),
        book.said.total_cents,
        book.said.coup,
    )
