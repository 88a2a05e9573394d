"""What may be asked over the socket: its form, and who signs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from service_bench import PINS, ROLES, code, signer, taken

from firmware.api import requests
from firmware.api import values as values_in
from firmware.api.request_table import Request
from firmware.api.requests import LINE_MAX, NAMES, check_place, event, parse, signed
from firmware.api.server import Service
from firmware.api.values import COUP_MAX, WHY_MAX, WORD_MAX, Claim, Refused
from firmware.core.cards.facts import (
    Acknowledged,
    BurnAsked,
    CardEntered,
    CountConfirmed,
    KeyPressed,
    RescanAsked,
    RoundCorrectionAsked,
)
from firmware.core.facts import (
    CorrectionAsked,
    EmployeePresent,
    ManualEntered,
    Trouble,
    UnseatAsked,
)
from firmware.keys.people import PIN_MAX, Checked
from firmware.lib.places import STATUS_ONLY
from rules.cards import deck

ENTRY = {
    "do": "manual",
    "number": 17,
    "why": "ring sensor 2 dark",
    "croupier": signer("anna"),
    "management": signer("weber"),
}
CORRECTION = ENTRY | {"do": "correct", "coup": 7}
OFF = {"do": "unseat", "terminal": 3, "why": "another's name", "employee": signer("anna")}
LIMITS = {"do": "limits", "sha256": "ab" * 32, "why": "season 2027-28", "director": signer("thill")}
_CLAIRE = {"employee": signer("anna"), "ref": "a1"}
_WEBER = {"management": signer("weber"), "ref": "a1"}
MONEY = (
    {"do": "account", "player": "zoé", "secret": "ab" * 32, **_CLAIRE},
    {"do": "renew", "account": 1, "secret": "ab" * 32, **_CLAIRE},
    {"do": "deposit", "account": 1, "cents": 500, **_CLAIRE},
    {"do": "payout", "account": 1, **_CLAIRE},
    {"do": "payout", "account": 1, "cents": 500, **_CLAIRE},
    {"do": "reprint", "receipt": 1, **_CLAIRE},
    {"do": "redeem", "receipt": "bm8=", **_CLAIRE},
    {"do": "judge", "what": "barred", "account": 1, "why": "camera 3", **_WEBER},
    {"do": "closing", **_WEBER},
)
_BOTH = {"croupier": signer("anna"), "management": signer("weber"), "why": "its index is torn"}
ROUND = {"do": "correct_round", "round": 7, "cards": ["TH", "9S"], **_BOTH}
CARDS = (
    {"do": "card", "card": "TH", **_BOTH},
    {"do": "burn", **_BOTH},
    {"do": "count", **_BOTH},
    {"do": "rescan"},
    ROUND,
    {"do": "key", "key": "no_more_bets"},
    {"do": "pay", "management": signer("weber")},
)
HERE = {"do": "employee", "present": True, "employee": signer("anna")}


# --- the form -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"", "not_json"),
        (b"void", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b"[" * 500, "not_json"),
        (b"[]", "no_command"),
        (b"{}", "no_command"),
        (b'{"do":1}', "no_command"),
        (b'{"do":"explode"}', "unknown_command"),
        (b'{"do":"void","number":1}', "wrong_keys"),
        (b'{"do":"manual"}', "wrong_keys"),
        (b'{"do":"manual","number":17}', "wrong_keys"),
        (b'{"do":"correct","number":17}', "wrong_keys"),
        (b'{"do":"status","do":"void"}', "wrong_keys"),
        (b'{"do":"employee","present":true,"employee":{"name":"a","name":"b"}}', "wrong_keys"),
    ],
)
def test_a_line_that_is_no_request_is_refused_and_the_next_is_heard(
    service: Service, call: Any, line: bytes, error: str
) -> None:
    caller = call()
    caller.say(line + b"\n")
    assert code(caller.hear()) == error
    assert caller.ask(do="status")["ok"]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"number": 37}, "no_such_number"),
        ({"number": -1}, "no_such_number"),
        ({"number": True}, "no_such_number"),
        ({"number": 17.0}, "no_such_number"),
        ({"number": "17"}, "no_such_number"),
        ({"colour": "blue"}, "wrong_value"),
        ({"colour": 1}, "wrong_value"),
        ({"why": ""}, "wrong_value"),
        ({"why": "  "}, "wrong_value"),
        ({"why": None}, "wrong_value"),
        ({"why": "two\nlines"}, "wrong_value"),
        ({"why": "x" * (WHY_MAX + 1)}, "wrong_value"),
        ({"croupier": "anna"}, "wrong_value"),
        ({"croupier": {"name": "anna"}}, "wrong_value"),
        ({"croupier": {"name": "anna", "pin": 246810}}, "wrong_value"),
        ({"croupier": {"name": "anna", "pin": "x" * (WORD_MAX + 1)}}, "wrong_value"),
        ({"management": {"name": "\ud800", "pin": "135799"}}, "wrong_value"),
        ({"manager": 1}, "wrong_keys"),
    ],
)
def test_an_entry_that_is_not_as_it_must_be_is_refused(change: dict[str, Any], error: str) -> None:
    with pytest.raises(Refused) as refused:
        parse(json.dumps(ENTRY | change).encode(), 36)
    assert refused.value.error["code"] == error
    assert "246810" not in str(refused.value.error)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"coup": 0}, "wrong_value"),
        ({"coup": True}, "wrong_value"),
        ({"coup": "7"}, "wrong_value"),
        ({"coup": COUP_MAX + 1}, "wrong_value"),
        ({"number": 37}, "no_such_number"),
        ({"number": False}, "no_such_number"),
        ({"colour": "blue"}, "wrong_value"),
        ({"why": ""}, "wrong_value"),
    ],
)
def test_a_correction_that_is_not_as_it_must_be_is_refused(
    change: dict[str, Any], error: str
) -> None:
    with pytest.raises(Refused) as refused:
        parse(json.dumps(CORRECTION | change).encode(), 36)
    assert refused.value.error["code"] == error


def test_a_correction_gives_a_number_or_makes_the_coup_void() -> None:
    request = parse(json.dumps(CORRECTION | {"colour": "black"}).encode(), 36)
    made = event(request, "root")
    assert made == CorrectionAsked(0, 7, 17, "black", "anna", "weber", "ring sensor 2 dark")
    void = event(parse(json.dumps(CORRECTION | {"number": None}).encode(), 36), "root")
    assert (void.coup, void.number, void.colour) == (7, None, None)


@pytest.mark.parametrize(
    "change",
    [
        {"round": 0},
        {"round": True},
        {"cards": []},
        {"cards": "TH"},
        {"cards": ["TH", "1H"]},
        {"cards": ["TH"] * (values_in.CARDS_MAX + 1)},
        {"cards": [7]},
        {"decisions": None},
        {"decisions": ["hit"]},
        {"decisions": [{"seat": 1, "hand": 1}]},
        {"decisions": [{"seat": 0, "hand": 1, "do": "hit"}]},
        {"decisions": [{"seat": 1, "hand": True, "do": "hit"}]},
        {"decisions": [{"seat": 1, "hand": 1, "do": "surrender"}]},
        {"decisions": [{"seat": 1, "hand": 1, "do": ["hit"]}]},
        {"decisions": [{"seat": 1, "hand": 1, "do": "double", "cents": 0}]},
        {"decisions": [{"seat": 1, "hand": 1, "do": "hit"}] * (values_in.DECISIONS_MAX + 1)},
    ],
)
def test_a_round_that_is_not_as_it_must_be_is_not_corrected(change: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        parse(json.dumps(ROUND | change).encode(), 36)
    assert refused.value.error["code"] == "wrong_value"


def test_what_two_people_say_at_a_card_table_names_both() -> None:
    made = [event(parse(json.dumps(line).encode(), 0), "uid 7") for line in CARDS]
    by = ("anna", "weber", "its index is torn")
    ten, nine = deck.card_of("TH"), deck.card_of("9S")
    assert made == [
        CardEntered(0, ten, *by),
        BurnAsked(0, *by),
        CountConfirmed(0, *by),
        RescanAsked(0, "uid 7"),
        RoundCorrectionAsked(0, 7, (ten, nine), None, *by),
        KeyPressed(0, "no_more_bets"),
        Acknowledged(0, "weber"),
    ]
    void = event(parse(json.dumps(ROUND | {"cards": None}).encode(), 0), "uid 7")
    assert (void.cards, void.decisions) == (None, None)


@pytest.mark.parametrize("line", [*CARDS, ENTRY, CORRECTION], ids=lambda line: line["do"])
def test_cards_are_entered_at_card_tables_and_numbers_at_wheels(line: dict[str, Any]) -> None:
    request = parse(json.dumps(line).encode(), 36)
    here, elsewhere = ("blackjack", "roulette") if line in CARDS else ("boule", "baccarat")
    check_place(request, here)
    check_place(request, None)
    with pytest.raises(Refused) as refused:
        check_place(request, elsewhere)
    assert refused.value.error["code"] == "not_here"


@pytest.mark.parametrize("key", ["", "stop", "key_management", 5, None, "x" * (WORD_MAX + 1)])
def test_a_key_that_the_croupiers_keyboard_has_not_is_refused(key: Any) -> None:
    with pytest.raises(Refused) as refused:
        event(parse(json.dumps({"do": "key", "key": key}).encode(), 0), "uid 7")
    assert refused.value.error["code"] == "wrong_value"


def test_what_moves_a_wheel_is_not_asked_of_a_card_table() -> None:
    everywhere = {kind.do for kind in requests.KINDS if kind.at is None}
    assert everywhere == {
        "status", "confirm", "void", "clear", "employee", "login", "logout", "act", "parts",
        "edges", "unseat",
        "account", "renew", "deposit", "payout", "reprint", "redeem", "judge", "closing",
    }  # fmt: skip


def test_all_that_a_round_may_have_fits_on_a_line() -> None:
    who = {"name": "é" * WORD_MAX, "pin": "€" * WORD_MAX}
    decision = {"seat": 14, "hand": 4, "do": "no_insurance", "cents": 10**9}
    line = ROUND | {"round": COUP_MAX, "cards": ["TH"] * values_in.CARDS_MAX}
    line |= {"decisions": [decision] * values_in.DECISIONS_MAX, "why": "€" * WHY_MAX}
    line |= {"croupier": who, "management": who | {"name": "è" * WORD_MAX}}
    sent = json.dumps(line, ensure_ascii=False).encode()
    assert len(sent) <= LINE_MAX
    assert len(parse(sent, 0).given["decisions"]) == values_in.DECISIONS_MAX


def test_the_longest_entry_fits_on_a_line() -> None:
    who = {"name": "é" * WORD_MAX, "pin": "€" * WORD_MAX}
    other = who | {"name": "è" * WORD_MAX}
    entry = CORRECTION | {"coup": COUP_MAX, "colour": "yellow"}
    entry |= {"croupier": who, "management": other}
    entry["why"] = "€" * WHY_MAX
    line = json.dumps(entry, ensure_ascii=False).encode()
    assert len(line) <= LINE_MAX
    assert parse(line, 36).given["why"] == "€" * WHY_MAX


def test_every_kind_is_a_line_of_one_table() -> None:
    people = ("status", "confirm", "void", "manual", "correct", "clear")
    of_cards = ("card", "burn", "count", "rescan", "correct_round", "key", "guide", "pay")
    there = ("employee", "unseat")
    director = ("limits",)
    technicians = (
        "login", "logout", "first", "service", "turn", "act", "acknowledge", "shift", "calibrate",
        "parts",
    )  # fmt: skip
    money = (
        "account", "renew", "deposit", "payout", "reprint", "redeem", "judge", "closing",
    )  # fmt: skip
    assert (*people, *of_cards, *there, *money, *director, *technicians, "edges") == NAMES
    known = {kind.do: kind for kind in requests.KINDS}
    for do, line in (
        ("manual", ENTRY),
        ("correct", CORRECTION),
        ("employee", HERE),
        ("unseat", OFF),
        ("limits", LIMITS),
        *((line["do"], line) for line in (*CARDS, *MONEY)),
    ):
        request = parse(json.dumps(line).encode(), 36)
        assert len(request.claims) == len(known[do].signers)
        assert event(request, "uid 7").at_us == 0


@pytest.mark.parametrize("line", MONEY, ids=lambda line: line["do"])
def test_money_is_moved_by_an_employee_alone(line: dict[str, Any]) -> None:
    """A cashier who is none moves nothing, whatever PIN he has."""
    people: Any = Few()
    role = "management" if "management" in line else "employee"
    request = parse(json.dumps(line).encode(), 36)
    signed(request, people)
    for somebody in ("tom", "sue", "thill"):
        wrong = parse(json.dumps(line | {role: signer(somebody)}).encode(), 36)
        with pytest.raises(Refused) as refused:
            signed(wrong, people)
        assert refused.value.error["code"] == "wrong_role"


@pytest.mark.parametrize(
    ("key", "value"),
    [("cents", 2.5), ("cents", 0), ("cents", 10**12 + 1), ("cents", "500"), ("account", 0),
     ("account", True), ("account", 2**32)],
)  # fmt: skip
def test_what_is_no_sum_and_no_account_is_no_request(key: str, value: Any) -> None:
    with pytest.raises(Refused):
        parse(json.dumps(MONEY[2] | {key: value}).encode(), 36)


def test_what_is_signed_names_who_signed_and_never_the_pin() -> None:
    request = parse(json.dumps(ENTRY | {"colour": "black"}).encode(), 36)
    made = event(request, "root")
    assert made == ManualEntered(0, 17, "black", "anna", "weber", "ring sensor 2 dark")
    away = parse(json.dumps(HERE | {"present": False}).encode(), 36)
    assert event(away, "root") == EmployeePresent(0, "anna", False)
    for shown in (repr(request), str(request), repr(made), repr(away), repr(away.claims[0])):
        assert not [pin for pin in PINS.values() if pin in shown]


def test_no_pin_that_may_be_chosen_is_too_long_to_send() -> None:
    assert PIN_MAX <= WORD_MAX


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from([*PINS, *PINS.values()]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("name", "pin")), inner, max_size=2)
    ),
    max_leaves=5,
)
entries = st.dictionaries(
    st.sampled_from(
        (
            "coup",
            "number",
            "colour",
            "why",
            "croupier",
            "management",
            "present",
            "employee",
            "terminal",
            "director",
            "sha256",
        )
    ),
    values,
)


@given(st.sampled_from(NAMES), entries, st.booleans())
def test_no_object_is_more_than_a_request_or_a_refusal(
    do: str, entry: dict[str, Any], sound: bool
) -> None:
    line = json.dumps({**(CORRECTION if sound else {}), "do": do, **entry}).encode()
    try:
        request = parse(line, 36)
    except Refused as caught:
        request = None
        answer = caught.error
    if request is None:
        assert all(isinstance(text, str) and text for text in answer.values())
        return
    assert request.do == do
    assert all(isinstance(claim, Claim) for claim in request.claims)
    money = {line["do"] for line in MONEY}
    signs = do in ("manual", "correct", "employee", "unseat", "limits") or do in money
    assert bool(request.claims) == signs


@pytest.mark.req("IEC-CR-3.5")
@given(st.binary(max_size=LINE_MAX) | st.text(alphabet='{}":,do manualvi0123', max_size=40))
def test_no_line_is_more_than_a_request_or_a_refusal(line: bytes | str) -> None:
    data = line.encode() if isinstance(line, str) else line
    answer: Any
    try:
        answer = parse(data, 36)
    except Refused as refused:
        answer = tuple(refused.error.values())
    assert isinstance(answer, Request) or all(isinstance(text, str) and text for text in answer)


# --- who signs ------------------------------------------------------------------------------------


class Few:
    """All people of the bench; counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def check(self, name: str, pin: str, *_: Any) -> Checked:
        self.asked.append(name)
        if PINS.get(name) == pin:
            return Checked(ROLES[name])
        return Checked(None, "wrong_pin", "the name or the PIN is wrong.", "Ask again.", name)


