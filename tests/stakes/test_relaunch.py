"""Luxembourg, art. 37-1: « Dans le cas où un jeton vient à tomber dans le cylindre pendant le
mouvement de rotation, le croupier doit arrêter le jeu, puis reprendre la bille et la lancer de
nouveau. »

The throw is void; the game goes on, and its stakes lie.
"""

from typing import Any

import pytest
from players import funded
from stakes_bench import book, ends, place, result, sit

from firmware.stakes import seal
from firmware.stakes.accounts import Accounts
from firmware.stakes.answers import YES
from firmware.stakes.book import Book, Paid
from firmware.store.checked_lines import Row
from firmware.store.replay_state import Recall


def chip(coup: int) -> dict[str, Any]:
    return {"coup": coup, "seq": coup, "reason": "foreign_object"}


def thrown_again(**more: Any) -> Book:
    """A stake of anna's was sealed in coup 7, and a chip fell into the cylinder."""
    opened = book(relaunch=True, money=funded("anna", "bert", cents=2_000), **more)
    assert place(opened, 1, 1) == YES
    opened.close(7)
    ends(opened, chip(7))
    return opened


@pytest.mark.req("LU-37-1.again")
def test_sealed_stakes_lie_for_the_next_throw() -> None:
    opened = thrown_again()
    assert (opened.coup, opened.is_open, opened.goes_on) == (8, True, True)
    assert opened.settled(1).coup == 0  # nothing is settled
    assert opened.funds_cents(1) == 1_500
    late = opened.take_back(1, 1)
    assert (late.accepted, late.rule) == (False, "art. 37-1")
    assert opened.sign_off(1).rule == "art. 20-3 a"
    # « Tant que la force centrifuge retient la bille [...], les joueurs peuvent continuer à miser »
    assert place(opened, 1, 2, cents=500, coup=8) == YES
    record = opened.close(8)
    assert (record["carried"], record["count"], record["total_cents"]) == (7, 2, 1_000)
    assert b"\nrelaunch same_game\ncarried 7\n" in seal.canonical(record)
    ends(opened, result(8, 17, "black"))
    assert not opened.goes_on
    assert opened.settled(1)[:] == (8, 17, "black", (Paid(1, 500, 17_500), Paid(2, 500, 17_500)))
    assert opened.funds_cents(1) == 2_000 + 35_000


def test_twice_a_chip_and_they_still_lie() -> None:
    opened = thrown_again()
    opened.close(8)
    ends(opened, chip(8))
    assert opened.close(9)["carried"] == 8
    ends(opened, {"coup": 9, "seq": 9, "reason": "croupier"})
    assert opened.settled(1)[:] == (9, None, None, (Paid(1, 500, 0),))
    assert opened.funds_cents(1) == 2_000


def test_over_a_restart_they_lie_and_cannot_be_staked_again() -> None:
    opened = thrown_again()
    record = opened._record
    money = Accounts()
    for kind, body in (("account", {"account": 1, "player": "anna", "who": "claire"}),):
        money.add_row(kind, body)
    money.add_row("money", money.deposit(1, 2_000, terminal=0, who="claire"))
    money.add_row("stakes", record)
    end = chip(7) | {"stakes": record["seal"]}
    money.add_row("void", end)
    again = book(relaunch=True, coup=8, money=funded("anna", "bert", cents=2_000))
    again = Book(again._table.rules, minimum_cents=500, terminals=(1, 2), coup=8, money=money)
    again.restore(record, end)
    again.employee("claire", True)
    assert again.goes_on
    assert again.free_cents(1) == 1_500
    assert sit(again, 2, "anna") == YES  # wherever he sits
    assert again.accepted_stakes(2) == [(1, 500)]
    assert again.close(8)["stakes"] == record["stakes"]


def test_who_is_unseated_keeps_what_lies_and_gets_back_what_was_added() -> None:
    opened = thrown_again()
    place(opened, 1, 2, cents=600, coup=8)
    done = opened.unseat(1, "asleep")
    assert (done["given_back"], done["given_back_cents"]) == (1, 600)
    assert [one["id"] for one in opened.close(8)["stakes"]] == [1]


