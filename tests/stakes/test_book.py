"""Luxembourg, règlement grand-ducal du 12 février 1979 (2015), art. 20-1 to 20-3 and art. 37-1."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from players import funded
from stakes_bench import book, ends, place, result, sit

import rules
from firmware.bus.terminal_messages import SENTENCE_MAX
from firmware.stakes.accounts import PLAYER_MAX, Accounts, Refused
from firmware.stakes.answers import YES
from firmware.stakes.book import Book, Paid
from firmware.stakes.terminal_book import STAKES_MAX
from firmware.store.rows import plain
from rules.limits import WrongInput


@pytest.mark.req("LU-20-1.employee")
def test_no_stake_is_taken_without_an_employee() -> None:
    """Art. 20-1: « nécessitant l'intervention d'au moins un employé »."""
    opened = book()
    opened.employee("claire", False)
    assert not opened.is_open
    answer = place(opened)
    assert (answer.accepted, answer.rule) == (False, "art. 20-1")
    assert "nécessitant l'intervention d'au moins un employé" in answer.why
    opened.employee("denis", True)
    assert place(opened) == YES


def test_the_last_employee_stays_while_stakes_lie() -> None:
    """Art. 20-1: one is needed for the coup, not only for the stake."""
    opened = book()
    place(opened)
    assert "art. 20-1" in opened.employee("claire", False)
    opened.employee("denis", True)
    assert opened.employee("claire", False) is None
    assert "art. 20-1" in opened.employee("denis", False)
    opened.close(7)
    ends(opened, result(7, 17, "black"))
    assert opened.employee("denis", False) is None


@pytest.mark.req("LU-20-3.a")
def test_a_player_sits_at_one_terminal_alone() -> None:
    """Art. 20-3 a: « Les joueurs ne sont pas autorisés à placer des mises simultanément sur
    plusieurs terminaux. »"""
    opened = book()
    answer = sit(opened, 3, "anna")
    assert (answer.accepted, answer.rule) == (False, "art. 20-3 a")
    assert "simultanément sur plusieurs terminaux" in answer.why
    assert opened.player(3) is None
    assert place(opened, 3).rule == "art. 20-3 b"


@pytest.mark.req("LU-20-3.a")
@pytest.mark.parametrize("name", ["anna lux", "Anna  Lux", " ANNA LUX "])
def test_a_player_has_one_account_alone(name: str) -> None:
    """Or he could sit at two terminals, with one at each."""
    money = funded("Anna Lux")
    with pytest.raises(
        Refused, match=r"simultanément sur plusieurs terminaux » : .* has account 1"
    ):
        money.open(name, "claire")


@pytest.mark.req("LU-20-3.b")
def test_each_player_places_alone() -> None:
    """Art. 20-3 b: « Chaque joueur place ses mises individuellement. »"""
    opened = book()
    answer = sit(opened, 1, "carla")
    assert (answer.accepted, answer.rule) == (False, "art. 20-3 b")
    assert opened.player(1) == "anna"
    assert sit(opened, 1, "anna") == YES


def test_a_player_with_stakes_on_the_cloth_cannot_change_terminals() -> None:
    opened = book()
    place(opened)
    assert opened.sign_off(1).rule == "art. 20-3 a"
    opened.take_back(1, 1)
    assert opened.sign_off(1) == YES
    assert sit(opened, 3, "anna") == YES


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "é" * 13, "x" * (PLAYER_MAX + 1), "\x7f"])
def test_what_is_no_name_has_no_account(name: str) -> None:
    with pytest.raises(Refused, match=r"art\. 20-3"):
        Accounts().open(name, "claire")


@pytest.mark.parametrize(
    "name",
    [
        "anna\u200b",  # a blank without width
        "an\u00adna",  # a hyphen that is not shown
        "\u202eanna",  # read from the right
        "\u0430nna",  # a Cyrillic a
        "\uff41nna",  # a wide one
        "anna\u00a0",
        "Zoe\u0308",  # one that is written in two pieces
    ],
)
def test_a_name_that_only_looks_like_another_has_no_account(name: str) -> None:
    """Art. 20-3 a: one player with two accounts would be two in the record."""
    with pytest.raises(Refused, match="Latin letters"):
        Accounts().open(name, "claire")
    assert Accounts().open("Zoë", "claire")["player"] == "Zoë"


@pytest.mark.req("LU-37-1.stakes")
def test_only_what_was_accepted_before_the_call_takes_part() -> None:
    """Art. 37-1: « Seules sont considérées comme ayant participé au jeu les mises effectivement
    placées sur le tableau au moment du « rien ne va plus ». »"""
    opened = book()
    assert place(opened, 1, 1) == YES
    record = opened.close(7)
    assert [(stake["terminal"], stake["id"]) for stake in record["stakes"]] == [(1, 1)]
    late = place(opened, 2, 1)
    assert (late.accepted, late.rule) == (False, "art. 37-1")
    assert "ayant participé au jeu les mises effectivement placées" in late.why
    assert opened.close(7) is record
    assert (record["count"], record["total_cents"]) == (1, 500)


@pytest.mark.req("LU-37-1.closed", "FR-47.closed")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("vingt_trois_fr", "Dès lors, les enjeux ne sont plus admis"),  # article 47
        ("boule_fr", "rien ne va plus"),
        ("roulette_live", "rien ne va plus"),
    ],
)
def test_a_late_stake_is_refused_in_the_words_of_its_game(name: str, words: str) -> None:
    opened = book(name)
    opened.close(7)
    answer = place(opened, bet="rouge", on=())
    assert not answer.accepted
    assert words in answer.why


@pytest.mark.parametrize("name", ["vingt_trois_fr", "boule_fr", "roulette_live"])
def test_an_article_of_another_text_than_the_games_own_is_named_with_its_country(name: str) -> None:
    """A French game has an article 47 of its own: "art. 20-1" beside it would be taken for one."""
    opened = book(name)
    assert sit(opened, 3, "anna").rule == "Luxembourg, art. 20-3 a"
    assert sit(opened, 1, "carla").rule == "Luxembourg, art. 20-3 b"
    assert opened.sign_on(3, 99).rule == "Luxembourg, art. 62"
    place(opened, bet="rouge", on=(), cents=500)
    assert "Luxembourg, art. 20-1 wants an employee" in opened.employee("claire", False)
    opened.take_back(1, 1)
    opened.employee("claire", False)
    assert place(opened, number=2, bet="rouge", on=()).rule == "Luxembourg, art. 20-1"


def test_a_stake_is_never_booked_twice_nor_for_another_coup() -> None:
    opened = book()
    assert place(opened, 1, 1) == YES
    assert "another stake already" in place(opened, 1, 1, cents=1000).why
    assert opened.accepted_stakes(1) == [(1, 500)]
    opened.close(7)
    assert not place(opened, 1, 2).accepted
    ends(opened, result(7, 17, "black"))
    # Of the coup before: it is never booked for the next one by mistake.
    assert place(opened, 1, 1) == YES  # it took part
    assert not place(opened, 1, 2).accepted
    assert opened.accepted_stakes(1) == []


def test_a_stake_may_be_taken_back_until_the_call() -> None:
    opened = book()
    for number in (1, 2):
        place(opened, 1, number, bet="cheval", on=(1, 2), cents=10_000)
    assert not place(opened, 1, 3, bet="cheval", on=(1, 2)).accepted
    assert opened.take_back(1, 1) == YES
    assert not opened.take_back(1, 1).accepted  # it lies no more
    assert not opened.take_back(2, 2).accepted  # another terminal's
    assert place(opened, 1, 4, bet="cheval", on=(1, 2), cents=10_000) == YES
    record = opened.close(7)
    assert not opened.take_back(1, 2).accepted
    assert [stake["id"] for stake in record["stakes"]] == [2, 4]


def test_a_chip_under_the_minimum_may_be_laid_on_one_that_is_not() -> None:
    """Seeds 003, s. 1.2: « un jeton de 25 euros [...]. Ensuite, cliquez sur un jeton de 5 euros
    puis déposez-le sur le jeton de 25 euros »."""
    opened = book(maximum_multiples=None)
    assert not place(opened, 1, 1, cents=250).accepted  # the small one first: nothing lies there
    assert place(opened, 1, 2, cents=1_250) == YES
    assert place(opened, 1, 3, cents=250) == YES
    assert not place(opened, 2, 1, cents=250).accepted  # another player's chip is not his
    left = opened.take_back(1, 2)
    assert (left.accepted, left.rule) == (False, "art. 37-3")
    assert left.why == ("take back first what lies on it: 250 cents are under the minimum of 500")
    assert opened.take_back(1, 3) == YES
    assert opened.take_back(1, 2) == YES
    assert opened.close(7)["stakes"] == []


def test_what_lies_can_always_be_taken_back_the_last_first() -> None:
    opened = book()
    for number, cents in ((1, 500), (2, 300), (3, 300)):
        assert place(opened, 1, number, cents=cents) == YES
    assert not opened.take_back(1, 1).accepted  # 300 and 300 would each need the other
    for number in (3, 2, 1):
        assert opened.take_back(1, number) == YES
    assert opened.sign_off(1) == YES


def test_with_a_raised_minimum_the_seal_has_the_one_that_its_maxima_are_multiples_of() -> None:
    """Art. 37-3: « Il est alors tenu d'augmenter les maxima des mises »."""
    opened = book(table_minimum_cents=1_000)
    assert place(opened, 1, 1, cents=20_000) == YES
    record = opened.close(7)
    assert (record["minimum_cents"], record["maximum_multiples"]["plein"]) == (1_000, 20)
    ends(opened, result(7, 17, "black"))
    assert opened.settled(1).paid == (Paid(1, 20_000, 35 * 20_000),)


