"""The record of a round of cards: what it says, and what is none because it contradicts itself."""

import functools
import random
from typing import Any

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.bus import card_record, ed25519, messages, record
from firmware.store.signing import Signer
from rules.cards import deck
from rules.cards import round as rounds
from rules.cards.hands import Hand
from rules.cards.stakes import accept, open_table

SIGNER = Signer(bytes(range(32)))
KEYS = {field[1]: field[0] for field in record.FIELDS}
CODES = {field[1]: dict(map(reversed, field[3])) for field in record.FIELDS if field[2] == "code"}
ABOUT: dict[str, Any] = {
    "wheel": "t", "epoch": 1, "utc": 1_795_285_518, "quality": 3, "seq": 2, "coup": 3,
    "rules_hash": bytes(8), "firmware": bytes(8), "prev": bytes(16),
}  # fmt: skip
READ = {"authenticated": True, "verified": True}
DEALT = {"seal": bytes(range(32)), "decks": 8} | READ
BACCARAT = ABOUT | DEALT | {
    "kind": "result", "game": "baccarat", "rules": "punto_2000", "winner": "player",
    "cards": bytes(map(deck.card_of, "5S 2H 6D TC 8H 4S".split())),
    "player_points": 9, "banker_points": 6,
}  # fmt: skip
BLACKJACK = ABOUT | DEALT | {
    "kind": "result", "game": "blackjack", "rules": "blackjack_lu", "dealer_points": 17,
    "cards": bytes(map(deck.card_of, "AS 3D 2C AS".split())),
}  # fmt: skip
ROUNDS = (BACCARAT, BLACKJACK)
CARDS = st.integers(0, deck.CARDS - 1)


def made(fields: dict[str, Any]) -> bytes:
    """These fields truly signed, whatever they say."""
    payload = {
        KEYS[name]: CODES[name].get(value, value) if name in CODES else value
        for name, value in fields.items()
    }
    data = cbor2.dumps(payload, canonical=True)
    signature = SIGNER._key.sign(record.to_be_signed(SIGNER.kid, data)).signature
    parts = [record.protected_header(SIGNER.kid), {}, data, signature]
    return cbor2.dumps(cbor2.CBORTag(18, parts), canonical=True)


def believed(data: bytes) -> record.Record | None:
    return record.decode_signed(data, SIGNER.public, ed25519.verify)


def without(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in names}


def shoe(seed: int) -> list[int]:
    cards = list(range(deck.CARDS)) * 8
    random.Random(seed).shuffle(cards)
    return cards


def played(name: str, stakes: list[dict[str, Any]], seed: int) -> Any:
    """A round by the engine from a shuffled shoe; whoever may decide stands."""
    table = open_table(rules.load(name), 8)
    accepted, refused = accept(table, stakes)
    assert not refused
    found = rounds.open_round(table, accepted)
    cards = iter(shoe(seed))
    while (due := rounds.next_card(found)).kind != "done":
        if due.kind == "card":
            found.deal(next(cards))
        elif due.kind == "decision":
            found.decide(due.seat, due.hand, "stand")
        elif due.kind == "insurance":
            found.decide(due.choices[0], 1, "no_insurance")
        elif due.kind == "check":
            found.check()
        else:
            found.turn()
    return found


@given(st.integers(0, 2**32))
def test_any_round_of_baccarat_that_the_engine_deals_is_a_record_as_it_was(seed: int) -> None:
    dealt = played("baccarat_live", [{"player": "p", "bet": "tie", "cents": 100}], seed)
    outcome = dealt.outcome()
    said = BACCARAT | {
        "cards": bytes(dealt.cards), "winner": outcome["winner"],
        "player_points": outcome["player"], "banker_points": outcome["banker"],
    }  # fmt: skip
    found = believed(SIGNER.sign(said))
    assert found is not None
    assert {name: value for name, value in found._asdict().items() if value is not None} == said


