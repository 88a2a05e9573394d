"""`cylindre hil`: scenarios with faults on purpose, one at a time or by the thousand."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.lib import durable
from firmware.lib.errors import FAILED, INTERRUPTED, NO_DEVICE, OK, USAGE, Failure, cause, unwritten
from firmware.lib.language import N_, Message
from firmware.lib.signals import handled
from tools.fast import switch

if TYPE_CHECKING:
    from tools.hil.campaign.plan import Plan
    from tools.hil.places import Ran
    from tools.hil.suite import Played

_PLACE_HELP = "virtual, process, kernel or rig; cylindre hil list says which can be used."
_TOLD_MAX = 10  # failures with their command; the report has all
_json = click.option("--json", "as_json", is_flag=True, help="JSON objects, one a line.")


@click.group(
    epilog="""\b
    Examples:
      cylindre hil list
      cylindre hil run beam_dark
      cylindre hil run all
      cylindre hil campaign var/night --coups 2000 --pairs 400

    Exit codes: 0 ok, 1 a rule is broken, 2 usage, 3 no such place here, 4 configuration,
    130 interrupted.
    """,
)
def command() -> None:
    """Try what can go wrong: one scenario, or a campaign of thousands drawn from a seed."""


@command.command(
    short_help="Play one scenario or all, and judge.",
    epilog="""\b
    Examples:
      cylindre hil run beam_dark
      cylindre hil run mine.toml --place process --folder var/mine
      cylindre hil run all --quiet --junit var/scenarios.xml
    """,
)
@click.argument("scenario", type=click.Path())
@click.option("--place", default="virtual", show_default=True, help=_PLACE_HELP)
@click.option(
    "--folder", type=click.Path(path_type=Path), metavar="DIR", help="Keeps the trace and all else."
)
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", help="Writes JUnit XML of the run."
)
@click.option("--quiet", "-q", is_flag=True, help="Only what is broken, and what it comes to.")
@_json
def run(
    scenario: str, place: str, folder: Path | None, junit: Path | None, quiet: bool, as_json: bool
) -> int:
    """Play SCENARIO, a shipped one's name or a file, and say what was decided, what is broken.

    Of "all": each shipped scenario, a line each, and what they come to. Those that the place cannot
    make are named, and are no failure.
    """
    from tools.hil import scenario_file, suite

    every = scenario == "all"
    names = scenario_file.shipped() if every else [scenario]
    scenarios = [scenario_file.find(name) for name in names]
    _usable(place)
    if not every and (why := suite.unmade(scenarios[0], place)):
        raise Failure(USAGE, why)
    if folder is not None:
        _folder(folder)
    if every and not (as_json or quiet):
        click.echo(suite.row(None))
    played = []
    for each in suite.play(scenarios, place, folder):
        played.append(each)
        _tell(each, every=every, quiet=quiet, as_json=as_json)
    if every:
        click.echo(json.dumps(suite.as_json(played)) if as_json else suite.sentence(played))
    if junit is not None:
        try:
            durable.replace(junit, suite.as_junit(played, place).encode(), durable.FOR_ALL)
        except OSError as error:
            raise unwritten(junit, error) from error
    return FAILED if any(each.broken for each in played) else OK


@command.command(
    "list",
    short_help="Scenarios, faults and places.",
    epilog="""\b
    Examples:
      cylindre hil list
      cylindre hil list --json
    """,
)
@_json
def list_(as_json: bool) -> None:
    """List the shipped scenarios, the layers of faults, and the places with what each lacks."""
    from tools.hil import places, scenario_file
    from tools.hil.faults import catalogue
    from tools.hil.faults.entry import LAYERS, PLACES

    scenarios = [scenario_file.find(name) for name in scenario_file.shipped()]
    lacks = {place: places.load(place).check() for place in PLACES}
    if as_json:
        for each in scenarios:
            click.echo(json.dumps({"scenario": each.name, "title": each.title}))
        for fault in catalogue.FAULTS:
            click.echo(json.dumps({"fault": fault.name, "layer": fault.layer}))
        for place, why in lacks.items():
            click.echo(json.dumps({"place": place, "unusable": why}))
        return
    click.echo("Scenarios:")
    for each in scenarios:
        click.echo(f"  {each.name:<26} {each.title}")
    click.echo("\nFaults (cylindre hil faults):")
    for layer in LAYERS:
        names = [fault.name for fault in catalogue.FAULTS if fault.layer == layer]
        click.echo(f"  {layer:<26} {len(names)}")
    click.echo("\nPlaces:")
    for place, why in lacks.items():
        click.echo(f"  {place:<26} {why or 'can be used here'}")


@command.command(
    short_help="The fault catalogue.",
    epilog="""\b
    Examples:
      cylindre hil faults
      cylindre hil faults beam_stuck_dark
    """,
)
@click.argument("name", required=False)
@_json
def faults(name: str | None, as_json: bool) -> None:
    """List the faults that can be made; with NAME, a fault or a layer, all that is said of it."""
    from tools.hil.catalogue_text import fault_json, fault_line, fault_text
    from tools.hil.faults import catalogue

    chosen = [catalogue.find(each) for each in _chosen("all" if name is None else name)]
    for fault in chosen:
        if as_json:
            click.echo(json.dumps(fault_json(fault)))
        else:
            click.echo((fault_text if name and len(chosen) == 1 else fault_line)(fault))


@command.command(
    short_help="Thousands of scenarios, drawn from a seed.",
    epilog="""\b
    Examples:
      cylindre hil campaign var/night --coups 100000 --pairs 20000
      cylindre hil campaign var/beams --coups 1000 --faults sensors,beam_* --seed 7
      cylindre hil campaign var/clean --coups 0 --clean 300000 --wheels W1
      cylindre hil campaign var/real --coups 0 --faults host --places process --real-coups 3
    """,
)
@click.argument(
    "folder", metavar="[DIR]", type=click.Path(path_type=Path), default=Path("var/campaign")
)
@click.option(
    "--coups",
    default=2000,
    show_default=True,
    type=click.IntRange(0, 100_000_000),
    help="Coups in jumping time whose scenarios have one fault at a time.",
)
@click.option(
    "--pairs",
    default=0,
    show_default=True,
    type=click.IntRange(0, 100_000_000),
    help="Coups whose scenarios have two at a time.",
)
@click.option(
    "--clean",
    default=0,
    show_default=True,
    type=click.IntRange(0, 100_000_000),
    help="Coups whose scenarios have none.",
)
@click.option("--wheels", default="", help="Of the simulator's, with commas (W1,V1); all if none.")
@click.option(
    "--faults",
    "names",
    default="all",
    show_default=True,
    help="Names, layers or patterns, with commas.",
)
@click.option(
    "--places",
    "places_",
    default="virtual",
    show_default=True,
    help="virtual, process, kernel, with commas. Time is real at process, and jumps at the others.",
)
@click.option(
    "--real-coups",
    default=1,
    show_default=True,
    type=click.IntRange(0, 10_000),
    help="So often is each fault played at each place but virtual.",
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**63 - 1))
@click.option(
    "--jobs",
    default=None,
    type=click.IntRange(1, 1024),
    help="Worker processes; as many as there are cores.",
)
@click.option("--dask", metavar="ADDRESS", help="Workers of that Dask scheduler instead.")
@_json
def campaign(
    folder: Path, coups: int, pairs: int, clean: int, wheels: str, names: str, places_: str,
    real_coups: int, seed: int, jobs: int | None, dask: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Play a campaign, or go on with the one in DIR: results.jsonl, junit.xml, report.html.

    DIR is var/campaign if none is named.

    The same seed and options give the same results however many workers there are. Each failure is
    left in DIR/failures, with its trace, the smallest scenario that still fails, and the command
    that repeats it.
    """
    switch.use_compiled()
    from tools.hil.campaign.plan import Plan

    chosen = tuple(dict.fromkeys(place.strip() for place in places_.split(",") if place.strip()))
    if not chosen:
        raise Failure(USAGE, f"No place is named. {_PLACE_HELP}")
    if "rig" in chosen:
        sentence = "A rig has one set of wires, and a campaign plays many scenarios at once: play"
        raise Failure(USAGE, f"{sentence} each by cylindre hil run SCENARIO --place rig.")
    for place in chosen:
        _usable(place)
    plan = Plan(
        seed, coups, pairs, _chosen(names), chosen, real_coups, clean, _chosen_wheels(wheels)
    )
    with handled(signal.default_int_handler, signal.SIGTERM):
        return _campaign(folder, plan, jobs or len(os.sched_getaffinity(0)), dask, as_json)


