"""The command line as click reads it: help, mistakes, and which module is each subcommand's.

Subcommands are imported when they are used.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.lib import language
from firmware.lib.errors import Failure
from firmware.lib.language import N_, Message, translated

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

ROOT = Path(__file__).resolve().parents[2]
# By who wants them and what for: name and short help. The module is tools.commands.NAME. Here, so
# that --help imports none.
# fmt: off
GROUPS = (
    ("Play", (
        ("demo", "See it all here: wheel, display, service page, a guest."),
        ("table", "Play here: virtual wheel and display together."),
        ("run", "Play: the controller on a board's wheel."),
        ("display", "Show a wheel's coups on a table display."),
        ("guide", "Tell a croupier of cards what to do next."),
        ("terminal", "Place stakes at a player's terminal."),
        ("followers", "Bet behind hands for many players, JSON in and out."),
        ("gateway", "Tell displays of other makes, in plain ASCII."),
    )),
    ("At the table", (
        ("status", "Ask a running controller how it stands."),
        ("watch", "Follow what a running controller tells."),
        ("confirm", "Confirm the detected number."),
        ("void", "Declare the open coup void."),
        ("manual", "Enter a number that could not be detected."),
        ("correct", "Correct a disputed result."),
        ("cards", "Enter a card, confirm a count, correct a round."),
        ("clear", "Clear a fault that locks the wheel."),
        ("acknowledge", "Acknowledge a notice of a wheel's health."),
        ("employee", "Say who of the house is at the table."),
        ("shift", "Say which croupier throws, by number."),
        ("unseat", "Sign off whoever sits at a terminal."),
        ("account", "Keep the players' accounts: in, out, receipts, the day."),
        ("orphelins", "Keep the register of abandoned stakes."),
    )),
    ("Rules and records", (
        ("rules", "Show what a game pays, its limits, its layout."),
        ("settle", "Settle the stakes of a coup."),
        ("journal", "Read, explain, check and export what was recorded."),
        ("explain", "Why a call came when it did; a round of cards whole."),
        ("call", "How far a wheel has learned when to call."),
        ("health", "Is a wheel fair and sound?"),
    )),
    ("Technician's bench", (
        ("page", "Serve the service page: see, measure, mend a wheel."),
        ("selftest", "Measure every part of a wheel."),
        ("calibrate", "Find where a wheel's sensors are, and sign it."),
        ("config", "Check, show and apply a wheel's configuration."),
        ("act", "Record what was done to a wheel."),
        ("doctor", "Find what is wrong with this machine."),
        ("boards", "List boards, pins, and what is missing here."),
        ("pinout", "Draw the header with our signals."),
        ("support-bundle", "Pack logs, coups and findings for support."),
        ("support", "Read a support bundle."),
    )),
    ("Keys and people", (
        ("people", "Keep the list of those who may, with their PINs."),
        ("provision", "Make the keys of a wheel, its displays and terminals."),
        ("key", "Show or change the key that signs results."),
    )),
    ("Updates and images", (
        ("image", "Build a card's image."),
        ("flash", "Write an image, or a microcontroller."),
        ("update", "Make, install and undo software updates."),
        ("verify-install", "Check that the software is as it was made."),
        ("orders", "Carry out what was ordered on the service page."),
        ("safe", "Tell the displays that the wheel is out of service."),
    )),
    ("QA", (
        ("sim", "Simulate coups, truth beside decision."),
        ("replay", "Decide a recorded trace again."),
        ("hil", "Try faults on purpose: scenarios and campaigns."),
        ("hand", "Reach into the virtual wheel, to try things."),
        ("line", "Join ttys in memory, to try the bus without wires."),
    )),
    ("This program", (
        ("completion", "Make Tab complete the words of cylindre."),
    )),
)
# fmt: on
COMMANDS = tuple(command for _, commands in GROUPS for command in commands)
_EXIT_CODES = N_(
    "Exit codes: 0 ok, 1 failed, 2 usage, 3 no device, 4 configuration, 5 failed self-test,"
    " 130 interrupted."
)
_WIDTH_MAX = 100  # columns of help; in longer lines nobody finds the next


def _chosen(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        language.choose(value)


def _lang_option() -> click.Option:
    """`--lang`, of the program and of each command that has none of its own."""
    return click.Option(
        ["--lang"],
        type=click.Choice(language.LANGUAGES),
        expose_value=False,
        is_eager=True,
        callback=_chosen,
        help=N_("The language for people  [default: as CYLINDRE_LANG or LANG]"),
    )


def _tell_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(_version())
        context.exit()


def _version() -> str:
    """What runs here: its version, the hash that is signed into each record, a checkout's commit,
    and the interpreter."""
    from importlib.metadata import version

    from firmware.store.source_hash import firmware_hash

    told = [f"cylindre {version('cylindre')}", f"firmware {firmware_hash().hex()}"]
    if (commit := _commit()) is not None:
        told.append(f"commit {commit}")
    return ", ".join([*told, f"Python {'.'.join(map(str, sys.version_info[:3]))}"])


def _commit() -> str | None:
    """The commit of the checkout that this runs from; None where it is none, or git is not here."""
    import subprocess

    if not (ROOT / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None
    return done.stdout.strip() or None


def _equip(command: click.Command) -> None:
    """Gives it `--lang`, where it has none of its own, completion, and our sentences for numbers
    and files that are refused; so each of its subcommands."""
    from tools.commands.cli_types import worded  # here: --help needs none

    if not any("--lang" in parameter.opts for parameter in command.params):
        command.params.append(_lang_option())
    for parameter in command.params:
        parameter.type = worded(parameter.type)
        names = _NAMED.get((parameter.metavar or parameter.name or "").lower())
        if names is not None:
            parameter.shell_complete = _completing(parameter, names)  # type: ignore[method-assign]
    if isinstance(command, click.Group):
        for below in command.commands.values():
            _equip(below)


def _completing(parameter: click.Parameter, names: Callable[[], Iterable[str]]) -> Any:
    """Returns what completes a parameter with names, beside what its type has."""

    def complete(context: click.Context, incomplete: str) -> list[CompletionItem]:
        return [
            *parameter.type.shell_complete(context, parameter, incomplete),
            *(_item(name) for name in names() if name.startswith(incomplete)),
        ]

    return complete


def _item(name: str, short: str | None = None) -> CompletionItem:
    from click.shell_completion import CompletionItem

    return CompletionItem(name, help=short)


def _boards() -> Iterable[str]:
    import boards

    return boards.NAMES


def _games() -> Iterable[str]:
    import rules

    return rules.NAMES


def _wheels() -> Iterable[str]:
    from tools.sim.table import APPARATUS, presets

    return [name for apparatus in APPARATUS for name in presets(apparatus)]


def _scenarios() -> Iterable[str]:
    from tools.hil.scenario_file import shipped

    return shipped()


def _places() -> Iterable[str]:
    from tools.hil.faults.entry import PLACES

    return PLACES


# What an option or argument may be whose metavar, or else name, is this.
_NAMED = {
    "board": _boards,
    "game": _games,
    "wheel": _wheels,
    "scenario": _scenarios,
    "place": _places,
}


class _Formatter(click.HelpFormatter):
    """Help in the language of this process, as wide as the terminal."""

    def __init__(self, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(width=width or min(shutil.get_terminal_size().columns, _WIDTH_MAX))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Writes the usage line."""
        super().write_usage(prog, translated(args), f"{translated('Usage:')} ")

    def write_heading(self, heading: str) -> None:
        """Writes a heading."""
        self.write(f"{translated(Message('{}:', Message(heading)))}\n")

    def write_text(self, text: str) -> None:
        """Writes text, paragraph by paragraph; of one that keeps its lines, line by line."""
        paragraphs = []
        for paragraph in text.split("\n\n"):
            if paragraph.startswith("\b\n"):
                lines = [line.partition(line.lstrip()) for line in paragraph.split("\n")]
                paragraphs.append("\n".join(start + translated(said) for start, said, _ in lines))
            else:
                paragraphs.append(translated(" ".join(paragraph.split())))
        super().write_text("\n\n".join(paragraphs))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Writes two columns."""
        super().write_dl([(name, translated(said)) for name, said in rows], col_max, col_spacing)


class _Context(click.Context):
    """Of the program itself: what its commands say of themselves with --help is English."""

    formatter_class = _Formatter


class Lazy(click.Group):
    """A group whose subcommands are imported only when they are called."""

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order people meet them."""
        return [name for name, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name, or None."""
        short = dict(COMMANDS).get(cmd_name)
        if short is None:
            return None
        module = importlib.import_module(f"tools.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        command.name, command.short_help = cmd_name, short
        _equip(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What may follow, from the table."""
        return [
            *(
                _item(name, translated(short))
                for name, short in COMMANDS
                if name.startswith(incomplete)
            ),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the groups from the table, their columns one below the other."""
        width = max(len(name) for name, _ in COMMANDS)
        for title, commands in GROUPS:
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), short) for name, short in commands])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with what was likely meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], dict(COMMANDS), n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise click.UsageError(error.message + hint, ctx) from None


@click.group(
    cls=Lazy,
    params=[
        _lang_option(),
        click.Option(
            ["--version"],
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=_tell_version,
            help=N_("Show version, hash of the firmware, commit and Python."),
        ),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
    help=N_("The controller inside a roulette, a boule or a vingt-trois, and the tools around it."),
    epilog=f"""\b
    {N_("Examples:")}
      cylindre table
      cylindre run --board roulette_ref --coups 3 --json
      cylindre COMMAND --help

    {_EXIT_CODES}
    """,
)
def cylindre() -> None:
    """Leads to the subcommands."""


def run(line: list[str], started_us: int) -> Any:
    """Runs one command line; returns what its command does. Raises Failure for a mistake in it.

    `started_us`, of the monotonic clock: when the process began.
    """
    try:
        return cylindre.main(line, prog_name="cylindre", standalone_mode=False, obj=started_us)
    except click.exceptions.NoArgsIsHelpError as error:
        raise Failure(error.exit_code, error.format_message()) from None
    except click.ClickException as error:
        raise Failure(error.exit_code, _worded(error)) from None
    except click.Abort:
        raise KeyboardInterrupt from None


def _worded(error: click.ClickException) -> str:
    text = Message(error.format_message())
    context: Any = getattr(error, "ctx", None)
    if context is None:
        return text
    stop = "" if text.endswith((".", "?", "!")) else "."
    return Message("{}{} {}", text, stop, Message("See {} --help.", context.command_path))