@given(st.integers(0, 2**32), st.sampled_from(("blackjack_lu", "blackjack_live")))
def test_any_hand_that_the_dealer_is_dealt_is_a_record_as_it_was(seed: int, name: str) -> None:
    dealt = played(name, [{"player": "p", "seat": 2, "bet": "main", "cents": 100}], seed)
    dealer = dealt.outcome()["dealer"]
    cards = [deck.card_of(card) for card in dealer["cards"]]
    said = BLACKJACK | {"cards": bytes(cards), "dealer_points": dealer["points"]}
    found = believed(SIGNER.sign(said))
    assert found is not None
    assert {name: value for name, value in found._asdict().items() if value is not None} == said


@given(st.sampled_from(ROUNDS), st.data())
def test_any_byte_changed_is_no_record(fields: dict[str, Any], data: Any) -> None:
    whole = SIGNER.sign(fields)
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    assert believed(whole) is not None
    assert believed(whole[:at] + bytes([byte]) + whole[at + 1 :]) is None


@given(st.lists(CARDS, min_size=1, max_size=13))
def test_the_dealers_points_are_those_of_the_engines_hand(cards: list[int]) -> None:
    hand = Hand(0, [], False)
    for card in cards:
        hand.add_card(card)
    assert card_record.dealer_points(cards) == hand.points


@given(st.lists(CARDS, min_size=0, max_size=7))
def test_cards_that_baccarat_would_not_deal_so_are_no_round(cards: list[int]) -> None:
    table = open_table(rules.load("baccarat_live"))
    dealt = rounds.open_round(table, [])
    left = list(cards)
    while left and rounds.next_card(dealt).kind == "card":
        dealt.deal(left.pop(0))
    is_whole = not left and rounds.next_card(dealt).kind == "done"
    said = card_record.baccarat(cards)
    assert (said is not None) == is_whole
    if said is not None:
        outcome = dealt.outcome()
        assert said == (outcome["winner"], outcome["player"], outcome["banker"])


@pytest.mark.parametrize("winner", ["player", "banker", "tie"])
@pytest.mark.parametrize("player", range(10))
def test_only_the_winner_and_points_that_the_cards_make_are_believed(
    winner: str, player: int
) -> None:
    for banker in range(10):
        said = {"winner": winner, "player_points": player, "banker_points": banker}
        true = (winner, player, banker) == ("player", 9, 6)
        assert (believed(made(BACCARAT | said)) is not None) == true, said


def test_only_the_points_that_the_dealers_cards_make_are_believed() -> None:
    for points in range(2, 27):
        assert (believed(made(BLACKJACK | {"dealer_points": points})) is not None) == (points == 17)


# fmt: off
NOT_ROUNDS = (
    # of another form
    {"cards": b""}, {"cards": bytes([52])}, {"cards": bytes([0] * 14)}, {"cards": "AS"},
    {"cards": [0]}, {"cards": 0}, {"seal": bytes(31)}, {"seal": bytes(33)}, {"decks": 0},
    {"decks": 9}, {"decks": True}, {"authenticated": 1}, {"authenticated": None}, {"verified": 0},
    {"manual": ["anna", "rené"]},  # of a round that says it was read
    {"manual": ["anna", ""]}, {"manual": ["a" * 25, "b"]}, {"winner": 0}, {"winner": 4},
    {"player_points": -1}, {"player_points": 10}, {"dealer_points": 1}, {"dealer_points": 27},
    # of a wheel, or of another kind
    {"number": 17, "colour": "black"}, {"number": 17}, {"colour": "red"}, {"compartment": 1},
    {"rotor": 0}, {"ball": 0}, {"layout_verified": True}, {"stakes": bytes(32)}, {"votes": 1},
    {"held_us": 1}, {"sensors": 3}, {"reason": "croupier"}, {"corrects": 1}, {"n": 1},
    {"next_key": bytes(32)}, {"head": bytes(32)}, {"board": "b"}, {"fram": bytes(8)},
    # of another game
    {"game": "roulette"}, {"game": "boule"},
)
# fmt: on


