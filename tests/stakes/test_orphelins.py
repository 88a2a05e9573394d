"""Luxembourg, règlement grand-ducal du 12 février 1979 (2015), art. 8: orphelins."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.stakes.abandoned import (
    CLAIMED,
    CLOSED,
    COUPS,
    DAYS,
    FOUND,
    LOST,
    MARKED,
    PAID_IN,
    RETURNED,
    WITHDRAWN,
    announcement,
    closing_notice,
    last_day,
    worth_cents,
)
from firmware.stakes.orphelins import (
    CORRECTED,
    COUP,
    RENUMBERED,
    TEXT_MAX,
    Orphelins,
    Refused,
)
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

    def find(self, cents: int = 350, coup: int = 0, day: int = DAY) -> int:
        body = self.said.find(TABLE, cents, where="on the floor", coup=coup, day=day, who="anna")
        return self.enter(FOUND, body)

    def claim(self, n: int, day: int = DAY) -> int:
        return self.enter(CLAIMED, self.said.claim(n, day=day, who="weber", **OWNER))

    def correct(self, n: int, right: Any, day: int = DAY, management: str = "weber") -> int:
        kind, body = self.said.correct(
            n, right, day=day, who="anna", management=management, why="mistyped"
        )
        return self.enter(kind, body)

    def close(self, day: int = DAY + 30) -> int:
        body = self.said.close(
            exercice="2026", day=day, commune="Mondorf-les-Bains", receipt="17", who="weber"
        )
        return self.enter(CLOSED, body)

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
    assert [(one.n, len(one.results), worth_cents(one)) for one in book.said.all()] == [
        (n, COUPS, worth)
    ]


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
    assert len(book.said.all()[0].results) == 1


def test_a_coup_is_entered_once_and_only_if_a_stake_is_counted_in_it() -> None:
    book = Book()
    book.play(1, 5, "red")
    assert book.entries == []
    book.mark(ROUGE, coup=1)
    for _ in range(2):
        book.play(2, 5, "red")
    assert len(book.said.all()[0].results) == 1
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
    states = {one.n: (one.state, len(one.results)) for one in book.said.all()}
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
    assert len(book.said.all()[0].results) == 0


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
        (CLAIMED, {"of": 1, "day": DAY, "cents": 500}),
        (CORRECTED, {"of": 1, "day": DAY, "cents": 1, "before_cents": 0, "total_cents": 0}),
        (CORRECTED, {"of": 1, "day": DAY, **PLEIN, "before_cents": 1, "total_cents": 1}),
        (WITHDRAWN, {"of": 2, "day": DAY, "before_cents": 0, "total_cents": 0}),
        (CLOSED, {"day": DAY, "cents": 0, "before_cents": 0, "total_cents": 0}),
        (FOUND, {"rules": "roulette_lu", "coup": 1, "day": DAY, "cents": 5, "who": "anna"}),
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


# --- money without a bet ----------------------------------------------------------------------
def test_money_that_was_found_waits_three_coups_and_does_not_play() -> None:
    """« Les sommes et enjeux trouvés à terre ou laissés sur les tables de jeux [...], sans qu'on
    sache à qui ils appartiennent »; « versés après trois coups joués »."""
    book = Book()
    n = book.find(351)  # no lawful stake: under the minimum, and odd
    for coup in (1, 2):
        book.play(coup, 17, "black")
        assert book.pay() == []
    book.play(3, 0, "green")
    assert book.pay() == [PAID_IN]
    assert [(one.n, one.stake, worth_cents(one)) for one in book.said.all()] == [(n, None, 351)]
    book.give_back(n, DAY + DAYS)
    assert book.said.total_cents == 0


@pytest.mark.parametrize(
    ("cents", "where", "why"),
    [
        (0, "on the floor", "cents must be from 1"),
        (-5, "on the floor", "cents must be from 1"),
        (2.5, "on the floor", "cents must be from 1"),
        (10**12 + 1, "on the floor", "cents must be from 1 to 1000000000000"),
        (350, " ", "the place where it was found must be 1 to 200 printable"),
        (350, "a\nb", "the place where it was found must be 1 to 200 printable"),
    ],
)
def test_no_money_is_found_without_a_sum_and_a_place(cents: Any, where: str, why: str) -> None:
    said = Orphelins()
    with pytest.raises(Refused, match=why):
        said.find(TABLE, cents, where=where, coup=0, day=DAY, who="anna")


# --- its owner comes within the three coups ---------------------------------------------------
@pytest.mark.parametrize("coups", [0, 1, 2])
def test_an_owner_who_comes_within_the_three_coups_gets_stake_and_winnings(coups: int) -> None:
    """« Dans le cas où le propriétaire légitime de la somme trouvée est connu [...] cette somme lui
    est restituée »: nothing was paid in, so the account does not move."""
    book = Book()
    n = book.mark(ROUGE)
    for coup in range(1, coups + 1):
        book.play(coup, 5, "red")
    entry = book.claim(n)
    body = json.loads(book.entries[entry - 1][2])
    assert body == {"of": n, "day": DAY, "cents": 500 * (1 + coups), "who": "weber", **OWNER}
    assert (book.said.all()[0].state, book.said.total_cents) == (CLAIMED, 0)
    for coup in range(coups + 1, 6):
        book.play(coup, 5, "red")
    assert book.pay() == []
    for again in (book.claim, book.give_back):
        with pytest.raises(Refused, match="claimed by its owner already"):
            again(n)


def test_of_a_stake_that_lost_all_nothing_can_be_claimed() -> None:
    book = Book()
    n = book.mark(PLEIN)
    book.play(1, 5, "red")
    with pytest.raises(Refused, match="nothing is left to return"):
        book.claim(n)


def test_what_was_paid_in_is_returned_and_not_claimed() -> None:
    with pytest.raises(Refused, match="paid in already"):
        paid(*WON).claim(1)


# --- a mistyped mark, corrected by two people -------------------------------------------------
def test_the_coups_already_counted_count_for_what_it_should_have_been() -> None:
    book = Book()
    n = book.mark({"bet": "plein", "on": [18], "cents": 500})
    book.play(1, 17, "black")
    assert worth_cents(book.said.all()[0]) == 0
    book.correct(n, PLEIN)
    assert worth_cents(book.said.all()[0]) == 18_000
    for coup in (2, 3):
        book.play(coup, 5, "red")
    assert book.pay() == [PAID_IN]
    assert book.said.total_cents == 17_500


@pytest.mark.parametrize(
    ("coups", "right", "total", "state"),
    [
        (WON, {**PLEIN, "cents": 1_000}, 35_000, PAID_IN),
        (WON, {**PLEIN, "on": [18]}, 0, LOST),
        (WON, None, 0, WITHDRAWN),
        (MISSED, ROUGE, 2_000, PAID_IN),
        (MISSED, None, 0, WITHDRAWN),
    ],
)
def test_the_account_moves_by_the_difference(
    coups: Any, right: Any, total: int, state: str
) -> None:
    book = paid(*coups)
    entry = book.correct(1, right, DAY + 1)
    body = json.loads(book.entries[entry - 1][2])
    assert (body["total_cents"], book.said.total_cents) == (total, total)
    assert (body["who"], body["management"], body["why"]) == ("anna", "weber", "mistyped")
    assert book.said.all()[0].state == state
    if coups is MISSED and state == PAID_IN:  # its owner's seven days are those of the first entry
        assert last_day(book.said.all()[0]) == DAY + DAYS
        book.give_back(1, DAY + DAYS)
        assert book.said.total_cents == 0


def test_a_correction_takes_two_people_and_what_can_still_be_corrected() -> None:
    book = paid(*WON)
    with pytest.raises(Refused, match="it takes two people"):
        book.correct(1, None, management="anna")
    with pytest.raises(Refused, match="no abandoned stake was entered as number 2"):
        book.correct(2, None)
    with pytest.raises(Refused, match="number 1 is a stake: give its bet"):
        book.correct(1, {"cents": 500})
    with pytest.raises(Refused, match=r"art\. 37-2: .*neighbours"):
        book.correct(1, {"bet": "cheval", "on": [1, 36], "cents": 500})
    with pytest.raises(Refused, match="can be corrected no more"):
        book.correct(1, None, DAY + DAYS + 1)
    book.give_back(1)
    with pytest.raises(Refused, match="returned already"):
        book.correct(1, None)
    book = Book()
    book.find(350)
    with pytest.raises(Refused, match="number 1 is money without a bet"):
        book.correct(1, PLEIN)
    book.correct(1, {"cents": 360})
    assert worth_cents(book.said.all()[0]) == 360


@pytest.mark.parametrize("game", ["boule_fr", "vingt_trois_fr"])
@pytest.mark.parametrize("wrong", [("plein", [99]), ("plin", [9]), ("cheval", [1, 2])])
def test_where_one_article_says_all_a_bet_that_is_none_is_refused_too(
    game: str, wrong: tuple[str, list[int]]
) -> None:
    book = Book()
    n = book.mark(
        {"bet": "plein", "on": [5], "cents": 500}, table=open_table(rules.load(game), 500)
    )
    with pytest.raises(Refused, match=r"art\. 47: "):
        book.correct(n, {"bet": wrong[0], "on": wrong[1], "cents": 500})


def test_an_amount_that_no_table_takes_may_have_lain_there() -> None:
    """It was read wrong: the limits of the table are no reason to keep the mistake."""
    book = Book()
    n = book.mark(PLEIN)
    book.correct(n, {**PLEIN, "cents": 300})
    assert worth_cents(book.said.all()[0]) == 300


# --- the end of the exercice --------------------------------------------------------------------
def test_at_the_end_of_the_exercice_the_account_is_settled_whole() -> None:
    """« attribuées au bureau de bienfaisance de la commune [...]. Les quittances à souches
    délivrées par ce comptable constituent la décharge du casino. Le compte « orphelins » se trouve
    ainsi intégralement soldé à la fin de chaque exercice »."""
    book = paid(*WON)
    entry = book.close(DAY + DAYS + 1)
    body = json.loads(book.entries[entry - 1][2])
    assert body == {
        "exercice": "2026", "day": DAY + DAYS + 1, "cents": 17_500, "before_cents": 17_500,
        "total_cents": 0, "commune": "Mondorf-les-Bains", "receipt": "17", "who": "weber",
    }  # fmt: skip
    assert (book.said.total_cents, book.said.all()[0].state) == (0, CLOSED)
    for refused in (book.give_back, book.claim):
        with pytest.raises(Refused, match="paid to it at the end of its exercice"):
            refused(1)
    with pytest.raises(Refused, match="nothing lies in the account"):
        book.close()


def test_a_closing_with_something_still_counted_or_returnable_is_refused() -> None:
    book = paid(*WON)
    with pytest.raises(Refused, match=r"art\. 8: .*number 1 may still be returned"):
        book.close(DAY + DAYS)
    n = book.find(coup=3)
    with pytest.raises(Refused, match=rf"art\. 8: .*number {n} is still counted"):
        book.close(DAY + 30)


def test_the_closing_is_told_in_french_and_english() -> None:
    assert closing_notice("2026", 17_505, "Mondorf", "17") == (
        "Orphelins, exercice 2026 : 175.05 versés au bureau de bienfaisance de Mondorf,"
        " quittance n° 17 ; le compte est soldé (art. 8)."
        " / Orphelins, year 2026: 175.05 paid to the charity office of Mondorf, receipt no. 17;"
        " the account is settled (art. 8)."
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
    st.tuples(st.just("find"), st.integers(1, 1_000)),
    st.tuples(st.just("claim"), st.integers(1, 30)),
    st.tuples(st.just("correct"), st.integers(1, 30)),
    st.tuples(st.just("withdraw"), st.integers(1, 30)),
    st.tuples(st.just("close"), st.just(0)),
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
        elif do == "find":
            book.find(value, coup=coup, day=day)
        elif do == "claim":
            one = {one.n: one for one in book.said.all()}.get(value)
            may = one is not None and one.state == MARKED and worth_cents(one) > 0
            with contextlib.nullcontext() if may else pytest.raises(Refused):
                book.claim(value, day)
        elif do in ("correct", "withdraw"):
            one = {one.n: one for one in book.said.all()}.get(value)
            may = one is not None and (
                one.state == MARKED or (one.state in (PAID_IN, LOST) and day <= last_day(one))
            )
            right: Any = None
            if do == "correct" and one is not None:
                right = {"cents": 700} if one.stake is None else {**STAKES[value % 5]}
            elif do == "correct":
                right = PLEIN
            with contextlib.nullcontext() if may else pytest.raises(Refused):
                book.correct(value, right, day)
        elif do == "close":
            may = (
                not book.said.counting()
                and book.said.total_cents > 0
                and all(day > last_day(one) for one in book.said.all() if one.state == PAID_IN)
            )
            with contextlib.nullcontext() if may else pytest.raises(Refused):
                book.close(day)
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
    out = sum(body["cents"] for kind, body in bodies if kind in (RETURNED, CLOSED))
    corrected = sum(
        body["total_cents"] - body["before_cents"]
        for kind, body in bodies
        if kind in (CORRECTED, WITHDRAWN)
    )
    assert book.said.total_cents == paid_in + corrected - out >= 0
    # « une somme égale au total général donné par le carnet »
    assert book.said.total_cents == sum(
        worth_cents(one) for one in book.said.all() if one.state == PAID_IN
    )
    for one in book.said.all():
        assert len(one.results) == COUPS or one.state in (MARKED, CLAIMED, WITHDRAWN)
    again = book.restarted()
    assert (again.all(), again.total_cents, again.coup) == (
        book.said.all(),
        book.said.total_cents,
        book.said.coup,
    )
