"""What a record is, and above all what it is not."""

import json
import runpy
from pathlib import Path
from typing import Any

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import card_record, ed25519, messages, record
from firmware.store.signing import Signer

GOLDEN = Path(__file__).parent / "golden"
SIGNER = Signer(bytes(range(32)))
OTHER = Signer(bytes(32))
ABOUT = {
    "game": "roulette",
    "rules": "roulette_lu",
    "rules_hash": bytes(8),
    "layout_verified": True,
    "firmware": bytes(8),
    "prev": bytes(16),
}
ALWAYS = {"wheel": "w", "epoch": 1, "utc": 1795285518, "quality": 3}
RESULT: dict[str, Any] = (
    {"kind": "result", "seq": 2, "coup": 3, "number": 17, "colour": "black", "rotor": 1, "ball": -1}
    | ABOUT
    | ALWAYS
)
KEYS = {field[1]: field[0] for field in record.FIELDS}


def by_key(fields: dict[str, Any]) -> dict[int, Any]:
    """Fields as a payload has them; words as their codes."""
    tables = {
        field[1]: dict(map(reversed, field[3])) for field in record.FIELDS if field[2] == "code"
    }
    return {
        KEYS[name]: tables[name][value] if name in tables else value
        for name, value in fields.items()
    }


def wrapped(payload: bytes, **changed: Any) -> bytes:
    """A record of that payload, truly signed, with parts changed."""
    signature = SIGNER._key.sign(record.to_be_signed(SIGNER.kid, payload)).signature
    protected = changed.get("protected", record.protected_header(SIGNER.kid))
    parts = [
        protected,
        changed.get("unprotected", {}),
        payload,
        changed.get("signature", signature),
    ]
    return cbor2.dumps(cbor2.CBORTag(changed.get("tag", 18), parts), canonical=True)


def made(fields: dict[str, Any]) -> bytes:
    return wrapped(cbor2.dumps(by_key(fields), canonical=True))


def believed(data: bytes) -> record.Record | None:
    return record.decode_signed(data, SIGNER.public, ed25519.verify)


def test_the_golden_records_are_what_the_signer_makes() -> None:
    vectors = runpy.run_path(str(GOLDEN / "records.py"))["vectors"]()
    assert vectors == json.loads((GOLDEN / "records.json").read_text(encoding="utf-8"))


def test_every_golden_record_says_what_was_signed() -> None:
    for vector in json.loads((GOLDEN / "records.json").read_text(encoding="utf-8"))["records"]:
        data, public = bytes.fromhex(vector["cose"]), bytes.fromhex(vector["public"])
        found = record.decode_signed(data, public, ed25519.verify)
        assert found is not None
        for name, value in zip(record.NAMES, found, strict=True):
            shown = value.hex() if isinstance(value, bytes) else value
            shown = list(shown) if isinstance(shown, tuple) else shown
            assert shown == vector["fields"].get(name), name


def test_a_typical_result_takes_some_two_hundred_bytes() -> None:
    sizes = {
        vector["name"]: len(vector["cose"]) // 2
        for vector in json.loads((GOLDEN / "records.json").read_text(encoding="utf-8"))["records"]
    }
    assert 180 <= sizes["result"] <= 240
    assert 180 <= sizes["result_with_stakes"] <= 240
    assert 200 <= sizes["baccarat_result"] <= 260
    assert max(sizes.values()) <= 280


def test_a_record_has_the_fields_of_the_table_in_its_order() -> None:
    assert record.Record._fields == record.NAMES
    assert [field[0] for field in record.FIELDS] == list(range(1, len(record.FIELDS) + 1))
    shapes = [shape[-2:] for shape in (*record.SHAPES, *record.ROUND_SHAPES)]
    shaped = {name for must, may in shapes for name in must + may}
    assert shaped | set(record.ALWAYS) == set(record.NAMES)
    outcome = {name for names in card_record.OUTCOMES.values() for name in names}
    assert list(card_record.OUTCOME) == [name for name in record.NAMES if name in outcome]
    assert [kind for kind, _, _ in record.SHAPES] == [kind for _, kind in record.KINDS]