@pytest.mark.parametrize("fields", ROUNDS, ids=["baccarat", "blackjack"])
@pytest.mark.parametrize("changed", NOT_ROUNDS, ids=str)
def test_a_field_of_another_form_kind_or_game_makes_it_no_record(
    changed: dict[str, Any], fields: dict[str, Any]
) -> None:
    assert believed(made(fields)) is not None
    assert record.parse(made(fields | changed)) is None


def test_each_of_the_two_games_has_its_own_outcome() -> None:
    assert believed(made(BACCARAT | {"dealer_points": 6})) is None
    assert believed(made(BLACKJACK | {"winner": "banker"})) is None
    assert believed(made(BACCARAT | {"game": "blackjack"})) is None
    assert believed(made(BLACKJACK | {"game": "baccarat"})) is None


@pytest.mark.parametrize("fields", ROUNDS, ids=["baccarat", "blackjack"])
def test_a_field_that_is_missing_makes_it_no_record(fields: dict[str, Any]) -> None:
    for name in fields:
        assert believed(made(without(fields, name))) is None, name


@pytest.mark.parametrize("fields", ROUNDS, ids=["baccarat", "blackjack"])
def test_no_card_comes_more_often_than_the_decks_have_it(fields: dict[str, Any]) -> None:
    """The ace of spades twice in black jack, the five of spades twice in baccarat."""
    twice = fields
    if fields is BACCARAT:
        cards = bytes(map(deck.card_of, "5S 2H 6D TC 8H 2H".split()))
        twice = BACCARAT | {"cards": cards, "banker_points": 4}
    assert believed(made(twice | {"decks": 2})) is not None
    assert believed(made(twice | {"decks": 1})) is None


@pytest.mark.parametrize("fields", ROUNDS, ids=["baccarat", "blackjack"])
def test_a_round_that_people_entered_a_card_of_says_so(fields: dict[str, Any]) -> None:
    """Two people by their names; or a card was typed, and nobody else signed it."""
    by_hand = fields | {"verified": False}
    assert believed(made(by_hand)) is not None
    found = believed(made(by_hand | {"manual": ["anna", "rené"]}))
    assert found is not None and (found.manual, found.verified) == (("anna", "rené"), False)


def test_a_card_too_few_or_too_many_is_no_round_of_baccarat() -> None:
    cards = BACCARAT["cards"]
    for said in (cards[:-1], cards[:4], cards[:1], cards + cards[:1]):
        assert believed(made(BACCARAT | {"cards": said})) is None


def test_a_void_has_a_reason_and_no_cards() -> None:
    void = without(BACCARAT, *card_record.OUTCOME, *card_record.READ) | {
        "kind": "void", "reason": "foreign_card",
    }  # fmt: skip
    found = believed(made(void))
    assert found is not None and (found.reason, found.cards) == ("foreign_card", None)
    for more in ({"cards": BACCARAT["cards"]}, {"seal": bytes(32)}, {"rotor": 0}, {"decks": 8}):
        assert believed(made(void | more)) is None, more
    assert believed(made(without(void, "reason"))) is None


@pytest.mark.parametrize("fields", ROUNDS, ids=["baccarat", "blackjack"])
def test_a_correction_gives_a_whole_outcome_or_voids_by_two_people(fields: dict[str, Any]) -> None:
    names = card_record.OUTCOMES[fields["game"]]
    outcome = {name: fields[name] for name in names}
    about = without(fields, *names, *card_record.READ) | {
        "kind": "correction", "corrects": 1, "manual": ("anna", "rené"),
    }  # fmt: skip
    for given_ in (outcome, {"reason": "misdealt"}):
        found = believed(made(about | given_))
        assert found is not None and found.manual == ("anna", "rené")
        assert believed(made(without(about | given_, "manual"))) is None
        assert believed(made(about | given_ | {"corrects": 2})) is None
        assert believed(made(about | given_ | {"authenticated": True})) is None
        assert believed(made(about | given_ | {"verified": False})) is None
    assert believed(made(about)) is None
    assert believed(made(about | outcome | {"reason": "misdealt"})) is None
    for name in names:
        assert believed(made(about | without(outcome, name))) is None, name
        assert believed(made(about | {"reason": "misdealt", name: outcome[name]})) is None, name


