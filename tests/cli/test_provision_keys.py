"""The folder of keys: what is made, what is refused, and what a power cut leaves."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.keys import folder as keys
from firmware.keys.folder import provision
from firmware.lib.errors import CONFIGURATION, FAILED, Failure
from firmware.store.signing import public_of

SECRET: list[tuple[str, Callable[[Path], bytes]]] = [
    ("wheel.key", keys.read_private),
    ("display-01.key", lambda folder: keys.read_display(folder, 1)),
    ("terminal-01.key", lambda folder: keys.read_terminal(folder, 1)),
]
EVERY = [*SECRET, ("wheel.pub", keys.read_root)]


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.req("EN-5.4-4")
def test_wheel_displays_and_terminals_get_keys_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    made = provision(folder, terminals=2, displays=3)
    assert [path.name for path in made] == [
        "wheel.key",
        "wheel.pub",
        *[f"display-{at:02d}.key" for at in (1, 2, 3)],
        *[f"terminal-{at:02d}.key" for at in (1, 2)],
    ]
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in made)
    assert {_mode(path) for path in made if path.suffix == ".key"} == {0o600}
    assert _mode(folder / "wheel.pub") == 0o644
    assert _mode(folder) == 0o700
    private = keys.read_private(folder)
    assert keys.read_root(folder) == public_of(private)
    shared = [*keys.read_displays(folder).values(), *keys.read_terminals(folder, None).values()]
    assert len({private, *shared}) == 6
    assert {len(key) for key in (private, *shared)} == {32}
    assert (sorted(keys.read_displays(folder)), keys.read_epoch(folder)) == ([1, 2, 3], 0)


@pytest.mark.req("IEC-CR-2.1")
@pytest.mark.parametrize("umask", [0, 0o077, 0o777])
def test_whatever_the_umask_a_key_is_its_owners_alone(tmp_path: Path, umask: int) -> None:
    (tmp_path / "keys").mkdir(0o700)
    before = os.umask(umask)
    try:
        made = provision(tmp_path / "keys", displays=1)
    finally:
        os.umask(before)
    assert [_mode(path) for path in made] == [0o600, 0o644, 0o600]


def test_the_wheels_key_stays_when_displays_are_added(tmp_path: Path) -> None:
    provision(tmp_path, terminals=1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert [path.name for path in provision(tmp_path, displays=1)] == ["display-01.key"]
    for name, content in before.items():
        assert (tmp_path / name).read_bytes() == content


def test_no_key_is_ever_overwritten_and_none_is_made_beside_one(tmp_path: Path) -> None:
    provision(tmp_path, displays=1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(Failure, match=r"display-01\.key is there already.*never over") as caught:
        provision(tmp_path, terminals=2, displays=2)
    assert caught.value.exit_code == FAILED
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", ["wheel.key", "wheel.pub", "display-02.key", "terminal-01.key"])
def test_a_name_that_points_elsewhere_is_not_written_through(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "keys"
    folder.mkdir()
    (folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Failure, match=name):
        provision(folder, terminals=1, displays=2)
    assert [path.name for path in folder.iterdir()] == [name]
    assert not (tmp_path / "elsewhere").exists()


def test_a_part_that_somebody_laid_there_is_not_written_through(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "keys", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "wheel.key.part").symlink_to(elsewhere)
    provision(folder, displays=1)
    assert not elsewhere.exists()
    assert not list(folder.glob("*.part"))


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("a file")
    with pytest.raises(Failure, match=r"Cannot make keys in .*file exists"):
        provision(tmp_path / "keys", 1)


@pytest.mark.parametrize("failing", range(6))
def test_a_full_disk_leaves_all_keys_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    real, calls = os.fsync, []

    def fsync(handle: int) -> None:
        calls.append(handle)
        if len(calls) == failing + 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Failure, match="no space left"):
        provision(tmp_path / "keys", displays=1)
    monkeypatch.undo()
    assert list((tmp_path / "keys").iterdir()) == []
    assert len(provision(tmp_path / "keys", displays=1)) == 3


def test_a_power_cut_between_the_wheels_two_files_is_made_good(tmp_path: Path) -> None:
    keys.ensure_wheel(tmp_path)
    (tmp_path / "wheel.pub").unlink()
    (tmp_path / "wheel.pub.part").write_text("half")
    keys.ensure_wheel(tmp_path)
    assert keys.read_root(tmp_path) == public_of(keys.read_private(tmp_path))


def test_a_wheel_that_has_its_keys_keeps_them(tmp_path: Path) -> None:
    keys.ensure_wheel(tmp_path)
    before = keys.read_private(tmp_path)
    keys.ensure_wheel(tmp_path)
    assert keys.read_private(tmp_path) == before


def test_a_root_that_is_lost_after_play_is_not_made_up(tmp_path: Path) -> None:
    keys.ensure_wheel(tmp_path)
    keys.next_epoch(tmp_path)
    (tmp_path / "wheel.pub").unlink()
    with pytest.raises(Failure, match=r"wheel\.pub is missing: restore it") as caught:
        keys.ensure_wheel(tmp_path)
    assert caught.value.exit_code == CONFIGURATION
    assert not (tmp_path / "wheel.pub").exists()


def test_a_wheels_key_that_is_lost_is_not_made_up_beside_its_root(tmp_path: Path) -> None:
    keys.ensure_wheel(tmp_path)
    (tmp_path / "wheel.key").unlink()
    with pytest.raises(Failure, match=r"wheel\.pub is there, but .*wheel\.key is not"):
        provision(tmp_path, displays=1)
    assert [path.name for path in tmp_path.iterdir()] == ["wheel.pub"]


@pytest.mark.req("IEC-CR-4.1")
@pytest.mark.req("IEC-CR-2.1")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610, 0o601])
@pytest.mark.parametrize(("name", "read"), SECRET)
def test_a_secret_that_others_can_read_is_refused(
    tmp_path: Path, name: str, read: Callable[[Path], bytes], mode: int
) -> None:
    provision(tmp_path, 1, 1)
    (tmp_path / name).chmod(mode)
    with pytest.raises(Failure, match=rf"{name} can be read by others: chmod 600") as caught:
        read(tmp_path)
    assert caught.value.exit_code == CONFIGURATION


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_a_root_that_others_can_change_is_refused(tmp_path: Path, mode: int) -> None:
    provision(tmp_path, 1)
    (tmp_path / "wheel.pub").chmod(mode)
    with pytest.raises(Failure, match=r"wheel\.pub can be changed by others: chmod 644") as caught:
        keys.read_root(tmp_path)
    assert caught.value.exit_code == CONFIGURATION


@pytest.mark.parametrize(("name", "read"), EVERY)
@pytest.mark.parametrize(
    "content",
    [b"", b"00" * 31, b"00" * 33, b"zz" * 32, b"\xb0" * 32, b"00" * 32 + b"\n\n", b"AB" * 32],
    ids=["empty", "short", "long", "letters", "bytes", "lines", "capitals"],
)
def test_what_is_no_key_is_refused(
    tmp_path: Path, name: str, read: Callable[[Path], bytes], content: bytes
) -> None:
    provision(tmp_path, 1, 1)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Failure, match=f"{name} is no key") as caught:
        read(tmp_path)
    assert caught.value.exit_code == CONFIGURATION


@pytest.mark.parametrize(("name", "read"), EVERY)
def test_a_key_that_points_elsewhere_is_not_followed(
    tmp_path: Path, name: str, read: Callable[[Path], bytes]
) -> None:
    provision(tmp_path, 1, 1)
    (tmp_path / name).rename(tmp_path / "elsewhere")
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Failure, match=f"{name} points elsewhere"):
        read(tmp_path)


@pytest.mark.parametrize(("name", "read"), EVERY)
def test_a_pipe_or_folder_in_the_place_of_a_key_is_refused_at_once(
    tmp_path: Path, name: str, read: Callable[[Path], bytes]
) -> None:
    provision(tmp_path, 1, 1)
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name, 0o600)
    with pytest.raises(Failure, match=f"{name} is no file"):
        read(tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir(0o700)
    with pytest.raises(Failure, match=f"{name} is no file"):
        read(tmp_path)


def test_the_service_page_may_read_the_controllers_public_key_and_nothing_else_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs as a user of its own; files and folder are the controller's."""
    provision(tmp_path, 1, 1)
    if os.geteuid() == 0:
        for path in (tmp_path, *tmp_path.iterdir()):
            os.chown(path, 641, -1)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert len(keys.read_root(tmp_path)) == 32
    with pytest.raises(Failure, match=r"wheel\.key belongs to somebody else"):
        keys.read_private(tmp_path)


