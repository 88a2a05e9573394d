"""What stands on the croupier's screen in every state, of a real table and its real socket."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from guide_cases import CASES, Case
from patience import until

from firmware.core.cards import facts, hold, lines, states
from firmware.lib.faces import COLUMNS, LINES
from firmware.lib.language import translated
from firmware.services.guide import keys, words
from firmware.services.guide.croupier_screen import CroupierScreen
from firmware.services.guide.picture import draw
from firmware.services.guide.scene import Table, _paid, scene
from firmware.text.card_guide import WAYS
from tools.sim.card_players import BASIC, Players

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))
from harness.card_terminals import TerminalPlace


def codes() -> set[str]:
    """Every code of a Guide, as facts.py names them."""
    source = Path(facts.__file__).read_text("utf-8")
    part = source[source.index("# The codes of a Guide.") : source.index("# What ends a hold.")]
    made = [node for node in ast.parse(part).body if isinstance(node, ast.Assign)]
    return {node.value.value for node in made}  # type: ignore[attr-defined]


def test_every_code_state_reason_and_way_has_its_case() -> None:
    assert {case.code for case in CASES} == codes() - {facts.GOLD_JACK_POSSIBLE}
    assert "gold_jack_possible" in [case.name for case in CASES]
    assert {case.state for case in CASES} == {
        getattr(states, name) for name in dir(states) if getattr(states, name) == name
    }
    reasons = {hold.UNREAD, hold.EARLY, hold.EXTRA, hold.EXPOSED, hold.BACK, hold.MISSED}
    reasons |= {hold.REBOOT, hold.RESCAN, *facts.SHOE_TROUBLES}
    assert {case.why for case in CASES if case.why} == reasons
    assert {way for case in CASES for way in case.ways} == set(facts.WAYS)
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_says_what_is_due_where_and_every_way_out(table: Any, guide: Any, case: Case) -> None:
    place = table(case.game, **(case.options or {}))
    case.drive(place)
    stand = guide(place)  # a screen that is switched on later knows all that stands
    scene = until(lambda: stand.scene if stand.scene["stage"] == "table" else None, "a scene")
    assert (scene["code"], scene["state"]) == (case.code, case.state)
    assert tuple(scene["places"]) == case.places
    assert tuple(cap["key"] for cap in scene["keys"]) == case.keys
    assert tuple(ask["do"] for ask in scene["asks"]) == case.asks
    english, french = scene["say"]["en"], scene["say"]["fr"]
    assert case.says in english["due"]
    ways = [WAYS[way] for way in case.ways]
    assert [each.lower() for each in english["ways"]] == [each.lower() for each in ways]
    told = [translated(way, "fr").lower() for way in ways]
    assert [each.lower() for each in french["ways"]] == told
    assert scene["simulated"] is True
    letters = [each["letter"] for each in (*scene["keys"], *scene["asks"])]
    assert len(set(letters)) == len(letters)
    for says in (english, french):
        assert says["due"] and says["then"]
        assert set(says["means"]) == set(case.keys)


@pytest.mark.parametrize("name", ["held_jam", "held_silent", "held_lying", "locked_foreign"])
def test_what_went_wrong_has_no_code_in_it_and_no_english_where_people_read_french(
    table: Any, guide: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    case = next(each for each in CASES if each.name == name)
    place = table(case.game)
    case.drive(place)
    stand = guide(place)
    scene = until(lambda: stand.scene if stand.scene["stage"] == "table" else None, "a scene")
    (english,), (french,) = scene["say"]["en"]["wrong"], scene["say"]["fr"]["wrong"]
    for code in (*facts.SHOE_TROUBLES, "other_set", "other set"):
        assert f" {code}," not in english + french
    for why in ("a card is jammed", "it does not answer", "it contradicts", "it is of another set"):
        assert why not in french
    monkeypatch.setenv("CYLINDRE_LANG", "fr")
    assert "Ce qui ne va pas :" in [row.strip() for row in draw(scene, colours=False)]


@pytest.mark.parametrize("name", ["late", "count", "burn_all", "gold_jack"])
def test_what_is_not_held_is_not_called_so(table: Any, guide: Any, name: str) -> None:
    case = next(each for each in CASES if each.name == name)
    place = table(case.game)
    case.drive(place)
    stand = guide(place)
    scene = until(lambda: stand.scene if stand.scene["stage"] == "table" else None, "a scene")
    assert translated(words.LABELS[scene["grade"]], "fr") == "ATTENTION"


def at_terminals(drive: Any) -> Any:
    """What a screen shows of a table whose seats 2 and 3 play at terminals."""
    place = TerminalPlace("blackjack_live")
    place.open()
    place.sit(2, "anna")
    place.sit(3, "bert")
    place.lay(2, 1000)
    place.lay(3, 1000)
    place.call()
    drive(place)
    screen = CroupierScreen("blackjack")
    for fact in place.facts:
        for told in (lines.card_line(fact), lines.guide_line(fact), lines.view_line(fact)):
            if told is not None:
                screen.take_event(dict(told))
    return scene(Table("t", "blackjack", None), screen, None)


def test_who_decides_at_a_terminal_has_no_keys_here() -> None:
    """CARDS section 2: a decision is asked of the seat's terminal, else of the croupier's keys."""
    made = at_terminals(lambda place: place.cards("5S 9D 6S 6H KC 7D"))
    assert (made["code"], made["grade"], made["places"]) == ("decide", "wait", ["s2"])
    assert [cap["key"] for cap in made["keys"]] == ["void", "cut"]
    assert made["say"]["en"]["due"].endswith("It is decided at the terminal: wait.")
    assert made["say"]["fr"]["due"].endswith("attendre.")


def test_insurance_that_is_answered_at_terminals_has_no_keys_here() -> None:
    made = at_terminals(lambda place: place.cards("5S 9D AS 6H KC 7D"))
    assert (made["code"], made["grade"], made["places"]) == ("insure", "wait", ["s2", "s3"])
    assert [cap["key"] for cap in made["keys"]] == ["void", "cut"]
    assert made["say"]["en"]["due"] == ("Insurance? seats 2, 3: answered at the terminals, wait.")


def test_a_table_that_nobody_knows_to_be_simulated_does_not_say_so() -> None:
    made = at_terminals(lambda place: None)
    assert made["simulated"] is False


def test_a_terminal_names_every_key_that_means_something() -> None:
    made = at_terminals(lambda place: place.cards("5S 9D 6S 6H KC 7D"))
    every = [cap._asdict() for cap in keys.CAPS.values()]
    rows = draw(made | {"keys": every}, colours=False)
    assert len(rows) == LINES
    assert max(map(len, rows)) <= COLUMNS
    for cap in every:
        assert f"[{cap['name']}]" in "\n".join(rows)


def payment(seat: int | None, won: int, **more: Any) -> dict[str, Any]:
    stake = {"player": "chips\u00b7" + str(seat), "bet": "main", "seat": seat, "hand": 1}
    return {**stake, "stake_cents": 1000, "won_cents": won, "returned_cents": 0, **more}


def paid_at(payments: list[dict[str, Any]], *more: dict[str, Any], simulated: bool = False,
            held: list[int] | None = None) -> list[str]:  # fmt: skip
    """What stands under Payments, in English, as the next round is due."""
    screen = CroupierScreen("blackjack")
    for event in (
        {"event": "round_result", "round": 1, "outcome": {}, "payments": payments,
         "held": held or []},
        *more,
    ):  # fmt: skip
        screen.take_event(event)
    return [translated(each, "en") for each in _paid(Table("t", "blackjack", simulated), screen)]


def test_each_hand_of_a_seat_is_paid_for_itself() -> None:
    """One hand that wins and one that loses as much give back nothing."""
    split = [payment(2, 1000), payment(2, -1000, hand=2), payment(5, 0)]
    assert paid_at(split) == [
        "Seat 5: give back 10.00",
        "Seat 2: hand 1 pay 10.00, hand 2 collect 10.00",
    ]


def test_what_waits_for_the_management_is_not_to_be_paid_yet() -> None:
    gold = [payment(2, 1000), payment(2, 50000, bet="super_gold")]
    waits = paid_at(gold, held=[1])
    assert waits[0].count("waits for the management") == 1
    assert waits[0].endswith("pay 500.00 waits for the management")
    known = paid_at(gold, {"event": "held_paid", "round": 1}, held=[1])
    assert known[0].endswith("pay 500.00")


def test_what_accounts_are_paid_is_not_the_croupiers_to_pay() -> None:
    mixed = [payment(2, 1000, player="anna"), payment(3, 1000), payment(3, 2000, player="bert")]
    assert paid_at(mixed) == ["Seat 3: pay 10.00", "Seat 2: by account"]
    assert paid_at([payment(None, 1000, player="anna")]) == []


@pytest.mark.parametrize("family", ["blackjack", "baccarat"])
def test_a_guest_at_a_simulated_table_is_paid_by_account_and_its_players_in_chips(
    family: str,
) -> None:
    players = Players(family, Random(4), style=BASIC, bets=("behind",), floor_cents=1000)
    for stake in players.stakes():
        (said,) = paid_at(
            [payment(stake.get("seat"), 1000, player=stake["player"])], simulated=True
        )
        assert said.endswith("pay 10.00"), stake
    assert paid_at([payment(2, 1000, player="guest")], simulated=True) == ["Seat 2: by account"]


def test_a_terminal_of_24_lines_shows_every_way_out_before_many_hands() -> None:
    made = at_terminals(lambda place: place.cards("5S 9D 6S 6H KC 7D"))
    hands = [{"to": f"s{1 + at // 4}.{1 + at % 4}", "cards": [], "points": "8"} for at in range(28)]
    say = made["say"]["en"] | {"ways": ["One.", "Two.", "Three."], "wrong": ["It went wrong."]}
    rows = draw(made | {"hands": hands, "say": {"en": say, "fr": say}}, colours=False)
    assert len(rows) == LINES
    text = "\n".join(rows)
    for wanted in ("  One.", "  Two.", "  Three.", "  It went wrong.", "[VOID]"):
        assert wanted in text
    assert "…" in rows
    assert rows[-1] == "(Read the round again)"  # what people ask stays below
