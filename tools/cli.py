"""`cylindre`: the one console command. Its subcommands are imported when they are used.

`main` is the one place where an ending becomes an exit code and one sentence.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
import time
from typing import Any, TextIO

import click

from firmware.lib import language, process_start
from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, cause, unwritten
from firmware.lib.language import N_, Message, translated

# What a write may end with. Standard output is the one file whose errors come without its name.
_UNWRITTEN = frozenset(
    (errno.EPIPE, errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EBADF)
)

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


def main(arguments: list[str] | None = None) -> int:
    """Runs one command line; returns its exit code. Nothing that goes wrong leaves a traceback."""
    started_us = process_start.start_us() if arguments is None else time.monotonic_ns() // 1000
    _open_standard_streams()
    language.choose(None)
    try:
        result = cylindre.main(
            arguments, prog_name="cylindre", standalone_mode=False, obj=started_us
        )
        sys.stdout.flush()
        return result if isinstance(result, int) else OK
    except Failure as failure:
        return _say(failure.sentence, failure.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        return _say(error.format_message(), error.exit_code)
    except click.ClickException as error:
        return _say(_worded(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _say(N_("Interrupted."), INTERRUPTED)
    except OSError as error:
        if os.environ.get("CYLINDRE_DEBUG"):
            raise
        return _say(_refused(error), FAILED)
    except Exception as error:
        if os.environ.get("CYLINDRE_DEBUG"):
            raise
        why = f"{type(error).__name__}: {error}".strip().replace("\n", " ")
        sentence = Message(
            "This is a mistake in cylindre itself ({why})."
            " Run it again with CYLINDRE_DEBUG=1 to see where, and report that.",
            why=why,
        )
        return _say(sentence, FAILED)
    finally:
        if arguments is None:
            gc.freeze()  # else the end of the process looks through all of it again: 10 ms of 100


def _open_standard_streams() -> None:
    """Puts /dev/null where the caller closed a standard stream.

    Else the next file to be opened, a journal even, would take its number and get its output.
    """
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    for handle, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(handle, "r" if handle == 0 else "w", closefd=False))  # noqa: SIM115


def _refused(error: OSError) -> str:
    """What the machine did not do, and with which file."""
    why = cause(error)
    if error.filename is not None:
        return Message("{}: {}.", error.filename, why)
    if error.errno in _UNWRITTEN:
        # What is still buffered will not go out; without this, Python would say so at exit.
        _drop(sys.stdout)
        return unwritten(error)
    return Message("The machine refuses to go on: {why}. CYLINDRE_DEBUG=1 shows where.", why=why)


def _drop(stream: TextIO) -> None:
    """Lets what a stream still holds go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _worded(error: click.ClickException) -> str:
    text = error.format_message()
    context: Any = getattr(error, "ctx", None)
    if context is not None:
        text += f" See {context.command_path} --help."
    return text


def _say(sentence: str, exit_code: int) -> int:
    try:
        click.echo(translated(sentence), err=True)
    except OSError:  # nobody to be told: the exit code says it
        _drop(sys.stderr)
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
