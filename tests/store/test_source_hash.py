"""What the firmware hash of a record covers: all that decides, and nothing that only asks."""

import ast
import shutil
from pathlib import Path

import pytest

from firmware.store import source_hash
from firmware.store.source_hash import COVERED, HASH_SIZE, covered, firmware_hash

ROOT = Path(__file__).parents[2]
PACKAGES = ("firmware", "boards", "drivers", "rules", "tools")


def sources() -> dict[str, Path]:
    """Every module of the checkout by its name."""
    found = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
            found[name.removesuffix(".__init__")] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a module imports anywhere, also within a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found & set(known)


def reached_from(root: str) -> set[str]:
    """The modules below `root`, and all that they import."""
    known = sources()
    waiting = [name for name in known if name == root or name.startswith(f"{root}.")]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imports(known[name], known)
            waiting += [name.rsplit(".", 1)[0]] if "." in name else []
    return found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources of the wheel in a folder of their own."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=_only_python)
    return tmp_path


def _only_python(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if "." in name and not name.endswith(".py")} | {"node_modules"}


def alter(path: Path) -> None:
    """One line more."""
    path.write_text(path.read_text() + "# altered\n")


@pytest.mark.req("PA-605a.authenticity")
def test_whatever_takes_part_in_a_decision_is_covered() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in covered(ROOT)}
    known = sources()
    reached = reached_from("firmware.run")
    assert {"firmware.core.coup.voting", "firmware.run.calibration", "rules.limits"} <= reached
    outside = {known[name].relative_to(ROOT).as_posix() for name in reached} - files
    assert not outside


def test_no_covered_name_is_of_a_folder_that_is_gone_or_of_a_service() -> None:
    for name in COVERED:
        assert (ROOT / name).exists(), name
        assert not name.startswith(("tools", "firmware/services", "firmware/client"))


@pytest.mark.req("PA-605a.authenticity")
@pytest.mark.parametrize("name", COVERED)
def test_one_line_of_each_covered_folder_changes_the_hash(name: str, copy: Path) -> None:
    before = firmware_hash(copy)
    assert len(before) == HASH_SIZE
    path = copy / name
    alter(sorted(path.rglob("*.py"))[-1] if path.is_dir() else path)
    assert firmware_hash(copy) != before


@pytest.mark.parametrize("name", ["firmware/services", "firmware/client", "tools"])
def test_a_line_of_what_only_asks_leaves_the_hash(name: str, copy: Path) -> None:
    before = firmware_hash(copy)
    for path in (copy / name).rglob("*.py"):
        alter(path)
    (copy / "firmware/core/a.pyc").write_text("cached")
    assert firmware_hash(copy) == before


def test_a_file_of_another_name_changes_the_hash(copy: Path) -> None:
    before = firmware_hash(copy)
    (copy / "rules/cloth.py").rename(copy / "rules/clothes.py")
    assert firmware_hash(copy) != before


def test_the_row_of_the_software_names_hash_list_and_what_it_covers() -> None:
    statement = source_hash.statement()
    assert statement == {
        "firmware": firmware_hash().hex(),
        "list": source_hash.LIST,
        "covers": list(COVERED),
    }
