"""The compiled part is used by who asks for it, where it is of these very sources, and is told."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.lib.errors import NO_DEVICE, Failure
from tools.fast import build, part, switch
from tools.hil.campaign import far

ROOT = Path(__file__).parents[2]
SOURCE = "tools/sim/streams.py"


@pytest.fixture(autouse=True)
def _as_found(monkeypatch):
    """Who looks for modules, and what people want, as before this test."""
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delenv(switch.INTERPRETED, raising=False)


@pytest.fixture
def made(tmp_path):
    """A checkout of one source, and a part that says it was compiled from it."""
    root, folder = tmp_path / "checkout", tmp_path / "fast"
    source = root / SOURCE
    source.parent.mkdir(parents=True)
    source.write_text("A = 1\n")
    (folder / "nobodys").mkdir(parents=True)
    (folder / "nobodys" / "module.cpython-311.so").touch()
    (folder / part.MANIFEST).write_text(json.dumps(part.manifest([SOURCE], root)))
    return folder, root


def begun(folder, root):
    """What is played then, and what people are told."""
    told = []
    return switch.use_compiled(folder, root, told.append), told


def test_a_part_of_these_sources_is_used_and_told(made):
    assert begun(*made) == ("compiled", ["Playing compiled (make fast)."])
    assert switch.kind() == "compiled"


def test_without_a_part_nothing_is_told(tmp_path):
    assert begun(tmp_path / "none", tmp_path) == ("interpreted", [])


def test_a_part_older_than_its_source_is_told_and_not_used(made):
    folder, root = made
    (root / SOURCE).write_text("A = 2\n")
    kind, (told,) = begun(folder, root)
    assert kind == switch.kind() == "interpreted"
    assert told == (
        f"Playing interpreted: the compiled part is older ({SOURCE} has changed since)."
        " make fast builds it anew."
    )


def test_a_part_whose_source_is_gone_is_not_used(made):
    folder, root = made
    (root / SOURCE).unlink()
    assert begun(folder, root)[0] == "interpreted"


@pytest.mark.parametrize("manifest", ["", "[]", '{"sources": {}}'])
def test_a_part_that_is_not_whole_is_not_used(made, manifest):
    folder, root = made
    (folder / part.MANIFEST).write_text(manifest)
    kind, (told,) = begun(folder, root)
    assert kind == "interpreted" and "it is not whole" in told


def test_a_part_for_another_python_is_not_used(made):
    folder, root = made
    manifest = json.loads((folder / part.MANIFEST).read_text())
    (folder / part.MANIFEST).write_text(json.dumps(manifest | {"python": "3.99"}))
    kind, (told,) = begun(folder, root)
    assert kind == "interpreted" and "it was made for another Python" in told


def test_who_wants_the_sources_played_has_them_without_a_word(made, monkeypatch):
    monkeypatch.setenv(switch.INTERPRETED, "1")
    assert begun(*made) == ("interpreted", [])


def test_compiled_and_interpreted_modules_are_never_mixed(made):
    folder, root = made
    (folder / "tools" / "fast").mkdir(parents=True)
    (folder / "tools" / "fast" / "part.cpython-311.so").touch()
    with pytest.raises(RuntimeError, match=r"tools\.fast\.part"):
        switch.use_compiled(folder, root)
    assert switch.kind() == "interpreted"


def test_a_compiled_module_is_found_by_its_name_and_any_other_as_ever(made):
    begun(*made)
    finder = sys.meta_path[0]
    assert finder.find_spec("nobodys.module", None).origin.endswith("module.cpython-311.so")
    assert finder.find_spec("nobodys", None) is None


@pytest.mark.parametrize("command", ["sim", "hil", "run", "replay"])
def test_a_command_is_there_before_anything_of_the_part_is_imported(command):
    """`use_compiled` would refuse in the first two; the others do not call it."""
    modules = [
        file.removesuffix(".py").replace("/", ".")
        for files in part.sources().values()
        for file in files
    ]
    code = f"import sys, tools.commands.{command}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    if command in ("sim", "hil"):
        assert not set(modules) & set(done.stdout.split())
    else:
        assert "tools.fast.switch" not in done.stdout.split()


def test_nobody_but_these_asks_for_the_part():
    """Least of all what a wheel plays: its records name the sources."""
    asks = {
        path.relative_to(ROOT).as_posix()
        for folder in ("firmware", "boards", "drivers", "rules", "tools")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"\bswitch\.use_compiled\(", path.read_text())
    }
    assert asks == {
        "tools/bench/__main__.py",
        "tools/bench/call/__main__.py",
        "tools/commands/hil.py",
        "tools/commands/sim.py",
        "tools/hil/campaign/far.py",
    }


def test_the_part_lies_beside_no_source_and_in_no_folder_that_is_searched():
    assert str(part.FOLDER) not in sys.path
    assert part.FOLDER.parent == Path(sys.prefix)


def test_each_module_comes_before_what_it_imports():
    files = ["firmware/core/facts.py", "firmware/loop.py", "firmware/core/feed.py"]
    assert build.importers_first(files) == [
        "firmware/loop.py",
        "firmware/core/feed.py",
        "firmware/core/facts.py",
    ]


def test_without_a_compiler_one_sentence_says_what_brings_it(monkeypatch, tmp_path):
    monkeypatch.setattr(build.machine, "lacking", list)
    with pytest.raises(Failure) as raised:
        build.build(tmp_path / "fast")
    assert raised.value.exit_code == NO_DEVICE
    assert re.fullmatch(
        r"make fast wants gcc and Python headers: .*Python headers: apt install python3-dev.*",
        str(raised.value.sentence),
    )
    assert not list(tmp_path.iterdir())


def test_a_worker_elsewhere_that_cannot_play_compiled_says_so(monkeypatch):
    monkeypatch.setenv(switch.INTERPRETED, "1")
    with pytest.raises(RuntimeError, match="plays interpreted, the campaign is compiled"):
        far.play(b"", 0, "", "compiled")