def test_the_longest_record_of_each_kind_is_within_the_limit() -> None:
    longest = {
        "int": lambda limits: limits[0] if limits[0] < 0 else limits[1],
        "text": lambda limits: "é" * (limits // 2),
        "people": lambda limits: ("é" * (limits // 2),) * 2,
        "bytes": bytes,
        "bool": lambda _: True,
        "code": lambda limits: max(limits)[1],
    }
    values = {
        name: longest[form](limits) for _, name, form, limits, _ in record.FIELDS if form in longest
    }
    values |= {"number": 36, "game": "roulette", "corrects": 2**32 - 2}
    voted = {"votes", "residual_uturn", "held_us", "sensors"}
    apart = {record.RESULT: (voted, {"manual"}), record.CORRECTION: ({"reason"},)}
    sizes = {}
    for kind, must, may in record.SHAPES:
        for left_out in apart.get(kind, (set(),)):
            names = set(record.ALWAYS + must + may) - left_out
            data = SIGNER.sign({name: values[name] for name in names} | {"kind": kind})
            assert believed(data) is not None
            sizes[kind] = max(len(data), sizes.get(kind, 0))
    assert max(sizes.values()) <= record.RECORD_MAX, sizes
    assert sizes[record.RESULT] > 300  # the limit is no wider than it must be


def test_a_number_is_believed_of_its_own_key_alone() -> None:
    data = SIGNER.sign(RESULT)
    found = believed(data)
    assert found is not None and (found.number, found.colour) == (17, "black")
    assert record.decode_signed(data, OTHER.public, ed25519.verify) is None
    assert believed(OTHER.sign(RESULT)) is None
    # Another key that calls itself ours.
    forged = OTHER.sign(RESULT).replace(OTHER.kid, SIGNER.kid)
    assert record.kid(forged) == SIGNER.kid and record.parse(forged) is not None
    assert believed(forged) is None


def test_a_signature_is_not_worked_out_for_another_keys_record() -> None:
    asked = []

    def verify(*parts: bytes) -> bool:
        asked.append(parts)
        return True

    assert record.decode_signed(OTHER.sign(RESULT), SIGNER.public, verify) is None
    assert record.decode_signed(b"\xd2", SIGNER.public, verify) is None
    assert asked == []
    assert record.decode_signed(SIGNER.sign(RESULT), SIGNER.public, verify) is not None
    assert len(asked) == 1


@pytest.mark.req("IEC-CR-3.1")
def test_every_bit_of_a_record_is_signed_or_in_its_one_place() -> None:
    data = SIGNER.sign(RESULT)
    for bit in range(8 * len(data)):
        spoiled = bytearray(data)
        spoiled[bit // 8] ^= 1 << bit % 8
        # As if the signature were right, where the form still is: then the payload differs.
        found = record.opened(bytes(spoiled))
        if found is not None:
            assert found != record.opened(data)
    for cut in range(len(data)):
        assert record.opened(data[:cut]) is None
    assert record.opened(data + b"\0") is None


@given(st.binary(max_size=340))
def test_noise_is_no_record(data: bytes) -> None:
    assert record.parse(data) is None
    assert record.kid(data) is None
    assert believed(data) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"tag": 17},
        {"tag": 98},
        {"unprotected": {1: -8}},
        {"unprotected": []},
        {"unprotected": b""},
        {"protected": b""},
        {"protected": b"\xa0"},
        {"protected": cbor2.dumps({1: -8}, canonical=True)},
        {"protected": cbor2.dumps({1: -7, 4: SIGNER.kid}, canonical=True)},
        {"protected": cbor2.dumps({1: -8, 4: SIGNER.kid[:7]}, canonical=True)},
        {"protected": cbor2.dumps({1: -8, 2: [4], 4: SIGNER.kid}, canonical=True)},
        {"protected": {1: -8}},
        {"signature": b""},
        {"signature": bytes(63)},
        {"signature": bytes(65)},
        {"signature": "x" * 64},
    ],
)
def test_another_envelope_is_no_record(changed: dict[str, Any]) -> None:
    payload = cbor2.dumps(by_key(RESULT), canonical=True)
    assert believed(wrapped(payload)) is not None
    data = wrapped(payload, **changed)
    assert record.kid(data) is None
    assert believed(data) is None


def test_other_than_a_tagged_array_of_four_is_no_record() -> None:
    parts = [record.protected_header(SIGNER.kid), {}, b"\xa0", bytes(64)]
    for value in (parts, cbor2.CBORTag(18, parts[:3]), cbor2.CBORTag(18, [*parts, 0]), 18, {}):
        assert record.opened(cbor2.dumps(value, canonical=True)) is None
    assert record.opened(cbor2.dumps(cbor2.CBORTag(18, parts), canonical=True)) is not None


def test_a_record_longer_than_the_limit_is_none() -> None:
    sizes = []
    for more in range(200, 260):
        parts = [record.protected_header(SIGNER.kid), {}, bytes(more), bytes(64)]
        data = cbor2.dumps(cbor2.CBORTag(18, parts), canonical=True)
        sizes.append(len(data))
        assert (record.kid(data) is not None) == (len(data) <= record.RECORD_MAX)
    assert min(sizes) < record.RECORD_MAX < max(sizes)


# fmt: off
NOT_RECORDS = (
    # of another form
    {"kind": True}, {"wheel": ""}, {"wheel": "w" * 25}, {"wheel": b"w"}, {"wheel": 1},
    {"epoch": 0}, {"epoch": 2**32}, {"epoch": -1}, {"epoch": True}, {"epoch": "1"}, {"epoch": b"1"},
    {"seq": 0}, {"seq": 2**32}, {"coup": 0}, {"number": -1}, {"number": 37}, {"number": 2**64 - 1},
    {"number": True}, {"compartment": -1}, {"compartment": 255}, {"rotor": 2}, {"rotor": -2},
    {"ball": True}, {"rules_hash": bytes(7)}, {"rules_hash": bytes(9)}, {"rules_hash": "x" * 8},
    {"layout_verified": 1}, {"layout_verified": 0}, {"utc": -1}, {"utc": 2**36}, {"quality": 4},
    {"prev": bytes(15)}, {"after": bytes(7)},
    {"after": bytes(9)}, {"stakes": bytes(31)}, {"votes": -1}, {"residual_uturn": 1_000_001},
    {"manual": ["a"]}, {"manual": ["a", "b", "c"]}, {"manual": ["a", ""]}, {"manual": "ab"},
    {"manual": ["a" * 25, "b"]}, {"manual": ["a", b"b"]}, {"manual": []},
    # not together
    {"manual": ["a", "b"], "votes": 6}, {"manual": ["a", "b"], "held_us": 1},
    {"manual": ["a", "b"], "sensors": 3}, {"manual": ["a", "b"], "residual_uturn": 0},
    # of another kind
    {"corrects": 1}, {"next_key": bytes(32)}, {"n": 1}, {"head": bytes(32)}, {"board": "b"},
    {"fram": bytes(8)}, {"seal": bytes(32)}, {"decks": 8}, {"authenticated": True},
    {"cards": bytes([4, 17])}, {"player_points": 9}, {"dealer_points": 17},
)
# fmt: on


@pytest.mark.parametrize("changed", NOT_RECORDS, ids=str)
def test_a_field_of_another_form_or_kind_makes_it_no_record(changed: dict[str, Any]) -> None:
    payload = by_key(RESULT)
    payload.update({KEYS[name]: value for name, value in changed.items()})
    data = wrapped(cbor2.dumps(payload, canonical=True))
    assert record.kid(data) == SIGNER.kid
    assert believed(data) is None
    assert record.parse(data) is None


@pytest.mark.parametrize("name", [*record.SHAPES[0][1], *record.ALWAYS])
def test_a_field_that_is_missing_makes_it_no_record(name: str) -> None:
    fields = dict(RESULT)
    del fields[name]
    assert believed(made(fields)) is None


@pytest.mark.parametrize(("key", "value"), [(0, 1), (33, 1), (41, 1), (2**32, 1), (2**64 - 1, 1)])
def test_an_unknown_field_makes_it_no_record(key: int, value: int) -> None:
    payload = by_key(RESULT) | {key: value}
    assert believed(wrapped(cbor2.dumps(payload, canonical=True))) is None


@pytest.mark.parametrize("name", ["kind", "game", "colour", "reason"])
@pytest.mark.parametrize("code", [0, 200, 2**32, True, "red"])
def test_an_unknown_code_makes_it_no_record(name: str, code: Any) -> None:
    payload = by_key(RESULT) | {KEYS[name]: code}
    assert believed(wrapped(cbor2.dumps(payload, canonical=True))) is None


def test_each_game_has_its_own_numbers() -> None:
    for _, game, low, high in messages.GAMES:
        for number in (low - 1, low, high, high + 1):
            if number >= 0:
                found = believed(made(RESULT | {"game": game, "number": number}))
                assert (found is not None) == (low <= number <= high), (game, number)


def test_a_void_has_a_reason_and_no_number() -> None:
    void = {name: value for name, value in RESULT.items() if name not in ("number", "colour")}
    void |= {"kind": "void", "reason": "two_balls"}
    found = believed(made(void))
    assert found is not None and (found.reason, found.number) == ("two_balls", None)
    assert believed(made(void | {"number": 17, "colour": "black"})) is None
    assert believed(made(void | {"compartment": 3})) is None
    assert believed(made(RESULT | {"reason": "two_balls"})) is None
    assert believed(made({k: v for k, v in RESULT.items() if k != "colour"})) is None


def test_a_correction_gives_a_number_or_voids_after_what_it_corrects_by_two_people() -> None:
    about = ABOUT | ALWAYS | {"kind": "correction", "seq": 5, "coup": 3, "corrects": 2}
    both = {"manual": ("anna", "rené")}
    number, reason = {"number": 34, "colour": "red"}, {"reason": "two_balls"}
    for given_ in (number, reason):
        found = believed(made(about | both | given_))
        assert found is not None and found.manual == ("anna", "rené")
        assert believed(made(about | given_)) is None
    assert believed(made(about | both)) is None
    assert believed(made(about | both | number | reason)) is None
    assert believed(made(about | both | {"number": 34})) is None
    assert believed(made(about | both | reason | {"colour": "red"})) is None
    assert believed(made(about | both | reason | {"compartment": 3})) is None
    assert believed(made(about | both | number | {"corrects": 5})) is None
    assert believed(made(about | both | number | {"corrects": 6})) is None


def test_a_rotation_names_the_next_key_and_no_number() -> None:
    rotation = ALWAYS | {"kind": "rotation", "next_key": OTHER.public}
    found = believed(made(rotation))
    assert found is not None and found.next_key == OTHER.public
    assert believed(made(rotation | {"number": 17, "colour": "black"})) is None
    assert believed(made(ALWAYS | {"kind": "rotation"})) is None


def test_a_payload_with_two_forms_is_no_record_though_it_is_signed() -> None:
    payload = cbor2.dumps(by_key(RESULT), canonical=True)
    assert payload[1:3] == b"\x01\x01"
    assert believed(wrapped(payload)) is not None
    # kind 1 in two bytes, keys the other way round, and the map once more behind.
    assert believed(wrapped(payload[:2] + b"\x18\x01" + payload[3:])) is None
    turned = dict(reversed(by_key(RESULT).items()))
    assert believed(wrapped(cbor2.dumps(turned))) is None
    assert believed(wrapped(payload + b"\xa0")) is None
    assert believed(wrapped(b"\x80")) is None
    assert believed(wrapped(b"")) is None


def test_a_digest_names_the_signature_too() -> None:
    data = SIGNER.sign(RESULT)
    assert len(record.digest(data)) == record.DIGEST_SIZE
    assert record.digest(data) != record.digest(data[:-1] + bytes([data[-1] ^ 1]))
