"""What a shell hands over is read where it was: `-`, /dev/stdin, a pipe, `<(command)`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LAST_RESORT_S

ROOT = Path(__file__).parents[2]
STAKES = '{"rules": "roulette_lu", "minimum_cents": 500, "number": 17, "stakes": []}'


def shell(line: str, folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """What a line did in a shell that has `<(command)`; `$C` in it is `cylindre`."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "C": f"{sys.executable} -P -m tools.cli"}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=env, input=given, capture_output=True, text=True,
        timeout=LAST_RESORT_S, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "$C settle - < given",
        "$C settle < given",
        "cat given | $C settle",
        "$C settle /dev/stdin < given",
        "cat given | $C settle /dev/stdin",
        "$C settle <(cat given)",
        "$C settle /proc/self/fd/0 < given",
    ],
)
def test_stakes_come_from_where_the_shell_says(line: str, tmp_path: Path) -> None:
    (tmp_path / "given").write_text(STAKES)
    done = shell(line, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("where", ["/dev/stdin < given", "<(cat given)"])
@pytest.mark.parametrize(
    ("command", "given", "said"),
    [
        ("config check {}", "[wheel]\nidd = 1\n", ":2: "),
        ("config show {}", '[wheel]\nid = "table-3"\n', "table-3"),
        ("replay --board roulette_ref {}", "no trace\n", ":1: this is not a VCD trace"),
        ("rules roulette_lu --layout {}", "numbers = [1]\n", "apparatus is missing"),
        ("support read {}", "no bundle", "is no support bundle"),
        (
            "provision k --terminals 1 && $C terminal --port x --keys k --address 1 --script {}",
            "roug 5\n",
            ":1: ",
        ),
        ("people add anna --role croupier --file p --pin-file {}", "493817\n", "anna"),
    ],
)
def test_a_file_comes_from_where_the_shell_says(
    command: str, given: str, said: str, where: str, tmp_path: Path
) -> None:
    (tmp_path / "given").write_text(given)
    done = shell("$C " + command.format(where), tmp_path)
    assert said in done.stdout + done.stderr


def test_a_configuration_names_no_handle_of_who_reads_it(tmp_path: Path) -> None:
    (tmp_path / "wheel.toml").write_text('[game]\nlayout = "/dev/stdin"\n')
    done = shell("$C config check --board roulette_ref wheel.toml", tmp_path)
    assert "/dev/stdin: it is a link, and links are not followed here" in done.stderr
