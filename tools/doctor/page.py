"""The table of docs/doctor.md, from the table in tools/doctor/problems.py."""

from __future__ import annotations

import re

from tools.docs.part import Part
from tools.doctor.problems import PROBLEMS


def render() -> str:
    """A heading a code, as docs/faults.md has."""
    parts = []
    for each in PROBLEMS:
        text = [re.sub(r"\{\w+\}", "…", said) for said in (each.what, each.cause, each.remedy)]
        parts.append(
            f"## {each.code}\n\n{text[0]} *{each.grade}*\n\n- Cause: {text[1]}\n- Remedy: {text[2]}"
        )
    return "\n\n".join(parts)


PART = Part("doctor.md", "problems", "tools/doctor/problems.py", render)
