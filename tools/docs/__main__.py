"""Writes what is generated in docs/, README and catalogues (`make docs`); --check finds the old."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.docs import bus_tables, card_figures, catalogue, shoe_tables, tables, testing
from tools.docs.part import Part

DOCS = Path(__file__).resolve().parents[2] / "docs"
PARTS = (
    tables.STATE_DIAGRAM,
    tables.CARD_STATE_DIAGRAM,
    tables.FAULT_CODES,
    tables.GUARDED,
    tables.ACTS,
    bus_tables.PART,
    bus_tables.VECTORS,
    shoe_tables.PART,
    shoe_tables.VECTORS,
    shoe_tables.CARD_KEYS,
    shoe_tables.KEYS,
    tables.HIL_FAULTS,
    tables.CARD_FAULTS,
    tables.REQUIREMENTS,
    tables.CHECKLIST,
    tables.CONFIGURATION_KEYS,
    tables.DOCTOR_PROBLEMS,
    tables.REGULATIONS,
    card_figures.FIGURES,
    card_figures.PLANS,
    testing.COSTS,
    testing.LARGE,
    testing.PROMISES,
    testing.WANTED,
    testing.TARGETS,
)


def stale(docs: Path = DOCS, parts: tuple[Part, ...] = PARTS) -> dict[Path, str]:
    """The pages that do not say what the code says, as they should be."""
    found = {}
    for path in sorted({docs / part.page for part in parts}):
        page = written = path.read_text(encoding="utf-8")
        for part in parts:
            if docs / part.page == path:
                written = part.written(written)
        if written != page:
            found[path] = written
    return found


def main() -> int:
    """Writes or checks the pages; the exit status."""
    old = stale()
    if "--check" in sys.argv[1:]:
        for path in old:
            name = path.resolve().relative_to(DOCS.parent)
            print(f"{name} is not what the code says: run make docs.", file=sys.stderr)
        wrong = catalogue.troubles()
        print(*wrong, sep="\n", end="\n" * bool(wrong), file=sys.stderr)
        return 1 if old or wrong else 0
    for path, text in old.items():
        path.write_text(text, encoding="utf-8")
    catalogue.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
