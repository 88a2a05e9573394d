from pathlib import Path

import pytest

from tools.exits import CONFIGURATION, FAILED, Failure
from tools.keys import provision, read_terminal, read_terminals, terminal_file


def test_each_terminal_gets_a_key_of_its_own_that_its_owner_alone_can_read(tmp_path: Path) -> None:
    paths = provision(tmp_path / "keys", 3)
    assert [path.name for path in paths] == [f"terminal-{at:02d}.key" for at in (1, 2, 3)]
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert paths[0].parent.stat().st_mode & 0o777 == 0o700
    keys = read_terminals(tmp_path / "keys", None)
    assert sorted(keys) == [1, 2, 3]
    assert len(set(keys.values())) == 3
    assert {len(key) for key in keys.values()} == {32}


def test_no_key_is_ever_overwritten_and_none_is_made_beside_one(tmp_path: Path) -> None:
    (first,) = provision(tmp_path, 1)
    before = first.read_bytes()
    with pytest.raises(Failure, match="never overwritten") as caught:
        provision(tmp_path, 2)
    assert caught.value.exit_code == FAILED
    assert first.read_bytes() == before
    assert not terminal_file(tmp_path, 2).exists()


def test_a_key_that_points_elsewhere_is_not_followed(tmp_path: Path) -> None:
    terminal_file(tmp_path, 2).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Failure, match="terminal-02"):
        provision(tmp_path, 2)
    assert not terminal_file(tmp_path, 1).exists()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("a file")
    with pytest.raises(Failure, match=r"Cannot make keys in .*file exists"):
        provision(tmp_path / "keys", 1)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    (path,) = provision(tmp_path, 1)
    path.chmod(mode)
    with pytest.raises(Failure, match="chmod 600") as caught:
        read_terminal(tmp_path, 1)
    assert caught.value.exit_code == CONFIGURATION


@pytest.mark.parametrize("content", [b"", b"00" * 31, b"00" * 33, b"zz" * 32, b"\xb0" * 32])
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (path,) = provision(tmp_path, 1)
    path.write_bytes(content)
    with pytest.raises(Failure, match="is no key"):
        read_terminal(tmp_path, 1)


def test_a_missing_key_says_which_and_how_to_make_it(tmp_path: Path) -> None:
    provision(tmp_path, 1)
    with pytest.raises(Failure, match=r"terminal-02\.key.*cylindre provision"):
        read_terminals(tmp_path, 2)
    assert read_terminals(tmp_path / "nowhere", None) == {}
