"""`cylindre support read`: a bundle may come from anybody, and be anything."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from a_wheel import read, refused
from hypothesis import given
from hypothesis import strategies as st

from firmware.lib.errors import FAILED, USAGE, Failure
from tools.technician.support import bundle

FILES = {
    "doctor.json": json.dumps([{"code": "D08", "grade": "stops", "what": "A console."}]).encode(),
    "journal/verify.json": b'{"intact": false, "why": "row 3 was changed"}',
    "logs/cylindre.log": b"one\ntwo \x1b[2J three\n",
    "versions.json": b'{"program": "0.1.0", "packages": {"click": "8"}}',
    "coups/000012-coup-7/trace.vcd": b"$end\n",
}
ABOUT = {"made": "2026-11-22T19:00:00Z", "board": "pi4", "wheel": "table-3", "missing": {}}
DATA = bundle.pack(FILES, ABOUT)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "table-3.tar.gz"
    found.write_bytes(DATA)
    return found


def one_sentence(path: Path, *options: object) -> str:
    failure = refused(read(path, *options))
    assert failure.exit_code == FAILED
    assert "\n" not in failure.sentence
    assert failure.sentence.endswith(".")
    return failure.sentence


def tar(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.USTAR_FORMAT) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", format=form) as made:
        for member, content in members:
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return data.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, **more: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    for key, value in more.items():
        setattr(info, key, value)
    return info


def manifest_of(files: dict[str, bytes]) -> tuple[tarfile.TarInfo, bytes]:
    """The first file of a bundle of these, as it should be."""
    listed = [
        {"name": name, "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    ]
    return member("manifest.json"), json.dumps({"format": 1, "files": listed}).encode()


def test_a_bundle_of_others_that_is_right_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    path.write_bytes(tar(manifest_of({"doctor.json": b"[]"}), (member("doctor.json"), b"[]")))
    assert bundle.read(path).files == {"doctor.json": b"[]"}


def test_the_summary_says_what_matters_first(path: Path) -> None:
    lines = read(path).stdout.splitlines()
    assert lines[0] == "Wheel table-3, board pi4, packed 2026-11-22T19:00:00Z"
    assert "  journal   NOT INTACT: row 3 was changed" in lines
    assert "    D08  stops   A console." in lines
    assert any(line.endswith("coups/000012-coup-7/trace.vcd") for line in lines)


def test_programs_get_one_object(path: Path) -> None:
    told = json.loads(read(path, "--json").stdout)
    assert (told["wheel"], told["problems"][0]["code"]) == ("table-3", "D08")
    assert told["coups"] == ["000012-coup-7"]
    assert {each["name"]: each["bytes"] for each in told["files"]} == {
        name: len(content) for name, content in FILES.items()
    }


def test_one_file_is_printed_as_it_is(path: Path) -> None:
    result = read(path, "--file", "logs/cylindre.log")
    assert result.stdout_bytes == FILES["logs/cylindre.log"]
    assert "it has: coups/" in one_sentence(path, "--file", "logs/other.log")
    assert refused(read(path, "--file", "doctor.json", "--json")).exit_code == USAGE


def test_what_would_command_a_terminal_is_taken_out() -> None:
    assert [*bundle.printable("a\x1b[2Jb\tc\nd\x9be")] == ["a?[2Jb\tc", "d?e"]


def test_its_files_are_extracted_into_a_new_folder(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "table-3"
    assert read(path, "--extract", folder).exit_code == 0
    found = {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }
    assert found == FILES
    assert "is there already" in one_sentence(path, "--extract", folder)
    assert "Cannot extract" in one_sentence(path, "--extract", path / "below-a-file")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["table-3", "table-3.tar.gz"]


def test_what_a_kill_left_of_an_extraction_is_in_nobodys_way(path: Path, tmp_path: Path) -> None:
    left = tmp_path / "table-3.part"
    left.mkdir()
    (left / "mine").touch()
    folder = tmp_path / "table-3"
    assert read(path, "--extract", folder).exit_code == 0
    assert (folder / "doctor.json").read_bytes() == FILES["doctor.json"]
    assert [*left.iterdir()] == [left / "mine"]


def test_a_dry_run_extracts_nothing(path: Path, tmp_path: Path) -> None:
    result = read(path, "--extract", tmp_path / "table-3", "--dry-run")
    assert (result.exit_code, [*tmp_path.iterdir()]) == (0, [path])
    assert "5 files would be in" in result.stderr
    assert "is there already" in one_sentence(path, "--extract", tmp_path, "--dry-run")
    assert refused(read(path, "--dry-run")).exit_code == USAGE


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    assert one_sentence(tmp_path / "none").endswith("none: no such file or directory.")
    assert one_sentence(tmp_path).endswith("is a directory.")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no bundle at all",
        gzip.compress(b""),
        gzip.compress(b"x" * 5_000),
        tar(),
        tar((member("manifest.json"), b"[]")),
        tar((member("manifest.json"), b'{"format": 1}')),
        tar((member("manifest.json"), b'{"format": "1", "files": []}')),
        tar((member("manifest.json"), b'{"format": 1, "files": [7]}')),
        tar((member("manifest.json"), b"[" * 100_000)),
        tar((member("versions.json"), b"{}")),
    ],
    ids=range(11),
)
def test_what_is_no_bundle_is_one_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.tar.gz"
    path.write_bytes(data)
    assert "is no support bundle, or not a whole one" in one_sentence(path)


@pytest.mark.parametrize(
    "hostile",
    [
        member("../../etc/passwd"),
        member("/etc/passwd"),
        member("logs/../../x"),
        member("logs/..x/y"),
        member("logs/x\n"),
        member("doctor.json", tarfile.SYMTYPE, linkname="/etc/shadow"),
        member("doctor.json", tarfile.LNKTYPE, linkname="/etc/shadow"),
        member("logs/pipe", tarfile.FIFOTYPE),
        member("logs/device", tarfile.CHRTYPE),
        member("logs/folder", tarfile.DIRTYPE),
        member("logs/sparse", tarfile.GNUTYPE_SPARSE),
        member("wheel.key"),
        member("coups/1/trace.vcd"),
        member("logs/" + "x" * 90 + "/" + "y" * 90),
    ],
    ids=lambda info: f"{info.type!r}{info.name[:20]!r}",
)
def test_a_way_out_of_the_folder_is_refused(tmp_path: Path, hostile: tarfile.TarInfo) -> None:
    path = tmp_path / "x.tar.gz"
    # Everything else about it is right.
    listed = manifest_of({hostile.name: b""})
    path.write_bytes(tar(listed, (hostile, b""), form=tarfile.GNU_FORMAT))
    folder = tmp_path / "out"
    assert "is no support bundle" in one_sentence(path, "--extract", folder)
    assert [*tmp_path.iterdir()] == [path]


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    listed = manifest_of({"doctor.json": b"2"})
    path.write_bytes(tar(listed, (member("doctor.json"), b"1"), (member("doctor.json"), b"2")))
    assert "is no support bundle" in one_sentence(path)


def test_a_small_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    huge = io.BytesIO()
    with gzip.GzipFile(fileobj=huge, mode="wb") as packed:
        head = member("logs/zeros", size=bundle.EACH_MAX)
        for at in range(12):
            head.name = f"logs/zeros{at}"
            packed.write(head.tobuf() + bytes(bundle.EACH_MAX))
    path.write_bytes(huge.getvalue())
    assert path.stat().st_size < 200_000
    assert "is no support bundle" in one_sentence(path)
    one = member("logs/zeros", size=10**9)
    path.write_bytes(gzip.compress(one.tobuf() + bytes(1_000)))
    assert "is no support bundle" in one_sentence(path)


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_heads_that_announce_heads_without_end_are_refused(kind: bytes, tmp_path: Path) -> None:
    head = member("x", type=kind, size=9)
    (tmp_path / "x.tar.gz").write_bytes(
        gzip.compress((head.tobuf() + b"9 path=a\n".ljust(512, b"\0")) * 3_000)
    )
    assert "is no support bundle" in one_sentence(tmp_path / "x.tar.gz")


def test_a_head_of_many_words_is_not_even_read(tmp_path: Path) -> None:
    words = b"".join(b"13 %08x=\n" % number for number in range(100_000))
    head = member("x", type=tarfile.XHDTYPE, size=len(words))
    (tmp_path / "x.tar.gz").write_bytes(
        gzip.compress(head.tobuf() + words + bytes(-len(words) % 512))
    )
    tracemalloc.start()
    try:
        assert "is no support bundle" in one_sentence(tmp_path / "x.tar.gz")
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_changed_or_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    manifest = json.dumps(
        {"format": 1, "files": [{"name": "doctor.json", "sha256": "00"}]}
    ).encode()
    path.write_bytes(tar((member("manifest.json"), manifest)))
    assert "doctor.json is not as it was packed" in one_sentence(path)
    path.write_bytes(tar((member("manifest.json"), manifest), (member("doctor.json"), b"[]")))
    assert "doctor.json is not as it was packed" in one_sentence(path)


def test_a_bundle_of_a_newer_program_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    path.write_bytes(tar((member("manifest.json"), b'{"format": 2, "parts": {}}')))
    assert "made by a newer program" in one_sentence(path)


def attempt(data: bytes, folder: Callable[[], Path]) -> bundle.Bundle | None:
    path = folder()
    path.write_bytes(data)
    try:
        return bundle.read(path)
    except Failure as failure:
        if "\n" in failure.sentence:
            raise
        return None


@given(cut=st.integers(0, len(DATA) - 1))
def test_a_torn_bundle_is_never_taken_for_a_whole_one(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    assert attempt(DATA[:cut], lambda: tmp_path_factory.getbasetemp() / "torn.tar.gz") is None


@given(at=st.integers(0, len(DATA) - 1), bit=st.integers(0, 7))
def test_a_flipped_bit_never_changes_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, at: int, bit: int
) -> None:
    data = bytearray(DATA)
    data[at] ^= 1 << bit
    where = tmp_path_factory.getbasetemp()
    whole = attempt(DATA, lambda: where / "whole.tar.gz")
    found = attempt(bytes(data), lambda: where / "bit.tar.gz")
    # Some bits say nothing: a time in the gzip's head, from which of many zeros a zero is copied.
    assert whole is not None
    assert found is None or found == whole


@given(st.binary(max_size=3_000))
def test_any_bytes_are_one_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    where = tmp_path_factory.getbasetemp()
    assert attempt(data, lambda: where / "any.tar.gz") is None
    assert attempt(gzip.compress(data, 1), lambda: where / "any.tar.gz") is None
