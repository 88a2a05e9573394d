"""`cylindre selftest`: every part of a wheel measured, and held against its limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from firmware.client.ask import socket_option
from firmware.client.session import Session, as_option
from firmware.client.signing import log_in
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.errors import FAILED as COMMAND_FAILED
from firmware.lib.errors import OK, SELFTEST, USAGE, Failure
from firmware.lib.language import N_, Message, translated
from firmware.lib.signals import as_ctrl_c

if TYPE_CHECKING:
    from tools.technician.selftest.part import Part
    from tools.technician.selftest.person import Person
    from tools.technician.selftest.sequence import Wheel

_RPM = click.FloatRange(5, 28)


@click.command(
    epilog="""\b
    Examples:
      cylindre selftest --as weber
      cylindre selftest --as weber --certificate /media/stick/table-3.html
      cylindre selftest --as weber --no-hand --json
      cylindre selftest --dry-run
      cylindre selftest --quick

    \b
    The wheel is taken out of play (a supervisor may), its rotor turned ccw and cw, and
    put back. Each turn counts for the alternation; what was found is a row of the
    journal, with the hash of the certificate. Where a hand is needed you are asked, and
    again where that failed. What failed stands last, with what to do about it.
    The last 20 certificates are kept in the folder selftest beside the journal.
    --quick asks what needs no login, no motion and no hand: for a start after an update.

    Exit codes: 0 nothing failed, 1 refused, 2 usage, 3 no controller, 4 configuration,
    5 a part failed, 130 interrupted. What was not tested has not passed: the summary says
    "incomplete" then.
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
@click.option("--rpm", type=_RPM, default=20.0, show_default=True, help="How fast it turns.")
@click.option("--no-hand", is_flag=True, help="Ask nobody; what needs a hand is not tested.")
@click.option("--quick", is_flag=True, help="Only what needs no login, no motion and no hand.")
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.html",
    help="Write the printable certificate there, too.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done; do nothing.")
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
    dry_run: bool,
    as_json: bool,
) -> None:
    """Test beams, sensors, encoder, motor, level, memory, clock, line and displays of a wheel."""
    from firmware.config.this_wheel import meant
    from tools.technician.selftest import quick as quickly
    from tools.technician.selftest.part import FAILED

    if quick:
        if name or certificate:
            raise Failure(USAGE, N_("--quick logs nobody in: give no --as and no --certificate."))
        parts = quickly.parts(meant(folder, board))
        for part in parts:
            _show(part, as_json=as_json)
        found = _summary(parts, as_json=as_json)
        ctx.exit(SELFTEST if found == FAILED else OK)
    if name is None and not dry_run:
        raise Failure(USAGE, N_("Who tests? Give --as NAME; --quick needs nobody."))
    sockets = meant(folder, board)
    tested = _tested(sockets, board, config_path, rpm)
    if name is None or dry_run:
        _plan(tested, sockets, as_json=as_json)
        return
    with as_ctrl_c(), log_in(sockets, name, pin_file) as session:
        parts = []
        person = _person(hand=not no_hand, as_json=as_json)
        for part in _parts(session, sockets, tested.wheel, person):
            parts.append(part)
            _show(part, as_json=as_json)
        page = _page(session, parts, tested)
        written = [_keep(page, tested.certificates), _copy(page, certificate)]
        found = _end(session, parts, page, written, as_json=as_json)
    if found == FAILED:
        ctx.exit(SELFTEST)
    # A copy that was asked for and is not there.
    ctx.exit(OK if certificate is None or written[1] is not None else COMMAND_FAILED)


class Tested(NamedTuple):
    """What is tested, its name, and where its certificates are kept."""

    wheel: Wheel
    name: str
    certificates: Path


def _tested(sockets: Path, board: str | None, config_path: Path | None, rpm: float) -> Tested:
    """Raises Failure."""
    from firmware.config.choice import check_wheel
    from firmware.config.this_wheel import files_of, game_of
    from firmware.run.app import is_driven
    from tools.technician.selftest.sequence import Wheel

    game, config = game_of(board, config_path, sockets)
    check_wheel(game)
    wheel = Wheel(game.board, is_driven(game.board, config), config.level_warn_mdeg, rpm)
    certificates = files_of(game.board["name"], config, sockets).certificates
    return Tested(wheel, config.wheel_id, certificates)


