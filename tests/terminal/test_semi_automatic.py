"""Art. 20-1 to 20-3 at a whole table in jumping time: accepted is sealed, recorded, paid."""

import pytest
from players import on
from semi_automatic import SemiAutomatic, stake

from firmware.bus.terminal import Carried, NotInPlay, Settled, Unseated
from firmware.core.facts import CorrectionAsked, EntryAsked, Fault, Result
from firmware.stakes import seal

BOARDS = ("roulette_ref", "vingt_trois_ref", "boule_ref")


def seated(board: str, seed: int = 3, **more: bool) -> SemiAutomatic:
    table = SemiAutomatic(board, seed, **more)
    table.employee()
    assert table.asked(0, on("anna"))[0].accepted
    assert table.asked(1, on("bert"))[0].accepted
    return table


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", [3, 4])
def test_what_was_accepted_at_the_call_is_sealed_and_paid(board: str, seed: int) -> None:
    table = seated(board, seed)
    placed = table.asked(0, stake("rouge", 200), stake("plein", 100, 5), stake("noir", 300))
    placed += table.asked(1, stake("noir", 100))
    assert all(one.accepted for one in placed)
    table.play_until(table.called)
    (late,) = table.asked(1, stake("noir", 100))
    assert not late.accepted
    assert "rien ne va plus" in late.why
    table.play_until(table.ended)
    (result,) = table.kinds(Result)
    table.play_until(lambda: table.of(0, Settled) and table.of(1, Settled))
    (record,) = table.recorded("stakes")
    (end,) = table.recorded("result")
    assert record["count"] == 4
    assert end["stakes"] == record["seal"]
    paid = sorted(
        (payment.player, payment.stake_cents, payment.won_cents)
        for payment in seal.payments(record, end)
    )
    told = [
        (player, cents, won)
        for at, player in ((0, "anna"), (1, "bert"))
        for _, cents, won in table.of(at, Settled)[0].entries
    ]
    assert sorted(told) == paid
    assert (result.number, result.colour) == table.of(0, Settled)[0][1:3]
    assert (result.number, result.colour) == (end["number"], end["colour"])
    red = {"red": 200, "black": -200}.get(result.colour)
    if red is not None and not (board == "boule_ref" and result.number == 5):
        assert ("anna", 200, red) in told


def test_a_void_gives_all_back_and_the_next_coup_is_played() -> None:
    table = seated("roulette_ref")
    table.asked(0, stake("rouge", 200))
    table.play_until(table.called)
    table.void()
    table.play_until(lambda: table.of(0, Settled))
    assert table.of(0, Settled) == [Settled(1, None, None, ((2, 200, 0),))]
    (again,) = table.asked(0, stake("noir", 200))
    assert (again.accepted, again.ask.coup) == (True, 2)


@pytest.mark.parametrize("day_is_closed", [False, True])
def test_a_correction_pays_at_the_terminals_until_the_day_is_closed(day_is_closed: bool) -> None:
    """A closing's sums are signed: then people pay the difference, and are told so."""
    table = seated("roulette_ref")
    table.asked(0, stake("rouge", 200))
    table.play_until(lambda: table.of(0, Settled))
    (result,) = table.kinds(Result)
    if day_is_closed:
        table.asks(EntryAsked(0, "closing", {"day": 740_000, "who": "weber"}))
        table.play_until(lambda: table.recorded("closing"))
    before = table.book.money.all()
    number, colour = (1, "red") if result.colour != "red" else (2, "black")
    table.asks(CorrectionAsked(0, 1, number, colour, "anna", "weber", "seen on film"))

    def said() -> tuple[bool, bool]:
        paid = table.of(0, Settled)[-1].number == number
        return "P15" in [fault.code for fault in table.kinds(Fault)], paid

    table.play_until(lambda: any(said()))
    assert said() == (day_is_closed, not day_is_closed)
    assert (table.book.money.all() == before) == day_is_closed


@pytest.mark.req("ON-21.1.8.interrupted")
@pytest.mark.parametrize("board", BOARDS)
def test_a_power_cut_after_the_call_gives_back_and_never_plays_the_stakes_again(board: str) -> None:
    """Whoever pulled the plug on a ball that was about to lose would have another throw."""
    before = seated(board)
    (placed,) = before.asked(0, stake("rouge", 200))
    before.play_until(lambda: before.recorded("stakes"))
    again = SemiAutomatic(board, killed=before)
    assert again.asked(0, on("anna"))[0].accepted
    again.play_until(lambda: again.of(0, Settled))
    assert again.of(0, Settled) == [Settled(1, None, None, ((placed.request, 200, 0),))]
    (record,) = before.recorded("stakes")
    (end,) = again.recorded("void")
    assert (end["coup"], end["reason"]) == (1, "interrupted")
    assert end["stakes"] == record["seal"]
    again.employee()
    again.play_until(lambda: again.kinds(Result))
    assert again.kinds(Result)[0].coup == 2
    assert [one["count"] for one in again.recorded("stakes")] == [0]


