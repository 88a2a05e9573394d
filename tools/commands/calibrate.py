"""`cylindre calibrate`: find where the sensors are, sign it; `show` what holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.client.ask import socket_option
from firmware.client.session import Session, as_option
from firmware.client.signing import log_in
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import N_, Message, echo, translated
from firmware.lib.places import CALIBRATING
from firmware.lib.signals import as_ctrl_c

if TYPE_CHECKING:
    from tools.technician.calibrate.judge import Line
    from tools.technician.calibrate.notes import Notes
    from tools.technician.calibrate.wizard import FailedStep, Wheel


@click.group(
    invoke_without_command=True,
    epilog="""\b
    Examples:
      cylindre calibrate --as weber
      cylindre calibrate --as weber --lays 6 --dry-run
      cylindre calibrate show journal.calibration --keys keys

    \b
    The wheel is taken out of play (a supervisor may), and you are asked to lay and to
    throw the ball. Each turn counts for the alternation. Ctrl-C and go on: what is
    measured is kept for 12 hours. What you leave out stays as drawn. A step that fails is
    offered again; what failed stands last. The wheel signs the values with its key; they
    hold from its next start.

    Exit codes: 0 signed (or measured, with --dry-run), 1 refused or unclear, 2 usage,
    3 no controller, 4 configuration, 130 interrupted.
    """,
)
@socket_option
@as_option(required=False)
@pin_file_option("--pin-file")
@click.option("--board", metavar="BOARD", help="The board; else as configured, or of var/BOARD.")
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The wheel's configuration (TOML)  [default: a device's, at its own sockets]",
)
@click.option(
    "--lays",
    type=click.IntRange(3, 12),
    default=4,
    show_default=True,
    help="Compartments the ball is laid into: more make the zero mark surer.",
)
@click.option(
    "--rpm", type=click.FloatRange(5, 28), default=20.0, show_default=True, help="How fast."
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where it is kept how far this is  [default: beside the journal]",
)
@click.option("--anew", is_flag=True, help="Forget what was measured before.")
@click.option("--dry-run", is_flag=True, help="Measure and judge; sign nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a value, then the summary.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path | None,
    name: str | None,
    pin_file: Path | None,
    board: str | None,
    config_path: Path | None,
    lays: int,
    rpm: float,
    state: Path | None,
    anew: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Find zero mark, ring sensors, beams, speeds and level of a wheel, and have it sign them."""
    if ctx.invoked_subcommand is not None:
        return
    if name is None:
        raise Failure(USAGE, N_("Who calibrates? Give --as NAME, of a supervisor."))
    from firmware.config.this_wheel import meant
    from tools.technician.calibrate.notes import begun

    sockets = meant(folder, board)
    wheel, beside = _wheel(sockets, board, config_path, lays, rpm)
    with as_ctrl_c(), log_in(sockets, name, pin_file) as session:
        notes = begun(state or beside / CALIBRATING, wheel.board["name"])
        _calibrate(session, sockets, wheel, notes, anew=anew, dry_run=dry_run, as_json=as_json)


def _wheel(
    sockets: Path, board: str | None, config_path: Path | None, lays: int, rpm: float
) -> tuple[Wheel, Path]:
    """What is calibrated, and the folder of its journal. Raises Failure."""
    from firmware.config.choice import check_wheel
    from firmware.config.this_wheel import files_of, game_of
    from firmware.run.app import is_driven
    from tools.technician.calibrate.wizard import Wheel

    game, config = game_of(board, config_path, sockets)
    check_wheel(game)
    names = [str(Message("number {n}", n=number)) for number in game.rules["layout"]]
    files = files_of(game.board["name"], config, sockets)
    driven = is_driven(game.board, config)
    return Wheel(game.board, names, driven, lays, rpm), files.journal.parent


def _calibrate(
    session: Session,
    sockets: Path,
    wheel: Wheel,
    notes: Notes,
    *,
    anew: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    from contextlib import closing

    from tools.technician.calibrate import wizard
    from tools.technician.selftest.bench import SocketBench
    from tools.technician.selftest.person import AtTerminal

    person = AtTerminal(asks_again=not as_json)
    if not notes.empty and not anew:
        person.inform(N_("Going on with what was measured before (--anew forgets it)."))
    with closing(SocketBench(session, sockets)) as bench:
        failed = wizard.run(bench, wheel, person, notes, anew=anew)
        values = _judged(notes, wheel, failed, as_json=as_json)
        said: dict[str, Any] = {"event": "summary", "signed": False, "values": values}
        said["failed"] = [each._asdict() for each in failed]
        if not dry_run:
            for each in failed:
                person.inform(each.words)
            if not person.ask(Message("Sign these?")):
                text = N_("Nothing is signed; run it again to sign what was measured.")
                raise Failure(FAILED, wizard.with_failed(text, failed))
            said |= {"signed": True, "sha256": bench.calibrate(values)}
    if as_json:
        click.echo(json.dumps(said))
    else:
        if dry_run:
            ended = N_("Nothing is signed (--dry-run); run it again to sign what was measured.")
        else:
            ended = Message(
                "Signed by the wheel, SHA-256 {sha256}; it holds from the next start.",
                sha256=said["sha256"],
            )
        click.echo(translated(ended))
        for each in failed:  # last, so that nothing scrolls them away
            click.secho(translated(each.words), fg="red")
    if said["signed"]:
        notes.forget()


def _judged(
    notes: Notes, wheel: Wheel, failed: Sequence[FailedStep], *, as_json: bool
) -> dict[str, Any]:
    """Shows what was measured; the values to be signed. Raises Failure."""
    from tools.technician.calibrate import judge, wizard
    from tools.technician.calibrate.ring import Unclear

    if notes.empty:
        raise Failure(FAILED, wizard.nothing(failed))
    try:
        values, lines = judge.values(notes, wheel.board, len(wheel.names), wheel.rpm)
        for line in lines:
            _show(line, as_json=as_json)
        judge.check(lines)
    except Unclear as unclear:
        text = Message("Nothing is signed. {unclear}", unclear=unclear)
        raise Failure(FAILED, wizard.with_failed(text, failed)) from None
    return values


def _show(line: Line, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"event": "value", **line._asdict()}))
        return
    text = f"{line.name:<12}{line.measured:>24}   drawn {line.drawing:<18} +- {line.uncertain}"
    click.secho(f"{text}  {line.wrong}".rstrip(), fg="red" if line.wrong else None)


@command.command(
    short_help="Print a calibration.",
    epilog="""\b
    Examples:
      cylindre calibrate show var/roulette_ref/journal.calibration --keys var/roulette_ref/keys
    """,
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--keys",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="The wheel's keys: whose signature it has to be.",
)
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def show(file: Path, keys: Path, as_json: bool) -> None:
    """Print a calibration, and verify its signature."""
    from datetime import UTC, datetime

    from firmware.run.calibration import by_wheel

    found = by_wheel(file, keys)
    if as_json:
        click.echo(json.dumps({"ok": True, **found._asdict()}))
        return
    when = datetime.fromtimestamp(found.utc, UTC)
    echo(
        Message(
            "Signed by this wheel; {who}, {role}, {when} UTC.",
            who=found.who,
            role=found.role,
            when=f"{when:%Y-%m-%d %H:%M:%S}",
        )
    )
    for key, value in sorted(found.values.items()):
        click.echo(f"{key:<16} {value}")
