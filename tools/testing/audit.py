"""`make audit`: what is published against the dependencies that the locks pin.

pip-audit asks the package index for its advisories. One that does not answer is no index without
advisories: pip-audit skips what it was told nothing of, and calls the rest free of holes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from firmware.lib.errors import FAILED, NO_DEVICE, OK, Failure
from tools.testing import run_command

ROOT = Path(__file__).resolve().parents[2]
LOCKS = (ROOT / "requirements.lock", ROOT / "tools" / "image" / "requirements.lock")
ANSWER_S = 15  # of the index, for one dependency


class Advisory(NamedTuple):
    """Something published against a dependency. `fixed`: the releases without it."""

    dependency: str
    version: str
    identifier: str
    fixed: tuple[str, ...]


class Audit(NamedTuple):
    """What was asked of one lock. `unasked`: dependencies of which nothing could be learned."""

    asked: int
    unasked: tuple[str, ...]
    advisories: tuple[Advisory, ...]


def parse(answer: str) -> Audit:
    """Reads what pip-audit prints with --format json. Raises ValueError for anything else."""
    try:
        dependencies = json.loads(answer)["dependencies"]
        unasked = tuple(each["name"] for each in dependencies if "skip_reason" in each)
        asked = [each for each in dependencies if "skip_reason" not in each]
        advisories = tuple(
            Advisory(each["name"], each["version"], hole["id"], tuple(hole["fix_versions"]))
            for each in asked
            for hole in each["vulns"]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("this is no answer of pip-audit.") from error
    return Audit(len(asked), unasked, advisories)


def ask(lock: Path, command: Sequence[str] = (sys.executable, "-m", "pip_audit")) -> Audit:
    """Asks for everything that a lock pins. Raises Failure where nobody can be asked."""
    asked = [*command, "--requirement", str(lock), "--require-hashes", "--disable-pip"]
    asked += ["--format", "json", "--progress-spinner", "off", "--timeout", str(ANSWER_S)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    try:
        return parse(done.stdout)
    except ValueError:
        said = done.stderr.strip().splitlines() or ["it said nothing"]
        raise Failure(
            NO_DEVICE,
            f"No advisories could be asked for ({said[-1][:200]}). Run make audit again where"
            " there is a network.",
        ) from None


def judged(found: Sequence[Audit]) -> tuple[int, list[str]]:
    """Returns the exit status, and what to print of all locks: a line each, the sum last."""
    holes = sorted({hole for audit in found for hole in audit.advisories})
    unasked = sorted({name for audit in found for name in audit.unasked})
    asked = sum(audit.asked for audit in found)
    lines = [
        f"{hole.dependency} {hole.version}: {hole.identifier}."
        + (f" Take {' or '.join(hole.fixed)}." if hole.fixed else " No release is without it yet.")
        for hole in holes
    ]
    if unasked:
        lines.append(
            f"Of {len(unasked)} dependencies nothing could be learned ({', '.join(unasked[:4])}"
            f"{', ...' if unasked[4:] else ''}). Run make audit again where there is a network."
        )
    lines.append(f"Dependencies asked for: {asked}; advisories: {len(holes)}.")
    return FAILED if holes else NO_DEVICE if unasked or not asked else OK, lines


@click.command()
def main() -> None:
    """Ask what is published against the dependencies that are pinned."""
    status, lines = judged([ask(lock) for lock in LOCKS])
    click.echo("\n".join(lines))
    sys.exit(status)


if __name__ == "__main__":
    run_command.run(main)