@pytest.mark.parametrize(("name", "read"), EVERY)
def test_somebody_elses_file_is_no_key_of_ours(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    needs: Callable[..., None],
    name: str,
    read: Callable[[Path], bytes],
) -> None:
    provision(tmp_path, 1, 1)
    ours = (tmp_path / name).stat().st_uid
    if ours == 0:  # root's file is trusted by all: give it away
        os.chown(tmp_path / name, 4711, -1)
    elif name == "wheel.pub":
        needs("root")  # to give a file to somebody else than the folder's owner
    monkeypatch.setattr(os, "geteuid", lambda: ours + 1000)
    with pytest.raises(Failure, match=f"{name} belongs to somebody else"):
        read(tmp_path)


def test_a_missing_key_says_which_and_how_to_make_it(tmp_path: Path) -> None:
    provision(tmp_path, terminals=1, displays=1)
    for read in (keys.read_terminals, keys.read_displays):
        with pytest.raises(Failure, match=r"-02\.key.*cylindre provision") as caught:
            read(tmp_path, 2)
        assert caught.value.exit_code == CONFIGURATION
        assert read(tmp_path / "nowhere", None) == {}
    with pytest.raises(Failure, match=r"nowhere/wheel\.key.*cylindre provision"):
        keys.read_private(tmp_path / "nowhere")
    with pytest.raises(Failure, match="null character"):
        keys.read_root(tmp_path / "a\0b")


