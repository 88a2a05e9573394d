"""The list of docs/faults.md, from the table in firmware/core/faults.py: a heading a code."""

from __future__ import annotations

from firmware.core.faults import FAULTS
from tools.docs.part import Part


def render() -> str:
    """The whole list."""
    parts = []
    for kind in FAULTS:
        text = kind.text.replace("{}", "…")
        void = f"; an open coup is void: `{kind.reason}`" if kind.reason else ""
        parts.append(f"## {kind.code}\n\n{text} {kind.remedy}\n\n*{kind.grade}*{void}")
    return "\n\n".join(parts)


PART = Part("faults.md", "faults", "firmware/core/faults.py", render)
