"""What is compiled, where it lies, and of which sources it was made."""

from __future__ import annotations

import hashlib
import json
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(sys.prefix, "fast")
MANIFEST = "manifest.json"

# What is compiled together: patterns of files. Within a group attributes and calls are those of C,
# and the groups are compiled at the same time. Packages stay as they are: they lead to the rest.
#
# Not compiled, and why: firmware/config, store, text, run: once a coup or less. tools/hil/faults:
# faults of two bases, which mypyc has not. firmware/shims/typed.py: it is the typing module's.
# tools/hil/lighting.py: mypyc breaks on it. tools/sim/by_hand.py and card_*.py: no coup has them.
GROUPS = {
    "core": ("firmware/core/**/*.py",),
    "bus": ("firmware/bus/*.py", "firmware/stakes/*.py"),
    "wheel": (
        "drivers/*.py",
        "firmware/expander/*.py",
        "firmware/loop.py",
        "firmware/ports.py",
        "firmware/shims/edge_ledger.py",
        "firmware/shims/machine.py",
        "firmware/shims/virtual.py",
    ),
    "sim": (
        "tools/bench/call/hindsight.py",
        "tools/hil/line.py",
        "tools/hil/line_faults.py",
        "tools/hil/places/virtual.py",
        "tools/hil/recorded.py",
        "tools/hil/screen.py",
        "tools/hil/shadow.py",
        "tools/hil/world.py",
        "tools/sim/*.py",
        "tools/virtual/hardware.py",
        "tools/virtual/memory_store.py",
        "tools/virtual/score.py",
        "tools/virtual/simulate.py",
    ),
}
_LEFT_OUT = (
    "tools/sim/by_hand.py",
    "tools/sim/card_croupier.py",
    "tools/sim/card_players.py",
    "tools/sim/card_shoe.py",
)
_HOW = "tools/fast/compiling.py"  # which flags it has may decide the last bit of a number


def sources(root: Path = ROOT) -> dict[str, list[str]]:
    """The files of each group, below `root`, by their paths."""
    return {
        group: sorted(
            path.relative_to(root).as_posix()
            for pattern in patterns
            for path in root.glob(pattern)
            if path.name != "__init__.py" and path.relative_to(root).as_posix() not in _LEFT_OUT
        )
        for group, patterns in GROUPS.items()
    }


def manifest(root: Path = ROOT) -> dict[str, Any]:
    """What a compiled part is made of and how: this Python, and each file by its hash."""
    files = sorted([_HOW, *(file for group in sources(root).values() for file in group)])
    return {
        "python": f"{sys.version} {sysconfig.get_config_var('EXT_SUFFIX')}",
        "sources": {file: hashlib.sha256((root / file).read_bytes()).hexdigest() for file in files},
    }


def libraries(folder: Path) -> dict[str, int]:
    """The libraries of a compiled part, and how long each is, in bytes."""
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*.so")
    }


def difference(folder: Path = FOLDER, root: Path = ROOT) -> str | None:
    """Why the compiled part in `folder` is not that of these sources; None if it is."""
    try:
        made = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        python, were = str(made["python"]), dict(made["sources"])
        whole = libraries(folder) == made["libraries"]
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        return "it is not whole"
    here = manifest(root)
    if python != here["python"]:
        return "it was made for another Python"
    for file in sorted(were.keys() | here["sources"].keys()):
        if here["sources"].get(file) != were.get(file):
            return f"{file} has changed since"
    return None
