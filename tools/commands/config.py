"""`cylindre config`: what the house chose for a wheel: checked, shown, applied."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.client.ask import socket_option
from firmware.config.this_wheel import are_devices, board_name, config_file, find
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.errors import CONFIGURATION, FAILED, OK, USAGE, Failure, unwritten
from firmware.lib.language import N_, Message, echo, listed, translated
from firmware.lib.places import CONFIG_FILE, DEVICE_SOCKETS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.config import Mistake, SourcedValue
    from firmware.services.configuring.apply import Change

_file = click.argument("file", type=click.Path(path_type=Path), required=False)
_board = click.option("--board", metavar="BOARD", help="As cylindre run has it, before the file.")


@click.group(
    epilog="""\b
    Examples:
      cylindre config new table-3.toml --board pi4
      cylindre config check
      cylindre config show table-3.toml --json
      cylindre config apply table-3.toml --dry-run
      cylindre config apply table-3.toml --as weber

    A file called wheel.toml is read with the folder conf.d beside it: every *.toml in it,
    by name, and a later one wins key by key. docs/configuration.md has every key.
    """,
)
def command() -> None:
    """Check, show and apply what the house chose for a wheel."""


@command.command(
    short_help="Say every mistake at once.",
    epilog="""\b
    Examples:
      cylindre config check
      cylindre config check table-3.toml --board pi4
      cylindre config check --json

    Exit codes: 0 none, 4 mistakes.
    """,
)
@_file
@_board
@socket_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_context
def check(
    ctx: click.Context, file: Path | None, board: str | None, folder: Path | None, as_json: bool
) -> None:
    """Say every mistake in FILE and beside it, with its line and what was probably meant.

    Also whether its choices go together, and the files it names can be used; needs no wheel.
    Without FILE it is that of the wheel which is meant.
    """
    file = file or _of_the_wheel(folder)
    mistakes, notices = _checked(file, board)
    if as_json:
        told = {
            "ok": not mistakes,
            "file": str(file),
            "mistakes": [mistake._asdict() for mistake in mistakes],
            "notices": [notice._asdict() for notice in notices],
        }
        click.echo(json.dumps(told, ensure_ascii=False))
        ctx.exit(CONFIGURATION if mistakes else OK)
    if mistakes:
        raise Failure(CONFIGURATION, listed(map(str, mistakes), "\n"))
    _notice(notices)
    echo(Message("{file}: no mistakes.", file=file))


@command.command(
    short_help="Write one to begin with.",
    epilog="""\b
    Examples:
      cylindre config new
      cylindre config new table-3.toml --board pi4
    """,
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@_board
def new(file: Path | None, board: str | None) -> None:
    """Write every key into FILE, commented out: what it decides, and what holds without it.

    Without FILE to standard output; never over another file. --board is chosen in it.
    """
    from firmware.lib import durable
    from firmware.services.configuring import template

    _known(board)
    text = "\n".join(template.lines(board)) + "\n"
    if file is None:
        click.echo(text, nl=False)
        return
    try:
        durable.write_once(file, text.encode(), 0o644)
    except FileExistsError:
        raise Failure(
            FAILED,
            Message("{file} is there already, and is not overwritten: give another.", file=file),
        ) from None
    except OSError as error:
        raise unwritten(file, error) from error
    echo(Message("{file} is written. Choose in it, then cylindre config check {file}.", file=file))


@command.command(
    short_help="Show what holds, key by key.",
    epilog="""\b
    Examples:
      cylindre config show
      cylindre config show table-3.toml --json
    """,
)
@_file
@_board
@socket_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a key.")
def show(file: Path | None, board: str | None, folder: Path | None, as_json: bool) -> None:
    """Show every key of FILE with its value, and where that comes from.

    That is a file with its line, the board, or the default. A maximum that nobody chose is the
    rules' lower bound (cylindre rules), and is not listed. Without FILE it is the configuration of
    the wheel which is meant, and the first line says which file that is.
    """
    from firmware.config import Config
    from firmware.services.configuring import effective

    _known(board)
    if file is None:
        sockets = find(folder, board)
        file = config_file(None, sockets)
        if file is None and are_devices(sockets):
            file = CONFIG_FILE
        board = board or board_name(None, Config(), sockets)
        if not as_json:
            echo(_whose(file, sockets))
    for row in effective.rows({} if file is None else _said(file), board):
        if as_json:
            click.echo(json.dumps({**row._asdict(), "line": row.line or None}, ensure_ascii=False))
            continue
        source = f"{row.source}:{row.line}" if row.line else translated(row.source)
        name = f"{row.section}.{row.key}"
        click.echo(f"{name:<28} {effective.shown(row.value):<18} {source}")


@command.command(
    "apply",
    short_help="Apply one, and go back if the wheel does not come up.",
    epilog="""\b
    Examples:
      cylindre config apply table-3.toml --dry-run
      cylindre config apply table-3.toml --as weber
      cylindre config apply table-3.toml --as weber --director klein
      cylindre config apply table-3.toml --as weber --pin-file pin --json
      cylindre config apply first.toml --offline

    NEW takes the place of FILE as it is, once the coup that is open has ended. The last good one
    lies beside it, as FILE.good. Interrupted, it goes back.

    Where limits change (all of [stakes] but orphelins and terminals, and [maxima]) a director signs
    them (Luxembourg art. 37-3). Without a terminal both PINs are lines of standard input, the
    director's second.

    Exit codes: 0 the wheel plays with it, 1 refused or went back, 3 no controller,
    4 mistakes in NEW, 130 interrupted.
    """,
)
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What the controller reads  [default: as the wheel that is meant was started with]",
)
@click.option(
    "--as",
    "name",
    metavar="NAME",
    help="Who does it: a technician or supervisor with a PIN (cylindre people).",
)
@pin_file_option("--pin-file")
@click.option("--director", metavar="NAME", help="Who signs new limits: a director with a PIN.")
@pin_file_option("--director-pin-file", "the director's PIN")
@click.option(
    "--offline",
    is_flag=True,
    help="No controller runs that could check a PIN. With --as it is asked once it runs.",
)
@click.option("--dry-run", is_flag=True, help="Say what would change; change nothing.")
@click.option(
    "--restart",
    metavar="COMMAND",
    help="What restarts the controller  [default: systemctl restart cylindre.service]",
)
@click.option(
    "--limit",
    "limit_s",
    type=click.FloatRange(1, 600),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long the wheel may take to come up.",
)
@socket_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def apply_(
    new: Path,
    file: Path | None,
    name: str | None,
    pin_file: Path | None,
    director: str | None,
    director_pin_file: Path | None,
    offline: bool,
    dry_run: bool,
    restart: str | None,
    limit_s: float,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Check NEW, put it in the place of FILE, restart the controller, and wait for the wheel.

    If it does not come up, the last good configuration is put back and the controller restarted
    with it.
    """
    from firmware.keys.pin_entry import ask_pin
    from firmware.services.configuring.apply import (
        How,
        apply,
        check_director,
        check_people,
        prepare,
    )
    from firmware.services.configuring.trial import Trial

    file = file or _of_the_wheel(folder)
    change = prepare(new, file)
    _notice(change.notices)
    if dry_run:
        text: str = Message("Nothing is changed; {file} would say this:", file=file)
    elif change.is_none and Trial(file).mark() is None:
        text = Message("{file} says this already: nothing is changed.", file=file)
    else:
        sockets = find(folder) or DEVICE_SOCKETS
        words = _restarted_by(restart, sockets)
        check_director(change, director)
        how = How(sockets, name, None, offline, words, limit_s, _say, director=director)
        check_people(how)
        pin = None if name is None else ask_pin(name, pin_file)
        signs = None if director is None else ask_pin(director, director_pin_file)
        text = apply(change, how._replace(pin=pin, director_pin=signs))
    if as_json:
        click.echo(json.dumps(_object(change, dry_run, text), ensure_ascii=False))
        return
    echo(text)
    if dry_run:
        _draw(change)


