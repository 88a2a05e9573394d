"""`cylindre sim` on the board of a card table: rounds in virtual time, truth beside decision."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware.config import Config
from firmware.config.game import choose
from firmware.core.cards import facts
from firmware.lib import language
from firmware.lib.errors import CONFIGURATION, FAILED, OK, USAGE, Failure
from tools import cli
from tools.commands.sim import command
from tools.journal.card_settling import answers
from tools.sim.card_croupier import KEY, CardCroupier, Deed
from tools.sim.card_shoe import READ, CardShoe
from tools.virtual.card_simulate import CardSimulation, JudgedRound

GAMES = {
    "blackjack_lu": "blackjack_ref",
    "blackjack_live": "blackjack_ref",
    "baccarat_live": "baccarat_ref",
    "punto_2000": "baccarat_ref",
}


def sim(*arguments: Any) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def lines_of(game: str, rounds: int, *more: Any) -> list[dict[str, Any]]:
    done = sim("--board", GAMES[game], "--rules", game, "--coups", rounds, "--json", *more)
    assert done.exit_code == OK, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def sentence(done: Result, exit_code: int) -> str:
    assert isinstance(done.exception, Failure)
    assert done.exception.exit_code == exit_code
    return str(done.exception.sentence)


@pytest.mark.parametrize("game", GAMES)
def test_each_round_is_judged_beside_its_truth_which_settles_to_the_same_payments(
    game: str,
) -> None:
    lines = lines_of(game, 12, "--seed", 4)
    judged = [line for line in lines if line["event"] == "judged"]
    assert [line["round"] for line in judged] == list(range(1, 13))
    assert {line["verdict"] for line in judged} == {"right"}
    file = io.BytesIO(b"".join(json.dumps(line["truth"]).encode() + b"\n" for line in judged))
    for line, (answer, is_whole) in zip(judged, answers(file), strict=True):
        assert is_whole, answer
        decision = line["decision"]
        assert json.loads(answer)["payments"] == decision["payments"]
        assert json.loads(answer)["outcome"] == decision["outcome"]
    results = [line for line in lines if line["event"] == "round_result"]
    assert results == [line["decision"] for line in judged]
    payments = [each for line in results for each in line["payments"]]
    summary = lines[-1]
    assert (summary["event"], summary["rules"], summary["rounds"]) == ("summary", game, 12)
    assert (summary["right"], summary["wrong"], summary["void"], summary["unended"]) == (
        12,
        0,
        0,
        0,
    )
    assert summary["staked_cents"] == sum(each["stake_cents"] for each in payments)
    assert summary["returned_cents"] == sum(each["returned_cents"] for each in payments)


def test_the_same_seed_gives_the_same_lines_in_another_process_and_another_seed_others() -> None:
    def run(seed: int, hashing: str) -> bytes:
        words = ["sim", "--board", "blackjack_ref", "--coups", "3", "--seed", str(seed), "--json"]
        return subprocess.run(
            [sys.executable, "-m", "tools.cli", *words],
            stdout=subprocess.PIPE,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hashing},
        ).stdout

    assert run(3, "1") == run(3, "2") != run(4, "1")


def test_people_get_a_line_a_round_and_a_summary() -> None:
    rows = sim("--board", "baccarat_ref", "--coups", 2, "--seed", 2).stdout.splitlines()
    assert rows[0].split() == ["round", "cards", "s", "staked", "returned", "verdict", "decision"]
    assert [row.split()[0] for row in rows[1:3]] == ["1", "2"]
    assert "wins: player " in rows[1]
    assert rows[4:6] == ["2 rounds of baccarat_live, seed 2", "  right 2   wrong 0   void 0"]


def test_people_are_told_in_their_language(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        for board, said in (("baccarat_ref", "le banquier gagne"), ("roulette_ref", "justes 1")):
            assert cli.main(["--lang", "fr", "sim", "--board", board, "--coups", "1"]) == OK
            assert said in capsys.readouterr().out
    finally:
        language.choose(None)


def test_players_lay_what_the_house_takes(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        "[stakes]\nminimum_cents = 5000\n[cards]\ndecks = 8\nmaximum_multiple = 50\n"
        "[side_bets]\nperfect_pairs = true\nsuper_gold = true\n"
    )
    lines = lines_of("blackjack_lu", 30, "--config", house)
    assert not [line for line in lines if line["event"] == "fault" and line["code"] == "P10"]
    truths = [line["truth"] for line in lines if line["event"] == "judged"]
    stakes = [stake for truth in truths for stake in truth["stakes"]]
    assert {stake["bet"] for stake in stakes} == {"main", "perfect_pairs", "super_gold"}
    assert min(stake["cents"] for stake in stakes if stake["bet"] == "main") >= 5_000
    assert {(truth["decks"], truth["maximum_multiple"]) for truth in truths} == {(8, 50)}


def test_a_shoe_that_says_another_card_than_it_gave_makes_a_wrong_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = CardShoe.detections

    def detections(shoe: CardShoe, now_us: int) -> list[Any]:
        said = []
        for each in right(shoe, now_us):
            if each.what == READ:
                other = (each.card + 1) % 52
                each = each._replace(card=other, read1=other, read2=other)
            said.append(each)
        return said

    monkeypatch.setattr(CardShoe, "detections", detections)
    done = sim("--board", "baccarat_ref", "--coups", 2, "--seed", 2, "--json")
    wrong = [line for line in map(json.loads, done.stdout.splitlines()) if line.get("verdict")]
    assert [line["verdict"] for line in wrong] == ["wrong", "wrong"]
    assert sentence(done, FAILED) == (
        "2 wrong rounds and 0 without an end; `cylindre sim --board baccarat_ref"
        " --rules baccarat_live --seed 2 --coups 2 --json` repeats them."
    )


def test_a_round_that_does_not_end_is_waited_for_so_long_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("_do_deal", "_do_late"):
        monkeypatch.setattr(CardCroupier, name, lambda *_: [])
    done = sim("--board", "baccarat_ref", "--coups", 2)
    assert "right 0   wrong 0   void 0   without an end 1" in done.stdout
    assert "0 wrong rounds and 1 without an end" in sentence(done, FAILED)


def test_a_void_gives_back_what_was_staked_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CardCroupier, "_do_decide", lambda self, at_us: [Deed(KEY, "void")])
    done = sim("--board", "blackjack_ref", "--coups", 3, "--json")
    assert done.exit_code == OK
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    voids = [line for line in lines if line["event"] == "round_void"]
    assert voids
    assert lines[-1]["void"] == len(voids)
    assert lines[-1]["void_reasons"] == {voids[0]["reason"]: len(voids)}
    shown = sim("--board", "blackjack_ref", "--coups", 3).stdout
    assert f"void {len(voids)} (declared at the table {len(voids)})" in shown


def test_what_has_been_told_is_kept_no_longer() -> None:
    game = choose("baccarat_ref", Config())
    simulation = CardSimulation(game, seed=1, config=Config())
    judged = [item for item in simulation.play(8) if isinstance(item, JudgedRound)]
    assert [one.decision.round for one in judged] == list(range(1, 9))
    assert all(type(one.decision) is facts.RoundResult for one in judged)
    table = simulation._table
    assert (table.told, table.truths, table.store.rows) == ([], [], [])


@pytest.mark.parametrize(
    "words", [("--wheel", "W1"), ("--hand",), ("--set", "slowing=1"), ("--trace", "new.vcd")]
)
def test_what_is_of_a_wheel_is_refused(words: tuple[str, ...]) -> None:
    done = sim("--board", "blackjack_ref", "--coups", 1, *words)
    assert sentence(done, USAGE) == (
        "--wheel, --hand, --set and --trace are of a wheel; blackjack_ref is a card table."
    )


def test_rules_that_are_not_played_there_are_refused() -> None:
    done = sim("--board", "baccarat_ref", "--rules", "blackjack_lu", "--coups", 1)
    assert "blackjack_lu is not played on baccarat_ref" in sentence(done, CONFIGURATION)
    done = sim("--rules", "boule_fr", "--coups", 1)
    assert "boule_fr is not played on roulette_ref" in sentence(done, CONFIGURATION)
