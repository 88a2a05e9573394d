"""What `make fast` compiles plays each byte as the sources do: coups, campaigns, traces."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.fast import switch
from tools.testing.machine import TRACES
from tools.testing.sizes import size

ROOT = Path(__file__).parents[3]
COUPS = size("coups compiled and interpreted")
CAMPAIGN_COUPS = size("coups of a campaign, compiled and interpreted")
# A command line with the compiled part, also where the command itself would not ask for it.
LINE = """
import sys
from tools.fast import switch
switch.use_compiled()
from tools.cli import main
sys.exit(main())
"""
pytestmark = pytest.mark.needs("gcc", "Python headers")
BOARDS = {
    "sample_clean_w2": "roulette_ref",
    "sample_mixed_w1": "roulette_ref",
    "sample_mixed_vingt_trois": "vingt_trois_ref",
    "sample_mixed_boule": "boule_ref",
}


def ask(kind, *arguments):
    """What the command wrote to standard output; it said which is played."""
    environ = {key: value for key, value in os.environ.items() if key != switch.INTERPRETED}
    if kind == "interpreted":
        environ[switch.INTERPRETED] = "1"
    done = subprocess.run(
        [sys.executable, "-c", LINE, *map(str, arguments)],
        cwd=ROOT, env=environ, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert (b"Playing compiled" in done.stderr) == (kind == "compiled"), done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """The part is that of these sources; where it is not, it is built, as by make fast."""
    subprocess.run([sys.executable, "-m", "tools.fast"], cwd=ROOT, check=True)


def alike(*arguments):
    compiled, plain = ask("compiled", *arguments), ask("interpreted", *arguments)
    assert compiled, arguments
    same = hashlib.sha256(compiled).digest() == hashlib.sha256(plain).digest()
    assert same, first_difference(compiled, plain)


def first_difference(compiled, plain):
    """Lines that differ first."""
    pairs = zip(compiled.splitlines(), plain.splitlines(), strict=False)
    return next((pair for pair in pairs if pair[0] != pair[1]), "one is longer")


@pytest.mark.parametrize(
    ("board", "wheel", "how"),
    [
        ("roulette_ref", "W1", []),
        ("roulette_ref", "W2", ["--hand"]),
        ("vingt_trois_ref", "V1", []),
        ("boule_ref", "B1", []),
    ],
)
def test_coups_are_the_same_to_the_byte(board, wheel, how):
    line = ["--board", board, "--wheel", wheel, *how]
    alike("sim", "--coups", COUPS, "--seed", 3, "--json", *line)


@pytest.mark.parametrize(
    ("board", "rules"),
    [
        ("blackjack_ref", "blackjack_lu"),
        ("blackjack_ref", "blackjack_live"),
        ("baccarat_ref", "punto_2000"),
    ],
)
def test_rounds_of_cards_are_the_same_to_the_byte(board, rules):
    alike("sim", "--coups", 500, "--seed", 3, "--json", "--board", board, "--rules", rules)


def test_the_rows_of_a_campaign_are_the_same(tmp_path):
    rows = {}
    for kind in ("compiled", "interpreted"):
        folder = tmp_path / kind
        plan = ["--coups", CAMPAIGN_COUPS, "--pairs", CAMPAIGN_COUPS // 5, "--jobs", 2]
        ask(kind, "hil", "campaign", folder, *plan)
        assert json.loads((folder / "campaign.json").read_text())["played"] == kind
        rows[kind] = sorted((folder / "results.jsonl").read_text().splitlines())
    assert rows["compiled"] == rows["interpreted"]


@pytest.mark.needs("traces")
@pytest.mark.parametrize(("trace", "board"), BOARDS.items())
def test_what_is_decided_of_a_recorded_trace_is_the_same(trace, board):
    alike("replay", TRACES / f"{trace}.vcd", "--board", board, "--json")
