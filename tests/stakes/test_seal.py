import copy
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stakes_bench import book, place, result

from firmware.stakes import seal
from firmware.stakes.seal import BrokenSeal

GOLDEN = b"""cylindre stakes 2
coup 7
rules boule_fr
minimum 500
employee claire
maximum impair 200
maximum manque 200
maximum noir 200
maximum pair 200
maximum passe 200
maximum plein 40
maximum rouge 200
stake 1 1 plein 5 500 1 anna
stake 2 9 rouge - 1000 2 bert
"""


def record() -> Any:
    opened = book("boule_fr")
    place(opened, 1, 1, on=(5,))
    place(opened, 2, 9, bet="rouge", on=(), cents=1_000)
    return opened.close(7)


def test_what_is_sealed_are_these_very_bytes() -> None:
    found = record()
    assert seal.canonical(found) == GOLDEN
    assert found["seal"] == sha256(GOLDEN).hexdigest()
    assert found["seal"].startswith("d522b80402a26c01")
    assert (found["count"], found["total_cents"]) == (2, 1_500)


def test_what_was_sealed_before_there_were_accounts_still_holds() -> None:
    before = GOLDEN.replace(b"stakes 2", b"stakes 1")
    before = before.replace(b"500 1 anna", b"500 anna").replace(b"1000 2 bert", b"1000 bert")
    found = record()
    del found["form"]
    for stake in found["stakes"]:
        del stake["account"]
    assert seal.canonical(found) == before
    found["seal"] = sha256(before).hexdigest()
    assert found["seal"].startswith("43e656aa0dab638f")
    end = result(7, 5, "yellow") | {"stakes": found["seal"]}
    assert [paid.won_cents for paid in seal.payments(found, end)] == [3_500, -1_000]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("coup",), 8),
        (("rules",), "roulette_lu"),
        (("minimum_cents",), 501),
        (("maximum_multiples", "plein"), 41),
        (("employees",), []),
        (("employees",), None),
        (("count",), 3),
        (("total_cents",), 2_000),
        (("seal",), "0" * 64),
        (("stakes", 0, "cents"), 501),
        (("stakes", 0, "cents"), 500.0),
        (("stakes", 0, "cents"), True),
        (("stakes", 0, "cents"), "500"),
        (("stakes", 0, "player"), "bert"),
        (("stakes", 0, "player"), "anna\nstake 1 2 plein 5 500 anna"),
        (("stakes", 0, "bet"), "plein 5"),
        (("stakes", 0, "on"), [6]),
        (("stakes", 0, "on"), "5"),
        (("stakes", 0, "id"), 2),
        (("stakes", 0, "terminal"), 2),
        (("stakes", 0), None),
        (("stakes",), []),
    ],
)
def test_an_altered_record_is_noticed_whatever_was_altered(path: tuple, value: object) -> None:
    altered = copy.deepcopy(record())
    part = altered
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(BrokenSeal):
        seal.payments(altered, result(7, 5, "yellow"))


@pytest.mark.parametrize("key", ["coup", "stakes", "seal", "employees", "maximum_multiples"])
def test_a_record_that_lacks_something_is_none(key: str) -> None:
    altered = record()
    del altered[key]
    with pytest.raises(BrokenSeal, match="no record of stakes"):
        seal.check(altered)


def test_the_order_of_stakes_is_sealed_and_that_of_keys_is_not() -> None:
    found = record()
    backwards = dict(reversed(found.items()))
    assert seal.seal(backwards) == found["seal"]
    backwards["stakes"] = found["stakes"][::-1]
    assert seal.seal(backwards) != found["seal"]


def test_payments_follow_from_record_and_end_alone() -> None:
    found = record()
    paid = seal.payments(found, result(7, 5, "yellow") | {"stakes": found["seal"]})
    assert [tuple(payment) for payment in paid] == [
        ("anna", "plein", (5,), 500, 3_500, 4_000),
        ("bert", "rouge", (), 1_000, -1_000, 0),
    ]


@pytest.mark.parametrize("named", [{}, {"stakes": None}, {"stakes": "f" * 64}])
def test_an_end_that_does_not_name_this_seal_is_not_settled(named: Any) -> None:
    with pytest.raises(BrokenSeal, match="the end of the coup names"):
        seal.payments(record(), result(7, 5, "yellow") | named)


@pytest.mark.parametrize(("number", "colour"), [(10, "red"), (5, "red"), (5, None), ("5", "red")])
def test_a_number_that_the_game_lacks_is_not_settled(number: Any, colour: Any) -> None:
    found = record()
    with pytest.raises(BrokenSeal, match="has no compartment"):
        seal.payments(found, result(7, number, colour) | {"stakes": found["seal"]})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
        ),
    )
)
def test_whatever_a_journal_holds_it_is_judged(found: Any) -> None:
    with pytest.raises(BrokenSeal):
        seal.check(found)
