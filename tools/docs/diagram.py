"""The state diagram of docs/architecture.md, from the table in firmware/core/coup.py."""

from __future__ import annotations

from firmware.core import coup

BEGIN = "<!-- state diagram: generated from firmware/core/coup.py by `make docs` -->"
END = "<!-- end of the state diagram -->"


def diagram() -> str:
    """The table as Mermaid: one arrow for each line of it, in its order."""
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {coup.BETS_OPEN}"]
    for (state, happening), after in coup.TRANSITIONS.items():
        lines.append(f"    {state} --> {after}: {happening}")
    return "\n".join([*lines, "```"])


def written(page: str) -> str:
    """The page with the current diagram between its markers.

    Raises ValueError if the page does not have both markers, once each and in order.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in after:
        raise ValueError(f"the page needs one line `{BEGIN}` and, below it, one line `{END}`")
    return f"{before}{BEGIN}\n{diagram()}\n{END}{after}"