def test_an_epoch_is_never_given_twice(tmp_path: Path) -> None:
    assert [keys.next_epoch(tmp_path) for _ in range(3)] == [1, 2, 3]
    assert keys.read_epoch(tmp_path) == 3
    assert keys.next_epoch(tmp_path, at_least=10) == 11
    assert keys.next_epoch(tmp_path, at_least=5) == 12


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "1.0", "4294967296", "1 2", "²", "9" * 30])
def test_a_torn_epoch_is_not_taken_for_a_new_beginning(tmp_path: Path, text: str) -> None:
    keys.epoch_file(tmp_path).write_text(text, encoding="utf-8")
    with pytest.raises(Failure, match="epoch") as caught:
        keys.next_epoch(tmp_path)
    assert caught.value.exit_code == CONFIGURATION
    assert keys.epoch_file(tmp_path).read_text(encoding="utf-8") == text


def test_the_last_epoch_is_the_last(tmp_path: Path) -> None:
    keys.epoch_file(tmp_path).write_text(f"{keys.EPOCH_MAX}\n")
    with pytest.raises(Failure, match="no epoch is left"):
        keys.next_epoch(tmp_path)


def test_a_cut_while_an_epoch_is_stepped_leaves_the_old_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys.next_epoch(tmp_path)

    def cut(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "rename", cut)
    with pytest.raises(Failure, match=r"Cannot write .*epoch: input/output error") as caught:
        keys.next_epoch(tmp_path)
    assert caught.value.exit_code == FAILED
    assert keys.read_epoch(tmp_path) == 1


def test_a_display_reads_its_keys_and_believes_records_without_the_big_libraries() -> None:
    code = (
        "import sys; import firmware.keys.folder; import firmware.bus.record;"
        "import firmware.lib.signatures;"
        "big = ('cryptography', 'nacl.signing', 'cbor2', 'sqlite3');"
        "print([name for name in big if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