def _campaign(path: Path, plan: Plan, jobs: int, dask: str | None, as_json: bool) -> int:
    from tools.hil.campaign.failures import command as command_of
    from tools.hil.campaign.folder import Folder
    from tools.hil.campaign.plan import count, unmade
    from tools.hil.campaign.run import Workers, cost, play
    from tools.hil.campaign.summary import Total
    from tools.testing.progress import Progress

    all_ = count(plan)
    if not all_:
        hint = "give --coups or --clean, or faults that a place has."
        raise Failure(USAGE, f"There is nothing to play: {hint}")
    if unmade(plan) == plan.faults and not plan.clean:
        where = ", ".join((*plan.places, *plan.wheels))
        sentence = f"None of these is made at {where} in a campaign of this size:"
        hint = "cylindre hil faults NAME says where one can be."
        raise Failure(USAGE, f"{sentence} {', '.join(plan.faults)}; {hint}")
    with Folder(path, plan) as folder:
        if folder.rows:
            click.echo(f"Going on: {len(folder.rows)} of {all_} jobs are done.", err=True)
        like = "-".join([*plan.places, *(["dask"] if dask else [])])
        whole = sum(cost(plan, index) for index in range(all_))
        done = sum(cost(plan, index) for index in folder.rows)
        try:
            with Progress("campaign", whole, done=done, like=like, workers=jobs) as progress:
                total = play(folder, Workers(jobs, dask), progress)
        except KeyboardInterrupt:
            if not as_json:  # a program would take it for the whole
                click.echo(f"So far: {Total(folder.rows.values()).sentence()}")
            kept = f"{len(folder.rows)} of {all_} jobs are kept in {path}"
            raise Failure(INTERRUPTED, f"Interrupted: {kept}; the same command goes on.") from None
    for row in total.failed()[:_TOLD_MAX]:
        repeats = command_of(path, row)
        told = {"event": "failed", "job": row["job"], "command": repeats}
        click.echo(json.dumps(told) if as_json else f"Job {row['job']} failed: {repeats}")
    click.echo(json.dumps(total.as_json()) if as_json else total.sentence())
    if not as_json:
        click.echo(total.bounds_sentence())
        click.echo(f"{path / 'report.html'} shows all.")
    return OK if total.good else FAILED


