"""A round of cards is one table; what it lacks does not happen (CARDS section 2)."""

import itertools

import pytest
from harness.card_place import CardPlace
from harness.state_table import check_names, check_step

from firmware.core import facts as core_facts
from firmware.core.cards import facts, hold, states

STATES = "NO_SHOE BETS_OPEN DEALING INSURANCE PLAYING DEALER DONE CONFIRMED VOID HOLD FAULT".split()
HAPPENINGS = (
    states.STAKES_DUE,
    states.CARDS_DUE,
    states.INSURANCE_DUE,
    states.DECISIONS_DUE,
    states.DEALER_DUE,
    states.END_DUE,
    states.HELD,
    states.RESULT_RECORDED,
    states.VOIDED,
    states.SHOE_ENDED,
    states.RESULT_CORRECTED,
    states.VOID_CORRECTED,
    states.LOCKED,
    states.CLEARED,
)


@pytest.mark.parametrize(("state", "happening"), list(itertools.product(STATES, HAPPENINGS)))
def test_what_is_absent_from_the_table_leads_nowhere(state: str, happening: str) -> None:
    check_step(states.TRANSITIONS, states.after, STATES, (state, happening))


def test_the_table_speaks_of_known_states_and_happenings_only() -> None:
    check_names(states.TRANSITIONS, STATES, HAPPENINGS)
    assert set(states.STARTS) <= set(STATES)


def test_nothing_but_a_record_makes_a_round_official() -> None:
    ways = {way for way, state in states.TRANSITIONS.items() if state == states.CONFIRMED}
    assert {happening for _, happening in ways} == {
        states.RESULT_RECORDED,
        states.RESULT_CORRECTED,
    }


@pytest.mark.req("TABLE-M5.corrected")
def test_a_confirmed_round_is_never_void_but_by_a_correction() -> None:
    assert states.after(states.CONFIRMED, states.VOIDED) is None
    assert states.after(states.CONFIRMED, states.VOID_CORRECTED) == states.VOID


def test_a_round_may_be_void_in_every_state_between_its_beginning_and_its_record() -> None:
    for state in ("BETS_OPEN", "DEALING", "INSURANCE", "PLAYING", "DEALER", "DONE", "HOLD"):
        assert states.after(state, states.VOIDED) == states.VOID


def to_state(state: str) -> CardPlace:
    """A table that has come there."""
    house = CardPlace().table.house
    place = CardPlace("blackjack_live", house=type(house)(*(("croupier", *tuple(house)[1:]))))
    if state == states.NO_SHOE:
        return place
    place.open()
    place.stake(2, 1000)
    if state == states.BETS_OPEN:
        return place
    place.call()
    if state == states.FAULT:
        place.card("KS", ident="S18-0001")
        return place
    if state == states.DEALING:
        return place
    if state == states.HOLD:
        place.card(None)
        return place
    if state == states.VOID:
        place.key(facts.KEY_VOID)
        return place
    place.cards("KS AH 6S 9D")
    if state == states.INSURANCE:
        return place
    place.key(facts.KEY_NO_MORE_BETS)
    if state == states.PLAYING:
        return place
    place.key(facts.KEY_STAND)
    if state == states.DEALER:
        return place
    place.key(facts.KEY_TURNED)  # 20
    if state == states.CONFIRMED:
        place.key(facts.KEY_CONFIRM)
    return place


# What each key does, by state: everything else is refused, and changes nothing.
# fmt: off
KEYS = {
    states.NO_SHOE: (),  # no shoe has said what it is
    states.BETS_OPEN: (facts.KEY_NO_MORE_BETS, facts.KEY_VOID, facts.KEY_CUT,
                       *[key for key in facts.SEAT_KEYS if key != "seat_2"]),  # a stake is there
    states.DEALING: (facts.KEY_VOID, facts.KEY_CUT),
    states.INSURANCE: (facts.KEY_NO_MORE_BETS, facts.KEY_VOID, facts.KEY_CUT, *facts.SEAT_KEYS),
    states.PLAYING: (facts.KEY_CARD, facts.KEY_STAND, facts.KEY_DOUBLE, facts.KEY_VOID,
                     facts.KEY_CUT, "seat_2"),
    states.DEALER: (facts.KEY_TURNED, facts.KEY_VOID, facts.KEY_CUT),
    states.DONE: (facts.KEY_CONFIRM, facts.KEY_VOID, facts.KEY_CUT),
    states.CONFIRMED: (facts.KEY_START, facts.KEY_CUT),
    states.VOID: (facts.KEY_START, facts.KEY_CUT),
    states.HOLD: (facts.KEY_VOID, facts.KEY_CUT),
    states.FAULT: (),
}
# fmt: on


@pytest.mark.parametrize(("state", "key"), list(itertools.product(STATES, facts.KEYS)))
def test_a_key_that_says_nothing_in_a_state_is_refused_and_changes_nothing(
    state: str, key: str
) -> None:
    place = to_state(state)
    assert place.state == state
    before = place.table.view()
    rows, refusals = len(place.rows), len(place.refusals())
    place.key(key)
    if key in KEYS[state]:
        assert len(place.refusals()) == refusals
    else:
        assert len(place.refusals()) == refusals + 1
        assert len(place.rows) == rows
        assert place.table.view() == before


ASKED = (
    (core_facts.VoidAsked, ("anna",), "BETS_OPEN DEALING INSURANCE PLAYING DEALER DONE HOLD"),
    (core_facts.ConfirmAsked, ("anna",), "DONE"),
    (core_facts.ClearAsked, ("anna",), "FAULT"),
    (facts.CardEntered, (7, "anna", "carl", "why"), ""),
    (facts.BurnAsked, ("anna", "carl", "why"), ""),
    (facts.RescanAsked, ("anna",), "DEALING INSURANCE"),
    (facts.CountConfirmed, ("anna", "carl", "why"), "FAULT"),
    (facts.RoundCorrectionAsked, (1, None, None, "anna", "carl", "why"), "CONFIRMED"),
    (facts.Acknowledged, ("carl",), ""),
    (facts.StakesLaid, ([],), "BETS_OPEN"),
    (facts.DecisionMade, (2, 1, "stand", None, None, "2"), "PLAYING"),
    (facts.ShoeCounted, ([0] * 52,), "NO_SHOE FAULT"),
)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("kind", "given", "where"), ASKED, ids=[each[0].__name__ for each in ASKED]
)
def test_what_is_asked_where_it_has_no_meaning_is_refused_in_a_sentence(
    state: str, kind: type, given: tuple[object, ...], where: str
) -> None:
    place = to_state(state)
    before = place.table.view()
    rows = len(place.rows)
    place.tell(kind, *given)
    if state in where.split():
        assert place.faults()[-1:] != ["P10"]
    else:
        assert place.faults()[-1] == "P10"
        assert len(place.rows) == rows
        assert place.table.view() == before


@pytest.mark.req("TABLE-hold.sentence")
def test_every_hold_has_a_way_out_that_the_guide_names() -> None:
    whys = [
        value
        for name, value in vars(hold).items()
        if name.isupper() and isinstance(value, str) and name != "HOLE" and "_" not in name
    ]
    assert len(whys) >= 6
    place = to_state(states.DEALING)
    for why in [*whys, hold.REBOOT, *facts.SHOE_TROUBLES]:
        hold.hold_round(place.table, why)
        assert hold.ways(place.table)[-1] == facts.MAKE_VOID
