"""`cylindre boards`: which boards there are, their pins, and what is missing on this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

import boards
from firmware.config.choice import load_board
from firmware.lib.language import N_, Message, echo, translated

if TYPE_CHECKING:
    from tools.technician.doctor.machine import Machine


@click.command(
    epilog="""\b
    Examples:
      cylindre boards
      cylindre boards pi4
      cylindre boards pi5 --json
    """,
)
@click.argument("board", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a board.")
def command(board: str | None, as_json: bool) -> None:
    """List the boards; with the name of one, its pin map and what this machine lacks for it."""
    from boards.pin_map import fram, pin_map
    from tools.technician.doctor.machine import Machine

    machine = Machine()
    for name in (board,) if board else boards.NAMES:
        found = load_board(name)
        missing = _missing(machine, found)
        if as_json:
            told = {
                "board": name,
                "title": found["title"],
                "apparatus": found["apparatus"],
                "provider": found["provider"],
                "missing": [{"what": what, "remedy": remedy} for what, remedy in missing],
            }
            if board:
                told["pins"] = [use._asdict() for use in pin_map(found)]
                told["fram"] = fram(found)
            click.echo(json.dumps(told))
        elif board:
            echo(
                Message(
                    "{name}: {title}\n\n  line               GPIO  way",
                    name=name,
                    title=Message(found["title"]),
                )
            )
            for use in pin_map(found):
                click.echo(f"  {use.signal:<18} {use.pin:>4}  {use.direction}")
            if fram(found) is not None:
                click.echo(f"\nFRAM: {fram(found)}.")
            echo(N_("\nMissing on this machine:") if missing else N_("\nNothing is missing here."))
            for what, remedy in missing:
                echo(Message("  {what} {remedy}", what=Message(what), remedy=Message(remedy)))
        else:
            state = N_("ready")
            if missing:
                state = Message("{count} things missing here", count=len(missing))
            click.echo(f"{name:<16} {translated(found['title']):<52} {translated(state)}")


def _missing(machine: Machine, board: dict[str, Any]) -> list[tuple[str, str]]:
    """What this machine lacks, and what to do; cylindre doctor looks at all the rest."""
    from firmware.config import Config
    from tools.technician.doctor.case import Case
    from tools.technician.doctor.examine import missing

    examined = missing(Case(machine, board, Config(), ()))
    told = [(each.what, each.remedy) for each in examined.findings]
    return told + [
        (
            Message("Not looked at: {check}.", check=each.check),
            Message("Why: {why}.", why=Message(each.why)),
        )
        for each in examined.not_seen
    ]