@command.command(
    short_help="Two campaigns, side by side.",
    epilog="""\b
    Examples:
      cylindre hil compare var/before var/after
      cylindre hil compare var/before var/after --quiet
      cylindre hil compare var/before var/after --json | jq 'select(.event == "comparison")'
    """,
)
@click.argument("first", metavar="DIR1", type=click.Path(path_type=Path))
@click.argument("second", metavar="DIR2", type=click.Path(path_type=Path))
@click.option(
    "--quiet", "-q", is_flag=True, help="Only what differs by more than chance, and the sum."
)
@_json
def compare(first: Path, second: Path, quiet: bool, as_json: bool) -> int:
    """Set the campaign in DIR2 beside the one in DIR1: all coups, each table, each fault.

    With rates, and whether they differ by more than chance (Fisher's exact test, with Holm's
    correction for so many tests). Of the same seed: the jobs that broke a rule in one alone.

    Exit status 1 if the second has a wrong number or a late call, or breaks a rule that the first
    did not.
    """
    from tools.hil.campaign import comparison, folder

    found, refused = [], []
    for path in (first, second):
        try:
            found.append(folder.read(path))
        except Failure as failure:
            refused.append(failure.sentence)
    if refused:
        raise Failure(FAILED, "\n".join(dict.fromkeys(refused)))
    compared = comparison.compare(*found)
    if as_json:
        for each in compared.groups:
            if not quiet or any(chance.differs for chance in each.chances.values()):
                click.echo(json.dumps(comparison.as_json(each)))
        click.echo(json.dumps(comparison.sum_json(compared, *found)))
    else:
        for campaign in found:
            click.echo(comparison.of_line(campaign))
        for line in comparison.lines(compared, quiet=quiet):
            click.echo(line)
        for line in comparison.sum_lines(compared, *found):
            click.echo(line)
    return FAILED if compared.worse else OK


