"""What the suite of updates says of what it found. It plays in CI, for some minutes, by itself."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.lib import programs
from firmware.store.source_hash import firmware_hash
from tools.docs.evidence import results
from tools.docs.evidence.junit import text as as_junit
from tools.docs.evidence.requirements import requirements
from tools.docs.evidence.results import Build, Result
from tools.update_rig import suite
from tools.update_rig.scenarios import SCENARIOS
from tools.update_rig.suite import INSTALL, TRY, CaseResult, Span, moments

GOOD = CaseResult("rollback", (), 8.25)
CUT = CaseResult("power cut, try, write 7", (), 5.0, "try: 1.0.0")
HALF = CaseResult(
    "power cut, install, write 9", ("root-b is not 2.0.0 to the byte",), 5.0, "install: None"
)


def test_the_table_counts_cuts_and_tells_what_is_wrong_whole():
    lines = suite.table([GOOD, CUT, CUT, HALF]).splitlines()
    assert lines[0].split() == ["ok", "rollback", "8.2", "s"]
    assert lines[1] == "3 power cuts, 1 of them wrong; what started after it:"
    assert lines[2:4] == ["  install: None  1", "  try: 1.0.0  2"]
    assert lines[-1] == "  root-b is not 2.0.0 to the byte"


def test_junit_names_what_failed():
    root = ET.fromstring(as_junit("update", [GOOD, HALF]))
    counts = {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    assert root[0].attrib == {"name": "update", **counts, "time": "13.2"}
    assert [case.find("failure") is not None for case in root.iter("testcase")] == [False, True]


@pytest.mark.parametrize(("wrong", "word"), [((), "passed"), (("it was installed",), "failed")])
def test_the_evidence_takes_what_a_case_shows_of_which_requirement(
    tmp_path: Path, wrong: tuple[str, ...], word: str
) -> None:
    path = tmp_path / "updates.xml"
    case = CaseResult("bad bundles", wrong, 9.0, requires=("EN-5.3-9",))
    path.write_text(as_junit("update", [GOOD, case]), encoding="utf-8")
    build = Build(firmware_hash().hex(), "0" * 7)
    (shown,) = results.of_tests([path], build)
    assert shown == Result("EN-5.3-9", "scenario", "bad bundles", "kernel", word, 1, str(build))


def test_the_cases_show_that_updates_are_signed_and_never_older():
    shown = {requirement for case in SCENARIOS for requirement in case.requires}
    assert shown == {"EN-5.3-9", "EN-5.3-2"}
    assert shown <= set(requirements())


def test_cuts_are_spread_over_both_and_dense_where_the_slot_is_offered():
    found = moments(Span(601, 21), 9)
    assert found == [
        *((INSTALL, at) for at in (1, 301, 599, 600, 601)),
        *((TRY, at) for at in (1, 11, 21)),
    ]


def test_with_cuts_enough_every_write_is_cut_once():
    every = moments(Span(601, 21), 10_000)
    assert every == [*((INSTALL, at + 1) for at in range(601)),
                     *((TRY, at + 1) for at in range(21))]  # fmt: skip


def test_few_cuts_are_few():
    assert [len(moments(Span(601, 21), count)) for count in range(4)] == [0, 1, 2, 3]


def test_a_machine_that_lacks_something_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(programs, "PATH", str(tmp_path))
    done = CliRunner().invoke(suite.main, [])
    assert done.exit_code == 1
    assert "Missing here: rauc, dbus-daemon," in done.output
