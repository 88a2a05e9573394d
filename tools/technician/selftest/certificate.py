"""The printable certificate of a self-test: one page of HTML that needs nothing beside it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from firmware.lib import durable
from firmware.lib.errors import FAILED as COMMAND_FAILED
from firmware.lib.errors import Failure, cause
from firmware.lib.language import Message
from tools.technician.selftest.part import FAILED, INCOMPLETE, NOT_TESTED, PASSED, Part, total

_STYLE = Path(__file__).with_name("certificate.css")


class About(NamedTuple):
    """What a certificate is of."""

    wheel: str
    board: str
    who: str
    role: str
    utc: int
    software: str  # hash of the sources that decide, hexadecimal
    version: str


_SAYS = {
    PASSED: "Passed: every part that is fitted was measured and is within its limits.",
    FAILED: "Failed: at least one part is outside its limits.",
    INCOMPLETE: "Incomplete: nothing failed, but not every part that is fitted was tested.",
}


def page(about: About, parts: Sequence[Part]) -> str:
    """The whole page."""
    found = total(parts)
    style = _STYLE.read_text(encoding="utf-8")
    when = datetime.fromtimestamp(about.utc, UTC)
    facts = (
        ("Wheel", about.wheel),
        ("Board", about.board),
        ("Tested by", f"{about.who}, {about.role}"),
        ("Date", f"{when:%Y-%m-%d %H:%M:%S} UTC"),
        ("Program", f"cylindre {about.version}"),
        ("Hash of the software", about.software),
    )
    rows = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in facts)
    word = found.outcome
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Self-test of {escape(about.wheel)}, {when:%Y-%m-%d}: {word}</title>
<style>
{style}</style>
</head>
<body>
<header>
<div><p class="house">cylindre</p><h1>Self-test certificate</h1></div>
<p class="stamp {word}">{word}</p>
</header>
<dl>{rows}</dl>
<p class="says">{escape(_SAYS[word])} Measured: {found.passed + found.failed}, passed: \
{found.passed}, failed: {found.failed}, not tested: {found.not_tested}, not fitted: \
{found.not_fitted}.</p>
{_tables(parts)}
<footer>
<div><p>Technician</p><p class="line">{escape(about.who)}</p></div>
<div><p>Date and signature</p><p class="line"></p></div>
<p class="small">The SHA-256 of this file stands in the wheel's journal, with who tested it:
cylindre journal show. A part that was not tested has not passed.</p>
</footer>
</body>
</html>
"""


def sha256(text: str) -> str:
    """Of a page, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def write(path: Path, text: str) -> None:
    """Puts a page at `path`, whole or not at all. Raises Failure."""
    try:
        durable.replace(path, text.encode())
    except OSError as error:
        text = Message(
            "The certificate cannot be written to {path}: {cause}.", path=path, cause=cause(error)
        )
        raise Failure(
            COMMAND_FAILED, Message("{text} Give another --certificate.", text=text)
        ) from None


def _tables(parts: Sequence[Part]) -> str:
    order = list(dict.fromkeys(part.group for part in parts))
    by_group = sorted(parts, key=lambda part: order.index(part.group))
    head = "<tr><th>Part</th><th>Measured</th><th>Limits</th><th>Outcome</th></tr>"
    found = []
    for group, each in groupby(by_group, key=lambda part: part.group):
        rows = "".join(map(_row, each))
        found.append(
            f"<section><h2>{escape(group.capitalize())}</h2>"
            f"<table><thead>{head}</thead><tbody>{rows}</tbody></table></section>\n"
        )
    return "".join(found)


def _row(part: Part) -> str:
    kind = part.outcome.replace(" ", "-")
    said = ", ".join(filter(None, (part.note, part.tried)))
    note = f"<small>{escape(said)}</small>" if said else ""
    cells = (part.measured, part.limits)
    told = "".join(f'<td class="figure">{escape(cell)}</td>' for cell in cells)
    outcome = "not tested" if part.outcome == NOT_TESTED else part.outcome
    return (
        f'<tr class="{kind}"><td>{escape(part.name)}{note}</td>{told}'
        f'<td class="outcome">{escape(outcome)}</td></tr>'
    )


KEPT = 20  # of some 15 kB; the months between two inspections have fewer
_NAME = re.compile(r"(\d{6,})-selftest\.html")


def keep_certificate(folder: Path, text: str) -> Path:
    """Adds one, and removes the oldest beyond KEPT. Raises Failure; then none is removed."""
    try:
        if not folder.exists():
            folder.mkdir()
            of = folder.parent.stat()
            if os.geteuid() == 0:  # for the wheel's user, too
                os.chown(folder, of.st_uid, of.st_gid)
        there = kept_certificates(folder)
    except OSError as error:
        why = cause(error)
        text = Message(
            "The certificate is not kept in {folder}: {why}. Give --certificate FILE.html.",
            folder=folder,
            why=Message(why),
        )
        raise Failure(COMMAND_FAILED, text) from None
    number = _number(there[-1]) + 1 if there else 1
    path = folder / f"{number:06d}-selftest.html"
    write(path, text)
    for old in there[: -KEPT + 1]:
        old.unlink(missing_ok=True)
    return path


def kept_certificates(folder: Path) -> list[Path]:
    """Those that are there, the oldest first. Raises OSError."""
    return sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), key=_number)


def _number(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    assert match is not None, "only those of that name are asked for"
    return int(match[1])
