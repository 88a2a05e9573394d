"""The command line as click reads it: help, mistakes, and which module is each subcommand's.

Subcommands are imported when they are used.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from firmware.lib import language
from firmware.lib.errors import Failure

# Name and short help; the module is tools.commands.NAME. Here, so that --help imports none.
# fmt: off
COMMANDS = (
    ("run", "Play: the controller on a board's wheel."),
    ("display", "Show a wheel's coups on a table display."),
    ("gateway", "Tell displays of other makes, in plain ASCII."),
    ("table", "Play here: virtual wheel and display together."),
    ("replay", "Decide a recorded trace again."),
    ("sim", "Simulate coups, truth beside decision."),
    ("boards", "List boards, pins, and what is missing here."),
    ("rules", "Show what a game pays, its limits, its layout."),
    ("settle", "Settle the stakes of a coup."),
    ("status", "Ask a running controller how it stands."),
    ("call", "How far a wheel has learned when to call."),
    ("explain", "Why the call of a coup came when it did."),
    ("watch", "Follow what a running controller tells."),
    ("void", "Declare the open coup void."),
    ("confirm", "Confirm the detected number."),
    ("manual", "Enter a number that could not be detected."),
    ("correct", "Correct a disputed result."),
    ("journal", "Read, explain, check and export what was recorded."),
    ("provision", "Make the keys of a wheel, its displays and terminals."),
    ("key", "Show or change the key that signs results."),
    ("terminal", "Place stakes at a player's terminal."),
    ("line", "Join ttys in memory, to try the bus without wires."),
    ("employee", "Say who of the house is at the table."),
    ("unseat", "Sign off whoever sits at a terminal."),
    ("account", "Keep the players' accounts: in, out, receipts, the day."),
    ("people", "Keep the list of those who may, with their PINs."),
    ("orphelins", "Keep the register of abandoned stakes."),
    ("clear", "Clear a fault that locks the wheel."),
    ("selftest", "Measure every part of a wheel."),
    ("calibrate", "Find where a wheel's sensors are, and sign it."),
    ("config", "Check, show and apply a wheel's configuration."),
    ("doctor", "Find what is wrong with this machine."),
    ("pinout", "Draw the header with our signals."),
    ("support-bundle", "Pack logs, coups and findings for support."),
    ("support", "Read a support bundle."),
    ("page", "Serve the technicians' page."),
    ("image", "Build a card's image."),
    ("flash", "Write an image, or a microcontroller."),
    ("update", "Make, install and undo software updates."),
    ("orders", "Carry out what was ordered on the service page."),
    ("safe", "Tell the displays that the wheel is out of service."),
    ("verify-install", "Check that the software is as it was made."),
    ("hand", "Reach into the virtual wheel, to try things."),
    ("hil", "Try faults on purpose: scenarios and campaigns."),
)
# fmt: on


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
        help="The language for people  [default: as CYLINDRE_LANG or LANG]",
    )


def _take_lang(command: click.Command) -> None:
    """Gives it the option, and each of its subcommands, where they have none of their own."""
    if not any("--lang" in parameter.opts for parameter in command.params):
        command.params.append(_lang_option())
    if isinstance(command, click.Group):
        for below in command.commands.values():
            _take_lang(below)


class Lazy(click.Group):
    """A group whose subcommands are imported only when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order people meet them."""
        return [name for name, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name, or None."""
        if cmd_name not in dict(COMMANDS):
            return None
        module = importlib.import_module(f"tools.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        command.name = cmd_name
        _take_lang(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list from the table."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS))

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
    params=[_lang_option()],
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
    Examples:
      cylindre table
      cylindre run --board roulette_ref --coups 3 --json
      cylindre COMMAND --help

    Exit codes: 0 ok, 1 failed, 2 usage, 3 no device, 4 configuration, 5 failed self-test,
    130 interrupted.
    """,
)
def cylindre() -> None:
    """The controller inside a roulette, a boule or a vingt-trois, and the tools around it."""


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
    text = error.format_message()
    context: Any = getattr(error, "ctx", None)
    if context is not None:
        text += f" See {context.command_path} --help."
    return text
