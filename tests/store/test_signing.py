"""What the controller signs, it and every reader can read; what none could read is never signed."""

import hashlib
import json
from typing import Any

import cbor2
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rules
from firmware.bus import card_record, ed25519, messages, record
from firmware.store import signing
from firmware.store.signing import Signer, new_key, public_of
from firmware.store.source_hash import HASH_SIZE

SIGNER = Signer(bytes(range(32)))
PEOPLE = st.text(min_size=1, max_size=60, alphabet=st.characters(exclude_categories=["Cs"]))
BY_FORM = {
    "int": lambda limits: st.integers(*limits),
    "code": lambda limits: st.sampled_from([word for _, word in limits]),
    "text": lambda limit: st.text(min_size=1, max_size=limit).filter(
        lambda text: len(text.encode()) <= limit
    ),
    "bytes": lambda limits: st.binary(min_size=limits, max_size=limits),
    "bool": lambda _: st.booleans(),
    "people": lambda _: st.tuples(PEOPLE, PEOPLE),
    "cards": lambda most: st.lists(st.integers(0, 51), min_size=1, max_size=most).map(bytes),
}
STRATEGIES = {name: BY_FORM[form](limits) for _, name, form, limits, _ in record.FIELDS}
VOTED = ("votes", "residual_uturn", "held_us", "sensors")


@st.composite
def fields(draw: st.DrawFn) -> dict[str, Any]:
    """The fields of any record of a wheel."""
    kind, must, may = draw(st.sampled_from(record.SHAPES))
    names = set(record.ALWAYS + must) | (draw(st.sets(st.sampled_from(may))) if may else set())
    if kind == record.CORRECTION:
        number = draw(st.booleans())
        names |= {"number", "colour"} if number else {"reason"}
        names -= {"reason"} if number else {"number", "colour", "compartment"}
    if "manual" in names:
        names -= set(VOTED)
    found = {name: draw(STRATEGIES[name]) for name in sorted(names)} | {"kind": kind}
    if "game" in found:
        found["game"] = draw(st.sampled_from([row[1] for row in messages.GAMES]))
    if "number" in found:
        low, high = {game: (low, high) for _, game, low, high in messages.GAMES}[found["game"]]
        found["number"] = draw(st.integers(low, high))
    if kind == record.CORRECTION:
        found["seq"] = draw(st.integers(2, 2**32 - 1))
        found["corrects"] = draw(st.integers(1, found["seq"] - 1))
    return found


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    """The fields of any record of a round of cards."""
    game, kind, must, may = draw(st.sampled_from(record.ROUND_SHAPES))
    names = {*record.ALWAYS, *must} | draw(st.sets(st.sampled_from(may)))
    outcome = set(card_record.OUTCOMES[game])
    if kind == record.CORRECTION:
        names = names - outcome - {"reason"} | draw(st.sampled_from((outcome, {"reason"})))
    found = {name: draw(STRATEGIES[name]) for name in sorted(names)} | {"kind": kind, "game": game}
    if "manual" in found and "verified" in found:
        found["verified"] = False
    if "cards" in found:
        found["decks"] = 8
        cards = draw(st.permutations(list(range(52))))
        if game == messages.BLACKJACK:
            found["cards"] = bytes(cards[: draw(st.integers(1, 13))])
            found["dealer_points"] = card_record.dealer_points(list(found["cards"]))
            assume(found["dealer_points"] <= card_record.POINTS_MAX)
        else:
            size = next(n for n in (4, 5, 6) if card_record.baccarat(cards[:n]) is not None)
            said = card_record.baccarat(cards[:size])
            assert said is not None
            found["cards"] = bytes(cards[:size])
            found["winner"], found["player_points"], found["banker_points"] = said
    if kind == record.CORRECTION:
        found["seq"] = draw(st.integers(2, 2**32 - 1))
        found["corrects"] = draw(st.integers(1, found["seq"] - 1))
    return found


