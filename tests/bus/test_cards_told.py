"""What lies on a card table, told to its displays: the bytes, and on the line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware.bus import card_messages, frame, message_bytes, messages, slots
from firmware.bus.card_messages import (
    BACK,
    CARDS_LEAST,
    CARDS_MAX,
    DASH,
    Cards,
    cards_bytes,
    of_view,
    open_cards,
)
from firmware.bus.message_bytes import answered, open_heartbeat, open_notice
from firmware.bus.receiver import DARK, Receiver
from firmware.bus.slots import FRESH_US
from firmware.core.cards import facts
from tools.bench.busbench import Bench, Ledger
from tools.bench.card_line import CardBench
from tools.bench.cards_lit import wire
from tools.docs.bus_vectors import CARDS

S = 1_000_000
KEY, OTHER = b"k" * 32, b"o" * 32
FRESH, OLD = b"challeng", b"challold"
SIDES = Cards(4, 1, False, False, False, "B", (("P", None, (8, 9)), ("B", None, (12, DASH))), ())
SIX = "5S 2H 6D TC 8H 4S"

U32 = st.integers(0, 2**32 - 1)
FACES = st.lists(st.integers(0, 51) | st.just(DASH), max_size=21).map(tuple)
SEATED = st.builds("s{}{}".format, st.integers(1, 7), st.sampled_from(["", ".2", ".3", ".15"]))
ENDS = st.sampled_from([name for _, name in card_messages.ENDS])
DEALERS = st.lists(st.integers(0, 51), max_size=12).map(
    lambda cards: tuple([*cards[:1], BACK, *cards[2:]] if len(cards) == 2 else cards)
)


@st.composite
def told_cards(draw: Any) -> Cards:
    """Anything that a view may tell."""
    seats = draw(st.lists(SEATED, unique=True, max_size=28))
    hands = [(place, draw(ENDS), draw(FACES)) for place in seats]
    hands.append(("d", draw(ENDS), draw(DEALERS)))
    if draw(st.booleans()):
        hands = [(side, draw(ENDS), draw(FACES)) for side in ("P", "B")]
    names = [name for _, name in card_messages.EVENTS]
    places = st.sampled_from([place for place, _, _ in hands])
    events = draw(st.lists(st.tuples(st.sampled_from(names), places), max_size=17))
    round_ = draw(U32)
    first = draw(st.integers(0, round_))
    turn = draw(st.none() | places)
    is_last, is_simulated = draw(st.booleans()), draw(st.booleans())
    told = (tuple(hands), tuple(events))
    return Cards(round_, first, is_last, False, is_simulated, turn, *told)


def message(cards: Cards = CARDS, counter: int = 1, size: int = CARDS_MAX) -> bytes:
    return answered(cards_bytes(7, counter, cards, size), [(1, KEY, FRESH), (2, OTHER, OLD)])


# --- the bytes ------------------------------------------------------------------------------------


@given(told_cards(), st.integers(0, 2**64 - 1), U32)
def test_what_fits_comes_whole_and_what_does_not_is_a_dash_never_another_card(
    cards: Cards, session: int, counter: int
) -> None:
    for size in (CARDS_MAX, 120, CARDS_LEAST):
        told = cards_bytes(session, counter, cards, size)
        assert len(told) <= size
        opened = open_cards(answered(told, [(1, KEY, FRESH)]), 1, KEY, [OLD, FRESH])
        assert opened is not None
        assert (opened[0], opened[1], opened[3]) == (session, counter, 1)
        found = opened[2]
        assert found[:3] == cards[:3] and found.turn == cards.turn
        given_hands = {hand[0]: hand for hand in cards.hands}
        for place, end, faces in found.hands:
            assert (place, end) == given_hands[place][:2]
            assert faces is None or faces == given_hands[place][2]
        assert [hand[0] for hand in found.hands] == [
            hand[0] for hand in cards.hands if hand[0] in [one[0] for one in found.hands]
        ]
        assert found.events == cards.events[: len(found.events)]
        lacks = len(found.hands) < len(cards.hands) or len(found.events) < len(cards.events)
        assert found.has_more == lacks
        if found != cards:  # the dealer's, or the banker's, are the last to be left out
            assert not found.hands or found.hands[-1][0] == cards.hands[-1][0]


def test_seven_seats_of_four_hands_with_three_cards_each_and_all_side_bets_are_told_whole() -> None:
    seats = [
        f"s{seat}" + (f".{hand}" if hand > 1 else "")
        for seat in range(1, 8)
        for hand in range(1, 5)
    ]
    hands = [(place, "lost_to_black_jack", (1, 2, 3)) for place in seats]
    hands.append(("d", None, (9, BACK)))
    events = [("insured", f"s{seat}") for seat in range(1, 8)]
    events += [("pair_mixed", f"s{seat}") for seat in range(1, 8)]
    whole = Cards(
        9, 1, True, False, False, "s1", tuple(hands), tuple(events + [("super_gold", "d")] * 3)
    )
    opened = open_cards(message(whole), 1, KEY, [FRESH])
    assert opened is not None and opened[2] == whole


def test_a_round_of_baccarat_with_both_dragons_fits_into_the_least_that_a_line_tells() -> None:
    hands = (("P", "wins", (1, 2, 3)), ("B", "loses", (4, 5, 6)))
    whole = Cards(
        9, 1, True, False, False, None, hands, (("dragon_9", "P"), ("dragon_natural", "B"))
    )
    opened = open_cards(message(whole, size=CARDS_LEAST), 1, KEY, [FRESH])
    assert opened is not None and opened[2] == whole


def test_a_hand_beyond_what_a_place_can_name_is_told_to_be_missing() -> None:
    told = Cards(9, 1, False, False, False, "s1.16", (("s1.16", None, (1,)), ("d", None, ())), ())
    opened = open_cards(message(told), 1, KEY, [FRESH])
    assert opened is not None
    assert (opened[2].hands, opened[2].has_more, opened[2].turn) == ((("d", None, ()),), True, None)


def test_they_are_read_by_each_display_that_they_answer_and_by_no_other() -> None:
    assert open_cards(message(), 1, KEY, [OLD, FRESH]) == (7, 1, CARDS, 1)
    assert open_cards(message(), 2, OTHER, [OLD]) == (7, 1, CARDS, 0)
    for address, key, challenges in (
        (3, KEY, [FRESH]), (1, OTHER, [FRESH]), (1, KEY, [OLD]), (1, KEY, []),
    ):  # fmt: skip
        assert open_cards(message(), address, key, challenges) is None


def test_cards_with_any_bit_changed_are_none() -> None:
    told = message()
    for at in range(len(told) - messages.ANSWERED_SIZE):  # what is the other's is not looked at
        for bit in range(8):
            changed = told[:at] + bytes([told[at] ^ 1 << bit]) + told[at + 1 :]
            assert open_cards(changed, 1, KEY, [FRESH]) is None


def test_cards_that_are_cut_are_none() -> None:
    told = message()
    for size in range(len(told)):
        assert open_cards(told[:size], 1, KEY, [FRESH]) is None
    assert open_cards(told + b"\0", 1, KEY, [FRESH]) is None


def test_no_other_message_is_one_of_cards() -> None:
    assert open_heartbeat(message(), 1, KEY, [FRESH]) is None
    assert open_notice(message(), 1, KEY, [FRESH]) is None
    notice = answered(message_bytes.notice_bytes(7, 1, "paul"), [(1, KEY, FRESH)])
    assert open_cards(notice, 1, KEY, [FRESH]) is None


# Rightly signed as they are: a display lights what it believes.
@pytest.mark.parametrize(
    "wrong",
    [
        CARDS._replace(hands=(("s2", None, (BACK, 1)), ("d", None, ()))),  # a seat's own card
        CARDS._replace(hands=(("d", None, (BACK,)),)),  # the dealer's first
        CARDS._replace(hands=(("s2", None, (1,)), ("s2", None, (1,)))),
        CARDS._replace(first=CARDS.round + 1),
        CARDS._replace(hands=(("d", None, (52,)),)),
    ],
)
def test_cards_that_contradict_themselves_are_none(wrong: Cards) -> None:
    assert open_cards(message(wrong), 1, KEY, [FRESH]) is None


@given(st.binary(max_size=400))
def test_no_bytes_are_more_than_none(data: bytes) -> None:
    head = cards_bytes(7, 1, CARDS)
    for whole in (
        data,
        bytes([messages.VERSION, messages.CARDS]) + data,
        head + data,
        head[:24] + data,
    ):
        assert open_cards(whole, 1, KEY, [FRESH]) is None
        signed = answered(whole, [(1, KEY, FRESH)]) if len(whole) < 400 else whole
        opened = open_cards(signed, 1, KEY, [FRESH])  # never raises, whatever is signed
        assert opened is None or opened[2].first <= opened[2].round


def test_the_words_are_those_of_the_core() -> None:
    assert (BACK, DASH) == (facts.BACK, facts.DASH)
    assert tuple(name for _, name in card_messages.EVENTS) == facts.EVENTS


def test_a_view_is_told_with_how_each_hand_ended() -> None:
    outcome = {"hands": [{"seat": 2, "hand": 2, "result": "bust"}], "dealer": {}}
    hands = (("s2", (1, 2)), ("s2.2", (9, 9, 9)), ("d", (3, 4)))
    view = facts.CardView("CONFIRMED", 5, 1, hands, (), None, outcome, None, (), True, 2)
    assert of_view(view).hands == (
        ("s2", None, (1, 2)), ("s2.2", "bust", (9, 9, 9)), ("d", None, (3, 4)),
    )  # fmt: skip
    assert (of_view(view).is_last, of_view(view).first) == (True, 2)
    for winner, ends in (
        ("player", ["wins", "loses"]), ("banker", ["loses", "wins"]), ("tie", ["equal"] * 2),
    ):  # fmt: skip
        view = view._replace(hands=(("P", (1,)), ("B", (2,))), outcome={"winner": winner})
        assert [hand[1] for hand in of_view(view).hands] == ends


# --- on the line ----------------------------------------------------------------------------------


def table(displays: int = 2, game: str = "blackjack", **told: Any) -> Bench:
    """A card table with displays that hear it, while a round is played."""
    bench = Bench(displays, game=game, table=None, cards=True, **told)
    bench.ledger = Ledger(game=game)
    bench.last_view = ("PLAYING", CARDS.round, 0, 0, None, None, None)
    bench.start()
    assert bench.run(5 * S, lambda: {one.lit.state for one in bench.displays} == {"PLAYING"})
    return bench


def shown(bench: Bench) -> list[Cards | None]:
    return [display.cards for display in bench.displays]


@pytest.mark.parametrize("displays", [1, 4, 16])
def test_cards_are_lit_at_once_and_for_as_long_as_they_are_told(displays: int) -> None:
    bench = table(displays)
    assert shown(bench) == [None] * displays
    bench.display_host.set_cards(CARDS)
    assert bench.run(300_000, lambda: shown(bench) == [CARDS] * displays)
    for _ in range(50):
        bench.run(100_000)
        assert shown(bench) == [CARDS] * displays
    later = CARDS._replace(turn="s5")
    bench.display_host.set_cards(later)
    assert bench.run(300_000, lambda: shown(bench) == [later] * displays)
    assert bench.troubles == []


@settings(max_examples=10, deadline=None)
@example([50] * 30)
@given(st.lists(st.integers(0, 400), min_size=1, max_size=30))
def test_however_fast_cards_fall_the_last_is_lit_and_nobody_goes_dark(pauses_ms: list[int]) -> None:
    """And they take no more of the line than is theirs."""
    bench = table(4)
    known = [None, *(CARDS._replace(first=n % 8) for n in range(len(pauses_ms)))]
    seen: list[Cards | None] = [None] * 4

    def told() -> bool:
        for at, cards in enumerate(shown(bench)):
            assert known.index(cards) >= known.index(seen[at])  # never an older one
            seen[at] = cards
        assert {one.lit.state for one in bench.displays} == {"PLAYING"}
        return False

    known = [None]
    for n, pause_ms in enumerate(pauses_ms):
        known.append(CARDS._replace(turn=None, events=(("insured", f"s{n % 7 + 1}"),) * (n + 1)))
        bench.display_host.set_cards(known[-1])
        bench.run(pause_ms * 1000, told)
    assert bench.run(1_200_000, lambda: shown(bench) == [known[-1]] * 4)
    sent = [
        at_us
        for at_us, who, data in bench.wire.log
        if who is bench.line
        and message_bytes.kind(frame.decode(data[1:-1]) or b"") == messages.CARDS
    ]
    often = bench.display_host._plan.often
    assert often in slots.CARDS_TIMES
    assert all(b - a > FRESH_US - 20_000 for a, b in zip(sent, sent[often:], strict=False))


def test_they_are_dark_a_second_after_the_challenge_that_was_answered_last() -> None:
    bench = table(1)
    (display,) = bench.displays
    bench.display_host.set_cards(CARDS)
    assert bench.run(S, lambda: shown(bench) == [CARDS])
    issued_us = display._cards_until_us - FRESH_US
    assert issued_us <= bench.now_us
    bench.wire.hurt = lambda who, data: []
    display.tick(display._cards_until_us - 1)
    assert display.cards == CARDS
    assert display.deadline_us == display._cards_until_us
    display.tick(display._cards_until_us)
    assert display.cards is None


def test_only_the_cards_are_dark_where_they_alone_are_lost() -> None:
    bench = table(1)
    bench.display_host.set_cards(CARDS)
    assert bench.run(S, lambda: shown(bench) == [CARDS])

    def lose(who: Any, data: bytes) -> list[bytes]:
        payload = frame.decode(data[1:-1]) or b""
        return [] if message_bytes.kind(payload) == messages.CARDS else [data]

    bench.wire.hurt = lose
    assert bench.run(FRESH_US + 100_000, lambda: shown(bench) == [None])
    assert bench.displays[0].lit.state == "PLAYING"
    bench.run(S)
    assert bench.displays[0].lit.state == "PLAYING"


def test_a_display_that_comes_late_and_one_after_a_restart_are_told_within_a_second() -> None:
    bench = table(2)
    bench.display_host.set_cards(CARDS)
    bench.run(S)
    bench.displays.remove(bench.displays[0])
    bench.join(1)
    assert bench.run(S, lambda: shown(bench) == [CARDS, CARDS])
    bench.start()  # the controller: its displays wait for the old session to be silent
    bench.display_host.set_cards(CARDS)
    bench.run(100_000)
    silent_us = bench.now_us + FRESH_US
    assert bench.run(3 * S, lambda: {one.lit.state for one in bench.displays} == {DARK.state})
    assert bench.run(3 * S, lambda: shown(bench) == [CARDS, CARDS])
    assert bench.now_us < silent_us + S


def test_cards_of_another_round_than_the_heartbeats_are_a_dash() -> None:
    bench = table(1)
    bench.display_host.set_cards(CARDS)
    assert bench.run(S, lambda: shown(bench) == [CARDS])
    bench.view("BETS_OPEN", CARDS.round + 1, 0, 0, None, None, None)
    assert bench.run(S, lambda: bench.displays[0].lit.state == "BETS_OPEN")
    assert shown(bench) == [None]


def test_cards_of_another_game_are_a_dash() -> None:
    bench = table(1)
    bench.display_host.set_cards(SIDES._replace(round=CARDS.round))
    bench.run(2 * S)
    assert bench.displays[0]._cards is not None
    assert shown(bench) == [None]


def test_cards_that_come_again_change_nothing() -> None:
    bench = table(1)
    (display,) = bench.displays
    bench.display_host.set_cards(CARDS)
    assert bench.run(S, lambda: shown(bench) == [CARDS])
    lie = cards_bytes(display._session or 0, display._cards_told, CARDS._replace(turn=None))
    held = answered(lie, bench.display_host._displays.answers(bench.now_us))
    display.receive_payloads([held], bench.now_us)  # rightly signed, but told before
    assert shown(bench) == [CARDS]
    later = cards_bytes(display._session or 0, display._cards_told + 1, CARDS._replace(turn=None))
    held = answered(later, bench.display_host._displays.answers(bench.now_us))
    display.receive_payloads([held], bench.now_us)
    assert shown(bench) == [CARDS._replace(turn=None)]


def test_a_display_of_before_passes_them_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows no message of that kind, and lights what it lights."""
    monkeypatch.setattr("firmware.bus.receiver.Receiver._hear_cards", lambda *_: None)
    bench = table(2)
    bench.display_host.set_cards(CARDS)
    for _ in range(30):
        bench.run(100_000)
        assert shown(bench) == [None, None]
        assert {one.lit.state for one in bench.displays} == {"PLAYING"}
    assert bench.troubles == []


