import shutil
from types import SimpleNamespace

import pytest

from firmware.lib.errors import NO_DEVICE, Failure
from tools.hil.kernel import build


@pytest.fixture(autouse=True)
def recipe(monkeypatch, tmp_path):
    """A copy of the recipe, which may be spoiled; on a machine that could build it."""
    monkeypatch.setattr(build.os, "uname", lambda: SimpleNamespace(machine="x86_64"))
    monkeypatch.setattr(build.sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.delenv("CYLINDRE_KERNEL", raising=False)
    found = shutil.copytree(build.RECIPE, tmp_path / "recipe")
    monkeypatch.setattr(build, "RECIPE", found)
    monkeypatch.setattr(build, "ROOT", tmp_path)
    return found


def test_a_changed_recipe_is_another_kernel(recipe):
    before = build.folder()
    assert build.folder() == before
    (recipe / "i2c-wheel.c").write_text("/* another */")
    assert build.folder() != before


def test_a_kernel_that_is_there_is_not_built_again(monkeypatch, tmp_path):
    monkeypatch.setenv("CYLINDRE_KERNEL", str(tmp_path / "elsewhere"))
    for part in ("linux", "pi4.dtb", "site"):
        assert not build.is_built()
        (build.folder() / part).mkdir(parents=True)
    monkeypatch.setattr(build.subprocess, "run", None)
    assert build.build() == tmp_path / "elsewhere"


def test_a_named_folder_without_a_kernel_is_refused_with_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("CYLINDRE_KERNEL", str(tmp_path))
    with pytest.raises(Failure, match="no kernel of the rig lies there") as found:
        build.build()
    assert found.value.exit_code == NO_DEVICE


def test_a_machine_that_is_no_debian_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "this is no Debian" in build.why_not()


def test_a_build_that_fails_leaves_nothing_that_looks_built(recipe):
    script = recipe / "build.sh"
    script.write_text('#!/bin/sh\nmkdir -p "$2/site"; touch "$2/linux" "$2/pi4.dtb"; exit 1\n')
    with pytest.raises(Failure, match="could not be built"):
        build.build()
    assert not build.is_built()
    script.write_text(script.read_text().replace("exit 1", "exit 0"))
    assert build.build() == build.folder()
    assert build.is_built()


def test_who_waited_while_another_built_it_does_not_build_it_again(monkeypatch):
    def wait(lock, how):
        assert how == build.fcntl.LOCK_EX
        for part in ("linux", "pi4.dtb", "site"):
            (build.folder() / part).mkdir(parents=True)

    monkeypatch.setattr(build, "why_not", lambda: None)
    monkeypatch.setattr(build.fcntl, "flock", wait)
    monkeypatch.setattr(build.subprocess, "run", None)
    assert build.build() == build.folder()


def test_a_checkout_that_cannot_be_written_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "why_not", lambda: None)
    (tmp_path / ".cache").write_text("a file")
    with pytest.raises(Failure, match="cannot be built"):
        build.build()
