"""What a shell finds of `cylindre`: manual pages and completion, below a folder `share`.

`make setup` writes them into .venv/share, the Debian package into usr/share:
`python -m tools.docs.shell_files SHARE`. Both come from the commands as click knows them: a manual
page is the help of a command, set by click for roff in the place of a terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

import click

from firmware.store.clock import BUILT_S
from tools.commands.completion import SHELLS, script
from tools.commands.group import cylindre

# Where each shell looks below a folder `share`.
COMPLETIONS = {
    "bash": "bash-completion/completions/cylindre",
    "zsh": "zsh/site-functions/_cylindre",
    "fish": "fish/vendor_completions.d/cylindre.fish",
}
_PLAIN = str.maketrans(
    {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
)
_EPILOG = {"Examples:": "EXAMPLES", "Exit codes:": "EXIT STATUS"}


class _Page(click.HelpFormatter):
    """Help as a page of the manual (man 7 man)."""

    def __init__(self) -> None:
        super().__init__(width=1000)  # roff breaks the lines
        self._title = ""
        self._otherwise = "DESCRIPTION"  # what text is that has no heading of its own

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Writes how it is called."""
        self.write_heading("Synopsis")
        self.write(f"\\fB{_escaped(prog)}\\fP {_escaped(args)}\n")

    def write_heading(self, heading: str) -> None:
        """Begins a section, unless it goes on."""
        title = heading.upper()
        if title != self._title:
            self._title = title
            self.write(f'.SH "{_escaped(title)}"\n')

    def write_paragraph(self) -> None:
        """Writes nothing: a section begins below some space."""

    def write_text(self, text: str) -> None:
        """Writes paragraphs; one whose lines are kept in an example's face."""
        for paragraph in text.split("\n\n"):
            lines = paragraph.removeprefix("\b\n").split("\n")
            keeps_lines = paragraph.startswith("\b\n")
            head = next((each for each in _EPILOG if lines[0].startswith(each)), "")
            title = _EPILOG.get(head, self._otherwise)
            if title == self._title:
                self.write(".PP\n")
            self.write_heading(title)
            lines[0] = lines[0].removeprefix(head).strip()
            lines = [_escaped(line) for line in lines if line.strip()]
            self.write("\n".join([*([".nf", *lines, ".fi"] if keeps_lines else lines), ""]))
            if head:
                self._otherwise = "NOTES"

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Writes terms, and what each is."""
        for term, said in rows:
            lines = [_escaped(line) for line in said.split("\n") if line.strip()]
            self.write("\n".join([".TP", f"\\fB{_escaped(term.strip())}\\fP", *lines, ""]))


def pages() -> Iterator[tuple[str, str]]:
    """Yields the name and text of every page: of `cylindre`, and of each command below it."""
    yield from _below(_context(cylindre, "cylindre", None))


def _context(command: click.Command, name: str, above: click.Context | None) -> click.Context:
    return click.Context(command, info_name=name, parent=above, **command.context_settings)


def _below(context: click.Context) -> Iterator[tuple[str, str]]:
    command = context.command
    below = []
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            if not found.hidden:
                below.append(_context(found, name, context))
    yield _name(context), _page(context, below)
    for each in below:
        yield from _below(each)


def _page(context: click.Context, below: list[click.Context]) -> str:
    command, page = context.command, _Page()
    date = time.strftime("%Y-%m-%d", time.gmtime(BUILT_S))
    release = f"cylindre {version('cylindre')}"
    page.write("'\\\" -*- coding: utf-8 -*-\n")
    page.write(f'.TH "{_escaped(_name(context).upper())}" 1 {date} "{release}" Cylindre\n')
    page.write_heading("Name")
    short = command.get_short_help_str(limit=200)
    page.write(f"{_escaped(_name(context))} \\- {_escaped(short)}\n")
    command.format_help(context, page)
    near = [_name(each) for each in (context.parent, *below) if each is not None]
    if near:
        page.write_heading("See also")
        page.write(",\n".join(f"\\fB{_escaped(name)}\\fP(1)" for name in near) + "\n")
    return page.getvalue()


def _name(context: click.Context) -> str:
    return context.command_path.replace(" ", "-")


def _escaped(text: str) -> str:
    """Returns it so that roff prints it as it is."""
    plain = text.translate(_PLAIN)
    return f"\\&{plain}" if plain.startswith(".") else plain


def write(share: Path) -> None:
    """Writes all of it below the folder `share`."""
    for name, text in pages():
        _write(share / "man" / "man1" / f"{name}.1", text)
    for shell in SHELLS:
        _write(share / COMPLETIONS[shell], script(shell))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [share]:
            write(Path(share))
        case _:
            sys.exit("One argument: the folder `share` to write below.")
