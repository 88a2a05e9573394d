"""What a terminal tells its player in words."""

import json

from firmware.bus.terminal import Decided, Settled, Unseated
from firmware.bus.terminal_messages import Stake
from firmware.services.terminal.player_stakes import StakeSums
from firmware.services.terminal.text import as_json, as_words


def test_payments_are_told_in_units_with_two_decimals_as_cylindre_settle_tells_them() -> None:
    placed = {2: Stake(7, "plein", 500, (17,)), 3: Stake(7, "rouge", 700, ())}
    told = Settled(7, 17, "black", ((2, 500, 17_500), (3, 700, -700), (4, 105, 0)))
    assert as_words(told, placed).splitlines() == [
        "coup 7: 17 black",
        "  stake 3: rouge, 7.00 loses 7.00, returned 0.00",
        "  stake 2: plein 17, 5.00 wins 175.00, returned 180.00",
        "  stake 4: 1.05 neither wins nor loses, returned 1.05",
        "  together: 13.05 wins 168.00, returned 181.05",
    ]


def test_a_refusal_names_its_rule_once() -> None:
    told = Decided(1, Stake(7, "rouge", 500, ()), False, "art. 37-1", "too late")
    assert as_words(told, {}) == "refused: rouge 5.00 (art. 37-1: too late)"


def test_a_player_whom_an_employee_signed_off_is_told_so() -> None:
    assert as_words(Unseated(7), {}).startswith("an employee has signed you off: ")
    assert json.loads(as_json(Unseated(7), 5, {})) == {"t_us": 5, "event": "unseated", "coup": 7}


def test_the_sums_of_a_players_stakes_are_told_in_words_and_in_cents() -> None:
    sums = StakeSums(1205, 7, 500)
    assert as_words(sums, {}) == (
        "mise actuelle · stakes now: 12.05; dernière mise · last stakes: 5.00 (coup 7)"
    )
    assert json.loads(as_json(sums, 5, {})) == {
        "t_us": 5,
        "event": "stakes",
        "current_cents": 1205,
        "last_coup": 7,
        "last_cents": 500,
    }
    assert as_words(StakeSums(0, 0, 0), {}).endswith("now: 0.00; dernière mise · last stakes: none")
    assert "now: not known" in as_words(StakeSums(None, 0, 0), {})