def refused(line: dict[str, Any], people: Any) -> str:
    with pytest.raises(Refused) as caught:
        signed(parse(json.dumps(line).encode(), 36), people)
    assert not [pin for pin in PINS.values() if pin in str(caught.value.error)]
    return caught.value.error["code"]


@pytest.mark.req("FR-67-5.management")
def test_a_croupier_and_a_member_of_the_management_sign_together() -> None:
    """French arrêté of 14 May 2007, art. 67-5: each with credentials of their own."""
    people = Few()
    signed(parse(json.dumps(ENTRY).encode(), 36), people)
    signed(parse(json.dumps(CORRECTION).encode(), 36), people)
    assert people.asked == ["anna", "weber"] * 2


@pytest.mark.req("FR-67-5.management")
@pytest.mark.parametrize(
    ("croupier", "management", "error"),
    [
        (signer("anna"), signer("anna"), "same_person"),
        (signer("weber"), signer("weber"), "same_person"),
        (signer("anna"), signer("béa"), "wrong_role"),
        (signer("weber"), signer("anna"), "wrong_role"),
        (signer("anna", "135799"), signer("weber"), "wrong_pin"),
        (signer("anna"), signer("weber", "246810"), "wrong_pin"),
        (signer("anna"), signer("weber", ""), "wrong_value"),
        ({"name": "nobody", "pin": "246810"}, signer("weber"), "wrong_pin"),
    ],
)
def test_no_other_two_may(croupier: Any, management: Any, error: str) -> None:
    for line in (ENTRY, CORRECTION):
        assert refused(line | {"croupier": croupier, "management": management}, Few()) == error


