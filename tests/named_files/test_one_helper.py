"""In firmware/ files are read through one helper; what is read otherwise is no file that somebody
names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

FIRMWARE = Path(__file__).parents[2] / "firmware"
# What opens or reads a file by itself, and why it may.
OTHERWISE = {
    "lib/named_file.py": "the helper",
    "lib/durable.py": "a folder to be synced, and a new file of its own",
    "lib/input_device.py": "a device",
    "lib/private_copy.py": "a new file in a folder of its own",
    "lib/order_folder.py": "a new file of its own",
    "lib/peer_user.py": "/proc",
    "lib/process_start.py": "/proc",
    "lib/catalogue.py": "a catalogue of the program",
    "lib/web.py": "files of the program",
    "lib/programs.py": "what a program of ours has just made",
    "keys/people.py": "a folder to be locked, and a new file of its own",
    "services/display/main.py": "/dev/null",
    "services/page/support.py": "a bundle in a new folder of its own",
    "services/recorder/files.py": "a folder to be synced",
    "services/update/bootenv.py": "the boot partition, which is root's and has no links or pipes",
    "services/update/installing.py": "below /run, root's",
    "services/update/slot_status.py": "below /run, root's",
    "services/update/rauc.py": "RAUC's state, root's",
    "services/update/slots.py": "/proc",
    "services/update/from_image.py": "a new file in a folder of its own",
    "shims/linux.py": "a device",
    "store/clone.py": "/proc",
    "store/source_hash.py": "the program's own sources",
    "store/fram_file.py": "a new file of its own",
    "store/journal_file.py": "a new file of its own",
    "text/trace.py": "a new file of its own",
}
_READS = {"read_text", "read_bytes"}
_ITS_OWN = "key_files"  # whose read_text is the helper's


def _opens(tree: ast.AST) -> Iterator[int]:
    """The lines on which something is opened by its path."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            yield node.lineno
        if isinstance(called, ast.Attribute):
            of = called.value.id if isinstance(called.value, ast.Name) else ""
            if called.attr in _READS and of != _ITS_OWN:
                yield node.lineno
            mode = node.args and isinstance(node.args[0], ast.Constant)
            if called.attr == "open" and (of == "os" or mode):
                yield node.lineno


def test_files_are_read_through_the_one_helper() -> None:
    found = [
        f"{path.relative_to(FIRMWARE)}:{line}"
        for path in sorted(FIRMWARE.rglob("*.py"))
        if str(path.relative_to(FIRMWARE)) not in OTHERWISE
        for line in _opens(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_nothing_stands_in_the_table_that_opens_nothing_any_more() -> None:
    trees = {name: ast.parse((FIRMWARE / name).read_text(encoding="utf-8")) for name in OTHERWISE}
    assert [name for name, tree in trees.items() if not [*_opens(tree)]] == []


def test_sqlite_is_given_a_journal_in_one_place_alone() -> None:
    """There it is judged first, with what lies beside it."""
    sources = [*FIRMWARE.rglob("*.py"), *(FIRMWARE.parent / "tools").rglob("*.py")]
    found = [path for path in sources if "sqlite3.connect(" in path.read_text(encoding="utf-8")]
    assert found == [FIRMWARE / "store" / "database.py"]


def test_what_the_system_says_of_a_file_becomes_a_sentence_in_one_place() -> None:
    """firmware/lib/errors.py: `cause` and what is made of it."""
    sources = [*FIRMWARE.rglob("*.py"), *(FIRMWARE.parent / "tools").rglob("*.py")]
    found = {
        str(path.relative_to(FIRMWARE.parent))
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr == "strerror"
        and not (isinstance(node.value, ast.Name) and node.value.id == "os")
    }
    assert found == {"firmware/lib/errors.py"}
