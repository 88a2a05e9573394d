"""The compiled part is used by who asks for it, where it is of these very sources, and is told."""

import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.lib.errors import NO_DEVICE, OK, Failure
from tools.fast import __main__ as fast
from tools.fast import build, compiling, part, switch
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
    how = root / "tools/fast/compiling.py"
    how.parent.mkdir()
    how.write_text("FLAGS = ()\n")
    (folder / "nobodys").mkdir(parents=True)
    (folder / "nobodys" / "module.cpython-311.so").write_bytes(b"library")
    list_libraries(folder, root)
    return folder, root


def list_libraries(folder, root):
    manifest = part.manifest(root) | {"libraries": part.libraries(folder)}
    (folder / part.MANIFEST).write_text(json.dumps(manifest))


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
        f"Playing interpreted: the compiled part is not used ({SOURCE} has changed since)."
        " make fast renews it."
    )


def test_a_part_that_was_compiled_otherwise_is_not_used(made):
    folder, root = made
    (root / "tools/fast/compiling.py").write_text("FLAGS = ('-ffast-math',)\n")
    kind, (told,) = begun(folder, root)
    assert kind == "interpreted" and "tools/fast/compiling.py has changed since" in told


def test_a_part_whose_source_is_gone_is_not_used(made):
    folder, root = made
    (root / SOURCE).unlink()
    assert begun(folder, root)[0] == "interpreted"


def test_a_part_that_lacks_a_new_source_is_not_used(made):
    """A new module may inherit from a compiled class, which only a compiled one can."""
    folder, root = made
    (root / SOURCE).with_name("new.py").touch()
    kind, (told,) = begun(folder, root)
    assert kind == "interpreted" and "tools/sim/new.py has changed since" in told


@pytest.mark.parametrize("left", [None, b"lib"])
def test_a_part_with_a_library_missing_or_cut_short_is_not_used(made, left):
    folder, root = made
    library = folder / "nobodys" / "module.cpython-311.so"
    library.unlink()
    if left is not None:
        library.write_bytes(left)
    kind, (told,) = begun(folder, root)
    assert kind == "interpreted" and "it is not whole" in told


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


@pytest.mark.parametrize(("wanted", "kind"), [("1", "interpreted"), ("0", "compiled")])
def test_who_wants_the_sources_played_has_them_without_a_word(made, monkeypatch, wanted, kind):
    monkeypatch.setenv(switch.INTERPRETED, wanted)
    played, told = begun(*made)
    assert played == kind and bool(told) == (kind == "compiled")


def test_compiled_and_interpreted_modules_are_never_mixed(made):
    folder, root = made
    (folder / "tools" / "fast").mkdir(parents=True)
    (folder / "tools" / "fast" / "part.cpython-311.so").touch()
    list_libraries(folder, root)
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
        "tools/bench/drawn_tables.py",
        "tools/commands/hil.py",
        "tools/commands/sim.py",
        "tools/hil/campaign/far.py",
    }


def test_the_part_lies_beside_no_source_and_in_no_folder_that_is_searched():
    assert str(part.FOLDER) not in sys.path
    assert part.FOLDER.parent == Path(sys.prefix)


def test_each_module_comes_before_what_it_imports():
    files = ["firmware/core/facts.py", "firmware/loop.py", "firmware/core/feed.py"]
    assert compiling.importers_first(files) == [
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


@pytest.fixture
def compiles(monkeypatch):
    """A compiler stands in: it leaves one library. Answers how often it was called."""
    called = []

    def compile_them(work):
        called.append(work)
        library = work / "lib" / "module.so"
        library.parent.mkdir()
        library.write_bytes(b"library")

    monkeypatch.setattr(build, "_compile", compile_them)
    monkeypatch.setattr(build.machine, "lacking", lambda wants: [])
    return called


def test_who_waited_for_another_build_does_not_build_again(compiles, tmp_path, capsys):
    folder = tmp_path / "fast"
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)  # another make fast is at it
    waiting = threading.Thread(target=build.build, args=(folder,))
    waiting.start()
    build._build(folder)
    os.close(handle)
    waiting.join()
    assert len(compiles) == 1 and part.difference(folder) is None
    assert os.listdir(tmp_path) == ["fast"]


