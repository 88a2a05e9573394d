"""The package: the same bytes from the same sources, and only what belongs to it."""

import hashlib
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from device_rig import ROOT
from package_rig import CHECKOUT, build
from patience import LAST_RESORT_S

from firmware.services.device import manifest
from tools.commands import completion
from tools.image import deb


@pytest.fixture(scope="module")
def tree(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files, laid out."""
    folder = tmp_path_factory.mktemp("tree")
    subprocess.run(["dpkg-deb", "--extract", str(package), str(folder)], check=True)
    return folder


def test_the_same_sources_make_the_same_bytes_anywhere(package: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "another place"
    shutil.copytree(package.parents[1] / CHECKOUT, checkout)
    old = os.umask(0o077)
    try:
        again = build(checkout, tmp_path / "out", TZ="Asia/Tokyo", LANG="C", PYTHONHASHSEED="7")
    finally:
        os.umask(old)
    assert again.name == package.name
    first, second = (hashlib.sha256(made.read_bytes()).hexdigest() for made in (package, again))
    assert first == second


@pytest.mark.req("EN-5.4-3")
def test_it_holds_what_the_manifest_lists_and_nothing_of_the_machine(tree: Path) -> None:
    wanted = manifest.parse(manifest.read(tree))
    assert not any(manifest.compare(wanted, manifest.installed(tree)))
    for name in ("usr/bin/cylindre", "usr/lib/cylindre/firmware/loop.py", *_units()):
        assert name in wanted, name
    assert {entry.mode for entry in wanted.values()} == {"644", "755", "link"}
    assert [path for path, entry in wanted.items() if entry.mode == "755"] == ["usr/bin/cylindre"]
    names = {Path(path).name for path in wanted}
    assert not names & {"INSTALLER", "RECORD", "direct_url.json"}
    assert not [path for path in wanted if "node_modules" in path or "/tests/" in path]


def test_a_shell_finds_the_manual_and_what_tab_completes(tree: Path) -> None:
    share = tree / "usr" / "share"
    assert "Declare the open coup void" in (share / "man/man1/cylindre-void.1").read_text()
    for shell, path in (
        ("bash", "bash-completion/completions/cylindre"),
        ("zsh", "zsh/vendor-completions/_cylindre"),
        ("fish", "fish/vendor_completions.d/cylindre.fish"),
    ):
        assert (share / path).read_text() == completion.script(shell)
    assert not (share / "zsh/site-functions").exists(), "Debian's zsh does not look there"


def _units() -> list[str]:
    folder = "usr/lib/systemd/system"
    names = [path.name for path in (ROOT / "tools/image/systemd").glob("*.service")]
    wants = [f"{folder}/multi-user.target.wants/{name}" for name in deb.STARTED]
    return [f"{folder}/{name}" for name in names] + wants


def test_what_runs_is_what_it_brings_and_pythons_own_library(tree: Path) -> None:
    """No module of this machine's Python is found, and none is missing that the start needs."""
    probe = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tools import cli;"
    probe += " import cryptography, nacl.signing, cbor2, microdot, serial, smbus2;"
    probe += " import gpiod, cobs, vcd, click;"
    probe += " import firmware.run.app, firmware.run.play, firmware.services.display.server;"
    probe += " print([m.__file__ for m in (click, cbor2, cryptography, nacl, firmware)]);"
    probe += " sys.exit(cli.main())"
    python, software = deb.interpreter(), tree / deb.SOFTWARE
    assert python is not None
    done = subprocess.run(
        [python, "-ISB", "-c", probe, str(software), "--help"],
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(str(software)) == 5
    assert "run" in done.stdout
    assert not any(manifest.compare(manifest.parse(manifest.read(tree)), manifest.installed(tree)))


def test_the_byte_code_names_the_installed_sources_and_no_folder_of_ours(tree: Path) -> None:
    code = (tree / deb.SOFTWARE / "firmware/__pycache__/loop.cpython-311.pyc").read_bytes()
    assert b"/usr/lib/cylindre/firmware/loop.py" in code
    assert int.from_bytes(code[4:8], "little") == 0b01  # PEP 552: by hash, not looked at again


def test_the_lock_has_all_that_the_software_and_a_pi_need() -> None:
    """And what it has in common with the lock of development is the same release."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = [*wanted["dependencies"], *wanted["optional-dependencies"]["pi"]]
    locked, developed = _pins(deb.LOCK), _pins(ROOT / "requirements.lock")
    for name in names:
        assert name.partition(">")[0].partition("=")[0] in locked
    for name in locked.keys() & developed.keys():
        assert locked[name] == developed[name], name


def _pins(lock: Path) -> dict[str, str]:
    lines = [line for line in lock.read_text().splitlines() if line[:1].isalnum()]
    return {line.partition("==")[0]: line.partition("==")[2].split()[0] for line in lines}