def test_who_is_unseated_has_all_back_though_less_than_the_minimum_is_left_between() -> None:
    opened = book()
    place(opened, 1, 1, cents=1_250)
    place(opened, 1, 2, cents=250)
    said = opened.unseat(1, "asleep")
    assert (said["given_back"], said["given_back_cents"]) == (2, 1_500)
    assert opened.close(7)["stakes"] == []


@pytest.mark.req("LU-20-3.c")
def test_over_the_maximum_added_up_is_refused() -> None:
    """Art. 37-3: « numéro plein 20 fois le minimum des mises »; art. 20-3 c: « dépassement du
    maximum des mises »: here it cannot happen."""
    opened = book()
    assert place(opened, 1, 1, cents=9_500) == YES
    over = place(opened, 1, 2, cents=1_000)
    assert (over.accepted, over.rule) == (False, "art. 37-3")
    assert place(opened, 1, 3, cents=500) == YES
    assert place(opened, 2, 1, cents=10_000) == YES  # per player, never for the table


@pytest.mark.parametrize(
    ("bet", "on", "cents", "rule"),
    [
        ("cheval", (1, 36), 500, "art. 37-2"),
        ("pleine", (1,), 500, "art. 37-2"),
        ("plein", (17,), 499, "art. 37-3"),
        ("plein", (17,), -500, "form of a stake"),
        ("plein", (17,), 500.0, "form of a stake"),
        ("rouge", (), 501, "form of a stake"),
    ],
)
def test_what_the_rules_refuse_is_refused_with_the_rule(
    bet: str, on: tuple[int, ...], cents: int, rule: str
) -> None:
    opened = book()
    answer = place(opened, bet=bet, on=on, cents=cents)
    assert (answer.accepted, answer.rule) == (False, rule)
    assert answer.why
    assert opened.close(7)["stakes"] == []


