"""`cylindre selftest`: every part of a wheel measured, and held against its limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tools.ask import socket_option
from tools.exits import OK, SELFTEST, USAGE, Failure
from tools.pin_entry import ask_pin, pin_file_option
from tools.session import Session, as_option

if TYPE_CHECKING:
    from tools.selftest.part import Part
    from tools.selftest.sequence import Wheel

_RPM = click.FloatRange(5, 28)


@click.command(
    short_help="Measure every part of a wheel.",
    epilog="""\b
    Examples:
      cylindre selftest --as weber --certificate 2026-11.html
      cylindre selftest --as weber --no-hand --json
      cylindre selftest --quick

    \b
    The wheel is taken out of play (a supervisor may), its rotor turned ccw and cw, and
    put back. Each turn counts for the alternation; what was found is a row of the
    journal, with the hash of the certificate. Where a hand is needed you are asked.
    --quick asks what needs no login, no motion and no hand: for a start after an update.

    Exit codes: 0 nothing failed, 1 refused, 2 usage, 3 no controller, 4 configuration,
    5 a part failed, 130 interrupted. What was not tested has not passed: the summary says
    "incomplete" then.
    """,
)
@socket_option
@as_option(required=False)
@pin_file_option("--pin-file")
@click.option("--board", metavar="BOARD", help="The wheel's board  [default: the socket folder's]")
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The wheel's configuration (TOML).",
)
@click.option("--rpm", type=_RPM, default=20.0, show_default=True, help="How fast it turns.")
@click.option("--no-hand", is_flag=True, help="Ask nobody; what needs a hand is not tested.")
@click.option("--quick", is_flag=True, help="Only what needs no login, no motion and no hand.")
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.html",
    help="Write the printable certificate there.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a part, then the summary.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path | None,
    name: str | None,
    pin_file: Path | None,
    board: str | None,
    config_path: Path | None,
    rpm: float,
    no_hand: bool,
    quick: bool,
    certificate: Path | None,
    as_json: bool,
) -> None:
    """Test beams, sensors, encoder, motor, level, memory, clock, line and displays of a wheel."""
    from tools.selftest import quick as quickly
    from tools.selftest.part import FAILED

    if quick:
        if name or certificate:
            raise Failure(USAGE, "--quick logs nobody in: give no --as and no --certificate.")
        parts = quickly.parts(folder)
        for part in parts:
            _show(part, as_json=as_json)
        found = _summary(parts, as_json=as_json)
        ctx.exit(SELFTEST if found == FAILED else OK)
    if name is None:
        raise Failure(USAGE, "Who tests? Give --as NAME; --quick needs nobody.")
    wheel, wheel_id = _wheel(folder, board, config_path, rpm)
    with Session(folder, name, ask_pin(name, pin_file)) as session:
        parts = []
        for part in _parts(session, folder, wheel, hand=not no_hand):
            parts.append(part)
            _show(part, as_json=as_json)
        found = _end(session, parts, wheel, wheel_id, certificate, as_json=as_json)
    ctx.exit(SELFTEST if found == FAILED else OK)


def _wheel(
    folder: Path | None, board: str | None, config_path: Path | None, rpm: float
) -> tuple[Wheel, str]:
    """What is tested, and its name. Raises Failure."""
    from firmware.app import is_driven
    from tools.games import choose_game, read_config
    from tools.selftest.sequence import Wheel
    from tools.selftest.wheel import board_name

    config = read_config(config_path)
    game = choose_game(board or config.board or board_name(folder), config)
    driven = is_driven(game.board, config)
    return Wheel(game.board, driven, config.level_warn_mdeg, rpm), config.wheel_id


def _parts(session: Session, folder: Path | None, wheel: Wheel, *, hand: bool) -> Iterator[Part]:
    from contextlib import closing

    from tools.selftest import sequence
    from tools.selftest.bench import SocketBench
    from tools.selftest.person import Nobody
    from tools.selftest.terminal import AtTerminal

    person = AtTerminal() if hand else Nobody(AtTerminal())
    with closing(SocketBench(session, folder)) as bench:
        yield from sequence.parts(bench, wheel, person)


def _end(
    session: Session,
    parts: list[Part],
    wheel: Wheel,
    wheel_id: str,
    path: Path | None,
    *,
    as_json: bool,
) -> str:
    """The certificate, the row of the journal, the summary; the outcome."""
    import time
    from importlib.metadata import version

    from firmware.store.signing import firmware_hash
    from tools.selftest import certificate
    from tools.selftest.part import total

    sha256 = None
    if path is not None:
        about = certificate.About(
            wheel=wheel_id,
            board=wheel.board["title"],
            who=session.name,
            role=session.role,
            utc=int(time.time()),
            software=firmware_hash().hex(),
            version=version("cylindre"),
        )
        sha256 = certificate.write(path, certificate.page(about, parts))
    session.act("selftest", total(parts).words, sha256)
    return _summary(parts, as_json=as_json, certificate=path, sha256=sha256)


def _show(part: Part, *, as_json: bool) -> None:
    from tools.selftest import table

    if as_json:
        click.echo(json.dumps(part.as_json()))
    else:
        click.secho(table.line(part), fg=table.colour(part.outcome))


def _summary(
    parts: list[Part],
    *,
    as_json: bool,
    certificate: Path | None = None,
    sha256: str | None = None,
) -> str:
    from tools.selftest import table
    from tools.selftest.part import total

    found = total(parts)
    said: dict[str, Any] = {"event": "summary", **found._asdict()}
    if sha256 is not None:
        said |= {"certificate": str(certificate), "sha256": sha256}
    if as_json:
        click.echo(json.dumps(said))
    else:
        click.secho(f"Self-test: {found.words}.", fg=table.colour(found.outcome), bold=True)
        if sha256 is not None:
            click.echo(f"Certificate: {certificate}, SHA-256 {sha256}.")
    return found.outcome
