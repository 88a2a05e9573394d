"""The fault catalogue of docs/hil.md, from tools/hil/faults: a table a layer."""

from __future__ import annotations

from tools.docs.part import Part
from tools.hil.catalogue_text import expectation, parameter, where
from tools.hil.faults import catalogue
from tools.hil.faults.entry import LAYERS


def render() -> str:
    """All layers."""
    parts = []
    for layer in LAYERS:
        rows = [
            f"| `{fault.name}` | {_cell(fault.title, where(fault))} "
            f"| {'<br>'.join(f'`{parameter(each)}`' for each in fault.parameters)} "
            f"| {expectation(fault.expect)} | {' '.join(fault.requires)} |"
            for fault in catalogue.FAULTS
            if fault.layer == layer
        ]
        head = "| fault | what is wrong | parameters | what must follow | requirements |"
        parts.append("\n".join([f"### {layer}", "", head, "|---|---|---|---|---|", *rows]))
    return "\n\n".join(parts)


def _cell(title: str, only: str) -> str:
    return f"{title} *Only {only}.*" if only else title


PART = Part("hil.md", "catalogue", "tools/hil/faults", render)
