"""Displays at a card table: the record is believed, the state is lit, and no number ever."""

from pathlib import Path
from typing import Any

import pytest
from hand import Hand

from firmware.bus import frame, message_bytes, messages, record
from firmware.bus.frame import Deframer
from firmware.bus.receiver import DARK, Receiver
from firmware.bus.sent_views import BARE
from firmware.store import signing
from tools.bench.busbench import Bench, Ledger, display_key
from tools.docs.bus_vectors import ADDRESS, BOOT, KEY

S = 1_000_000
GOLDEN = Path(__file__).parent / "golden"
SIX = "5S 2H 6D TC 8H 4S"
TIE = "9S 4C KD 5H"
OF_GAME = {"baccarat": (SIX, TIE), "blackjack": ("AS KD", "2C TC 9H")}


def table(game: str, displays: int = 2) -> Bench:
    """A card table with displays that hear it."""
    bench = Bench(displays, game=game, table=None)
    bench.ledger = Ledger(game=game)
    bench.start()
    bench.view("NO_SHOE", 0, 0, 0, None, None, None)
    bench.run(S)
    return bench


def lit(bench: Bench) -> tuple[Any, ...]:
    """What all displays light alike: state, game, coup, seq, reason."""
    seen = {display.lit for display in bench.displays}
    (one,) = seen
    assert (one.number, one.colour, one.rotor, one.layout_verified) == (None, None, 0, None)
    return one.state, one.game, one.coup, one.seq, one.reason


@pytest.mark.parametrize("game", OF_GAME)
def test_a_display_believes_the_rounds_and_lights_their_states_without_a_number(game: str) -> None:
    bench = table(game)
    first, second = OF_GAME[game]
    assert lit(bench) == ("NO_SHOE", game, 0, 0, None)
    for state in ("BETS_OPEN", "DEALING", "INSURANCE", "PLAYING", "DEALER", "DONE", "HOLD"):
        bench.view(state, 1, 0, 0, None, None, None)
        bench.run(S)
        assert lit(bench) == (state, game, 1, 0, None)
    bench.view(*bench.ledger.round(first))
    bench.run(S)
    assert lit(bench) == ("CONFIRMED", game, 1, 1, None)
    bench.view(*bench.ledger.void("hole_card_unreadable"))
    bench.run(S)
    assert lit(bench) == ("VOID", game, 2, 2, "hole_card_unreadable")
    bench.view(*bench.ledger.round(second, manual=True))
    bench.run(S)
    for display in bench.displays:
        assert display._record_chain.newest == (1, 3)
        assert display.lit.history == (None, None, None)
        assert display.outcomes == ((1, None), (2, None), (3, None))
        found = display._record_chain.outcome()
        assert found is not None and found.cards is not None and found.coup == 3
    assert bench.troubles == []
    assert all(standing["lights"] for standing in bench.display_host.standings(bench.now_us))


def test_a_correction_of_a_round_is_believed_and_its_void_is_lit() -> None:
    bench = table("baccarat")
    bench.view(*bench.ledger.round(SIX))
    bench.run(S)
    bench.ledger.correct(1, cards=TIE)
    bench.view("CONFIRMED", 1, 2, 0, None, None, None)
    bench.run(S)
    assert lit(bench) == ("CONFIRMED", "baccarat", 1, 2, None)
    assert all(display.lit.history == (None,) for display in bench.displays)
    bench.ledger.correct(1)
    bench.view("VOID", 1, 3, 0, None, None, "croupier")
    bench.run(S)
    assert lit(bench) == ("VOID", "baccarat", 1, 3, "croupier")
    assert bench.troubles == []


def test_a_round_that_the_table_did_not_sign_is_not_believed() -> None:
    bench = table("baccarat")
    forger = Ledger(b"another table's own key.........", game="baccarat")
    forger.void("misdealt")
    bench.ledger.records = list(forger.records)
    bench.view("VOID", 1, 1, 0, None, None, "misdealt")
    bench.run(3 * S)
    assert lit(bench) == ("VOID", "baccarat", 1, 1, None)  # the state, and no reason
    assert all(display._record_chain.newest == (0, 0) for display in bench.displays)


