import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.card_keys import BACK, KEYS, OK, CardKeys, CardTyped
from firmware.core.cards import facts
from rules.cards import deck


def typed(keys: CardKeys, *pressed: str) -> list[object]:
    """The last that is told."""
    return [keys.press(key, at_us) for at_us, key in enumerate(pressed, 1)][-1]


def test_there_are_13_ranks_4_suits_ok_and_back() -> None:
    assert len(KEYS) == 19
    assert set(KEYS) == {*"A23456789TJQK", *"SHDC", "ok", "back"}


def test_a_card_is_shown_in_full_and_counts_after_ok() -> None:
    keys = CardKeys()
    assert keys.press("T", 1) == [CardTyped(1, "T", "")]
    assert keys.press("H", 2) == [CardTyped(2, "T", "H")]
    card = deck.card_of("TH")
    assert keys.press(OK, 3) == [facts.CardRead(3, 1, card, "", facts.PEOPLE)]


@pytest.mark.parametrize("text", [deck.text_of(card) for card in range(52)])
def test_every_card_can_be_typed_in_either_order(text: str) -> None:
    for pressed in (text, text[::-1]):
        (fact,) = typed(CardKeys(), *pressed, OK)
        assert deck.text_of(fact.card) == text


@pytest.mark.parametrize("pressed", ["", "T", "H", "TJ", "HS"])
def test_half_a_card_does_not_count(pressed: str) -> None:
    keys = CardKeys()
    (fact,) = typed(keys, *pressed, OK)
    assert isinstance(fact, CardTyped)


def test_the_last_rank_and_the_last_suit_stand() -> None:
    (fact,) = typed(CardKeys(), "T", "H", "K", "S", OK)
    assert deck.text_of(fact.card) == "KS"


def test_back_wipes_out_what_is_typed_and_counts_nothing() -> None:
    keys = CardKeys()
    assert typed(keys, "T", "H", BACK) == [CardTyped(3, "", "")]
    assert typed(keys, OK) == [CardTyped(1, "", "")]


def test_a_card_may_be_taken_back_once() -> None:
    keys = CardKeys()
    typed(keys, "T", "H", OK)
    assert typed(keys, BACK) == [facts.CardPulledBack(1, 1, facts.PEOPLE)]
    assert typed(keys, BACK) == [CardTyped(1, "", "")]


def test_only_the_last_card_may_be_taken_back() -> None:
    keys = CardKeys()
    typed(keys, "T", "H", OK)
    typed(keys, "2", "S", OK)
    assert typed(keys, BACK) == [facts.CardPulledBack(1, 2, facts.PEOPLE)]
    assert typed(keys, BACK) == [CardTyped(1, "", "")]


def test_after_another_card_or_a_decision_it_stays() -> None:
    keys = CardKeys()
    typed(keys, "T", "H", OK)
    keys.keep()
    assert typed(keys, BACK) == [CardTyped(1, "", "")]


def test_another_key_is_refused() -> None:
    for key in ("10", "", "23", "SH", "X"):
        with pytest.raises(ValueError, match="no key"):
            CardKeys().press(key, 1)


@given(st.lists(st.sampled_from([*KEYS, "keep"]), max_size=30))
def test_what_counts_stood_on_the_screen_in_full(pressed: list[str]) -> None:
    keys, shown, count, open_n = CardKeys(), ("", ""), 0, 0
    for at_us, key in enumerate(pressed):
        if key == "keep":
            keys.keep()
            open_n = 0
            continue
        (fact,) = keys.press(key, at_us)
        assert fact.at_us == at_us
        if isinstance(fact, CardTyped):
            shown = (fact.rank, fact.suit)
        elif isinstance(fact, facts.CardRead):
            assert key == OK
            assert deck.text_of(fact.card) == "".join(shown)
            assert fact.n == count + 1
            assert fact.how == facts.PEOPLE
            count = open_n = fact.n
            shown = ("", "")
        else:
            assert key == BACK
            assert fact == facts.CardPulledBack(at_us, open_n, facts.PEOPLE)
            assert open_n
            open_n = 0