def test_each_is_paid_what_the_rules_say_and_told_its_own_alone() -> None:
    opened = book()
    place(opened, 1, 1)
    place(opened, 1, 2)
    place(opened, 2, 1, bet="rouge", on=(), cents=1_000)
    opened.close(7)
    assert opened.settled(1).coup == 0
    ends(opened, result(7, 17, "black"))
    assert opened.settled(1)[:3] == (7, 17, "black")
    assert set(opened.settled(1).paid) == {Paid(1, 500, 17_500), Paid(2, 500, 17_500)}
    assert opened.settled(2).paid == (Paid(1, 1_000, -1_000),)
    assert opened.settled(3)[:] == (7, 17, "black", ())


def test_a_terminal_that_has_yet_to_hear_is_told_coup_by_coup() -> None:
    opened = book()
    for coup in (7, 8):
        place(opened, 1, coup, coup=coup)
        opened.close(coup)
        ends(opened, result(coup, 17, "black"))
    ends(opened, result(9, 1, "red"))
    for coup in (7, 8):
        assert opened.settled(1)[:] == (coup, 17, "black", (Paid(coup, 500, 17_500),))
        opened.acknowledge_payments(1, 6)  # of another coup: nothing is forgotten by mistake
        opened.acknowledge_payments(1, coup)
    assert opened.settled(1).paid == ()
    assert opened.settled(1).coup == 9