def test_an_interrupted_build_leaves_what_was_there(compiles, monkeypatch, tmp_path):
    folder = tmp_path / "fast"
    folder.mkdir()
    (folder / "as before").touch()

    def interrupted(work):
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "_compile", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build.build(folder)
    assert os.listdir(tmp_path) == ["fast"] and os.listdir(folder) == ["as before"]


def test_what_a_compiler_refuses_is_told_in_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(build.machine, "lacking", lambda wants: [])
    says = "import sys; sys.exit('rotor.py:3: error: no such type\\nFound 1 error')"
    compiler = tmp_path / "compiler"
    compiler.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{says}"\n')
    compiler.chmod(0o755)
    monkeypatch.setattr(build.sys, "executable", str(compiler))
    with pytest.raises(Failure) as raised:
        build.build(tmp_path / "fast")
    assert str(raised.value) == (
        "make fast: rotor.py:3: error: no such type. The sources play as before."
    )
    assert os.listdir(tmp_path) == ["compiler"]


def test_where_nothing_can_be_written_one_sentence_says_so(compiles, tmp_path):
    (tmp_path / "fast.part").touch()  # in the way of the folder that is wanted
    with pytest.raises(Failure, match=r"make fast cannot write .*/fast: file exists\."):
        build.build(tmp_path / "fast")


@pytest.mark.parametrize(("line", "code"), [([], NO_DEVICE), (["--renew"], OK)])
def test_what_cannot_be_renewed_keeps_no_campaign_from_playing(monkeypatch, line, code):
    def fail():
        raise Failure(NO_DEVICE, "make fast wants gcc: apt install gcc")

    monkeypatch.setattr(build, "build", fail)
    monkeypatch.setattr(part, "difference", lambda: "it is not whole")
    monkeypatch.setattr(part, "FOLDER", ROOT)
    done = CliRunner().invoke(fast.main, line)
    assert done.exit_code == code and "apt install gcc" in done.output


def test_a_worker_elsewhere_that_cannot_play_compiled_says_so(monkeypatch):
    monkeypatch.setenv(switch.INTERPRETED, "1")
    with pytest.raises(far.OtherKind) as raised:
        far.play(b"", 0, "", "compiled")
    assert str(raised.value) == (
        "A Dask worker plays interpreted, the campaign is compiled:"
        " start the workers anew, after make fast there."
    )


def test_a_worker_elsewhere_that_played_compiled_before_is_to_be_started_anew(made):
    begun(*made)
    with pytest.raises(far.OtherKind, match=r"campaign is interpreted: start the workers anew\."):
        far.play(b"", 0, "", "interpreted")


def test_a_worker_elsewhere_that_played_interpreted_before_is_told_the_same(monkeypatch):
    def too_late():
        raise RuntimeError("imported before the compiled part was asked for: firmware.loop")

    monkeypatch.setattr(switch, "use_compiled", too_late)
    with pytest.raises(far.OtherKind, match="start the workers anew, after make fast there"):
        far.play(b"", 0, "", "compiled")


def test_threads_of_a_worker_elsewhere_choose_one_after_the_other(monkeypatch):
    """Else the second finds what the first has imported just now, and gives the campaign up."""
    both = threading.Barrier(2)
    met = []

    def use_compiled():
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.05)
            met.append(True)

    def play():
        with contextlib.suppress(far.OtherKind):
            far.play(b"", 0, "", "compiled")

    monkeypatch.setattr(switch, "use_compiled", use_compiled)
    threads = [threading.Thread(target=play) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not met
