"""`cylindre hand`: a technician's hand at the virtual wheel of a running controller."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from firmware.client.ask import ask, json_option, socket_option
from firmware.lib.language import Message

_SPAN = click.FloatRange(0, 60, min_open=True)


@click.group(
    epilog="""\b
    Examples:
      cylindre hand pause                 the croupier waits
      cylindre hand lay 17                the ball lies in compartment 17
      cylindre hand throw --way cw
      cylindre hand cover rim0 --for 0.5  a finger before a beam
      cylindre hand press btn_void
      cylindre hand pause --off
    """,
)
def command() -> None:
    """Do to the virtual wheel of `cylindre run` what a technician does to a real one.

    The croupier waits by himself while the wheel is out of play; his ball is then free.
    """


def _do(folder: Path | None, as_json: bool, request: dict[str, Any], said: str) -> None:
    from tools.virtual.hand import HAND

    answer = ask(folder, request, name=HAND)
    click.echo(json.dumps(answer) if as_json else said)


@command.command(
    epilog="""\b
    Examples:
      cylindre hand pause
      cylindre hand pause --off --json
    """,
)
@click.option("--off", is_flag=True, help="He goes on.")
@socket_option
@json_option
def pause(off: bool, folder: Path | None, as_json: bool) -> None:
    """Let the croupier take the ball, and his hands off."""
    said = (
        Message("The croupier goes on.") if off else Message("The croupier has the ball and waits.")
    )
    _do(folder, as_json, {"do": "pause", "on": not off}, said)


@command.command(
    epilog="""\b
    Examples:
      cylindre hand lay 17
      cylindre hand lay 0 --socket /run/cylindre
    """,
)
@click.argument("compartment", type=click.IntRange(min=0))
@socket_option
@json_option
def lay(compartment: int, folder: Path | None, as_json: bool) -> None:
    """Lay the ball into a compartment, counted in layout order from 0."""
    said = Message("The ball lies in compartment {compartment}.", compartment=compartment)
    _do(folder, as_json, {"do": "lay", "compartment": compartment}, said)


@command.command(
    epilog="""\b
    Examples:
      cylindre hand lift
      cylindre hand lift --json
    """,
)
@socket_option
@json_option
def lift(folder: Path | None, as_json: bool) -> None:
    """Take the ball out of the wheel."""
    _do(folder, as_json, {"do": "lift"}, Message("The ball is in your hand."))


@command.command(
    epilog="""\b
    Examples:
      cylindre hand throw
      cylindre hand throw --way cw --json
    """,
)
@click.option("--way", type=click.Choice(("ccw", "cw")), default="ccw", show_default=True)
@socket_option
@json_option
def throw(way: str, folder: Path | None, as_json: bool) -> None:
    """Throw the ball into the track."""
    _do(folder, as_json, {"do": "throw", "way": way}, Message("The ball runs {way}.", way=way))


@command.command(
    epilog="""\b
    Examples:
      cylindre hand cover rim0 --for 0.5
      cylindre hand cover pocket1 --json
    """,
)
@click.argument("line")
@click.option("--for", "lasts_s", type=_SPAN, default=1.0, show_default=True, help="Seconds.")
@socket_option
@json_option
def cover(line: str, lasts_s: float, folder: Path | None, as_json: bool) -> None:
    """Put a finger before a sensor: rim0, pocket1, cup03 ..."""
    request = {"do": "cover", "line": line, "s": lasts_s}
    _do(
        folder,
        as_json,
        request,
        Message("{line} is dark for {lasts_s:g} s.", line=line, lasts_s=lasts_s),
    )


@command.command(
    epilog="""\b
    Examples:
      cylindre hand press btn_void
      cylindre hand press btn_start --for 0.5
    """,
)
@click.argument("line")
@click.option("--for", "lasts_s", type=_SPAN, default=0.2, show_default=True, help="Seconds.")
@socket_option
@json_option
def press(line: str, lasts_s: float, folder: Path | None, as_json: bool) -> None:
    """Press a button: btn_start, btn_void ..."""
    request = {"do": "press", "line": line, "s": lasts_s}
    _do(
        folder,
        as_json,
        request,
        Message("{line} is pressed for {lasts_s:g} s.", line=line, lasts_s=lasts_s),
    )


@command.command(
    context_settings={"ignore_unknown_options": True},
    epilog="""\b
    Examples:
      cylindre hand tilt 120 0
      cylindre hand tilt 0 -80 --json
    """,
)
@click.argument("x_mdeg", type=click.IntRange(-10_000, 10_000))
@click.argument("y_mdeg", type=click.IntRange(-10_000, 10_000))
@socket_option
@json_option
def tilt(x_mdeg: int, y_mdeg: int, folder: Path | None, as_json: bool) -> None:
    """Tilt the wheel by so many milli-degrees about x and y, where it has a level sensor."""
    request = {"do": "tilt", "x_mdeg": x_mdeg, "y_mdeg": y_mdeg}
    _do(
        folder,
        as_json,
        request,
        Message(
            "Tilted by {x_mdeg:g} and {y_mdeg:g} degrees.",
            x_mdeg=x_mdeg / 1000,
            y_mdeg=y_mdeg / 1000,
        ),
    )
