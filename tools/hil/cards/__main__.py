"""`python -m tools.hil.cards`: rounds of cards with faults by the thousand, or one job of them.

    python -m tools.hil.cards --rounds 20000 --pairs 5000 --seed 1 --jobs 2
    python -m tools.hil.cards --rounds 20000 --pairs 5000 --seed 1 --job 72    # all that was told
    python -m tools.hil.cards --accounts --rounds 10000 --jobs 2               # with players' money
    python -m tools.hil.cards --place process --rounds 24 --pairs 0            # in real time

Exit codes: 0 every rule holds, 1 one is broken, 2 usage.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tools.hil.cards import faults, scenario, work
from tools.hil.cards.places import PLACES, VIRTUAL
from tools.hil.cards.scenario import Plan
from tools.hil.cards.summary import Total

_SAID_MAX = 20  # broken rules that are told one by one


def main(arguments: list[str] | None = None) -> int:
    """Plays what is asked; returns the exit code."""
    given = _parser().parse_args(arguments)
    if given.list:
        for fault in faults.FAULTS:
            if given.place in fault.places:
                print(f"{fault.name:<24}{fault.layer:<8}{fault.title}")
        return 0
    can = faults.of_place(given.place)
    chosen = tuple(given.faults.split(",")) if given.faults else can
    unknown = [name for name in chosen if name not in can]
    if unknown:
        print(f"no fault {unknown[0]} can be made there: see --list.", file=sys.stderr)
        return 2
    plan = Plan(given.seed, given.rounds, given.pairs, chosen, accounts=given.accounts)
    if given.accounts and given.place != VIRTUAL:
        print("players have accounts in virtual time alone.", file=sys.stderr)
        return 2
    if given.job is not None:
        if not 0 <= given.job < scenario.count(plan):
            print(f"the plan has jobs 0 to {scenario.count(plan) - 1}.", file=sys.stderr)
            return 2
        return _play_one(plan, given.job, given.place)
    return _play(plan, given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.hil.cards", description="Card tables with faults on purpose."
    )
    parser.add_argument("folder", nargs="?", type=Path, help="keeps rows and figures there")
    parser.add_argument("--rounds", type=int, default=2_400, help="with single faults")
    parser.add_argument("--pairs", type=int, default=600, help="rounds with pairs of faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--faults", help="names, with commas between; all if left out")
    parser.add_argument("--accounts", action="store_true", help="players at terminals, with money")
    parser.add_argument("--place", choices=PLACES, default=VIRTUAL)
    parser.add_argument("--job", type=int, help="plays that job alone, and tells all that was told")
    parser.add_argument("--json", action="store_true", help="the figures as one line of JSON")
    parser.add_argument("--list", action="store_true", help="names the faults")
    return parser


def _play(plan: Plan, given: argparse.Namespace) -> int:
    folder: Path | None = given.folder
    count, found = scenario.count(plan), []
    told_s = time.monotonic()
    for row in work.rows(plan, given.jobs, given.place):
        found.append(row)
        if time.monotonic() - told_s > 60:
            told_s = time.monotonic()
            print(f"{len(found)} of {count} jobs", file=sys.stderr, flush=True)
    total = Total(found)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(row, sort_keys=True) + "\n" for row in total.rows]
        (folder / "results.jsonl").write_text("".join(lines))
        (folder / "summary.json").write_text(json.dumps(total.as_json(), indent=1) + "\n")
        (folder / "table.txt").write_text(total.table() + "\n" + total.sentence() + "\n")
    if given.json:
        print(json.dumps(total.as_json(), sort_keys=True))
        return 0 if total.good else 1
    print(total.table())
    print(total.sentence(), total.bound_sentence())
    for text in _failures(plan, total, given.place):
        print(text)
    return 0 if total.good else 1


def _failures(plan: Plan, total: Total, place: str) -> list[str]:
    """The first rules that are broken, each with the command that repeats it."""
    found = []
    for row in total.failed():
        for each in row["broken"]:
            found.append(f"{each['rule']}: {each['text']}\n    {command(plan, row['job'], place)}")
    return found[:_SAID_MAX]


def command(plan: Plan, index: int, place: str = VIRTUAL) -> str:
    """What plays that job again."""
    parts = [
        "python -m tools.hil.cards",
        f"--rounds {plan.rounds} --pairs {plan.pairs} --seed {plan.seed} --job {index}",
    ]
    if place != VIRTUAL:
        parts.insert(1, f"--place {place}")
    if plan.accounts:
        parts.insert(1, "--accounts")
    if plan.faults != faults.of_place(place):
        parts.insert(1, "--faults " + ",".join(plan.faults))
    return " ".join(parts)


def _play_one(plan: Plan, index: int, place: str) -> int:
    played = scenario.job(plan, index)
    print(json.dumps(played.as_json(), sort_keys=True))
    ran = PLACES[place](played)
    for fact in ran.log.told:
        print(fact)
    for truth in ran.log.truths:
        print(truth)
    for each in ran.verdict.broken:
        print(f"{each.rule}: {each.text}")
    return 1 if ran.verdict.broken else 0


if __name__ == "__main__":
    sys.exit(main())
