"""A card table in the loop: its view, its key switches, and what means nothing at one."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

import rules
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.table import CardTable
from firmware.core.facts import View
from firmware.run.card_core import CardCore
from firmware.run.ending import Since
from rules.cards.stakes import open_table

INPUTS = (("key_croupier", 10), ("key_management", 11))
CROUPIER, MANAGEMENT = 0, 1


@pytest.fixture
def core() -> CardCore:
    found = CardCore(CardTable(open_table(rules.load("baccarat_live"))), INPUTS)
    found.begin_play(1_000)
    return found


def test_each_view_of_the_cards_is_a_view_of_the_state_too() -> None:
    core = CardCore(CardTable(open_table(rules.load("baccarat_live"))), INPUTS)
    answers = core.begin_play(1_000)
    at = [type(each) for each in answers].index(facts.CardView)
    view = answers[at - 1]
    assert isinstance(view, View)
    assert (view.state, view.coup, view.number, view.rotor) == ("NO_SHOE", 0, None, 0)


def test_a_key_switch_is_heard_once_however_often_its_line_says_so(core: CardCore) -> None:
    refused = [core.edge(2_000 + n, MANAGEMENT, level) for n, level in enumerate((1, 1, -1, 0, 0))]
    said = [[each.text for each in answers if hasattr(each, "text")] for answers in refused]
    assert [len(each) for each in said] == [1, 0, 0, 0, 0]
    assert "the croupier's key comes first" in said[0][0]


def test_what_is_asked_of_a_wheel_means_nothing_at_a_card_table(core: CardCore) -> None:
    asked = core_facts.ManualEntered(3_000, 17, None, "anna", "weber", "why")
    (fault,) = [each for each in core.handle(asked) if isinstance(each, core_facts.Fault)]
    assert fault.code == "P10"
    assert "it has no meaning at a card table" in fault.text
    assert core.handle(core_facts.StoodStill(4_000, 500_000)) == ()
    assert core.speed_uturn_s(5_000) == 0


def test_what_somebody_did_is_a_row_as_at_a_wheel(core: CardCore) -> None:
    done = core_facts.ActDone(3_000, "weber", "technician", "login", "", None)
    row, act, *_ = core.handle(done)
    assert (row.kind, row.body) == (
        "act",
        {"what": "login", "who": "weber", "role": "technician", "detail": ""},
    )
    assert act == core_facts.Act(3_000, "login", "weber", "technician", "", None)
    note = core_facts.ActDone(4_000, "weber", "technician", "note", "of a file", "ab" * 32)
    assert core.handle(note)[0].body["sha256"] == "ab" * 32


def test_what_is_printed_counts_all_its_times_from_the_start() -> None:
    printed: list[Any] = []
    since = Since(1_000, cast(Any, SimpleNamespace(take_fact=printed.append)))
    since.take_fact(facts.Guide(3_000, facts.DECIDE, (), 4, 18_000))
    since.take_fact(facts.Guide(4_000, facts.NEXT, (), 0, None))
    assert [(each.at_us, each.until_us) for each in printed] == [(2_000, 17_000), (3_000, None)]


def test_a_card_that_is_being_typed_is_passed_on_to_the_screen(core: CardCore) -> None:
    typed = facts.CardTyped(3_000, "T", "")
    assert core.handle(typed) == (typed,)


def test_an_end_in_the_middle_voids_the_round(core: CardCore) -> None:
    core.handle(facts.ShoeLoaded(2_000, "m", "1", 8, 5, True, 0))
    core.handle(facts.KeyPressed(3_000, facts.KEY_START))
    for n in range(6):
        core.handle(facts.CardRead(4_000 + n, n + 1, n, f"S1-{n}", facts.SHOE))
    rows = [each.kind for each in core.finish(9_000) if isinstance(each, core_facts.Record)]
    assert rows[0] == "card_void"
