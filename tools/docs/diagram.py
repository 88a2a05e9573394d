"""The state diagram of docs/architecture.md, from the table in firmware/core/coup/states.py."""

from __future__ import annotations

from firmware.core.coup import states
from tools.docs.part import Part


def render() -> str:
    """The table as Mermaid: one arrow for each line of it, in its order."""
    lines = ["```mermaid", "stateDiagram-v2"]
    for start in states.STARTS:
        lines.append(f"    [*] --> {start}")
    for (state, happening), after in states.TRANSITIONS.items():
        lines.append(f"    {state} --> {after}: {happening}")
    return "\n".join([*lines, "```"])


PART = Part("architecture.md", "state diagram", "firmware/core/coup/states.py", render)
