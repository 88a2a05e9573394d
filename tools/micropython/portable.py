"""What must run on MicroPython as well, in one list, and how it is laid out for an interpreter."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Files, and folders with everything below them.
PORTABLE = (
    "firmware/__init__.py",
    "firmware/core",
    "firmware/bus",
    "firmware/stakes",
    "firmware/ports.py",
    "firmware/shims/__init__.py",
    "firmware/shims/typed.py",
    "drivers",
    "rules",
    "boards",
)


def files() -> list[Path]:
    """The portable source files, relative to the project's folder, sorted."""
    found: set[Path] = set()
    for entry in PORTABLE:
        path = ROOT / entry
        found.update(path.rglob("*.py") if path.is_dir() else [path])
    return sorted(path.relative_to(ROOT) for path in found)


def modules() -> list[str]:
    """The portable part's modules by their dotted names, packages before what they hold."""
    names = []
    for path in files():
        parts = path.with_suffix("").parts
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return sorted(names)


def stage(folder: Path) -> None:
    """Copies the portable part into `folder`."""
    for path in files():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target)
