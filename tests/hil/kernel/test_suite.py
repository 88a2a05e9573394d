"""What the suite of the kernel rig plays, and what it lets pass."""

import json
import xml.etree.ElementTree as ET

import pytest

from firmware.core import facts
from firmware.lib.errors import FAILED, Failure
from firmware.store.source_hash import firmware_hash
from tools.docs.evidence import results
from tools.docs.evidence.junit import text as as_junit
from tools.hil import scenario_file, verdict
from tools.hil.cards import faults as card_faults
from tools.hil.cards.summary import Total
from tools.hil.faults import catalogue
from tools.hil.kernel import findings, play, programme, suite
from tools.hil.places import Ran, Unplayed, kernel
from tools.hil.scenario import Scenario
from tools.hil.stage.ledger import NO_SLACK, REAL_SLACK
from tools.virtual.score import RIGHT, VOID, Judged

SCENARIO = Scenario("clean", "Nothing goes wrong", "roulette", 5)
COUNTS = {"made": 900, "counted": 900, "transfers": 12, "late_us": 40, "told_us": 900}
LATE = COUNTS | {"late_us": findings.REAL_LATE_US}


def ran(*verdicts, broken=()):
    coups = tuple(
        Judged(at, None, facts.Void(0, at, at, "encoder"), one, False, 0, 0, 0)
        for at, one in enumerate(verdicts)
    )
    return Ran(verdict.Verdict(coups, (), (), tuple(broken)), 900, 1, 1.0)


def sentences(kind, *verdicts, counts=COUNTS, broken=()):
    return findings.wrong(kind, SCENARIO, ran(*verdicts, broken=broken), counts)


@pytest.mark.parametrize("kind", [programme.CLEAN, programme.FAULTS, programme.REAL])
def test_coups_that_are_right_pass(kind):
    assert sentences(kind, *[RIGHT] * 5) == []


@pytest.mark.parametrize("kind", [programme.CLEAN, programme.REAL])
def test_a_clean_coup_that_is_void_and_no_edge_was_late_is_wrong(kind):
    (text,) = sentences(kind, *[RIGHT] * 4, VOID)
    assert text == (
        "1 coups in which nothing went wrong are void, and 0 may be:"
        " the latest edge was made 0.0 ms late."
    )


def test_half_may_be_void_in_real_time_where_the_machine_was_late():
    assert sentences(programme.REAL, *[RIGHT] * 3, *[VOID] * 2, counts=LATE) == []
    assert sentences(programme.REAL, *[RIGHT] * 2, *[VOID] * 3, counts=LATE)


def test_a_late_edge_in_virtual_time_is_wrong_and_excuses_no_void():
    late, void = sentences(programme.CLEAN, *[RIGHT] * 4, VOID, counts=LATE)
    assert late == "The wheel made an edge 5.0 ms late."
    assert void.startswith("1 coups")


def test_what_the_oracle_finds_is_wrong_everywhere():
    broken = [verdict.Broken(verdict.BROKEN, 1, "the journal is not intact")]
    for kind in (programme.CLEAN, programme.FAULTS, programme.REAL):
        assert sentences(kind, *[RIGHT] * 5, broken=broken) == ["broken: the journal is not intact"]


def test_an_edge_that_the_kernel_has_not_counted_is_wrong():
    (text,) = sentences(programme.REAL, *[RIGHT] * 5, counts=COUNTS | {"counted": 899})
    assert text == "The kernel has counted 1 edges fewer than were made."


def test_coups_that_never_ended_are_wrong():
    (text,) = sentences(programme.CLEAN, *[RIGHT] * 4)
    assert text == "Only 4 of 5 coups have ended."


def test_a_coup_begun_when_all_was_over_does_not_count():
    part = findings.judged(programme.CLEAN, SCENARIO, ran(*[RIGHT] * 5, VOID), COUNTS, 9.0)
    assert (part.coups, part.right, part.voids, part.wrong) == (5, 5, (), ())


def test_so_many_coups_of_each_apparatus_are_played_in_either_time():
    assert [one.coups for one in programme.real(5, 1)] == [5, 5, 5]
    assert [one.coups for one in programme.clean(20, 1)] == [20, 20, 20]
    assert programme.real(0, 1) == []


def test_the_table_tells_voids_by_reason_and_all_that_is_wrong():
    part = findings.judged(programme.REAL, SCENARIO, ran(*[RIGHT] * 2, *[VOID] * 3), LATE, 9.0)
    head, row, wrong = findings.table([part]).splitlines()
    assert head.split()[:6] == ["part", "time", "s", "coups", "right", "void"]
    assert row.split() == "clean real 9 5 2 3 encoder 0 5.00 0.90 wrong".split()
    assert wrong.startswith("clean: 3 coups in which nothing went wrong are void, and 2 may be")