@pytest.mark.req("LU-20-1.employee")
def test_without_an_employee_nothing_is_taken() -> None:
    """Art. 20-1: « nécessitant l'intervention d'au moins un employé »."""
    table = SemiAutomatic("boule_ref")
    seat, refused = table.asked(0, on("anna"), stake("rouge", 100))
    assert seat.accepted
    assert (refused.accepted, refused.rule) == (False, "Luxembourg, art. 20-1")
    table.employee()
    assert table.asked(0, stake("rouge", 100))[0].accepted
    table.employee(present=False)
    table.play_until(lambda: len(table.desk.refusals) == 2)
    assert table.desk.refusals[0] is None
    assert "art. 20-1" in str(table.desk.refusals[1])


@pytest.mark.req("LU-20-3.a")
def test_a_player_at_two_terminals_is_refused() -> None:
    """Art. 20-3 a."""
    table = SemiAutomatic("roulette_ref")
    table.employee()
    assert table.asked(0, on("anna"))[0].accepted
    (refused,) = table.asked(1, on("anna"))
    assert (refused.accepted, refused.rule) == (False, "art. 20-3 a")


def test_a_terminal_that_falls_silent_is_told_as_a_fault() -> None:
    table = seated("roulette_ref")
    gone = table.terminals.pop()
    table.play_until(lambda: [fact for fact in table.kinds(Fault) if fact.code == "T13"])
    assert "Terminal 2 does not reply" in table.kinds(Fault)[0].text
    assert table.book.player(2) is None  # nothing lay there: he may go on elsewhere
    table.terminals.append(gone)


def test_an_employee_signs_off_who_sits_at_a_terminal_and_the_journal_has_it() -> None:
    table = seated("roulette_ref")
    assert table.asked(0, stake("rouge", 200))[0].accepted
    table.unseat(1)
    table.play_until(lambda: table.of(0, Unseated) and table.of(0, NotInPlay))
    assert table.recorded("unseated") == [
        {
            "coup": table.recorded("unseated")[0]["coup"],
            "who": "claire",
            "why": "another's name",
            "terminal": 1,
            "player": "anna",
            "given_back": 1,
            "given_back_cents": 200,
        }
    ]
    assert table.asked(1, stake("noir", 300))[0].accepted, "the others play on"
    assert not table.asked(0, stake("rouge", 200))[0].accepted
    table.play_until(lambda: table.recorded("stakes"))
    assert [one["player"] for one in table.recorded("stakes")[0]["stakes"]] == ["bert"]


def test_who_was_signed_off_does_not_sit_again_by_a_power_cut() -> None:
    before = seated("roulette_ref")
    assert before.asked(0, stake("rouge", 200))[0].accepted
    before.play_until(lambda: before.recorded("stakes"))
    before.unseat(1)
    before.play_until(lambda: before.of(0, Unseated))
    again = SemiAutomatic("roulette_ref", killed=before)
    again.employee()
    (refused,) = again.asked(0, stake("rouge", 200))
    assert not refused.accepted
    assert again.book.player(1) is None
    assert again.asked(0, on("anna"))[0].accepted
    again.play_until(lambda: again.of(0, Settled))
    ((request, cents, won),) = again.of(0, Settled)[0].entries
    assert (cents, won) == (200, 0), "sealed: it comes back with the void, and is not lost"
    assert request == 2


def test_nobody_is_signed_off_where_nobody_sits() -> None:
    table = SemiAutomatic("roulette_ref")
    table.unseat(2)
    table.play_until(lambda: table.desk.refusals)
    assert "nobody is signed on at terminal 2" in str(table.desk.refusals[0])
    assert not table.recorded("unseated")


@pytest.mark.req("LU-37-1.again")
def test_a_chip_in_the_cylinder_has_the_ball_thrown_again_for_the_same_stakes() -> None:
    """Art. 37-1: « reprendre la bille et la lancer de nouveau »; the rotor turns the other way."""
    table = seated("roulette_ref", relaunch=True)
    (placed,) = table.asked(0, stake("rouge", 200))
    table.play_until(table.called)
    table.loop._core.table.void("foreign_object")
    table.play_until(lambda: table.of(0, Carried))
    assert table.of(0, Carried) == [Carried(2, placed.request)]
    (more,) = table.asked(0, stake("noir", 300))
    assert more.accepted
    table.play_until(lambda: table.of(0, Settled))
    first, second = table.recorded("stakes")
    assert (first["count"], second["count"], second["carried"]) == (1, 2, 1)
    (settled,) = table.of(0, Settled)
    assert settled.coup == 2
    assert sorted(entry[0] for entry in settled.entries) == [placed.request, more.request]
    assert table.of(0, NotInPlay) == []
    turns = [body["rotor"] for body in table.recorded("actuation")]
    assert turns[0] == -turns[1]