@given(fields() | rounds())
def test_what_is_signed_is_read_as_it_was_by_all(given_: dict[str, Any]) -> None:
    data = SIGNER.sign(given_)
    assert len(data) <= record.RECORD_MAX
    assert record.kid(data) == SIGNER.kid
    for verify in (ed25519.verify, signing.verify):
        found = record.decode_signed(data, SIGNER.public, verify)
        assert found is not None
        for name, value in found._asdict().items():
            wanted = given_.get(name)
            if name == "manual" and wanted is not None:
                assert all(full.startswith(cut) for full, cut in zip(wanted, value, strict=True))
                assert all(len(cut.encode()) <= record.NAME_MAX for cut in value)
            else:
                assert value == wanted
    # And by a library that has never heard of us: RFC 9052.
    tag = cbor2.loads(data)
    protected, unprotected, payload, signature = tag.value
    assert (tag.tag, cbor2.loads(protected), unprotected) == (18, {1: -8, 4: SIGNER.kid}, {})
    signed = cbor2.dumps(["Signature1", protected, b"", payload])
    assert signing.verify(SIGNER.public, signature, signed)
    assert cbor2.dumps(cbor2.loads(payload), canonical=True) == payload


def test_the_same_fields_are_the_same_bytes() -> None:
    given_ = {"kind": "rotation", "next_key": bytes(32), "wheel": "w", "epoch": 1, "utc": 5}
    given_ |= {"quality": 0}
    turned = dict(reversed(given_.items()))
    assert SIGNER.sign(given_) == SIGNER.sign(turned | {"number": None})


RESULT: dict[str, Any] = {
    "kind": "result",
    "seq": 2,
    "coup": 3,
    "number": 17,
    "colour": "black",
    "rotor": 1,
    "ball": -1,
    "game": "roulette",
    "rules": "roulette_lu",
    "rules_hash": bytes(8),
    "layout_verified": True,
    "firmware": bytes(8),
    "prev": bytes(16),
    "wheel": "w",
    "epoch": 1,
    "utc": 1795285518,
    "quality": 3,
}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"who": "anna"}, "no field who"),
        ({"kind": "begun"}, "kind is never begun"),
        ({"game": "poker"}, "game is never poker"),
        ({"colour": "blue"}, "colour is never blue"),
        ({"colour": None}, "No reader would take"),
        ({"number": 37}, r"No reader would take.*number 37"),
        ({"wheel": "w" * 25}, "No reader would take"),
        ({"seq": 0}, "No reader would take"),
        ({"prev": bytes(15)}, r"No reader would take.*prev 0{30}"),
        ({"reason": "two_balls"}, "No reader would take"),
        ({"manual": ("anna", "")}, "No reader would take"),
        ({"stakes": bytes(300)}, "320 is the limit"),
    ],
)
def test_what_no_reader_would_take_is_not_signed(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        SIGNER.sign(RESULT | changed)


def test_a_reason_without_a_code_is_other() -> None:
    void = {name: value for name, value in RESULT.items() if name not in ("number", "colour")}
    data = SIGNER.sign(void | {"kind": "void", "reason": "an earthquake"})
    found = record.parse(data)
    assert found is not None and found.reason == messages.OTHER


@pytest.mark.req("EN-5.1-1")
def test_each_key_is_new_and_has_its_own_name() -> None:
    private = [new_key() for _ in range(3)]
    signers = [Signer(key) for key in private]
    assert (
        len({signer.public for signer in signers}) == len({signer.kid for signer in signers}) == 3
    )
    for key, signer in zip(private, signers, strict=True):
        assert len(key) == signing.PRIVATE_SIZE
        assert signer.public == public_of(key)
        assert signer.kid == hashlib.sha256(signer.public).digest()[:8]


def test_a_private_key_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="32"):
        Signer(bytes(31))


def test_a_key_never_shows_in_the_signer() -> None:
    private = new_key()
    assert private.hex() not in repr(vars(Signer(private)))


@pytest.mark.req("OK-18.configuration")
def test_the_rules_hash_tells_games_and_layouts_apart() -> None:
    hashes = [signing.rules_hash(rules.load(name)) for name in rules.WHEEL_GAMES]
    assert {len(found) for found in hashes} == {HASH_SIZE}
    assert len(set(hashes)) == len(rules.WHEEL_GAMES)
    one = rules.load("vingt_trois_fr")
    other = dict(one, layout=(*one["layout"][1:], one["layout"][0]))
    assert signing.rules_hash(other) != signing.rules_hash(one)
    assert signing.rules_hash(json.loads(json.dumps(one))) == signing.rules_hash(one)