def test_where_the_house_plays_void_they_go_back() -> None:
    opened = book()
    place(opened)
    opened.close(7)
    ends(opened, chip(7))
    assert not opened.goes_on
    assert opened.settled(1).paid == (Paid(1, 500, 0),)
    assert b"relaunch" not in seal.canonical(opened.close(8))


def test_another_void_gives_back_though_the_game_could_go_on() -> None:
    opened = book(relaunch=True)
    place(opened)
    opened.close(7)
    ends(opened, {"coup": 7, "seq": 7, "reason": "two_balls"})
    assert not opened.goes_on
    assert opened.settled(1).paid == (Paid(1, 500, 0),)


def test_a_chip_before_the_call_leaves_them_where_they_lie() -> None:
    opened = book(relaunch=True)
    place(opened)
    ends(opened, chip(7))
    assert opened.goes_on
    assert opened.accepted_stakes(1) == [(1, 500)]
    assert opened.take_back(1, 1) == YES  # never sealed: still his


def test_a_throw_that_was_made_again_is_never_paid_twice() -> None:
    """Corrected to a number, it would have its stakes play in two throws."""
    opened = thrown_again()
    before = opened.money.all()
    opened.corrected({"coup": 7, "seq": 9, "corrects": 7, "number": 17, "colour": "black"})
    assert opened.money.all() == before


def test_what_went_back_in_a_later_throw_does_not_lie_again_after_a_restart() -> None:
    """The journal's last stakes are those of the throw that was made again; its next was void."""
    opened = thrown_again()
    record = opened._record
    recall = Recall()
    utc = "2026-11-26T20:15:03Z"
    recall.add_row(Row(1, utc, "stakes", record))
    recall.add_row(Row(2, utc, "void", chip(7) | {"stakes": record["seal"]}))
    assert seal.goes_on(*recall.stakes)
    recall.add_row(Row(3, utc, "void", {"coup": 8, "seq": 8, "reason": "interrupted"}))
    assert not seal.goes_on(*recall.stakes)
    again = book(relaunch=True, coup=9)
    again.restore(*recall.stakes)
    assert not again.goes_on
    assert again.close(9)["stakes"] == []


def test_a_correction_of_the_throw_leaves_them_lying_over_a_restart() -> None:
    opened = thrown_again()
    recall = Recall()
    utc = "2026-11-26T20:15:03Z"
    void = chip(7) | {"stakes": opened._record["seal"]}
    number = {"coup": 7, "seq": 9, "corrects": 7, "number": 17, "colour": "black"}
    for n, (kind, body) in enumerate(
        (("stakes", opened._record), ("void", void), ("correction", number)), 1
    ):
        recall.add_row(Row(n, utc, kind, body))
    again = book(relaunch=True, coup=8, money=funded("anna", "bert", cents=2_000))
    again.restore(*recall.stakes)
    assert again.goes_on
    assert again.close(8)["stakes"] == opened._record["stakes"]


def test_a_start_without_terminals_in_between_spoils_nothing() -> None:
    """The end of the coup then names no seal: its stakes took no part, and are there again."""
    opened = book(money=funded("anna", "bert", cents=2_000))
    place(opened)
    record = opened.close(7)
    again = book(coup=8, money=funded("anna", "bert", cents=2_000))
    again.restore(record, {"coup": 7, "seq": 7, "reason": "interrupted"})
    assert again.settled(1).paid == (Paid(1, 500, 0),)


def test_another_players_number_is_not_taken_for_ones_own() -> None:
    opened = thrown_again()
    again = book(relaunch=True, coup=8, money=funded("anna", "bert", cents=2_000))
    for terminal in (1, 2):
        again.sign_off(terminal)
    again.restore(opened._record, chip(7) | {"stakes": opened._record["seal"]})
    assert sit(again, 1, "bert") == YES
    assert not place(again, 1, 1, coup=8).accepted  # anna's, of before the restart
    assert place(again, 1, 2, coup=8) == YES