@pytest.mark.parametrize("what", ["turn", "events"])
def test_what_is_at_a_hand_that_has_no_place_is_told_to_be_more(what: str) -> None:
    hands = (("s3", None, (1, 2)), ("d", None, (3,)))
    beyond: Any = {"turn": "s3.16", "events": (("insured", "s3"), ("pair_mixed", "s3.16"))}[what]
    cards = Cards(1, 1, False, False, False, None, hands, ())._replace(**{what: beyond})
    opened = open_cards(message(cards), 1, KEY, [FRESH])
    assert opened is not None
    kept: Any = {"turn": None, "events": (("insured", "s3"),)}[what]
    assert opened[2] == cards._replace(has_more=True, **{what: kept})


def test_a_wheel_tells_no_cards_and_its_line_is_shared_as_it_was() -> None:
    bench = Bench(4)
    assert not bench.display_host.tells_cards
    bench.display_host.set_cards(CARDS)
    bench.run(3 * S)
    assert shown(bench) == [None] * 4
    for baud in (19_200, 115_200):
        assert slots.plan(baud, 4, 0) == slots.plan(baud, 4, 0, cards=0)


def extra_us(baud: int, terminals: int, followers: bool) -> int:
    """What a round has time for besides, as CardTerminalHost has it."""
    return slots.card_extra_us(baud, terminals, followers=followers) if terminals else 0