@command.command(
    short_help="At a start: go back, if the last change did not prove itself.",
    epilog="""\b
    Examples:
      cylindre config settle            before each start of the controller (ExecStartPre)
      cylindre config settle --up       after it (ExecStartPost)
      cylindre config settle --dry-run  what the next start would do

    An apply that lost its power left a configuration on trial. It proves itself when the wheel
    comes up with it; after three starts that did not, the last good one takes its place.
    """,
)
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    default=CONFIG_FILE,
    show_default=True,
    metavar="FILE",
    help="What the controller reads.",
)
@click.option("--up", is_flag=True, help="The controller has begun: what is on trial is good.")
@click.option(
    "--socket",
    "sockets",
    type=click.Path(path_type=Path),
    default=DEVICE_SOCKETS,
    show_default=True,
    metavar="DIR",
    help="Folder of the controller's sockets.",
)
@click.option("--dry-run", is_flag=True, help="Say what the next start would do; change nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def settle(file: Path, up: bool, sockets: Path, dry_run: bool, as_json: bool) -> None:
    """Settle what an interrupted apply left behind."""
    from firmware.services.configuring.settle import after_start, before_start, would

    text = would(file) if dry_run else after_start(file, sockets) if up else before_start(file)
    if as_json:
        click.echo(json.dumps({"ok": True, "text": text}, ensure_ascii=False))
    else:
        echo(text)


def _said(file: Path) -> Mapping[tuple[str, str], SourcedValue]:
    """What a configuration says, which has no mistake. Raises Failure."""
    from firmware.config import ConfigError, survey

    try:
        found = survey(file)
    except ConfigError as error:
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error
    if found.mistakes:
        raise Failure(CONFIGURATION, listed(map(str, found.mistakes), "\n"))
    return found.said


def _whose(file: Path | None, sockets: Path | None) -> Message:
    if file is None:
        return Message("The wheel in {folder} was started without a configuration.", folder=sockets)
    return Message("The configuration is {file}.", file=file)


def _of_the_wheel(folder: Path | None) -> Path:
    """The configuration of the wheel that is meant; a device's, where no wheel is here yet.

    Raises Failure if that wheel was started without one.
    """
    sockets = find(folder)
    file = config_file(None, sockets)
    if file is not None or are_devices(sockets):
        return file or CONFIG_FILE
    text = Message(
        "The wheel in {folder} was started without a configuration: say which file is meant, or"
        " start it with cylindre run --config FILE.",
        folder=sockets,
    )
    raise Failure(USAGE, text)


def _restarted_by(command: str | None, sockets: Path) -> tuple[str, ...]:
    """What restarts the controller there. Raises Failure where nothing but a person does."""
    from firmware.services.configuring.restarting import words_of

    if command is None and not are_devices(sockets):
        text = Message(
            "The controller in {folder} is no unit of systemd: say with --restart what restarts"
            " it.",
            folder=sockets,
        )
        raise Failure(USAGE, text)
    return words_of(command)


def _checked(file: Path, board: str | None) -> tuple[list[Mistake], list[Mistake]]:
    from firmware.config import ConfigError, survey
    from firmware.services.configuring.cross_checks import check

    _known(board)
    try:
        mistakes, notices = check(survey(file), board)
    except ConfigError as error:
        return error.mistakes, []
    return mistakes, notices


def _known(board: str | None) -> None:
    """Raises Failure for a board that there is not."""
    if board is not None:
        from firmware.config.choice import load_board

        load_board(board)


def _object(change: Change, dry_run: bool, text: str) -> dict[str, Any]:
    changes = [
        {"section": was.section, "key": was.key, "from": was.value, "to": becomes.value}
        for was, becomes in change.keys
    ]
    return {
        "ok": True,
        "file": str(change.file),
        "sha256": change.sha256,
        "dry_run": dry_run,
        "changes": changes,
        "text": text,
    }


def _draw(change: Change) -> None:
    """The difference, line by line, then key by key."""
    import difflib

    from firmware.services.configuring.effective import shown

    old, new = ((data or b"").decode(errors="replace").splitlines() for data in change[1:3][::-1])
    for line in difflib.unified_diff(old, new, str(change.file), "new", lineterm=""):
        click.echo(line)
    for was, becomes in change.keys:
        click.echo(f"{was.section}.{was.key}: {shown(was.value)} -> {shown(becomes.value)}")
    if not change.keys:
        echo(N_("No key changes."))
    if change.limits is not None and change.limits.must:
        echo(N_("Limits change: a director signs them."))


def _notice(notices: list[Mistake]) -> None:
    for notice in notices:
        text = Message("{notice} The wheel plays all the same.", notice=Message(str(notice)))
        echo(text, err=True)


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # a terminal that is gone must not end it half way
        echo(text, err=True)
