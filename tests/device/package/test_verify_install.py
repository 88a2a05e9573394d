"""The manifest: what differs is named, and an inspector comes to the same hash from outside."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from device_rig import ROOT, environment
from hypothesis import given
from hypothesis import strategies as st
from patience import LAST_RESORT_S

from firmware.lib.errors import USAGE
from firmware.services.device import manifest
from tools import cli

RUN = "import sys; from tools.commands import group, verify_install; from tools import cli;"
RUN += " group.COMMANDS = (('verify_install', ''),); sys.exit(cli.main())"
HASH = st.text("0123456789abcdef", min_size=64, max_size=64)
# Names as files have them: any bytes but NUL and line ends.
NAME = st.binary(min_size=1, max_size=20).filter(lambda name: not set(name) & set(b"\0\n"))
ENTRY = st.builds(
    manifest.Entry, HASH, st.integers(0, 10**9), st.sampled_from(("644", "755", "4755", "link"))
)

Verify = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Something installed, with its manifest, names and modes as they happen to be."""
    files = {
        "usr/bin/cylindre": (b"#!/usr/bin/python3\n", 0o755),
        "usr/lib/cylindre/a.py": (b"one\n", 0o644),
        "usr/lib/cylindre/a b/c.py": (b"", 0o640),
        "usr/lib/cylindre/é\\n.so": (bytes(range(256)), 0o4755),
        "usr/lib/cylindre/A": (b"before a", 0o444),
        "usr/lib/other/b.py": (b"not ours\n", 0o644),
        "etc/cylindre/wheel.toml": (b"the house's\n", 0o644),
    }
    for name, (data, mode) in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    (tmp_path / "usr/lib/cylindre.d").symlink_to("cylindre/a b")  # to a folder
    (tmp_path / "usr/lib/cylindre/gone").symlink_to("/no/where")
    listed = manifest.text_of(manifest.installed(tmp_path))
    (tmp_path / manifest.MANIFEST).parent.mkdir(parents=True)
    (tmp_path / manifest.MANIFEST).write_bytes(listed)
    return tmp_path


@pytest.fixture
def verify(root: Path) -> Verify:
    def run(*options: str) -> "subprocess.CompletedProcess[str]":
        words = [sys.executable, "-P", "-c", RUN, "verify_install", str(root), *options]
        return subprocess.run(
            words,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=LAST_RESORT_S,
            check=False,
        )

    return run


def from_outside(root: Path, shell: str = "sh") -> str:
    """What the document says, word for word, run in the top folder of what is inspected."""
    text = (ROOT / "docs" / "verify-install.md").read_text()
    found = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert found is not None
    done = subprocess.run(
        [shell, "-c", found[1]],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split()[0]


@pytest.mark.req("PA-605a.authenticity")
@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_an_inspector_comes_to_the_same_hash_with_coreutils_alone(
    root: Path, verify: Verify, shell: str
) -> None:
    """58 Pa. Code 605a.4(c): "the capacity to allow the Bureau of Gaming Laboratory Operations to
    verify all relevant control software for authenticity"."""
    from_there = verify("--hash").stdout.strip()
    assert len(from_there) == 64
    assert from_outside(root, shell) == from_there
    assert manifest.hash_of((root / manifest.MANIFEST).read_bytes()) == from_there
    (root / "usr/lib/cylindre/a.py").write_bytes(b"One\n")
    assert from_outside(root, shell) == verify("--hash").stdout.strip() != from_there


def test_untouched_software_is_as_it_was_made(verify: Verify) -> None:
    done = verify("--json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert (told["ok"], told["files"]) == (True, 7)
    assert told["hash"] == told["manifest"]
    assert verify("--quiet").stdout == ""


def test_what_the_house_may_change_does_not_count(root: Path, verify: Verify) -> None:
    (root / "etc/cylindre/wheel.toml").write_text("[wheel]\n")
    (root / "usr/lib/other/b.py").unlink()
    assert verify().returncode == 0


@pytest.mark.req("IEC-EDR-3.2")
@pytest.mark.req("ON-3.1.2.tampered")
@pytest.mark.parametrize(
    ("tamper", "kind", "path"),
    [
        (lambda at: (at / "a.py").write_text("two\n"), "differing", "a.py"),
        (lambda at: (at / "a.py").chmod(0o755), "differing", "a.py"),
        (lambda at: (at / "a.py").unlink(), "missing", "a.py"),
        (lambda at: (at / "b.py").touch(), "extra", "b.py"),
        (lambda at: (at / "b.py").symlink_to("a.py"), "extra", "b.py"),
        (lambda at: os.mkfifo(at / "pipe"), "extra", "pipe"),
        (lambda at: _relink(at / "gone"), "differing", "gone"),
    ],
)
def test_what_was_changed_is_named_and_refused(
    root: Path, verify: Verify, tamper: Callable[[Path], object], kind: str, path: str
) -> None:
    """Ontario 3.1.2: compromised software is detected before it is executed."""
    tamper(root / "usr/lib/cylindre")
    done = verify("--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told[kind] == [f"usr/lib/cylindre/{path}"]
    assert told["ok"] is False
    assert sum(len(told[each]) for each in ("differing", "missing", "extra")) == 1
    said = verify().stderr
    assert f"/usr/lib/cylindre/{path}" in said
    assert "Traceback" not in said


def _relink(path: Path) -> None:
    path.unlink()
    path.symlink_to("/some/where")


@pytest.mark.parametrize(
    ("damage", "exit_code"),
    [
        (lambda text: None, 2),
        (lambda text: b"", 1),
        (lambda text: text[:-1], 1),
        (lambda text: text + text, 1),
        (lambda text: b"\xff\n", 1),
        (lambda text: text.replace(b" 644 ", b" rw- "), 1),
        (lambda text: b"\n".join(reversed(text.splitlines())) + b"\n", 1),
    ],
)
def test_a_manifest_that_is_none_is_one_sentence(
    root: Path, verify: Verify, damage: Callable[[bytes], bytes | None], exit_code: int
) -> None:
    path = root / manifest.MANIFEST
    damaged = damage(path.read_bytes())
    path.unlink() if damaged is None else path.write_bytes(damaged)
    done = verify()
    assert done.returncode == exit_code
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@given(st.dictionaries(NAME, ENTRY, min_size=1, max_size=10))
def test_what_is_listed_is_read_back(found: dict[bytes, manifest.Entry]) -> None:
    entries = {"usr/" + os.fsdecode(name): entry for name, entry in found.items()}
    assert manifest.parse(manifest.text_of(entries)) == entries


@given(st.binary(max_size=300))
def test_any_bytes_are_a_manifest_or_refused(data: bytes) -> None:
    try:
        entries = manifest.parse(data)
    except manifest.NoManifestError:
        return
    assert manifest.text_of(entries) == data


@pytest.mark.parametrize("options", [[], ["--hash"], ["--json"]])
@pytest.mark.parametrize("there", [None, "usr", "file"])
def test_where_no_software_of_ours_lies_no_hash_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], there: str | None, options: list[str]
) -> None:
    root = tmp_path / "root"
    if there == "file":
        root.write_text("")
    elif there is not None:
        (root / there / "lib").mkdir(parents=True)
    assert cli.main(["verify-install", str(root), *options]) == USAGE
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(str(root)) and told.err.count("\n") == 1
