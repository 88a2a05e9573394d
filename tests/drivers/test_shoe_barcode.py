from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.checked_line import written
from drivers.shoe_barcode import ShoeBarcode, read_of
from firmware.core.cards import facts
from rules.cards import deck

LINE = "S17-0345-TH*Y"
CUT_LINE = "S17-0000-XX*G"
NOW_US = 5_000_000


def test_a_card_is_this_very_line() -> None:
    assert written(["S17", "0345", "TH"]) == LINE
    told = ShoeBarcode().receive(LINE.encode() + b"\r\n", NOW_US)
    card = deck.card_of("TH")
    assert told == [facts.CardRead(NOW_US, 1, card, "S17-0345", facts.BARCODE)]


def test_the_cut_card_is_this_very_line() -> None:
    reader = ShoeBarcode()
    assert reader.receive(CUT_LINE.encode() + b"\n", NOW_US) == [facts.CutCardSeen(NOW_US)]
    assert [fact.n for fact in reader.receive(LINE.encode() + b"\n", NOW_US)] == [1]


def test_every_card_of_eight_decks_has_its_line() -> None:
    reader = ShoeBarcode()
    for number, (card, _) in enumerate(product(range(52), range(8)), 1):
        line = written(["S1", f"{number:04}", deck.text_of(card)])
        told = reader.receive(line.encode() + b"\r", NOW_US)
        ident = f"S1-{number:04}"
        assert told == [facts.CardRead(NOW_US, number, card, ident, facts.BARCODE)]


def test_a_line_that_comes_letter_by_letter_is_one_card() -> None:
    reader = ShoeBarcode()
    told = [fact for byte in LINE.encode() + b"\n" for fact in reader.receive(bytes([byte]), 0)]
    assert [fact.card for fact in told] == [deck.card_of("TH")]


def test_no_wrong_or_swapped_character_of_a_line_names_another_card() -> None:
    wrong = {
        LINE[:at] + other + LINE[at + 1 :]
        for at in range(len(LINE))
        for other in map(chr, range(0x20, 0x7F))
    }
    wrong |= {LINE[:at] + LINE[at + 1] + LINE[at] + LINE[at + 2 :] for at in range(len(LINE) - 1)}
    wrong |= {LINE[:at] + LINE[at + 1 :] for at in range(len(LINE))}
    wrong.remove(LINE)
    assert len(wrong) > 1200
    for line in sorted(wrong):
        told = ShoeBarcode().receive(line.encode() + b"\n", NOW_US)
        assert told == [facts.CardRead(NOW_US, 1, None, "", facts.BARCODE)], line


@pytest.mark.parametrize(
    "fields",
    [
        ["S17", "0345"],
        ["S17", "0345", "TH", "1"],
        ["S17", "345", "TH"],
        ["S17", "03450", "TH"],
        ["S17", "03A5", "TH"],
        ["", "0345", "TH"],
        ["S12345678", "0345", "TH"],
        ["S17", "0345", "10H"],
        ["S17", "0345", "HT"],
        ["S17", "0345", "X"],
    ],
)
def test_what_has_a_right_check_and_names_no_card_is_unread(fields: list[str]) -> None:
    assert read_of(written(fields)) is None


@given(st.lists(st.sampled_from([LINE, CUT_LINE, LINE[:-1], "\xff", "A" * 50]), max_size=8))
def test_each_line_is_one_card_or_one_that_nobody_can_name_or_the_cut_card(
    lines: list[str],
) -> None:
    reader, told = ShoeBarcode(), []
    for line in lines:
        told += reader.receive(line.encode("latin-1") + b"\n", NOW_US)
    assert len(told) == len(lines)
    for line, fact in zip(lines, told, strict=True):
        if line == CUT_LINE:
            assert isinstance(fact, facts.CutCardSeen)
        else:
            assert fact.card == (deck.card_of("TH") if line == LINE else None)
    numbers = [fact.n for fact in told if isinstance(fact, facts.CardRead)]
    assert numbers == list(range(1, len(numbers) + 1))


@given(st.binary(max_size=200))
def test_garbage_names_no_card(data: bytes) -> None:
    for fact in ShoeBarcode().receive(data, NOW_US):
        assert fact.card is None