def test_one_name_in_two_spellings_of_its_accent_is_one_person() -> None:
    twice = {"croupier": signer("béa"), "management": {"name": "be\u0301a", "pin": "x"}}
    assert refused(ENTRY | twice, Few()) == "same_person"


@pytest.mark.parametrize("name", ["anna", "weber"])
def test_croupier_and_management_alike_may_be_the_employee_at_the_table(name: str) -> None:
    signed(parse(json.dumps(HERE | {"employee": signer(name)}).encode(), 36), Few())
    assert refused(HERE | {"employee": signer(name, "000000")}, Few()) == "wrong_pin"


@pytest.mark.req("IEC-CR-1.1")
@pytest.mark.parametrize("line", [ENTRY, CORRECTION, HERE])
def test_without_people_nothing_is_signed(line: dict[str, Any]) -> None:
    assert refused(line, None) == "no_people"


@pytest.mark.parametrize("do", [kind.do for kind in requests.KINDS if not kind.signers])
def test_what_needs_no_signature_asks_for_none(do: str) -> None:
    """The permissions of the socket are enough for it."""
    people = Few()
    signed(Request(do, {}), people)
    assert not people.asked


# --- over the socket ------------------------------------------------------------------------------


def test_without_a_file_of_people_the_refusal_says_how_to_make_one(
    service: Service, call: Any
) -> None:
    told = call().ask(**ENTRY)
    assert code(told) == "no_people"
    assert "cylindre people add NAME --role ROLE --file" in told["error"]["remedy"]
    assert service.take_events() == ()


