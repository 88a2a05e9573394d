"""Whatever is wrong with a wheel: where its secrets lie is known, or nothing is packed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from a_wheel import BOARD, LOG, AWheel, refused
from click.testing import Result

from firmware.lib.errors import FAILED, USAGE
from tools.technician.support import bundle, make

NOBODY = 65534
needs_root = pytest.mark.needs("root")


@pytest.fixture
def wheel(tmp_path: Path) -> AWheel:
    """Its keys lie where its configuration alone says, and a log holds one of them."""
    made = AWheel(tmp_path)
    made.keys = made.keys.rename(tmp_path / "mykeys")
    key = (made.keys / "wheel.key").read_text().strip()
    made.log.write_text(f"{LOG}key {key}\n")
    return made


def packed(wheel: AWheel, configuration: str, *options: object) -> Result:
    """Its bundle, with more in its configuration."""
    wheel.config.write_text(f'[wheel]\nboard = "{BOARD}"\n{configuration}\n')
    return wheel.pack_found("--out", wheel.config.with_name("out.tar.gz"), *options)


@pytest.mark.parametrize(
    "more",
    [
        "",
        "bauds = 9600",
        'baud = "482913"',
        "this is no TOML",
        "[displays]\ncount = 3",
        '[zzzzzz]\nx = "y"',
        "[store]\njournal = 3",
    ],
)
def test_a_mistake_beside_it_does_not_hide_the_place_of_the_keys(
    wheel: AWheel, tmp_path: Path, more: str
) -> None:
    said = f'[people]\nfile = "staff"\n[bus]\nkeys = "mykeys"\n{more}'
    sentence = refused(packed(wheel, said)).sentence
    assert f"logs/cylindre.log would hold a secret of {tmp_path}/mykeys/wheel.key" in sentence
    assert not (tmp_path / "out.tar.gz").exists()


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ('[bus]\nkyes = "mykeys"', "keys"),
        ("[bus]\nkeys = mykeys", "keys"),
        ('[wheel]\nkeys = "mykeys"', "keys"),
        ("x\n[bus\n[people\n", "keys"),
        ('[people]\nfiel = "staff"', "people"),
        ('[store]\njuornal = "/x/journal.db"', "people"),
    ],
)
def test_where_a_mistake_may_hide_it_nothing_is_packed(
    wheel: AWheel, tmp_path: Path, said: str, hidden: str
) -> None:
    failure = refused(packed(wheel, said))
    assert failure.exit_code == FAILED
    assert f"may hide where the {hidden} are" in failure.sentence
    assert f"--{hidden}" in failure.sentence
    assert not (tmp_path / "out.tar.gz").exists()


@pytest.mark.parametrize("broken", ["format = 99\n", None, "\0\xff"])
def test_a_configuration_that_cannot_be_read_hides_it(
    wheel: AWheel, tmp_path: Path, broken: str | None
) -> None:
    if broken is None:
        wheel.config.unlink()
    else:
        wheel.config.write_bytes(broken.encode("latin-1"))
    out = tmp_path / "out.tar.gz"
    where = ("--board", BOARD, "--out", out)
    assert "may hide where the keys are" in refused(wheel.pack_found(*where)).sentence
    # Who says where they are has them searched for, and without the log there is nothing of them.
    assert "mykeys/wheel.key" in refused(wheel.pack(*where)).sentence
    assert wheel.pack(*where, "--without", "logs").exit_code == 0


def test_without_a_search_it_is_told_what_was_not_known_and_has_no_logs(
    wheel: AWheel, tmp_path: Path
) -> None:
    assert packed(wheel, '[bus]\nkyes = "mykeys"', "--unsearched").exit_code == 0
    found = bundle.read(tmp_path / "out.tar.gz")
    assert found.manifest["unsearched"] == ["the place of keys, which the configuration hides"]
    assert not [name for name in found.files if name.startswith("logs/")]


@pytest.mark.parametrize("option", ["--keys", "--people"])
def test_a_place_that_was_mistyped_is_not_taken_for_an_empty_one(
    wheel: AWheel, tmp_path: Path, option: str
) -> None:
    failure = refused(wheel.pack("--out", tmp_path / "out.tar.gz", option, tmp_path / "mykesy"))
    assert (failure.exit_code, f"There is no {tmp_path}/mykesy" in failure.sentence) == (
        USAGE,
        True,
    )


@pytest.mark.parametrize("mode", [0o700, 0o711, 0o744])
@needs_root
def test_who_may_not_read_the_keys_gets_no_bundle(wheel: AWheel, mode: int) -> None:
    refuses(wheel, lambda: wheel.keys.chmod(mode))


@needs_root
def test_who_may_not_read_the_people_gets_no_bundle(wheel: AWheel) -> None:
    refuses(wheel, lambda: wheel.people.chmod(0o600))
    refuses(wheel, lambda: (wheel.keys / "wheel.key").chmod(0o600))


@needs_root
def test_who_may_not_look_into_a_folder_gets_no_bundle(wheel: AWheel) -> None:
    """There may be a key in it: beside the journal, in a folder of the keys, around the people."""
    for where in (wheel.folder, wheel.keys):
        (where / "old").mkdir()
        refuses(wheel, (where / "old").chmod, 0o700)
    closed = wheel.folder.parent / "staff"
    closed.mkdir()
    wheel.people = Path(shutil.move(wheel.people, closed / "people.jsonl"))
    refuses(wheel, closed.chmod, 0o700)


def test_keys_of_every_service_of_a_device_count(
    wheel: AWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the machine is no whole device, and the journal is said to lie elsewhere."""
    for name in ("cylindre", "cylindre-page"):
        (tmp_path / "lib" / name).mkdir(parents=True)
    monkeypatch.setattr(make, "DEVICE_STATE", tmp_path / "lib" / "cylindre")
    for folder in (tmp_path / "lib" / "cylindre", tmp_path / "lib" / "cylindre-page"):
        key = (wheel.keys / "wheel.key").rename(folder / "x.key")
        assert str(key) in refused(packed(wheel, "", "--keys", wheel.keys)).sentence
        key.rename(wheel.keys / "wheel.key")


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Another user, who may go as far as this folder."""
    for path in (*folder.parents, folder):
        if path.stat().st_uid == os.getuid() and path != Path("/"):
            path.chmod(path.stat().st_mode | 0o055)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def refuses(wheel: AWheel, close: Callable[..., None], *how: object) -> None:
    """It does once something was closed; what is open to everybody else is searched."""
    root = wheel.config.parent
    for path in root.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    close(*how)
    wheel.pack("--dry-run")  # imports while it may: nobody sees no library below /root
    with as_nobody(root):
        result = wheel.pack("--dry-run")
    assert "nobody could tell whether it leaks. Ask as root." in refused(result).sentence
