"""Root reads another user's journal with that user's rights, and writes none."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import own_journal
import pytest
import rest_files
from own_journal import SIGNER, result

from firmware.lib import as_owner
from firmware.store import database, reader
from firmware.store.fram import Head
from firmware.store.fram_file import FileFram
from firmware.store.rows import JournalError
from firmware.store.verify import first_bad
from tools.journal.journal_check import check

NOBODY, OTHER = 65534, 64321  # one that has a name here, one that has none

pytestmark = pytest.mark.needs("root")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that anybody may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="as-owner-", dir="/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


def written(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    journal = own_journal.opened(folder / "journal.db")
    journal.write(*result(1))
    journal.close()
    return folder / "journal.db"


def give(uid: int, *paths: Path) -> None:
    for path in paths:
        os.chown(path, uid, uid)


def rights() -> tuple[int, int, list[int]]:
    return os.geteuid(), os.getegid(), os.getgroups()


def acted_as(path: Path) -> int:
    """Whose rights root has while it reads; after that it has its own."""
    before = rights()
    with database.reading(path) as connection:
        found = rights()
        assert database.last_point(connection).n == 2
    assert rights() == before
    assert found[0] == 0 or (found[1] != 0 and 0 not in found[2])
    return found[0]


@pytest.mark.parametrize("uid", [NOBODY, OTHER])
def test_root_reads_another_users_journal_as_that_user(folder: Path, uid: int) -> None:
    path = written(folder / "own")
    assert acted_as(path) == 0
    give(uid, path)
    assert acted_as(path) == uid
    assert first_bad(path, SIGNER.public) is None


@pytest.mark.parametrize("uid", [NOBODY, OTHER])
def test_who_owns_the_folder_may_have_put_anything_there(folder: Path, uid: int) -> None:
    path = written(folder / "own")
    path.chmod(0o644)
    give(uid, path.parent)
    assert acted_as(path) == uid
    give(0, path.parent)
    rest = rest_files.rest_of(path)
    rest.touch()
    give(uid, rest)  # as in a folder where all may write
    assert acted_as(path) == uid


def test_where_only_root_may_go_the_owner_gets_a_copy(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a card that is mounted, or an archive that was unpacked, below a folder of root's."""
    (tmp_path / "closed").mkdir(mode=0o700)
    path = written(tmp_path / "closed" / "own")
    give(NOBODY, path.parent, path)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert acted_as(path) == NOBODY
    assert list(folder.iterdir()) == []


def test_no_copy_is_given_of_what_is_not_the_owners(folder: Path) -> None:
    secret = written(folder)
    secret.chmod(0o600)
    (folder / "eves").mkdir()
    path = folder / "eves" / "journal.db"
    path.hardlink_to(secret)
    give(NOBODY, path.parent)
    with pytest.raises(JournalError, match="Permission denied"):
        list(reader.rows(path))


@pytest.mark.parametrize("closed", [False, True])
def test_what_the_judgement_would_miss_is_done_with_the_owners_rights(
    folder: Path, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second wall, with the first taken away: SQLite itself is to delete a file of root's."""
    monkeypatch.setattr(database, "want_fit", lambda *_: None)
    (folder / "closed").mkdir(mode=0o700 if closed else 0o755)
    path = written(folder / "closed" / "own")
    victim = rest_files.put_evil(path, folder / "victim")
    give(NOBODY, path.parent, path, rest_files.rest_of(path))
    with pytest.raises(JournalError, match="Cannot read"):
        list(reader.rows(path))
    assert victim.exists()
    give(0, path.parent, path, rest_files.rest_of(path))
    list(reader.rows(path))
    assert not victim.exists()  # so it was that wall which held


def test_what_a_crash_left_is_taken_back_for_root_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where what root copies to is closed to the owner: `cylindre orders`, after a power cut."""
    path = written(folder / "own")
    about, pages = rest_files.header(path), rest_files.pages(path)
    records = [rest_files.record(n, page) for n, page in enumerate(pages, 1)]
    rest = rest_files.rest_of(path)
    rest.write_bytes(about._replace(count=len(pages)).encode() + b"".join(records))
    path.write_bytes(path.read_bytes()[:-500] + bytes(500 + len(pages[0])))
    give(NOBODY, path.parent, path, rest)
    (folder / "roots").mkdir(mode=0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "roots"))
    assert acted_as(path) == NOBODY


def test_root_writes_no_other_users_journal(folder: Path) -> None:
    path = written(folder / "own")
    give(NOBODY, path.parent)
    before = path.read_bytes()
    for _ in ("there", "not there"):
        with pytest.raises(JournalError, match="with runuser -u nobody before the command"):
            own_journal.opened(path)
        if path.exists():
            assert path.read_bytes() == before
            path.unlink()
    assert list(path.parent.iterdir()) == []


def test_where_root_may_become_nobody_else_it_does_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(folder / "own")
    give(NOBODY, path)
    before = rights()

    def refused(_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for call in ("setgroups", "setegid", "seteuid"):
        monkeypatch.setattr(os, call, refused)
    with pytest.raises(JournalError, match="root may not act as nobody here; do this as nobody"):
        list(reader.rows(path))
    assert rights() == before


def test_the_last_one_within_gives_the_rights_back() -> None:
    one, other = (as_owner.Owner(uid, uid, str(uid), ()) for uid in (NOBODY, OTHER))
    first = as_owner.acting_as(one)
    first.__enter__()
    with as_owner.acting_as(other):
        assert os.geteuid() == NOBODY
        first.__exit__(None, None, None)
        assert os.geteuid() == NOBODY
    assert os.geteuid() == 0


def test_what_root_named_besides_is_read_with_its_own_rights() -> None:
    owner = as_owner.Owner(NOBODY, NOBODY, "nobody", (NOBODY,))
    before = rights()
    with as_owner.acting_as(owner):
        within = rights()
        with as_owner.own_rights():
            assert rights() == before
        assert rights() == within == (NOBODY, NOBODY, [NOBODY])
    with as_owner.own_rights():
        assert rights() == before


def test_a_fram_of_roots_is_asked_about_another_users_journal(folder: Path) -> None:
    head = FileFram(folder / "fram")
    path = folder / "journal.db"
    journal = own_journal.opened(path, head=Head(head))
    journal.write(*result(1))
    journal.close()
    head.close()
    (folder / "fram").chmod(0o600)
    give(NOBODY, path)
    own_journal.keys(folder / "keys")
    assert check(path, folder / "keys", folder / "fram", None)["intact"]