@pytest.mark.parametrize(
    ("seats", "followers", "displays", "cards"),
    [(7, 0, 4, CARDS_MAX), (7, 1, 4, 216), (7, 0, 8, 276), (7, 1, 8, 0)],
)
def test_a_line_of_115200_baud_tells_cards_beside_seven_seats_and_the_followers(
    seats: int, followers: int, displays: int, cards: int
) -> None:
    bench = CardBench(seats=seats, followers=followers, displays=displays)
    told_us = extra_us(115_200, seats + followers, followers > 0)
    assert bench.host.extra_us == told_us
    plan = slots.card_plan(115_200, displays, seats + followers, extra_us=told_us)
    assert plan is not None and plan.cards == cards
    assert bench.display_host.tells_cards == (cards > 0)
    assert slots.cards_us(115_200, 4, CARDS_MAX) <= 31_000


@given(
    st.sampled_from([19_200, 38_400, 57_600, 115_200, 230_400]),
    st.integers(1, 32),
    st.integers(0, 16),
    st.booleans(),
)
def test_a_round_of_asks_fits_beside_the_cards_though_all_are_silent(
    baud: int, displays: int, terminals: int, followers: bool
) -> None:
    more_us = extra_us(baud, terminals, followers)
    plan = slots.card_plan(baud, displays, terminals, extra_us=more_us)
    assert (plan is not None) == (displays <= slots.displays_max(baud, terminals, more_us))
    if plan is None or not plan.cards:
        return
    assert CARDS_LEAST <= plan.cards <= CARDS_MAX
    assert plan.often in slots.CARDS_TIMES
    late_us = slots.LOOP_US + slots.LATE_US
    beat_us = slots.heartbeat_us(baud, displays) + late_us
    busy_us = (displays + plan.retries) * plan.slot_us + slots.terminals_us(baud, terminals)
    busy_us += slots.record_us(baud) + late_us + more_us
    busy_us += plan.often * (slots.cards_us(baud, displays, plan.cards) + late_us)
    round_us = FRESH_US - slots.HEARTBEAT_US - beat_us
    assert busy_us + (round_us // slots.HEARTBEAT_US + 2) * beat_us <= round_us


def test_a_slow_line_tells_states_alone_where_it_has_no_time_for_cards() -> None:
    assert slots.displays_max(19_200) == 4
    bench = table(4, baud=19_200, game="baccarat")
    found = slots.card_plan(19_200, 4, 0)
    assert found is not None
    assert bench.display_host.tells_cards == bool(found.cards)
    bench.display_host.set_cards(SIDES._replace(round=CARDS.round))
    bench.run(3 * S)
    assert {one.lit.state for one in bench.displays} == {"PLAYING"}


# --- the end of a round ---------------------------------------------------------------------------


def test_the_signed_record_says_how_a_round_ended_and_until_it_is_there_nothing_does() -> None:
    bench = table(1, "baccarat")
    (display,) = bench.displays
    bench.ledger.coup = CARDS.round - 1
    assert display.round_end is None
    bench.view("CONFIRMED", CARDS.round, 1, 0, None, None, None)
    bench.ledger.records = []
    bench.run(S)
    assert display.lit.state == "CONFIRMED" and display.round_end is None
    bench.view(*bench.ledger.round(SIX))
    assert bench.run(S, lambda: display.round_end is not None)
    end = display.round_end
    assert end is not None
    assert (end.winner, end.player_points, end.banker_points) == ("player", 9, 6)
    bench.view("NO_SHOE", CARDS.round, 1, 0, None, None, None)  # it was the last of its shoe
    bench.run(S)
    assert display.lit.state == "NO_SHOE" and display.round_end == end
    bench.view("BETS_OPEN", CARDS.round + 1, 1, 0, None, None, None)
    bench.run(S)
    assert display.round_end is None


def test_the_last_rounds_are_told_with_the_record_that_stands_for_each() -> None:
    bench = table(1, "baccarat")
    bench.ledger.coup = 20
    for cards in (SIX, "9S 4C KD 5H"):
        bench.view(*bench.ledger.round(cards))
        bench.run(S)
    bench.ledger.correct(2, cards=SIX)
    bench.view("CONFIRMED", 22, 3, 0, None, None, None)
    bench.run(S)
    (display,) = bench.displays
    assert [(coup, end.winner, end.kind) for coup, end in display.ends] == [
        (21, "player", "result"), (22, "player", "correction"),
    ]  # fmt: skip
    end = display.round_end
    assert end is not None and end.corrects == 2
    bench.view(*bench.ledger.void("misdealt"))
    bench.run(S)
    assert display.ends[-1][0] == 23 and display.ends[-1][1].winner is None
    end = display.round_end
    assert end is not None and end.reason == "misdealt"


# --- at the wrong table ---------------------------------------------------------------------------


def test_beside_seven_terminals_a_card_waits_for_no_repeated_one() -> None:
    """As fast as hands deal: each of the last displays has it within a tenth of a second."""
    found = wire(changes=60, followers=0)
    assert found.ms[-1] < 100


@pytest.mark.parametrize("game", ["blackjack", "roulette"])
def test_a_display_that_was_provisioned_elsewhere_is_dark_and_silent_and_nobody_else_notices(
    game: str,
) -> None:
    """One of a wheel at a card table, and one of a card table at a wheel."""
    bench = table(2) if game == "blackjack" else Bench(2)
    stranger = bench.displays.pop()
    bench.join(2, b"the key of another table's display"[:32])
    bench.display_host.set_cards(CARDS)

    def told() -> bool:
        assert (bench.displays[-1].lit, bench.displays[-1].cards) == (DARK, None)
        return False

    bench.run(5 * S, told)
    assert bench.displays[0].cards == (CARDS if game == "blackjack" else None)
    assert bench.displays[0].lit.state in ("PLAYING", "BETS_OPEN")
    assert bench.troubles == [("B11", "2")]
    assert stranger is not bench.displays[-1]


def test_a_display_that_knows_another_tables_key_lights_no_end_of_a_round() -> None:
    """Its own key is right, and what signs here is not what it was given: who won is a dash."""
    bench = table(1, "baccarat")
    bench.ledger.coup = CARDS.round - 1
    right = bench.displays[0]
    wrong = Receiver(
        1,
        right._key,
        Ledger(b"another table's own key.........").root,
        77,
        right._record_chain._verify,
    )
    bench.displays[:] = [wrong]
    bench.view(*bench.ledger.round(SIX))
    told = of_view(
        facts.CardView(
            "CONFIRMED",
            CARDS.round,
            1,
            (("P", (1,)),),
            (),
            None,
            {"winner": "player"},
            None,
            (),
            False,
            1,
        )
    )
    bench.display_host.set_cards(told)
    bench.run(3 * S)
    assert wrong.lit.state == "CONFIRMED" and wrong.cards == told
    assert wrong.round_end is None and wrong.ends == ()