def test_a_card_table_has_epochs_rotations_and_checkpoints_as_a_wheel_does() -> None:
    about = without(ABOUT, "seq", "coup", "prev") | {"game": "baccarat", "rules": "baccarat_live"}
    for kind, more in (
        ("rotation", {"next_key": bytes(32)}),
        ("epoch", {"next_key": bytes(32), "board": "virtual"}),
        ("checkpoint", {"n": 64, "head": bytes(32)}),
    ):
        assert believed(made(about | more | {"kind": kind})) is not None, kind


def longest(game: str, kind: str, name: str) -> dict[str, Any]:
    """The longest of that kind: the widest numbers, the longest names, all it may have."""
    cards = "5S 2H 6D TC 8H 4S" if game == "baccarat" else "AS AH AD AC AS AH AD 5D AC AS AH AD TH"
    found = [deck.card_of(word) for word in cards.split()]
    wide = 2**32 - 1
    outcome: dict[str, Any] = {"seal": bytes(32), "decks": 8, "cards": bytes(found)}
    if game == "baccarat":
        told = card_record.baccarat(found)
        outcome |= dict(zip(("winner", "player_points", "banker_points"), told or (), strict=True))
    else:
        outcome["dealer_points"] = card_record.dealer_points(found)
    values = ABOUT | outcome | {
        "wheel": "é" * 12, "epoch": wide, "seq": wide, "coup": wide, "utc": 2**36 - 1,
        "rules": "é" * 8, "after": bytes(8), "manual": (name, name), "corrects": wide - 1,
        "authenticated": True, "verified": False, "reason": "other",
    }  # fmt: skip
    must, may = next(shape[2:] for shape in record.ROUND_SHAPES if shape[:2] == (game, kind))
    names = {*record.ALWAYS, *must, *may} - ({"reason"} if "seal" in must + may else set())
    return {each: values[each] for each in names if each in values} | {"kind": kind, "game": game}


@pytest.mark.parametrize("name", ["é" * 12, "n" * 24, "n" * 60])
def test_the_longest_round_is_within_the_limit_and_only_then_names_are_cut(name: str) -> None:
    sizes = {}
    for game, kind, must, may in record.ROUND_SHAPES:
        fields = longest(game, kind, name)
        data = SIGNER.sign(fields)
        found = believed(data)
        assert found is not None
        sizes[game, kind] = len(data)
        if "manual" in must + may:
            assert all(name.startswith(who) for who in found.manual)
            assert all(16 <= len(who.encode()) <= 24 for who in found.manual)
            if "reason" not in fields and name.isascii():
                assert record.RECORD_MAX - 1 <= len(data) <= record.RECORD_MAX
            short = believed(SIGNER.sign(fields | {"wheel": "table 9"}))
            assert short is not None
            assert all(len(who.encode()) == 24 for who in short.manual)
    assert max(sizes.values()) <= record.RECORD_MAX, sizes


@functools.cache
def _more(hard: int, has_ace: bool, h17: bool) -> int:
    """How many cards a dealer may still draw, of a shoe that has enough of each."""
    points = hard + 10 if has_ace and hard <= 11 else hard
    if points > 17 or (points == 17 and not (h17 and points != hard)):
        return 0
    return 1 + max(_more(hard + each, has_ace or each == 1, h17) for each in range(1, 11))


def test_a_record_has_room_for_the_most_cards_that_a_dealer_may_draw() -> None:
    assert _more(0, False, False) == 12
    assert _more(0, False, True) == card_record.CARDS_MAX == 13
    decks = max(decks for name in rules.CARD_GAMES for decks in rules.load(name)["decks"][1])
    assert decks == card_record.DECKS_MAX
    assert {name for _, name in card_record.WINNERS} == {"player", "banker", "tie"}
    assert {name for _, name in messages.CARD_GAMES} == set(card_record.OUTCOMES)
