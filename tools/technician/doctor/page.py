"""The table of docs/doctor.md, from the table in tools/technician/doctor/problems.py."""

from __future__ import annotations

import re

from tools.docs.part import Part
from tools.technician.doctor.problems import PROBLEMS


def render() -> str:
    """A heading a code, as docs/faults.md has."""
    parts = []
    for each in PROBLEMS:
        told = (each.what, each.cause, each.remedy, each.on_image)
        what, cause, remedy, on_image = [re.sub(r"\{\w+\}", "…", said) for said in told]
        part = f"## {each.code}\n\n{what} *{each.grade}*\n\n- Cause: {cause}\n- Remedy: {remedy}"
        parts.append(f"{part}\n- On our image: {on_image}" if on_image else part)
    return "\n\n".join(parts)


PART = Part("doctor.md", "problems", "tools/technician/doctor/problems.py", render)
