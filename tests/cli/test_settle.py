"""`cylindre settle`: the form of contracts/commands.md, from a file or standard input."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rules
from firmware.lib.errors import CONFIGURATION, FAILED, OK, USAGE
from rules.settle import accept, open_table, settle
from tools import cli
from tools.bench import coup_end

# The example of contracts/commands.md.
COUP = {
    "rules": "roulette_lu",
    "minimum_cents": 500,
    "number": 17,
    "compartment": 8,
    "stakes": [
        {"player": "p1", "bet": "plein", "on": [17], "cents": 500},
        {"player": "p1", "bet": "deux_douzaines", "on": [1, 2], "cents": 1000},
        {"player": "p2", "bet": "rouge", "on": [], "cents": 700},
    ],
}
BAD = {"player": "p1", "bet": "cheval", "on": [1, 36], "cents": 500}


def test_the_example_of_the_contract_is_settled(settled: Callable[..., SimpleNamespace]) -> None:
    done = settled(COUP, "--json")
    assert (done.exit_code, done.err) == (OK, "")
    assert [json.loads(line) for line in done.lines] == [
        {"player": "p1", "bet": "deux_douzaines", "on": [1, 2], "stake_cents": 1000,
         "won_cents": 500, "returned_cents": 1500},
        {"player": "p1", "bet": "plein", "on": [17], "stake_cents": 500, "won_cents": 17500,
         "returned_cents": 18000},
        {"player": "p2", "bet": "rouge", "on": [], "stake_cents": 700, "won_cents": -700,
         "returned_cents": 0},
    ]  # fmt: skip


def test_in_words_the_announcement_comes_first(settled: Callable[..., SimpleNamespace]) -> None:
    done = settled(COUP)
    assert done.exit_code == OK
    assert done.lines == [
        "17, noir, impair et manque",
        "p2: rouge, 7.00 loses 7.00, returned 0.00",
        "p1: deux douzaines 1-2, 10.00 wins 5.00, returned 15.00",
        "p1: plein 17, 5.00 wins 175.00, returned 180.00",
        "p1 in all: staked 15.00, lost 0.00, won 180.00, returned 195.00",
        "p2 in all: staked 7.00, lost 7.00, won 0.00, returned 0.00",
        "table in all: staked 22.00, lost 7.00, won 180.00, returned 195.00",
    ]


def test_art_37_1_what_is_lost_is_collected_before_anybody_is_paid(
    settled: Callable[..., SimpleNamespace],
) -> None:
    """« Le croupier ramasse les enjeux perdus et procède par joueur au paiement »; at zero the
    simple chances « sont ramassées par le croupier, un change est effectué »."""
    stakes = [
        {"player": player, "bet": bet, "on": on, "cents": 1_000}
        for player in ("p1", "p2")
        for bet, on in (("plein", [0]), ("rouge", []), ("plein", [1]))
    ]
    lines = settled(COUP | {"number": 0, "compartment": 0, "stakes": stakes}).lines
    assert [line.split(",")[0] for line in lines[1:7]] == [
        "p1: rouge", "p1: plein 1", "p2: rouge", "p2: plein 1", "p1: plein 0", "p2: plein 0",
    ]  # fmt: skip


def test_totals_of_players_and_table_come_after_the_lines_of_the_contract(
    settled: Callable[..., SimpleNamespace],
) -> None:
    plain, done = settled(COUP, "--json"), settled(COUP, "--json", "--totals")
    assert done.lines[:3] == plain.lines
    found = [json.loads(line)["total"] for line in done.lines[3:]]
    assert found == [
        {"player": player, "staked_cents": staked, "lost_cents": lost, "won_cents": won,
         "returned_cents": returned, "by_transfer": False}
        for player, staked, lost, won, returned in (
            ("p1", 1_500, 0, 18_000, 19_500), ("p2", 700, 700, 0, 0),
            (None, 2_200, 700, 18_000, 19_500),
        )
    ]  # fmt: skip


@pytest.mark.parametrize(("cents", "marked"), [(28_571, False), (28_572, True)])
def test_000_more_than_10_000_euros_are_marked_for_cheque_or_transfer(
    settled: Callable[..., SimpleNamespace], cents: int, marked: bool
) -> None:
    """« Pour tous les paiements dépassant 10 000 euros, le casino se réserve le droit de payer par
    un chèque de banque émis par la direction ou par virement bancaire »."""
    stake = {"player": "p1", "bet": "plein", "on": [17], "cents": cents}
    coup = COUP | {"minimum_cents": 10_000, "stakes": [stake]}
    *_, mine, table = settled(coup, "--json", "--totals").lines
    assert json.loads(mine)["total"]["by_transfer"] is marked
    assert json.loads(table)["total"]["by_transfer"] is False
    text = "p1 is paid more than 10000.00: by cheque or transfer."
    assert (text in settled(coup).lines) is marked
    live = coup | {"rules": "roulette_live", "maximum_multiples": {"plein": 40}}
    assert text not in settled(live).lines


def test_a_refused_stake_comes_last_and_touches_no_other(
    settled: Callable[..., SimpleNamespace],
) -> None:
    clean = settled(COUP, "--json")
    stakes = [BAD, *COUP["stakes"], 17]  # type: ignore[misc]
    done = settled(COUP | {"stakes": stakes}, "--json")
    assert done.exit_code == FAILED
    assert done.lines[:-2] == clean.lines
    assert json.loads(done.lines[-2]) == {
        "refused": BAD,
        "rule": "art. 37-2",
        "why": "1 and 36 are not neighbours on the cloth",
    }
    assert json.loads(done.lines[-1])["refused"] == 17
    words = settled(COUP | {"stakes": stakes})
    assert words.exit_code == FAILED
    assert words.lines[-2] == (
        f"refused: {json.dumps(BAD)}: 1 and 36 are not neighbours on the cloth (art. 37-2)"
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (b"", "standard input:1: this is not JSON: expecting value."),
        (b'{"rules":\n"boule_fr",}', "standard input:2: this is not JSON: "),
        (b"\xff\xff{", "standard input: this is not UTF-8 text."),
        (b"[" * 100_000, "standard input: this is not JSON of stakes: a value is too long."),
        (b"9" * 5_000, "standard input: this is not JSON of stakes: a value is too long."),
        (b'{"number": NaN}', "standard input: NaN is no number."),
        (b'{"number": -1e999}', "standard input: a number is too large."),
        (b'{"number": 1, "number": 2}', 'the key "number" stands twice in one object.'),
        ([COUP], "standard input: give one object with rules, stakes ..."),
        (COUP | {"minimum_euros": 5}, 'there is no key "minimum_euros"; did you mean "minimum_c'),
        ({"rules": "boule_fr"}, "standard input: minimum_cents is missing."),
        (COUP | {"rules": "roulete_lu"}, 'There is no game "roulete_lu"; did you mean "roulette_'),
        (COUP | {"rules": "\x1b[2J"}, "There is no game this; known: roulette_lu, "),
        (COUP | {"rules": 7}, "standard input: rules must be a text"),
        (COUP | {"stakes": {}}, "standard input: stakes must be a list of stakes."),
        (COUP | {"minimum_cents": 0}, "standard input: minimum_cents must be a whole number"),
        (COUP | {"minimum_cents": 5.0}, "standard input: minimum_cents must be a whole number"),
        (COUP | {"number": 37}, "standard input: number must be one of roulette_lu: "),
        (COUP | {"number": 17.0}, "standard input: number must be one of roulette_lu: "),
        (COUP | {"compartment": 7}, "compartment 7 of roulette_lu has 25, not 17."),
        (COUP | {"maximum_multiples": {"plein": 40}}, "must be 20 (roulette_lu, art. 37-3), not"),
        (
            {"rules": "vingt_trois_fr", "minimum_cents": 5, "number": 7, "compartment": None,
             "stakes": [{"player": "p1", "bet": "rouge", "on": [], "cents": 5}]},
            "compartment must be given: 7 is red in one and black in another",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_input_that_cannot_be_settled_is_one_sentence_and_prints_nothing(
    settled: Callable[..., SimpleNamespace], given: Any, why: str, options: tuple[str, ...]
) -> None:
    done = settled(given, *options)
    assert (done.exit_code, done.lines) == (FAILED, [])
    assert why in done.err
    assert done.err.count("\n") == 1


def test_much_input_that_is_wrong_is_refused_at_once(
    settled: Callable[..., SimpleNamespace],
) -> None:
    """Each took minutes when every key was compared with every other."""
    keys = b"".join(b'"k%d": 1, ' % at for at in range(100_000))
    began_s = time.process_time()
    assert "stands twice" in settled(b"{" + keys + b'"k99999": 2}').err
    assert "there is no key this;" in settled({"x" * 5_000_000: 1}).err
    assert "There is no game this;" in settled(COUP | {"rules": "x" * 5_000_000}).err
    assert time.process_time() - began_s < 10


@pytest.mark.parametrize(
    ("number", "compartment", "marked"), [(5, 2, True), (1, 1, False), (13, 0, False)]
)
def test_a_colour_that_only_an_unverified_order_gives_is_marked_so(
    settled: Callable[..., SimpleNamespace], number: int, compartment: int, marked: bool
) -> None:
    given = {"rules": "vingt_trois_fr", "minimum_cents": 5, "number": number, "stakes": []}
    done = settled(given | {"compartment": compartment}, "--json")
    assert (done.exit_code, done.lines) == (OK, [])
    assert done.err.startswith("UNVERIFIED layout: ") == marked
    assert settled(given | {"compartment": None}, "--json").err == ""


def test_a_house_chooses_within_the_range_and_the_number_alone_may_settle(
    settled: Callable[..., SimpleNamespace],
) -> None:
    coup = {
        "rules": "boule_fr",
        "minimum_cents": 100,
        "table_minimum_cents": 200,
        "maximum_multiples": {"plein": 100},
        "number": 9,
        "stakes": [{"player": "é", "bet": "plein", "on": [9], "cents": 10_000}],
    }
    done = settled(coup)
    assert done.exit_code == OK
    assert done.lines[:2] == [
        "9, rouge, impair et passe",
        "é: plein 9, 100.00 wins 700.00, returned 800.00",
    ]


def test_a_coup_without_stakes_is_settled_too(settled: Callable[..., SimpleNamespace]) -> None:
    assert settled(COUP | {"stakes": []}, "--json").lines == []
    assert settled(COUP | {"stakes": []}).lines == ["17, noir, impair et manque"]


def test_an_establishments_own_layout_settles_its_cases(
    settled: Callable[..., SimpleNamespace], tmp_path: Path
) -> None:
    from rules import layouts

    numbers, colours = layouts.VINGT_TROIS["layout"], layouts.VINGT_TROIS["colours"]
    path = tmp_path / "cases.toml"
    text = f'apparatus = "vingt_trois"\nsource = "ours"\nnumbers = {list(numbers[::-1])}\n'
    path.write_text(text + f"colours = {list(colours[::-1])}\n", encoding="utf-8")
    coup = {
        "rules": "vingt_trois_fr", "minimum_cents": 100, "number": 10, "compartment": 0,
        "stakes": [{"player": "p1", "bet": "noir", "on": [], "cents": 100}],
    }  # fmt: skip
    done = settled(coup, "--layout", str(path))
    assert (done.exit_code, done.lines[0]) == (OK, "10, noir")
    assert settled(coup).err.endswith("has 13, not 10 (layout UNVERIFIED).\n")
    path.write_text(text, encoding="utf-8")
    done = settled(coup, "--layout", str(path))
    assert (done.exit_code, done.lines) == (CONFIGURATION, [])
    assert "colours is missing" in done.err


def test_a_file_is_read_as_standard_input_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stakes.json"
    path.write_text(json.dumps(COUP), encoding="utf-8")
    assert cli.main(["settle", str(path), "--json"]) == OK
    assert len(capsys.readouterr().out.splitlines()) == 3
    path.write_text("{", encoding="utf-8")
    assert cli.main(["settle", str(path)]) == FAILED
    assert capsys.readouterr().err.startswith(f"{path}:1: this is not JSON: ")
    assert cli.main(["settle", str(tmp_path / "none.json")]) == FAILED
    assert capsys.readouterr().err == f"{tmp_path / 'none.json'}: no such file or directory.\n"
    assert cli.main(["settle", "--euros"]) == USAGE


def test_a_shell_pipes_stakes_in(shell: Callable[[str], Any]) -> None:
    done = shell(f"echo '{json.dumps(COUP)}' | $C settle --json | head -n 1")
    assert json.loads(done.stdout)["bet"] == "deux_douzaines"


def test_the_work_of_settling_grows_no_faster_than_the_stakes() -> None:
    """Calls, which no machine's load changes; `make bench` prints the milliseconds."""
    table = open_table(rules.load("roulette_lu"), 500)

    def calls(count: int) -> int:
        stakes = coup_end.sample(table.rules, count)
        made = 0

        def see(_frame: object, event: str, _argument: object) -> None:
            nonlocal made
            made += event in {"call", "c_call"}

        sys.setprofile(see)
        try:
            accepted, refused = accept(table, stakes)
            payments = settle(table, accepted, 17, 8)
        finally:
            sys.setprofile(None)
        assert (len(payments), len(refused)) == (count, 0)
        return made

    assert calls(4_000) < 2.1 * calls(2_000)
