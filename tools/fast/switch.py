"""Lets a command use the compiled part: it calls `use_compiled` before anything of it is imported.

Afterwards `import firmware.core.controller` finds the compiled module; what is not compiled is
found as ever. CYLINDRE_INTERPRETED=1 has a command play the sources all the same: all tests do.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from tools.fast import part

INTERPRETED = "CYLINDRE_INTERPRETED"
_COBS = "firmware.bus.cobs_small"
COMPILED, PLAIN = "compiled", "interpreted"


class _Finder(MetaPathFinder):
    """Finds the modules of a compiled part by their names."""

    def __init__(self, folder: Path) -> None:
        self.files = {
            ".".join([*path.relative_to(folder).parts[:-1], path.name.split(".")[0]]): str(path)
            for path in folder.rglob("*.so")
        }

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns where the module of that name is compiled; None if it is not."""
        file = self.files.get(fullname)
        if file is None:
            return None
        loader = ExtensionFileLoader(fullname, file)
        return spec_from_file_location(fullname, file, loader=loader)


def use_compiled(
    folder: Path = part.FOLDER,
    root: Path = part.ROOT,
    tell: Callable[[str], None] = lambda said: print(said, file=sys.stderr, flush=True),
) -> str:
    """Uses the compiled part from now on if there is one of these sources; tells which is played.

    Returns `kind`. Says nothing where there is no compiled part, or where nobody wants it. Raises
    RuntimeError if a module of it has been imported from its source: the two cannot be mixed.
    """
    wants_sources = os.environ.get(INTERPRETED, "") not in ("", "0")
    if wants_sources or kind() == COMPILED or not folder.exists():
        return kind()
    why = part.difference(folder, root)
    if why is not None:
        tell(f"Playing interpreted: the compiled part is not used ({why}). make fast renews it.")
        return kind()
    finder = _Finder(folder)
    if early := sorted(finder.files.keys() & sys.modules.keys()):
        raise RuntimeError(f"imported before the compiled part was asked for: {early[0]}")
    sys.meta_path.insert(0, finder)
    if _COBS in finder.files:
        _stand_in_for_cobs()
    tell("Playing compiled (make fast).")
    return kind()


def _stand_in_for_cobs() -> None:
    """Puts our own lines, compiled, in place of the package, which is Python here.

    They are the same byte for byte (ADR 4); the package took a quarter of a campaign.
    """
    package = ModuleType("cobs")
    package.__dict__["cobs"] = importlib.import_module(_COBS)
    sys.modules["cobs"] = package


def kind() -> str:
    """What this process plays: `compiled` or `interpreted`."""
    found = any(isinstance(finder, _Finder) for finder in sys.meta_path)
    return COMPILED if found else PLAIN
