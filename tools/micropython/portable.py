"""What must run on MicroPython as well, in one list, and how it is laid out for an interpreter."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Files, and folders with everything below them.
PORTABLE = (
    "firmware/__init__.py",
    "firmware/core",
    "firmware/bus",
    "firmware/ports.py",
    "firmware/shims/__init__.py",
    "firmware/shims/typed.py",
    "drivers",
    "rules",
    "boards",
)

# The pure Python half of the `cobs` package; the rest of it is C, self-tests and another coding.
_COBS = ("__init__.py", "_version/__init__.py", "cobs/__init__.py", "cobs/_cobs_py.py")


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


def libraries() -> Iterator[tuple[Path, Path]]:
    """Third-party files that go with the portable part: where one is, and where it goes."""
    spec = importlib.util.find_spec("cobs")
    assert spec is not None and spec.origin is not None, "cobs is in requirements.lock"
    for name in _COBS:
        yield Path(spec.origin).parent / name, Path("cobs") / name


def stage(folder: Path) -> None:
    """Copies the portable part and its libraries into `folder`."""
    pairs = [(ROOT / path, path) for path in files()]
    for source, name in pairs + list(libraries()):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