def _tell(played: Played, *, every: bool, quiet: bool, as_json: bool) -> None:
    """What is told of a scenario when it is over. `every`: among all, where a line is enough."""
    from tools.hil import suite

    if played.ran is not None and played.ran.unkept is not None:
        click.echo(played.ran.unkept, err=True)
    if as_json:
        if not every or not quiet or played.broken:
            _run_json(played, quiet=quiet)
        return
    if every and (played.broken or not quiet):
        click.echo(suite.row(played))
    elif played.ran is not None and not quiet:
        _run_words(played.ran)
    name = played.scenario.name
    for broken in played.broken:
        click.echo(f"{f'{name}: ' * every}BROKEN {broken.rule}: {broken.text}")
    if every:
        return
    if not played.broken:
        click.echo(f"{name}: every rule holds.")
    elif quiet:
        click.echo(f"{name}: a rule is broken {len(played.broken)} times.")
    if played.ran is not None and played.ran.trace is not None:
        click.echo(f"Trace: {played.ran.trace}")


def _run_json(played: Played, *, quiet: bool) -> None:
    name, verdict = played.scenario.name, None if played.ran is None else played.ran.verdict
    if verdict is not None and not quiet:
        for coup in verdict.coups:
            click.echo(json.dumps(coup.as_json()))
        for noticed in verdict.noticed:
            click.echo(json.dumps({"event": "noticed"} | noticed._asdict()))
    for broken in played.broken:
        click.echo(json.dumps({"event": "broken", "scenario": name} | broken._asdict()))
    trace = None if played.ran is None or played.ran.trace is None else str(played.ran.trace)
    summary = {"event": "summary", "scenario": name, "coups": len(verdict.coups) if verdict else 0}
    clean_voids = verdict.clean_voids if verdict else 0
    summary |= {"broken": len(played.broken), "clean_voids": clean_voids, "trace": trace}
    click.echo(json.dumps(summary | {"skipped": played.skipped or None}))


def _run_words(ran: Ran) -> None:
    from tools.virtual.score import coup_line

    click.echo(coup_line(None))
    for coup in ran.verdict.coups:
        click.echo(coup_line(coup))
    for noticed in ran.verdict.noticed:
        said = "told nothing"
        if noticed.at_us is not None:
            said = f"told {noticed.code} after {(noticed.at_us - noticed.begin_us) / 1e6:.2f} s"
        click.echo(f"{noticed.fault} at {noticed.begin_us / 1e6:.2f} s: {said}")


def _usable(place: str) -> None:
    from tools.hil import places
    from tools.hil.faults.entry import PLACES
    from tools.hil.scenario_check import meant

    if place not in PLACES:
        hint = meant(place, PLACES) or Message(" There are {names}.", names=", ".join(PLACES))
        text = Message("There is no place {place}.{hint}", place=repr(place), hint=Message(hint))
        raise Failure(USAGE, text)
    why = places.load(place).check()
    if why is not None:
        raise Failure(NO_DEVICE, f"The place {place} cannot be used here: {why}")


def _chosen(names: str) -> tuple[str, ...]:
    from tools.hil.campaign.plan import chosen
    from tools.hil.faults import catalogue
    from tools.hil.faults.entry import LAYERS
    from tools.hil.scenario_check import meant

    patterns = [name.strip() for name in names.split(",") if name.strip()]
    if not patterns:
        raise Failure(USAGE, "No fault is named: all, names, layers or patterns, with commas.")
    try:
        return chosen(patterns)
    except KeyError as error:
        name = error.args[0]
        known: list[Any] = [*(fault.name for fault in catalogue.FAULTS), *LAYERS, "all"]
        hint = meant(name, known) or N_(" cylindre hil faults shows all.")
        text = Message("There is no fault {name}.{hint}", name=repr(name), hint=Message(hint))
        raise Failure(USAGE, text) from None


def _chosen_wheels(names: str) -> tuple[str, ...]:
    from tools.hil.faults.entry import APPARATUS
    from tools.hil.scenario_check import meant
    from tools.sim.table import presets

    known = [wheel for apparatus in APPARATUS for wheel in presets(apparatus)]
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    for name in chosen:
        if name not in known:
            hint = meant(name, known) or f" There are {', '.join(known)}."
            raise Failure(USAGE, f"There is no wheel {name!r}.{hint}")
    return tuple(wheel for wheel in known if wheel in chosen)


def _folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(FAILED, f"{folder}: {cause(error)}. Name another folder.") from None
    except ValueError:
        raise Failure(USAGE, "The name of a folder has no null character.") from None
