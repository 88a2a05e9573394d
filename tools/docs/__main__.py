"""Writes what is generated in docs/ (`make docs`), or with --check says what is not current."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.docs import diagram, faults

DOCS = Path(__file__).resolve().parents[2] / "docs"


def generated() -> dict[Path, str]:
    """Every page that is generated, wholly or in part, as it should be."""
    architecture = DOCS / "architecture.md"
    return {
        architecture: diagram.written(architecture.read_text(encoding="utf-8")),
        DOCS / "faults.md": faults.page(),
    }


def stale() -> dict[Path, str]:
    """Those of them that are not so."""
    return {
        path: text
        for path, text in generated().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    }


def main() -> int:
    """Writes or checks the pages; the exit status."""
    old = stale()
    if "--check" in sys.argv[1:]:
        for path in old:
            print(f"docs/{path.name} is not what the code says: run make docs.", file=sys.stderr)
        return 1 if old else 0
    for path, text in old.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