def test_evidence_takes_what_the_suite_writes(tmp_path):
    tests = ET.fromstring('<testsuites><testsuite><testcase name="b"/></testsuite></testsuites>')
    right = findings.Part("real-boule", "real", (), requires=("UK-2.2.parts",))
    broken = findings.Part(
        "rotor_jams", "virtual", ("It is wrong.",), requires=("UK-4.1.detected",)
    )
    path = tmp_path / "kernel.xml"
    path.write_text(as_junit("kernel", [right, broken], tests=tests))
    build = results.Build(firmware_hash().hex(), "c0ffee")
    told = [each[:6] for each in results.of_tests([path], build)]
    assert told == [
        ("UK-2.2.parts", "scenario", "real-boule", "kernel", "passed", 1),
        ("UK-4.1.detected", "scenario", "rotor_jams", "kernel", "failed", 1),
    ]


def test_a_guest_that_does_not_play_is_one_part_that_is_wrong(monkeypatch, tmp_path):
    def fail(*_, **__):
        raise Failure(FAILED, "The guest ended without a word.")

    monkeypatch.setattr(kernel, "play", fail)
    (part,) = suite._play(tmp_path, programme.real(5, 1)[0])
    assert (part.name, part.wrong) == ("real-roulette", ("The guest ended without a word.",))


def test_every_layer_that_the_place_is_asked_for_has_a_fault_that_it_can_make(tmp_path):
    layers = set()
    for scenario in (one for each in programme.faults() for one in each.scenarios):
        path = tmp_path / f"{scenario.name}.toml"
        path.write_text(scenario_file.write(scenario))
        assert scenario_file.load(path) == scenario
        entry = catalogue.find(scenario.faults[0].fault)
        assert "kernel" in entry.places
        layers.add(entry.layer)
    assert layers >= {"sensors", "rotor", "ball", "people", "bus", "display", "host", "level"}


def test_a_power_cut_that_the_machine_does_not_allow_is_one_part_that_is_wrong(
    monkeypatch, tmp_path
):
    def fail(*_, **__):
        raise PermissionError(13, "Permission denied", "mkfs.ext4")

    monkeypatch.setattr(suite.power, "cut", fail)
    (part,) = suite._cut(tmp_path, "boule", 6)
    assert "Permission denied" in part.wrong[0]


def plays_cards(broken):
    """A guest that leaves what two rounds of cards came to."""

    def run(command, out, **_):
        out.mkdir()
        folder = command[command.index("tools.hil.cards") + 1]
        assert folder == out.resolve()
        one = {"verdict": "confirmed", "reason": None, "held": False, "uses": [], "own": []}
        rounds = [one | {"number": 1}, one | {"number": 2, "verdict": "void", "reason": "croupier"}]
        row = {"job": 0, "rounds": rounds, "broken": broken, "not_begun": 0, "table_s": 15}
        row["drawn"] = []
        (out / "results.jsonl").write_text(json.dumps(row) + "\n")
        (out / "summary.json").write_text(json.dumps(Total([row]).as_json()))
        return bool(broken)

    return run


def test_rounds_of_cards_are_one_part_of_the_suite(monkeypatch, tmp_path):
    monkeypatch.setattr(suite.guest, "run", plays_cards([]))
    (part,) = suite._cards(tmp_path / "cards")
    told = (part.coups, part.right, part.voids, part.wheel_s, part.wrong)
    assert told == (2, 1, (("croupier", 1),), 15, ())


def test_a_wrong_round_of_cards_and_a_guest_that_does_not_play_are_wrong(monkeypatch, tmp_path):
    broken = {"rule": "wrong_pay", "round": 1, "fault": None, "text": "it paid twice"}
    monkeypatch.setattr(suite.guest, "run", plays_cards([broken]))
    (part,) = suite._cards(tmp_path / "cards")
    assert part.wrong == ("wrong_pay: it paid twice",)
    monkeypatch.setattr(suite.guest, "run", lambda *_, **__: 1)
    (part,) = suite._cards(tmp_path / "none")
    assert part.wrong


def test_what_goes_wrong_with_cards_can_be_made_in_a_process():
    assert {*programme.CARD_FAULTS} <= {*card_faults.of_place("process")}


@pytest.mark.parametrize(("real", "slack"), [(True, REAL_SLACK), (False, NO_SLACK)])
def test_a_guest_whose_time_jumps_has_no_slack_for_a_busy_machine(
    monkeypatch, tmp_path, real, slack
):
    words, slacks = [], []
    monkeypatch.setattr(kernel.guest, "run", lambda command, *_, **__: words.extend(command) or 1)
    monkeypatch.setattr(play, "play", lambda *given: slacks.append(given[2]) or ran(RIGHT))
    (tmp_path / kernel.guest.CONSOLE).write_text("nothing")
    with pytest.raises(Unplayed, match="ended with 1"):
        kernel.play([SCENARIO], tmp_path, real=real)
    play.main([str(word) for word in words[words.index("tools.hil.kernel.play") + 1 :]])
    assert slacks == [slack]