def test_at_vingt_trois_the_colour_of_the_case_pays() -> None:
    for colour, won in (("red", 500), ("black", -500)):
        opened = book("vingt_trois_fr")
        place(opened, bet="rouge", on=())
        opened.close(7)
        ends(opened, result(7, 7, colour))
        assert opened.settled(1).paid == (Paid(1, 500, won),)


def test_a_void_gives_the_stakes_back() -> None:
    opened = book()
    place(opened)
    opened.close(7)
    ends(opened, {"coup": 7, "seq": 7, "reason": "two_balls"})
    assert opened.settled(1) == (7, None, None, (Paid(1, 500, 0),))


def test_a_void_before_the_call_gives_them_back_too() -> None:
    opened = book()
    place(opened)
    ends(opened, {"coup": 7, "seq": 7, "reason": "croupier"})
    assert opened.settled(1).paid == (Paid(1, 500, 0),)
    assert opened.accepted_stakes(1) == []


def test_a_number_without_a_call_pays_nobody() -> None:
    opened = book()
    place(opened)
    ends(opened, result(7, 17, "black"))
    assert opened.settled(1) == (7, None, None, (Paid(1, 500, 0),))


def test_between_two_coups_stakes_are_for_the_next_one() -> None:
    opened = book()
    opened.close(7)
    ends(opened, result(7, 17, "black"))
    assert (opened.coup, opened.is_open) == (8, True)
    assert place(opened, 1, 1, coup=8) == YES
    opened.open_coup(8)
    assert place(opened, 1, 2, coup=8) == YES
    assert opened.close(8)["count"] == 2


def test_out_of_play_nothing_is_taken() -> None:
    opened = book()
    opened.suspend(True)
    assert "out of play" in place(opened).why
    opened.suspend(False)
    assert place(opened) == YES


def test_a_game_without_terminals_has_no_record() -> None:
    opened = book(terminals=())
    assert opened.close(7) is None
    ends(opened, result(7, 17, "black"))
    assert opened.coup == 8


def test_after_a_restart_the_last_coup_is_still_paid() -> None:
    before = book()
    place(before)
    record = before.close(7)
    again = book(coup=8)
    again.restore(record, result(7, 17, "black") | {"stakes": record["seal"]})
    assert again.settled(1).paid == (Paid(1, 500, 17_500),)
    assert place(again, coup=8) == YES


@pytest.mark.parametrize("over", [True, False])
def test_who_asks_after_a_restart_learns_that_his_stake_took_part(over: bool) -> None:
    """The answer was lost with the controller: refused would not be true."""
    before = book()
    place(before)
    record = before.close(7)
    again = book(coup=8)
    again.restore(record, {"coup": 7, "stakes": record["seal"]} if over else None)
    assert place(again) == YES
    assert not place(again, cents=1_000).accepted
    assert not place(again, 1, 2).accepted
    assert again.settled(1).paid == ((Paid(1, 500, 0),) if over else ())


def test_a_restart_after_the_call_gives_back_when_the_coup_is_void() -> None:
    before = book()
    place(before)
    record = before.close(7)
    again = book(coup=8)
    again.restore(record, None)
    assert not again.is_open
    ends(again, {"coup": 7, "seq": 7, "reason": "interrupted"})
    assert again.settled(1).paid == (Paid(1, 500, 0),)
    assert place(again, coup=8) == YES