def test_a_wheels_display_is_told_of_no_number_by_a_round() -> None:
    """Records of both games in one chain, as no journal has them: what is lit is of the game."""
    bench = table("baccarat")
    wheel = Ledger()
    wheel.result(17)
    bench.ledger.records = list(wheel.records)
    bench.view("CONFIRMED", 1, 1, 0, None, None, None)
    bench.run(2 * S)
    assert lit(bench) == ("CONFIRMED", "baccarat", 1, 1, None)


def test_a_wheel_still_has_a_number_when_it_is_confirmed() -> None:
    bench = Bench(1)
    with pytest.raises(AssertionError, match="without a number"):
        bench.view("CONFIRMED", 1, 1, 0, None, None, None)


def test_what_a_card_table_tells_is_no_longer_than_what_a_wheel_does() -> None:
    sizes = {}
    for game in ("roulette", "baccarat"):
        bench = table(game, 1) if game == "baccarat" else Bench(1)
        bench.run(S)
        beats = [
            payload
            for _, _, data in bench.wire.log
            for payload in Deframer().feed(data)
            if message_bytes.kind(payload) == messages.HEARTBEAT
        ]
        sizes[game] = max(map(len, beats))
    assert sizes["roulette"] == sizes["baccarat"] == messages.HEARTBEAT_SIZE + 1 + 9


def test_the_state_of_a_round_is_all_there_is_to_light() -> None:
    """The controller expects the dash, so nobody is told that it lacks a number."""
    bench = table("blackjack", 1)
    bench.view(*bench.ledger.round("AS KD"))
    bench.run(5 * S)
    assert bench.troubles == [] and not bench.display_host.is_behind()
    lit_by = messages.lit_digest("CONFIRMED", None, 1, 1)
    assert bench.display_host._displays.sent_views.judge(lit_by, bench.now_us) == BARE


# --- versions -------------------------------------------------------------------------------------
def spoken(version: int) -> dict[str, bytes]:
    """What a controller of that version says, byte for byte as it was frozen."""
    lines = (GOLDEN / f"bus_v{version}.txt").read_text(encoding="ascii").splitlines()
    return {line.rsplit(": ", 1)[0]: bytes.fromhex(line.rsplit(": ", 1)[1]) for line in lines}


def hears(version: int) -> tuple[Receiver, list[bytes]]:
    """A display that hears that controller's whole talk, and what it answers."""
    said = spoken(version)
    display = Receiver(ADDRESS, KEY, said["public key of the wheel"], BOOT, signing.verify)
    answers = []
    for name, payload in said.items():
        if name.startswith(("ask", "heartbeat", "record", "table")):
            answers.append(display.feed(frame.encode(payload), 1_000))
            while display.work():
                pass
            display.tick(1_000)
    return display, [answer for answer in answers if answer]


def test_a_display_of_version_6_shows_a_dash_to_a_controller_of_version_7(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = spoken(7)
    assert {payload[0] for name, payload in said.items() if name.startswith(("ask", "heart"))} == {
        7
    }
    monkeypatch.setattr(messages, "VERSION", 6)
    display, answers = hears(7)
    assert (display.lit, answers) == (DARK, [])
    display, answers = hears(6)  # it knows its own
    assert (display.lit.state, display.lit.number, len(answers)) == ("CONFIRMED", 17, 1)


def test_a_display_of_version_7_knows_nobody_of_version_6() -> None:
    display, answers = hears(6)
    assert (display.lit, answers) == (DARK, [])
    display, answers = hears(7)
    assert (display.lit.state, display.lit.number, len(answers)) == ("CONFIRMED", 17, 1)


def test_a_wheels_record_has_the_same_bytes_in_both_versions() -> None:
    name = "record: result 42 of epoch 1, 17 black"
    assert spoken(6)[name][1:] == spoken(7)[name][1:]
    assert record.parse(spoken(6)[name][2:]) is not None


def test_a_round_that_comes_before_its_heartbeat_is_not_lit() -> None:
    ledger = Ledger(game="baccarat")
    ledger.void("misdealt")
    hand = Hand()
    hand.ask(0)
    hand.record(ledger.records[0], 1_000)
    assert hand.display.lit == DARK
    assert display_key(1) != KEY
