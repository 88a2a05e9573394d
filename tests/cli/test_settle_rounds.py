"""`cylindre settle` of card games: the form of contracts/commands.md, one round or one a line."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.lib.errors import FAILED, OK, USAGE
from tools.journal.card_settling import LINE_MAX

# The example of contracts/commands.md.
ROUND: dict[str, Any] = {
    "rules": "blackjack_lu",
    "decks": 6,
    "house": {"max_hands": 4, "similar_only": False, "das": True},
    "stakes": [
        {"player": "p4", "seat": 4, "bet": "main", "cents": 9600},
        {
            "player": "p9",
            "seat": 4,
            "bet": "behind",
            "cents": 500,
            "follow": "double",
            "funds_cents": 2000,
        },
    ],
    "cards": ["3S", "5D", "KS", "6C", "8S", "6D"],
    "decisions": [{"seat": 4, "hand": 1, "do": "hit"}, {"seat": 4, "hand": 1, "do": "stand"}],
}
BACCARAT: dict[str, Any] = {
    "rules": "baccarat_live",
    "stakes": [
        {"player": "a", "bet": "banker", "cents": 2000},
        {"player": "b", "bet": "tie", "cents": 500},
    ],
    "cards": ["2S", "9D", "TH", "TC"],
}
# A stake that no limit makes whole.
ROUNDED = BACCARAT | {"stakes": [{"player": "a", "bet": "banker", "cents": 30}]}


def test_a_round_is_answered_in_one_object(settled: Callable[..., SimpleNamespace]) -> None:
    done = settled(ROUND, "--json")
    (line,) = done.lines
    answer = json.loads(line)
    assert (done.exit_code, done.err) == (OK, "")
    assert answer["to"] == ["s4", "d", "s4", "s4", "d", "d"]
    assert answer["payments"] == [
        {"player": "p4", "bet": "main", "seat": 4, "hand": 1, "stake_cents": 9600,
         "won_cents": 0, "returned_cents": 9600},
        {"player": "p9", "bet": "behind", "seat": 4, "hand": 1, "stake_cents": 500,
         "won_cents": 0, "returned_cents": 500},
    ]  # fmt: skip
    assert answer["outcome"]["dealer"] == {
        "cards": ["5D", "8S", "6D"], "points": 19, "black_jack": False,
    }  # fmt: skip
    assert answer["outcome"]["hands"][0]["result"] == "equal"


def test_in_words_the_cards_come_first_then_what_is_paid(
    settled: Callable[..., SimpleNamespace],
) -> None:
    assert settled(ROUND).lines == [
        "banque: 5♦ 8♠ 6♦ = 19",
        "seat 4, hand 1: 3♠ R♠ 6♣ = 19",
        "p4: mise, seat 4, hand 1, 96.00 neither wins nor loses, returned 96.00",
        "p9: derrière, seat 4, hand 1, 5.00 neither wins nor loses, returned 5.00",
        "p4 in all: staked 96.00, lost 0.00, won 0.00, returned 96.00",
        "p9 in all: staked 5.00, lost 0.00, won 0.00, returned 5.00",
        "table in all: staked 101.00, lost 0.00, won 0.00, returned 101.00",
    ]
    assert settled(BACCARAT).lines == [
        "joueur: 2♠ 10♥ = 2",
        "banquier: 9♦ 10♣ = 9",
        "banquier",
        "b: égalité, 5.00 loses 5.00, returned 0.00",
        "a: banquier, 20.00 wins 19.00, returned 39.00",
        "b in all: staked 5.00, lost 5.00, won 0.00, returned 0.00",
        "a in all: staked 20.00, lost 0.00, won 19.00, returned 39.00",
        "table in all: staked 25.00, lost 5.00, won 19.00, returned 39.00",
    ]
    jack = ROUND | {"cards": ["AS", "5D", "KS"], "decisions": []}
    assert settled(jack).lines[1] == "seat 4, hand 1: A♠ R♠ = Black Jack"


def test_a_line_is_answered_by_a_line_and_a_bad_one_spoils_no_other(
    settled: Callable[..., SimpleNamespace],
) -> None:
    lines = [
        json.dumps(ROUND),
        json.dumps(ROUND | {"cards": ROUND["cards"][:-1]}),
        "{",
        json.dumps(BACCARAT),
        json.dumps({"rules": "roulette_lu"}),
        "",
        " " * (LINE_MAX + 9),
        json.dumps(BACCARAT | {"minimum_cents": 1000}),
        json.dumps({"rules": "baccarat_live", "minimum_cents": 500, "stakes": []}),
        json.dumps(
            BACCARAT | {"minimum_cents": 10, "stakes": [BACCARAT["stakes"][0] | {"cents": 30}]}
        ),
    ]
    done = settled("\n".join(lines).encode(), "--lines")
    answers = [json.loads(line) for line in done.lines]
    assert (done.exit_code, len(answers)) == (FAILED, len(lines))
    assert [sorted(answer) for answer in answers] == [
        ["outcome", "payments", "to"], ["error", "rule"], ["error", "rule"],
        ["outcome", "payments", "to"], ["error", "rule"], ["error", "rule"], ["error", "rule"],
        ["outcome", "payments", "refused", "to"], ["accepted"], ["error", "rule"],
    ]  # fmt: skip
    assert answers[1] == {
        "error": "after 5 cards the next one goes to d, and there is none.", "rule": "II.1",
    }  # fmt: skip
    assert answers[7]["refused"][0]["why"] == "500 cents are under the minimum of 1000"
    assert settled((json.dumps(ROUND) + "\n").encode() * 3, "--lines").exit_code == OK


def test_stakes_outside_the_limits_are_refused_one_by_one(
    settled: Callable[..., SimpleNamespace],
) -> None:
    stakes = [
        {"player": "a", "seat": 1, "bet": "main", "cents": 400},
        {"player": "b", "seat": 2, "bet": "main", "cents": 500},
        {"player": "c", "seat": 3, "bet": "main", "cents": 50_002},
    ]
    limits = {"rules": "blackjack_lu", "minimum_cents": 500, "maximum_multiple": 100}
    done = settled(limits | {"stakes": stakes}, "--json")
    told = [json.loads(line) for line in done.lines]
    assert done.exit_code == FAILED
    assert [each["refused"] for each in told] == [stakes[0], stakes[2]]
    assert {each["rule"] for each in told} == {"art. 33"}
    assert settled(limits | {"stakes": stakes[1:2]}).lines == ["stakes within the limits: 1"]
    assert "refused: " in settled(limits | {"stakes": stakes}).lines[1]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"cards": []}, "after 0 cards the next one goes to s4, and there is none. (II.1)"),
        ({"cards": [*ROUND["cards"], "2S"]}, "7 are given: 1 too many. (II.1)"),
        ({"cards": [*ROUND["cards"][:-1], "1S"]}, 'there is no card "1S"'),
        ({"cards": [7, "5D"]}, "there is no card this"),
        ({"cards": "3S 5D"}, "cards must be a list."),
        ({"decisions": []}, "hand 1 decides (hit, stand), and no decision is given. (II.1)"),
        ({"decisions": [{"seat": 4, "do": "surrender"}]}, "a decision is one of"),
        ({"decisions": [{"seat": 4, "hand": 1, "do": "double"}]}, "and this one has 13. (II.4)"),
        ({"decisions": [{"seat": "4", "do": "hit"}]}, "a decision has a whole seat"),
        ({"decisions": [{"seat": 4, "do": "hit", "when": 1}]}, "seat, hand, do and cents alone"),
        ({"decisions": [7]}, "a decision is an object"),
        ({"stakes": []}, "no seat has a main stake: no hand is dealt. (II.1)"),
        ({"stakes": 7}, "stakes must be a list."),
        ({"stakes": [ROUND["stakes"][0] | {"cents": 2.5}]}, "cents must be a whole number"),
        ({"stakes": [ROUND["stakes"][0] | {"cents": 2501}]}, "would have to be rounded"),
        ({"stakes": [ROUND["stakes"][0] | {"seat": 8}]}, "from 1 to 7. (art. 32)"),
        ({"stakes": [ROUND["stakes"][0] | {"bet": "rouge"}]}, 'there is no bet "rouge"'),
        ({"decks": 5}, "decks must be 6 or 8 at blackjack_lu."),
        ({"decks": {}}, "decks must be 6 or 8"),
        ({"house": {"h17": True}}, "h17 must be false at blackjack_lu"),
        ({"house": {"surrender": True}}, 'the house has no key "surrender"'),
        ({"number": 17}, 'there is no key "number" in a round of cards'),
        ({"minimum_cents": 500, "maximum_multiple": 60}, "must be 50, 100 or 200"),
        ({"minimum_cents": [5]}, "minimum_cents must be a whole number"),
        ({"maximum_multiple": 50}, "maximum_multiple is of minimum_cents, which is missing."),
    ],
)  # fmt: skip
def test_what_cannot_be_settled_is_one_sentence_with_its_rule(
    settled: Callable[..., SimpleNamespace], change: dict[str, Any], why: str
) -> None:
    done = settled(ROUND | change, "--json")
    assert (done.exit_code, done.lines) == (FAILED, [])
    assert why in done.err
    assert (done.err.count("\n"), "Traceback" in done.err) == (1, False)
    lined = settled(json.dumps(ROUND | change).encode(), "--lines")
    assert lined.exit_code == FAILED
    assert set(json.loads(lined.lines[0])) == {"error", "rule"}


def test_cards_or_stakes_that_are_missing_are_asked_for(
    settled: Callable[..., SimpleNamespace],
) -> None:
    for key in ("cards", "stakes"):
        without = {name: value for name, value in ROUND.items() if name != key}
        assert f"{key} is missing." in settled(without).err


def test_lines_stand_alone(settled: Callable[..., SimpleNamespace]) -> None:
    assert settled(ROUND, "--lines", "--totals").exit_code == USAGE
    assert settled(ROUND, "--layout", "cases.toml").exit_code == USAGE
    assert settled(ROUND, "--totals").exit_code == USAGE


def test_a_value_that_is_nested_too_deep_spoils_its_line_alone(
    settled: Callable[..., SimpleNamespace],
) -> None:
    whole = json.dumps(ROUND)
    lines = []
    for depth in (300, 900, 960, 980, 985, 990, 995, 1000, 5000):
        deep = "[" * depth + "]" * depth
        for key in ("house", "decks", "cards", "stakes"):
            lines += [whole.replace("{", f'{{"{key}": {deep}, "x": 1, ', 1), whole]
        lines.append(json.dumps(ROUND).replace('"main"', deep, 1))
    done = settled("\n".join(lines).encode(), "--lines")
    answers = [json.loads(line) for line in done.lines]
    assert (done.exit_code, done.err, len(answers)) == (FAILED, "", len(lines))
    assert sum("payments" in answer for answer in answers) == sum(line == whole for line in lines)
    assert all("error" in answer or "payments" in answer for answer in answers)


def test_what_is_paid_over_10_000_euros_is_marked(settled: Callable[..., SimpleNamespace]) -> None:
    # Seeds 000: "Pour tous les paiements dépassant 10 000 euros"
    large = ROUND | {"stakes": [ROUND["stakes"][0] | {"cents": 2_000_000}]}
    won = large | {"cards": ["TS", "5D", "KS", "TC", "TD"], "decisions": ROUND["decisions"][1:]}
    assert "by cheque or transfer" in settled(won).lines[-2]


def test_an_unknown_game_is_told_before_its_keys(settled: Callable[..., SimpleNamespace]) -> None:
    done = settled(ROUND | {"rules": "blackjack"})
    assert done.err.startswith('There is no game "blackjack"; did you mean')