def test_limits_that_the_regulation_forbids_open_no_book() -> None:
    with pytest.raises(WrongInput, match="maximum_multiples of plein"):
        book(maximum_multiples={"plein": 21})


def test_the_stakes_of_a_full_table_fit_in_a_line_of_the_journal() -> None:
    terminals = tuple(range(1, 33))
    names = ["é" * 11 + f"{terminal:02d}" for terminal in terminals]
    opened = Book(
        rules.load("roulette_live"),
        minimum_cents=100,
        terminals=terminals,
        money=funded(*names, cents=10**12),
    )
    opened.employee("claire", True)
    for terminal, name in zip(terminals, names, strict=True):
        assert sit(opened, terminal, name).accepted
        for number in range(STAKES_MAX):
            done = opened.stake(
                terminal,
                2**32 - 1 - number,
                coup=1,
                bet="transversale",
                on=(34, 35, 36),
                cents=10**9,
            )
            assert done == YES
        assert not place(opened, terminal, coup=1).accepted
    record = opened.close(1)
    assert record["count"] == 32 * STAKES_MAX
    assert plain(record)  # it fits into a row of the journal, or this would raise


def test_every_refusal_fits_in_a_frame_whole() -> None:
    opened = book()
    refusals = [sit(opened, 3, "anna"), opened.sign_on(3, 2**32 - 1)]
    refusals.append(sit(opened, 1, "carla"))
    refusals.append(place(opened, 3))
    longest = (("deux_colonnes", (1, 3)), ("cheval", (1, 36)), ("sixain", (1, 2, 3, 4, 5, 7)))
    refusals += [place(opened, bet=bet, on=on) for bet, on in longest]
    refusals.append(place(opened, bet=""))
    place(opened, cents=10_000)
    refusals.append(place(opened, 1, 2, cents=4_294_967_295))
    refusals.append(opened.sign_off(1))
    opened.close(7)
    refusals.append(place(opened, 1, 3))
    refusals.append(opened.take_back(1, 1))
    for refusal in refusals:
        assert not refusal.accepted
        assert len((refusal.rule + "\0" + refusal.why).encode()) <= SENTENCE_MAX, refusal


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("stake", "back", "on", "off", "close", "result", "void", "employee")),
            st.integers(1, 3),
            st.integers(1, 5),
            st.sampled_from((("plein", (17,)), ("rouge", ()), ("cheval", (1, 36)))),
            st.integers(6, 9),
        ),
        max_size=40,
    )
)
def test_whatever_is_asked_the_money_adds_up(asked: list[tuple[str, int, int, tuple, int]]) -> None:
    """Every stake of a record is paid once, lies or came back; nothing is ever raised."""
    opened = book()
    closed = None
    for do, terminal, number, (bet, on), coup in asked:
        if do == "stake":
            before = opened.accepted_stakes(terminal)
            answer = place(opened, terminal, number, bet, on, coup=coup)
            grew = len(opened.accepted_stakes(terminal)) - len(before)
            assert grew in (0, 1)
            assert answer.accepted or not grew
            assert closed is None or not grew
        elif do == "back":
            opened.take_back(terminal, number)
        elif do == "on":
            opened.sign_on(terminal, number)
        elif do == "off":
            opened.sign_off(terminal)
        elif do == "employee":
            opened.employee("denis", bool(number % 2))
        elif do == "close":
            closed = opened.close(opened.coup)
        else:
            end = result(opened.coup, 17, "black") if do == "result" else {"coup": opened.coup}
            lay = {at: opened.accepted_stakes(at) for at in (1, 2, 3)}
            ends(opened, end)
            closed = None
            for at in (1, 2, 3):
                paid = opened.settled(at).paid
                assert sorted((one.id, one.cents) for one in paid) == sorted(lay[at])
                opened.acknowledge_payments(at, opened.settled(at).coup)
        players = [opened.player(at) for at in (1, 2, 3) if opened.player(at)]
        assert len({name.lower() for name in players}) == len(players)
    json.dumps(opened.close(opened.coup))
