"""What a stage's processes have said, as the oracle takes it; and what must hold of the journal.

Besides the oracle's rules: the journal is intact at the end; every number or void that was told is
in it; no number is lit that was not told or recorded before (tools.hil.lighting).
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus.messages import STALE
from firmware.core import facts
from firmware.lib.errors import Failure
from tools.hil import lighting
from tools.hil.lighting import Lighted, Lights, Limits
from tools.hil.line_faults import displays_of
from tools.hil.scenario import Scenario
from tools.hil.stage.child_process import CYLINDRE, ROOT
from tools.hil.stage.runner import StageRunner
from tools.hil.stage.transcript import Lit, decode_fact
from tools.hil.verdict import BROKEN, LOST, Broken, RunLog
from tools.journal import journal_export
from tools.virtual.score import Score

_VERIFY_S = 120  # a busy machine starts a Python in seconds
# A wheel that was held up so long stood for a controller that was, too: its motor is let go of.
HELD_UP_US = 60_000
DARK = {"state": "GONE"}  # of a display whose process has ended
_ENDS = (facts.Result, facts.Void)


class Slack(NamedTuple):
    """What a machine that does other things too may add to the times that all are held to."""

    deadline_us: int  # of a fault, in seconds; and until a number that no longer stands is dark
    lit_us: int  # until a number that stands is lit
    start_us: int  # until all is right again, after a start of controller or display


NO_SLACK = Slack(0, 0, 0)  # where time jumps, nobody waits for a machine
# 8 s until a number was lit were seen with ten busy processes a core.
REAL_SLACK = Slack(2_000_000, 20_000_000, 15_000_000)


def collect_run_log(scenario: Scenario, runner: StageRunner, slack: Slack) -> RunLog:
    """All that was said, in the wheel's time."""
    recorded, broken = recorded_in(runner.processes.journal)
    told = [
        decode_fact(
            line.told,
            shift_us=line.started_us - runner.begin_us,
            heard_us=line.heard_us - runner.begin_us,
        )
        for line in runner.lines
    ]
    broken += lost(told, recorded)
    told = whole(told, recorded, [at_us - runner.begin_us for at_us in runner.crashes_us])
    told, early = orderly(told)
    broken += early
    broken += verify(runner.processes.folder, runner.processes.journal)
    end_us = (runner.over_us or runner.begin_us) - runner.begin_us
    # The table plays on until it is told to end: what begins then is none of the scenario's.
    truths = [truth for truth in runner.truths if truth.t_start_us <= end_us]
    score = Score(turns=False)
    for fact in told:
        score.add(fact, 0)
    score.judge(truths, final=True)
    broken += _lights(scenario, runner, told, slack)
    return RunLog(
        facts=told,
        judged=score.judged,
        truths=truths,
        intervals=runner.intervals,
        end_us=end_us,
        broken=(*runner.broken, *broken),
        slack_us=slack.deadline_us,
    )


def flagged(broken: Sequence[Broken], held_up_us: int) -> tuple[Broken, ...]:
    """The same; where the machine held up the wheel itself, each says so."""
    if held_up_us < HELD_UP_US:
        return tuple(broken)
    why = f" (a busy machine held up the wheel for {held_up_us / 1e6:.2f} s: try fewer --jobs)"
    return tuple(each._replace(text=each.text + why) for each in broken)


def transcript_lines(runner: StageRunner) -> Iterator[str]:
    """All that the controller told and the displays lit, one JSON object a line, in order of the
    wheel's time; then the truths and the intervals of faults."""
    told = [(line.started_us + line.told["t_us"], line.told) for line in runner.lines]
    told += [(one.at_us, {"display": one.place} | (one.told or DARK)) for one in runner.lit]
    for at_us, each in sorted(told, key=lambda pair: pair[0]):
        yield json.dumps(each | {"t_us": at_us - runner.begin_us})
    for truth in runner.truths:
        yield json.dumps({"truth": truth.as_dict()})
    for interval in runner.intervals:
        yield json.dumps({"spell": interval._asdict()})


