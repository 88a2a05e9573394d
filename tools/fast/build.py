"""Builds the compiled part: mypyc writes C, the machine's compiler makes libraries of it.

Nothing is written beside the sources. The part takes its place once it is whole.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import click
import grimp

from firmware.lib.errors import FAILED, NO_DEVICE, Failure, cause
from tools.fast import part
from tools.testing import machine

WANTS = ("gcc", "Python headers")
# No fused multiply-add: a number is what the interpreter makes of it, on every processor. A newer
# compiler's warnings of what mypyc writes are no errors.
_FLAGS = ("-ffp-contract=off", "-fno-builtin-pow", "-Wno-error")
_PACKAGES = ("firmware", "boards", "drivers", "rules", "tools")


def build(folder: Path = part.FOLDER) -> None:
    """Compiles, and puts the result in place of what `folder` held; waits for who is at it already.

    Raises Failure without a compiler or headers, where one of both compilers refuses a file, and
    where nothing can be written.
    """
    if lacking := machine.lacking(WANTS):
        remedy = "; ".join(machine.remedies(lacking))
        raise Failure(NO_DEVICE, f"make fast wants {' and '.join(lacking)}: {remedy}")
    try:
        with _alone(folder.parent):
            if part.difference(folder) is not None:  # somebody else may have been quicker
                _build(folder)
    except OSError as error:
        raise Failure(FAILED, f"make fast cannot write {folder}: {cause(error)}.") from None


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else builds in that folder meanwhile."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            click.echo("Another make fast is at work: waiting for it ...", err=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _build(folder: Path) -> None:
    made = part.manifest()
    click.echo(f"Compiling {len(made['sources'])} modules (a minute or two) ...", err=True)
    began = time.monotonic()
    work = folder.with_name(folder.name + ".part")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        with contextlib.chdir(part.ROOT), (work / "log").open("w") as log:
            _compile(part.sources(), work, log)
        made["libraries"] = part.libraries(work / "lib")
        (work / "lib" / part.MANIFEST).write_text(json.dumps(made, indent=1) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        (work / "lib").rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    size = sum(made["libraries"].values()) / 1e6
    click.echo(f"{folder}: {size:.0f} MB in {time.monotonic() - began:.0f} s.", err=True)


def _compile(groups: dict[str, list[str]], work: Path, log: Any) -> None:
    """Leaves the libraries in `work`/lib. What both compilers say goes to `log`."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    options = ["--cache-dir", str(work / "mypy")]
    try:
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            extensions = mypycify(
                [*options, *importers_first([file for group in groups.values() for file in group])],
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
        with _into(log):
            command.run()
    except (Exception, SystemExit) as error:
        log.flush()
        said = (work / "log").read_text(errors="replace").splitlines()
        why = str(error) or type(error).__name__
        first = next((line for line in said if "error:" in line), why.splitlines()[0])
        raise Failure(FAILED, f"make fast: {first.strip()}. The sources play as before.") from None


@contextlib.contextmanager
def _into(log: Any) -> Any:
    """Standard output and error of processes go there."""
    kept = [os.dup(handle) for handle in (1, 2)]
    sys.stdout.flush()
    try:
        for handle in (1, 2):
            os.dup2(log.fileno(), handle)
        yield
    finally:
        for handle, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, handle)
            os.close(copy)


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