def test_a_wrong_pin_reaches_the_core_as_a_fault_and_nothing_else(
    service: Service, call: Any, people: Path
) -> None:
    caller = call()
    assert code(caller.ask(**ENTRY | {"management": signer("weber", "246810")})) == "wrong_pin"
    (asked,) = taken(service)
    assert asked == Trouble(0, "P12", "weber, 1 in a row")
    service.decided(None)  # nobody waits for this answer
    assert code(caller.ask(**ENTRY)) == "too_soon"
    assert service.take_events() == ()
    assert caller.ask(do="status")["ok"]


def test_a_name_that_nobody_has_is_not_repeated_it_may_be_a_pin(
    service: Service, call: Any, people: Path
) -> None:
    mixed_up = {"name": PINS["anna"], "pin": "anna"}
    assert code(call().ask(**ENTRY | {"croupier": mixed_up})) == "wrong_pin"
    (asked,) = taken(service)
    assert asked == Trouble(0, "P12", "somebody unknown, 1 in a row")


def test_a_damaged_file_of_people_is_told_with_its_line(
    service: Service, call: Any, people: Path
) -> None:
    people.write_bytes(people.read_bytes() + b"nonsense\n")
    told = call().ask(**ENTRY)
    assert code(told) == "bad_people"
    assert f"people.jsonl:{len(PINS) + 1}: this is not JSON" in told["error"]["text"]
    assert service.take_events() == ()


