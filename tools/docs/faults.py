"""docs/faults.md, from the table in firmware/core/faults.py: a heading for each code."""

from __future__ import annotations

from firmware.core.faults import FAULTS

_HEAD = """\
# Faults

<!-- generated from firmware/core/faults.py by `make docs` -->

What a code on a display, in the log or in `cylindre status` means, and what to do. *notice*: play
goes on. *void*: this coup is void. *lock*: out of play until someone authorised clears it.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for kind in FAULTS:
        text = kind.text.replace("{}", "…")
        void = f"; an open coup is void: `{kind.reason}`" if kind.reason else ""
        parts.append(f"## {kind.code}\n\n{text} {kind.remedy}\n\n*{kind.grade}*{void}\n")
    return "\n".join(parts)