def _plan(tested: Tested, sockets: Path, *, as_json: bool) -> None:
    """Says what a test of that wheel would do. Raises Failure if no controller answers."""
    from firmware.client.ask import ask
    from firmware.lib.places import STATUS_ONLY

    ask(sockets, {"do": "status"}, name=STATUS_ONLY)
    wheel = tested.wheel
    turns = ["ccw", "cw"] if wheel.driven else []
    told = {
        "wheel": tested.name,
        "board": wheel.board["name"],
        "turns": turns,
        "rpm": wheel.rpm,
        "certificates": str(tested.certificates),
        "dry_run": True,
    }
    if as_json:
        click.echo(json.dumps(told))
        return
    turned = Message(", turn its rotor ccw and cw at {rpm:g} rpm", rpm=wheel.rpm)
    plan = Message(
        "Would take {name} out of play{turned}, measure every part, and put it\n"
        "back; its certificate would lie in {folder}.",
        name=tested.name,
        turned=turned if turns else "",
        folder=tested.certificates,
    )
    click.echo(translated(plan))


def _person(*, hand: bool, as_json: bool) -> Person:
    from tools.technician.selftest.person import AtTerminal, Nobody

    person = AtTerminal(asks_again=not as_json)
    return person if hand else Nobody(person)


def _parts(session: Session, sockets: Path, wheel: Wheel, person: Person) -> Iterator[Part]:
    from contextlib import closing

    from tools.technician.selftest import sequence
    from tools.technician.selftest.bench import SocketBench

    with closing(SocketBench(session, sockets)) as bench:
        yield from sequence.parts(bench, wheel, person)


def _page(session: Session, parts: list[Part], tested: Tested) -> str:
    """The certificate."""
    import time
    from importlib.metadata import version

    from firmware.store.source_hash import firmware_hash
    from tools.technician.selftest import certificate

    about = certificate.About(
        wheel=tested.name,
        board=tested.wheel.board["title"],
        who=session.name,
        role=session.role,
        utc=int(time.time()),
        software=firmware_hash().hex(),
        version=version("cylindre"),
    )
    return certificate.page(about, parts)


def _keep(page: str, folder: Path) -> Path | None:
    """Keeps it beside the journal; None if it is not there, which has been told."""
    from tools.technician.selftest.certificate import keep_certificate

    try:
        return keep_certificate(folder, page)
    except Failure as failure:
        click.echo(translated(failure.sentence), err=True)
        return None


def _copy(page: str, path: Path | None) -> Path | None:
    """Writes it where it was asked for; None as above."""
    from tools.technician.selftest import certificate

    if path is None:
        return None
    try:
        certificate.write(path, page)
    except Failure as failure:
        click.echo(translated(failure.sentence), err=True)
        return None
    return path


def _end(
    session: Session, parts: list[Part], page: str, written: list[Path | None], *, as_json: bool
) -> str:
    """The row of the journal, which a full card must not cost; the summary; the outcome."""
    from tools.technician.selftest import certificate
    from tools.technician.selftest.part import total

    there = [path for path in written if path is not None]
    sha256 = certificate.sha256(page) if there else None
    session.act("selftest", total(parts).words, sha256)
    return _summary(parts, as_json=as_json, certificates=there, sha256=sha256)


def _show(part: Part, *, as_json: bool) -> None:
    from tools.technician.selftest.part import outcome_colour, part_line

    if as_json:
        click.echo(json.dumps(part.as_json()))
    else:
        click.secho(part_line(part), fg=outcome_colour(part.outcome))


def _summary(
    parts: list[Part],
    *,
    as_json: bool,
    certificates: Sequence[Path] = (),
    sha256: str | None = None,
) -> str:
    from tools.technician.selftest.part import FAILED, outcome_colour, total, with_remedies

    found = total(parts)
    said: dict[str, Any] = {"event": "summary", **found._asdict()}
    if sha256 is not None:
        said |= {"certificate": str(certificates[-1]), "sha256": sha256}
    if as_json:
        click.echo(json.dumps(said))
    else:
        text = Message("Self-test: {words}.", words=found.words)
        click.secho(translated(text), fg=outcome_colour(found.outcome), bold=True)
        if sha256 is not None:
            files = translated(N_(" and ")).join(map(str, certificates))
            text = Message("Certificate: {files}, SHA-256 {sha256}.", files=files, sha256=sha256)
            click.echo(translated(text))
        for line in with_remedies(parts):  # last, so that nothing scrolls them away
            click.secho(line, fg=outcome_colour(FAILED))
    return found.outcome
