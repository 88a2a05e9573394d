"""`python -m tools.fast.compiling WORK`, of build.py: mypyc writes C, gcc makes libraries of it.

Run in the folder of the checkout. The libraries lie in WORK/lib.
"""

from __future__ import annotations

import os
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import grimp
from mypyc.build import mypycify
from setuptools import Distribution

from tools.fast import part

# No fused multiply-add: a number is what the interpreter makes of it, on every processor. A newer
# compiler's warnings of what mypyc writes are no errors.
_FLAGS = ("-ffp-contract=off", "-fno-builtin-pow", "-Wno-error")
_PACKAGES = ("firmware", "boards", "drivers", "rules", "tools")


def compile_into(work: Path) -> None:
    """Compiles all that part.GROUPS names. Ends the process where mypy refuses a file."""
    groups = part.sources()
    files = importers_first([file for group in groups.values() for file in group])
    extensions = mypycify(
        ["--cache-dir", str(work / "mypy"), *files],
        opt_level="1",
        debug_level="0",
        separate=[(files, name) for name, files in groups.items()],
        target_dir=str(work / "c"),
    )
    for extension in extensions:
        extension.extra_compile_args = [*extension.extra_compile_args, *_FLAGS]
    command: Any = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(work / "lib"), str(work / "objects")
    command.parallel = len(os.sched_getaffinity(0))
    command.ensure_finalized()
    command.run()


def importers_first(files: list[str]) -> list[str]:
    """Those files so that each comes before what it imports: mypy looks at the last ones first.

    mypyc makes one circle of the modules of a group, whose order mypy cannot see any more.
    """
    names = {file.removesuffix(".py").replace("/", "."): file for file in files}
    graph = grimp.build_graph(
        *_PACKAGES,
        exclude_type_checking_imports=True,
        cache_dir=str(part.ROOT / ".cache" / "grimp"),
    )
    imports = {
        name: sorted(graph.find_modules_directly_imported_by(name) & names.keys())
        for name in sorted(names)
    }
    return [names[name] for name in reversed([*TopologicalSorter(imports).static_order()])]


if __name__ == "__main__":
    compile_into(Path(sys.argv[1]))