def test_somebody_removed_may_no_more(service: Service, call: Any, people: Path) -> None:
    lines = people.read_bytes().splitlines(keepends=True)
    people.write_bytes(b"".join(line for line in lines if b"weber" not in line))
    assert code(call().ask(**ENTRY)) == "wrong_pin"


def test_the_status_socket_checks_no_pin(service: Service, call: Any, people: Path) -> None:
    asked = Few()
    service._people = asked
    assert code(call(STATUS_ONLY).ask(**ENTRY)) == "not_allowed"
    assert not asked.asked
    assert service.take_events() == ()


@pytest.mark.parametrize("terminal", [0, 33, -1, True, 3.0, "3", None])
def test_a_terminal_is_named_by_its_address(terminal: Any) -> None:
    with pytest.raises(Refused) as caught:
        parse(json.dumps(OFF | {"terminal": terminal}).encode(), 36)
    assert caught.value.error["code"] == "wrong_value"


@pytest.mark.parametrize("name", ["anna", "weber"])
def test_croupier_and_management_alike_sign_off_who_sits_at_a_terminal(name: str) -> None:
    request = parse(json.dumps(OFF | {"employee": signer(name)}).encode(), 36)
    signed(request, Few())
    assert event(request, "root") == UnseatAsked(0, name, 3, "another's name")
    assert refused(OFF | {"employee": signer(name, "000000")}, Few()) == "wrong_pin"


@pytest.mark.req("LU-37-3.director")
@pytest.mark.parametrize("name", ["anna", "weber", "tom", "sue"])
def test_nobody_but_a_director_signs_limits(name: str) -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison, pour
    tout ou partie des tables, le minimum des mises »."""
    assert refused(LIMITS | {"director": signer(name)}, Few()) == "wrong_role"
    assert refused(LIMITS | {"director": signer("thill", PINS[name])}, Few()) == "wrong_pin"
    assert signed(parse(json.dumps(LIMITS).encode(), 36), Few()) is None
