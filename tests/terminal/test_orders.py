from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus.terminal_messages import SignOff, Stake, TakeBack
from firmware.lib.errors import Failure
from firmware.services.terminal.commands import (
    CLEAR,
    HELP,
    PULL,
    QUIT,
    REPEAT,
    Card,
    Insert,
    Order,
    WrongOrder,
    parse,
    read_script,
    sign_on,
)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("rouge 500", Order(Stake(0, "rouge", 500, ()))),
        ("  Plein 17 500 ", Order(Stake(0, "plein", 500, (17,)))),
        ("cheval 2 1 500", Order(Stake(0, "cheval", 500, (1, 2)))),
        ("back 3", Order(TakeBack(3))),
        ("on 7 4711", Order(sign_on(7, "4711"))),
        ("card 7 A4711", Order(Card(7, "A4711"))),
        ("insert 5000", Order(Insert(5_000))),
        ("pull", Order(PULL)),
        ("off", Order(SignOff())),
        ("help", Order(HELP)),
        ("Repeat", Order(REPEAT)),
        ("clear", Order(CLEAR)),
        ("at SETTLED: repeat", Order(REPEAT, "SETTLED")),
        ("at SETTLED: quit", Order(QUIT, "SETTLED")),
        ("at BETS_OPEN: plein 0 500", Order(Stake(0, "plein", 500, (0,)), "BETS_OPEN")),
        ("at coup 2 VOID : back 3", Order(TakeBack(3), "VOID", 2)),
        ("", None),
        ("# a word to the reader", None),
    ],
)
def test_an_order_is_what_it_says(line: str, order: Order | None) -> None:
    assert parse(line) == order


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("rouge", "write how much, in whole cents"),
        ("rouge 5.50", 'whole cents, as 500, from 1 to 4294967295, not "5.50"'),
        ("rouge -500", "whole cents"),
        ("rouge 0", "whole cents"),
        ("rouge 4294967296", "whole cents"),
        ("rouge 500€", "whole cents"),
        ("rouge ٥", "whole cents"),
        ("plein dix 500", 'a number on the cloth is written as 17, not "dix"'),
        ("plein 100 500", "a number on the cloth"),
        ("rogue 500", 'there is no order "rogue": did you mean "rouge"?'),
        ("xyzzy", "help lists them"),
        ("back", "by its number"),
        ("back three", "by its number"),
        ("on", "an account and its PIN or card"),
        ("quit now", "stands alone"),
        ("repeat 2", "stands alone"),
        ("cleer", 'there is no order "cleer": did you mean "clear"?'),
        ("at BETS_OPEN rouge 500", "write: at STATE: ORDER"),
        ("at BETS_OPNE: rouge 500", 'did you mean "BETS_OPEN"?'),
        ("rouge " + "5" * 300, "200 characters at most"),
    ],
)
def test_what_is_no_order_is_refused_with_what_to_write(line: str, why: str) -> None:
    with pytest.raises(WrongOrder) as caught:
        parse(line)
    assert why in str(caught.value)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_an_order_or_refused(line: str) -> None:
    try:
        order: Any = parse(line)
    except WrongOrder:
        order = None
    assert order is None or isinstance(order, Order)


def test_every_mistake_of_a_script_is_named_with_its_line(tmp_path: Path) -> None:
    script = tmp_path / "bets.txt"
    script.write_text("rouge 500\nrouge\n\n# so\nblue 5\n")
    with pytest.raises(Failure) as caught:
        read_script(script)
    said = caught.value.sentence.splitlines()
    assert [line.split(": ")[0] for line in said] == [f"{script}:2", f"{script}:5"]


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_script_that_cannot_be_read_says_why(tmp_path: Path, content: bytes | None) -> None:
    script = tmp_path / "bets.txt"
    if content is not None:
        script.write_bytes(content)
    with pytest.raises(Failure, match=r"bets\.txt"):
        read_script(script)