def verify(folder: Path, journal: Path) -> list[Broken]:
    """`cylindre journal verify` finds nothing."""
    done = subprocess.run(
        [*CYLINDRE, "journal", "verify", journal, "--keys", "keys", "--fram", "fram"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=_VERIFY_S,
        check=False,
    )
    if done.returncode == 0:
        return []
    return [
        Broken(BROKEN, None, f"the journal is not intact: {(done.stdout + done.stderr).strip()}")
    ]


def recorded_in(journal: Path) -> tuple[dict[int, dict[str, Any]], list[Broken]]:
    """The coups that the journal holds, by number."""
    try:
        return {coup["coup"]: coup for coup in journal_export.objects(journal)}, []
    except Failure as failure:
        return {}, [Broken(LOST, None, str(failure))]


def lost(told: Sequence[Any], recorded: dict[int, dict[str, Any]]) -> list[Broken]:
    """Outcomes that were told and are not in the journal as they were told."""
    broken = []
    for fact in told:
        if type(fact) not in _ENDS:
            continue
        there = recorded.get(fact.coup)
        if there is None:
            broken.append(Broken(LOST, fact.coup, f"coup {fact.coup} was told and not recorded"))
        elif (there["seq"], _stood(there)) != (fact.seq, _number(fact)):
            text = f"coup {fact.coup} was told as {_number(fact)} and recorded as {_stood(there)}"
            broken.append(Broken(LOST, fact.coup, text))
    return broken


def whole(
    told: Sequence[Any], recorded: dict[int, dict[str, Any]], crashes_us: Sequence[int]
) -> list[Any]:
    """With what was recorded and not told, for the controller died or had no more time to: when
    that was. In order of time."""
    begun = {fact.coup for fact in told if type(fact) is facts.CoupStarted}
    ended = {fact.coup for fact in told if type(fact) in _ENDS}
    last_us = max((fact.at_us for fact in told), default=0)
    starts, ends = [], []
    spoken = {fact.coup for fact in told if getattr(fact, "coup", 0)}
    for coup in sorted(spoken | set(recorded)):
        later_us = [fact.at_us for fact in told if getattr(fact, "coup", 0) > coup]
        # The crash that swallowed it is the last before anything later was told.
        before_us = [at_us for at_us in crashes_us if not later_us or at_us <= min(later_us)]
        end_us = before_us[-1] if before_us else last_us
        if coup not in begun:
            own_us = [fact.at_us for fact in told if getattr(fact, "coup", 0) == coup]
            starts.append(facts.CoupStarted(min([*own_us, end_us]), coup, facts.UNKNOWN))
        if coup not in ended and coup in recorded:
            ends.append(_end(end_us, recorded[coup]))
    return sorted([*starts, *told, *ends], key=lambda fact: fact.at_us)


def orderly(told: Sequence[Any]) -> tuple[list[Any], list[Broken]]:
    """Without what was told of a coup before its beginning; that is broken."""
    begun: set[int] = set()
    found, broken = [], []
    for fact in told:
        coup = getattr(fact, "coup", 0)
        if type(fact) is facts.CoupStarted:
            begun.add(coup)
        if coup and coup not in begun:
            text = f"of coup {coup} {type(fact).__name__} was told before its beginning"
            broken.append(Broken(BROKEN, coup, text))
        else:
            found.append(fact)
    return found, broken


def _end(at_us: int, there: dict[str, Any]) -> Any:
    coup, seq = there["coup"], there["seq"]
    if there["number"] is None:
        return facts.Void(at_us, coup, seq, there["reason"])
    colour, compartment = there["colour"], there["compartment"]
    return facts.Result(at_us, coup, seq, there["number"], compartment, colour, True, True)


def _number(fact: Any) -> int | None:
    return fact.number if type(fact) is facts.Result else None


def _stood(there: dict[str, Any]) -> Any:
    """What was recorded first."""
    return there["number"] if there["corrected"] is None else there["first_number"]


def _lights(
    scenario: Scenario, runner: StageRunner, told: Sequence[Any], slack: Slack
) -> list[Broken]:
    displays = displays_of(scenario)
    if not displays:
        return []
    usual = Limits()
    limits = Limits(
        lit_us=usual.lit_us + slack.lit_us,
        converge_us=usual.converge_us + slack.start_us,
        stale_us=usual.stale_us + slack.deadline_us,
    )
    end_us = (runner.over_us or runner.begin_us) - runner.begin_us
    lights = Lights(displays, list(_lighted(runner.lit, runner.begin_us)), end_us, limits)
    return lighting.judge(scenario, told, runner.intervals, lights)


def _lighted(lit: Sequence[Lit], begin_us: int) -> Iterator[Lighted]:
    for one in sorted(lit, key=lambda one: one.at_us):
        at_us = max(0, one.at_us - begin_us)  # displays start before the wheel's time does
        if one.told is None:
            yield Lighted(at_us, one.place, STALE, None, 0, 0)
        else:
            number, coup, seq = (one.told[key] for key in ("shown", "coup", "seq"))
            yield Lighted(at_us, one.place, one.told["state"], number, coup or 0, seq or 0)
