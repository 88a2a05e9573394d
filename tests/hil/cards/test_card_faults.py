"""Every fault of a card table, made once; and small campaigns of them, singly and in pairs."""

from __future__ import annotations

import json
from random import Random

import pytest

from tools.hil.cards import __main__ as command
from tools.hil.cards import faults, scenario, work
from tools.hil.cards.faults import CONFIRMED
from tools.hil.cards.runner import run_virtual
from tools.hil.cards.scenario import CardScenario, Plan
from tools.hil.cards.summary import CLEAN, Total
from tools.hil.faults.entry import Fault
from tools.virtual.card_table import drawn_setup

AN_ACE = 30  # rounds until the dealer surely has shown one


def alone(fault: Fault, seed: int) -> CardScenario:
    """That fault in the second round, at a table where it can be made."""
    rng = Random(f"{fault.name}/{seed}")
    while True:
        game = rng.choice(fault.apparatus)
        setup = drawn_setup(game, rng.randrange(1, 2**31), rng)
        setup = setup._replace(accounts=fault.layer == faults.SEATS)
        if faults.suits(fault, setup):
            break
    use = scenario.use_of(fault, game, 2, rng)._replace(nth=1)
    rounds = AN_ACE if use.moment == "insure" else 3
    return CardScenario(fault.name, setup, rounds, (use,))


@pytest.mark.parametrize("fault", [*map(faults.find, scenario.ALL)], ids=lambda each: each.name)
def test_a_fault_is_made_and_breaks_no_rule(fault: Fault) -> None:
    for seed in range(1, 9):  # a round may be over before its moment comes
        ran = run_virtual(alone(fault, seed))
        assert ran.verdict.broken == ()
        assert ran.verdict.rounds[0].verdict == CONFIRMED
        if ran.log.begun != [None]:
            return
    raise AssertionError("it was never made")


def test_a_small_campaign_is_good_and_adds_up() -> None:
    plan = Plan(seed=1, rounds=96, pairs=48)
    total = Total(work.rows(plan, 1))
    assert total.good, [row["broken"] for row in total.failed()]
    assert total.rounds == 144 == total.confirmed + total.void
    cells = total.cells()
    assert cells[CLEAN].rounds == total.clean > 0
    assert cells[CLEAN].void == cells[CLEAN].held == 0
    assert sum(cell.rounds for cell in cells.values()) == total.uses + total.clean
    assert {row["game"] for row in total.rows} == {*faults.GAMES}


def test_a_small_campaign_with_players_money_is_good() -> None:
    names = [fault.name for fault in faults.FAULTS if fault.layer == faults.SEATS]
    plan = Plan(1, 144, 48, (*names, "killed", "void_pressed", "screen_off"), accounts=True)
    total = Total(work.rows(plan, 1))
    assert total.good, [row["broken"] for row in total.failed()]
    cells = total.cells()
    assert sum(bool(cells[name].rounds) for name in names) > 12


def test_a_job_is_the_same_whenever_it_is_played_and_wherever() -> None:
    plan = Plan(seed=4, rounds=24, pairs=12)
    assert list(work.rows(plan, 1)) == sorted(work.rows(plan, 2), key=lambda row: row["job"])


def test_the_command_repeats_a_job_and_writes_what_came_of_all(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--rounds", "12", "--pairs", "0", "--seed", "2"]
    assert command.main([str(tmp_path), *given, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rounds"] == 12
    assert command.command(Plan(2, 12, 0), 0).endswith("--rounds 12 --pairs 0 --seed 2 --job 0")
    assert command.main([*given, "--job", "0"]) == 0
    assert '"name": "job-000000"' in capsys.readouterr().out
    assert command.main([*given, "--job", "1"]) == 2
    assert command.main(["--faults", "rotor_jams"]) == 2
    assert command.main(["--accounts", "--place", "process"]) == 2
    assert "--accounts" in command.command(Plan(2, 12, 0, accounts=True), 0)


def test_one_fault_alone_is_drawn_for_every_job() -> None:
    plan = Plan(seed=1, rounds=24, pairs=0, faults=("jam",))
    assert {use.fault for at in range(2) for use in scenario.job(plan, at).uses} == {"jam"}


def test_the_power_that_goes_a_moment_later_ends_the_round_of_another_fault() -> None:
    plan = Plan(seed=1, rounds=48, pairs=0, faults=("killed", "cut_pressed"))
    assert Total(work.rows(plan, 1)).good


@pytest.mark.parametrize(("seed", "game"), [(6, "baccarat_live"), (7, "punto_2000")])
def test_after_a_restart_nobody_hears_of_a_void_before_the_call(seed: int, game: str) -> None:
    """No row has the stakes that lay there: nothing of them was ever taken from an account."""
    setup = drawn_setup(game, seed, Random(seed))._replace(accounts=True)
    uses = [
        scenario.Use("void_pressed", 2, "bets", 1, seed),
        scenario.Use("killed_recording", 2, "recording", 1, seed),
    ]
    assert run_virtual(CardScenario("void", setup, 6, tuple(uses))).verdict.broken == ()


def test_a_fault_that_is_drawn_and_never_comes_about_fails_the_campaign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    idle = faults.find("jam")._replace(make=lambda table, rng: False)
    monkeypatch.setitem(faults._BY_NAME, "jam", idle)
    total = Total(work.rows(Plan(1, 36, 0, ("jam",)), 1))
    assert (total.uses, total.never(), total.broken) == (0, ["jam"], {})
    assert not total.good
    assert "never come about: jam" in total.sentence()
