"""`cylindre support-bundle`: all that is needed, nothing that is secret, whole or not at all."""

from __future__ import annotations

import grp
import gzip
import hashlib
import json
import os
import stat
import subprocess
import tarfile
from pathlib import Path

import own_journal
import pytest
import rest_files
from a_wheel import BOARD, HEAD, LOG, AWheel, read, refused

from firmware.config import Config
from firmware.config.game import choose
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.run.table_opening import last_file, open_table
from tools.technician.selftest.certificate import keep_certificate
from tools.technician.support import bundle, gather, make, rights


@pytest.fixture
def wheel(tmp_path: Path) -> AWheel:
    return AWheel(tmp_path)


def packed(wheel: AWheel, tmp_path: Path, *options: object) -> bundle.Bundle:
    path = tmp_path / "out.tar.gz"
    result = wheel.pack("--out", path, *options)
    assert result.exit_code == 0, result.output + repr(result.exception)
    return bundle.read(path)


def test_the_last_certificates_that_the_self_test_kept_are_in_it(
    wheel: AWheel, tmp_path: Path
) -> None:
    for number in range(1, 6):
        path = keep_certificate(wheel.folder / "selftest", f"<p>{number}</p>")
        os.utime(path, (1_000_000 - number,) * 2)  # the clock fell back to 1970
    (wheel.folder / "selftest" / "by-hand.html").write_text("<p>another</p>")
    found = packed(wheel, tmp_path)
    assert [name for name in found.files if name.startswith("selftest/")] == [
        f"selftest/00000{number}-selftest.html" for number in (3, 4, 5)
    ]


def test_it_has_all_that_explains_a_fault(wheel: AWheel, tmp_path: Path) -> None:
    (wheel.folder / "selftest").mkdir()
    (wheel.folder / "selftest" / "2026 11 22.html").write_text("<p>passed</p>")
    found = packed(wheel, tmp_path)
    assert [*found.files] == [
        "config.json",
        "coups/000001-coup-1/coup.json",
        "coups/000001-coup-1/notes.jsonl",
        "coups/000001-coup-1/trace.vcd",
        "doctor.json",
        "journal/rows.jsonl",
        "journal/verify.json",
        "logs/cylindre.log",
        "selftest/2026-11-22.html",
        "versions.json",
    ]
    told = {name: found.files[name].decode() for name in found.files}
    assert told["logs/cylindre.log"] == LOG
    assert json.loads(told["coups/000001-coup-1/coup.json"]) == HEAD
    rows = [json.loads(line) for line in told["journal/rows.jsonl"].splitlines()]
    assert [row["body"]["number"] for row in rows if row["kind"] == "result"] == [17, 17, 17]
    assert [row["n"] for row in rows] == [*range(1, len(rows) + 1)]
    assert json.loads(told["journal/verify.json"])["intact"] is True
    assert json.loads(told["config.json"])["values"]["wheel_id"] == "table-3"
    assert len(json.loads(told["versions.json"])["firmware_hash"]) == 16
    assert {*json.loads(told["doctor.json"])[0]} & {"code", "not_seen"}
    assert [*found.manifest["missing"]] == ["status"]
    assert "No controller is running" in found.manifest["missing"]["status"]


def test_the_limits_of_a_wheel_are_no_secret(wheel: AWheel, tmp_path: Path) -> None:
    """Its last opening lies beside its keys, and names some of what a configuration does."""
    wheel.config.write_text(wheel.config.read_text() + "[stakes]\nminimum_cents = 500\n")
    config = Config(stakes_minimum_cents=500)
    journal = own_journal.opened(wheel.folder / "journal.db")
    open_table(choose(BOARD, config), config, journal, wheel.keys)
    journal.close()
    assert last_file(wheel.keys).stat().st_size > 0
    found = packed(wheel, tmp_path)
    assert json.loads(found.files["config.json"])["values"]["stakes_minimum_cents"] == 500


def test_a_package_that_is_half_removed_has_no_version(
    wheel: AWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half" / "gone-1.0.dist-info").mkdir(parents=True)
    (tmp_path / "half" / "gone-1.0.dist-info" / "METADATA").write_text("")
    monkeypatch.syspath_prepend(tmp_path / "half")
    told = json.loads(packed(wheel, tmp_path).files["versions.json"])
    assert "click" in told["packages"]
    assert "gone" not in told["packages"]


def test_of_the_configuration_the_values_go_and_no_comment(wheel: AWheel, tmp_path: Path) -> None:
    wheel.config.write_text(wheel.config.read_text() + '# my PIN is 482913\npni = "482913"\n')
    found = packed(wheel, tmp_path, "--board", "roulette_ref")
    assert b"482913" not in b"".join(found.files.values())
    told = json.loads(found.files["config.json"])
    assert len(told["mistakes"]) == 1
    assert {*told["values"]} == {*vars(Config())}


@pytest.mark.req("IEC-CR-3.7")
@pytest.mark.parametrize(
    "mistake",
    [
        '[confirm]\nmode = "482913 my own PIN"',
        "[confirm]\nmode = 482913",
        "id = 482913",
        "'482913' = 'x'",
        "x = 482913 y",
    ],
)
def test_what_a_mistake_quotes_goes_nowhere(wheel: AWheel, tmp_path: Path, mistake: str) -> None:
    """Also where the doctor tells of it (D27)."""
    wheel.config.write_text(f'[wheel]\nboard = "roulette_ref"\n{mistake}\n')
    found = packed(wheel, tmp_path)
    assert b"482913" not in b"".join(found.files.values())
    told = json.loads(found.files["config.json"])
    assert told["mistakes"][0].startswith(f"{wheel.config}:")
    said = [each["what"] for each in json.loads(found.files["doctor.json"]) if "what" in each]
    assert f"The configuration cannot be used: {told['mistakes'][0]}" in said


def test_how_far_it_is_is_told_in_plain_lines_in_a_pipe(wheel: AWheel) -> None:
    said = wheel.pack("--dry-run").stderr.splitlines()
    assert said[0] == "gathering: 0 %"
    acts = ("gathering", "searching", "packing")
    whole = [said.index(f"{act}: 100 %") for act in acts]
    assert whole == sorted(whole)
    assert "%" not in wheel.pack("--dry-run", "--json").stderr


def test_the_same_wheel_gives_the_same_bytes(wheel: AWheel, tmp_path: Path) -> None:
    found = packed(wheel, tmp_path)
    about = {key: found.manifest[key] for key in ("made", "board", "wheel", "missing")}
    data = (tmp_path / "out.tar.gz").read_bytes()
    assert bundle.pack(found.files, about) == data
    assert data[4:8] == bytes(4)  # RFC 1952: the time in the head of a gzip
    with tarfile.open(tmp_path / "out.tar.gz") as tar:
        for member in tar:
            assert (member.mtime, member.uid, member.gid, member.uname) == (0, 0, 0, "")


def test_the_file_is_its_owners_alone_and_named_after_its_time(
    wheel: AWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = wheel.pack("--json")
    told = json.loads(result.stdout)
    path = Path(told["file"])
    assert path.name.startswith("cylindre-support-20")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert hashlib.sha256(path.read_bytes()).hexdigest() == told["sha256"]
    assert told["bytes"] == path.stat().st_size
    assert set(told["missing"]) == {"status", "selftest"}


def test_a_dry_run_writes_nothing(wheel: AWheel, tmp_path: Path) -> None:
    path = tmp_path / "out.tar.gz"
    result = wheel.pack("--out", path, "--dry-run")
    assert (result.exit_code, path.exists()) == (0, False)
    assert "would be packed" in result.stdout


def test_a_part_can_be_left_out(wheel: AWheel, tmp_path: Path) -> None:
    found = packed(wheel, tmp_path, "--without", "logs", "--without", "coups")
    assert not [name for name in found.files if name.startswith(("logs/", "coups/"))]
    assert found.manifest["missing"]["logs"] == "left out, as asked"


def test_a_file_that_is_there_is_not_overwritten(wheel: AWheel, tmp_path: Path) -> None:
    path = tmp_path / "out.tar.gz"
    path.write_text("mine")
    failure = refused(wheel.pack("--out", path))
    assert (failure.exit_code, path.read_text()) == (FAILED, "mine")
    assert "not overwritten" in failure.sentence
    assert "There is no folder" in refused(wheel.pack("--out", tmp_path / "no" / "x")).sentence


def test_without_a_board_it_asks(wheel: AWheel, tmp_path: Path) -> None:
    wheel.config.write_text("")
    assert refused(wheel.pack("--socket", tmp_path / "elsewhere")).exit_code == USAGE


@pytest.mark.needs("mounts")
def test_a_full_disk_leaves_nothing_half(wheel: AWheel, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    wheel.log.write_bytes(os.urandom(20_000))  # does not get smaller by packing
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(stick)]
    subprocess.run(mount, check=True)
    try:
        failure = refused(wheel.pack("--out", stick / "out.tar.gz"))
        assert failure.sentence == f"Cannot write {stick}/out.tar.gz: no space left on device."
        assert [*stick.iterdir()] == []
    finally:
        subprocess.run(["umount", str(stick)], check=True)


def test_a_long_log_is_cut_at_its_beginning(
    wheel: AWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gather, "LOG_BYTES", 100)
    wheel.log.write_text("old\n" + "x" * 96 + "new\n")
    assert packed(wheel, tmp_path).files["logs/cylindre.log"] == b"x" * 96 + b"new\n"


def test_of_many_coups_the_newest_go(wheel: AWheel, tmp_path: Path) -> None:
    for number in range(2, 15):
        wheel.coup(number, trace="x" * 20_000)
    found = packed(wheel, tmp_path)
    coups = {name.split("/")[1] for name in found.files if name.startswith("coups/")}
    assert sorted(coups)[0] == "000005-coup-5"
    assert len(coups) == gather.COUPS


def test_a_damaged_journal_is_packed_as_far_as_it_goes(wheel: AWheel, tmp_path: Path) -> None:
    (wheel.folder / "journal.db").write_bytes(b"damaged")
    found = packed(wheel, tmp_path)
    assert "is no journal of a wheel" in found.manifest["missing"]["journal"]
    assert "doctor.json" in found.files


def test_systemds_journal_goes_in_where_there_is_systemd(
    wheel: AWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # journalctl is another program: one in its place says what it was asked.
    program = tmp_path / "bin" / "journalctl"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setattr(gather, "_SYSTEMD", tmp_path)
    said = packed(wheel, tmp_path).files["logs/journalctl.log"].decode()
    assert "--lines=5000 --unit=cylindre --unit=cylindre-*" in said
    program.write_text("#!/bin/sh\necho 'No journal files were opened' >&2; exit 1\n")
    (tmp_path / "out.tar.gz").unlink()
    missing = packed(wheel, tmp_path).manifest["missing"]
    assert missing["logs"] == "journalctl: No journal files were opened"


HINT = (
    "Hint: You are currently not seeing messages from other users and the system.\n"
    "      Users in groups 'adm', 'systemd-journal' can see all messages.\n"
)


@pytest.mark.parametrize(
    ("said", "code", "stderr", "packs"),
    [
        ("2026-11-22 own row", 0, HINT, True),
        ("-- No entries --", 0, HINT, False),
        ("", 1, "No journal files were opened due to insufficient permissions.\n", False),
    ],
)
def test_a_bundle_says_that_systemds_journal_was_not_read_with_the_command_that_gives_the_right(
    wheel: AWheel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    code: int,
    stderr: str,
    packs: bool,
) -> None:
    program = tmp_path / "bin" / "journalctl"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat <<'E'\n{said}\nE\ncat >&2 <<'E'\n{stderr}E\nexit {code}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setattr(gather, "_SYSTEMD", tmp_path)
    monkeypatch.setattr(rights, "_user", lambda: "anna")
    path = tmp_path / "out.tar.gz"
    result = wheel.pack("--out", path)
    found = bundle.read(path)
    assert ("logs/journalctl.log" in found.files) is packs
    for told in (found.manifest["missing"]["logs"], result.stderr):
        assert "sudo usermod -aG systemd-journal anna gives the right" in told


@pytest.mark.parametrize("mode", [0o640, 0o600])
def test_a_bundle_says_which_logs_it_could_not_read_with_the_command_that_gives_the_right(
    wheel: AWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    other = wheel.folder / "a.log"
    other.write_text("another user's\n")
    other.chmod(mode)
    if os.geteuid() == 0:  # whose group everybody's files would not be
        os.chown(other, -1, next(each.gr_gid for each in grp.getgrall() if each.gr_gid))
    group = grp.getgrgid(other.stat().st_gid).gr_name
    monkeypatch.setattr(rights, "may_read", lambda path: path != other)
    monkeypatch.setattr(rights, "_user", lambda: "anna")
    path = tmp_path / "out.tar.gz"
    result = wheel.pack("--out", path)
    command = {0o640: f"usermod -aG {group} anna", 0o600: f"setfacl -m u:anna:rX {other}"}[mode]
    found = bundle.read(path)
    assert found.files["logs/cylindre.log"] == LOG.encode()
    for told in (found.manifest["missing"]["logs"], result.stderr):
        assert f"{other} may not be read by anna: sudo {command} gives the right" in told


def test_nobody_joins_the_group_that_commands_the_wheel_to_read_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "a.log"
    log.touch()
    log.chmod(0o640)
    if os.geteuid() == 0:  # whose own group is none to join anyway
        os.chown(log, -1, next(each.gr_gid for each in grp.getgrall() if each.gr_gid))
    monkeypatch.setattr(rights, "_group", lambda gid: "cylindre")
    monkeypatch.setattr(rights, "_user", lambda: "anna")
    told = rights.unread(log)
    assert f"sudo setfacl -m u:anna:rX {log} gives the right" in told
    assert "usermod" not in told


# --- no key leaves --------------------------------------------------------------------------------


def test_a_key_in_a_log_stops_the_bundle_and_says_where(wheel: AWheel, tmp_path: Path) -> None:
    wheel.log.write_text(f"{LOG}key {wheel.private[0].hex()}\n")
    path = tmp_path / "out.tar.gz"
    failure = refused(wheel.pack("--out", path))
    assert failure.exit_code == FAILED
    assert "logs/cylindre.log would hold a secret of" in failure.sentence
    assert "display-01.key" in failure.sentence
    assert "--without logs" in failure.sentence
    assert wheel.private[0].hex() not in failure.sentence
    assert not path.exists()
    assert wheel.pack("--out", path, "--without", "logs").exit_code == 0


def test_a_key_in_an_error_stops_it_too(wheel: AWheel, tmp_path: Path) -> None:
    folder = wheel.folder / wheel.private[0].hex()
    failure = refused(wheel.pack("--out", tmp_path / "x", "--records", folder))
    assert "A name or an error's text would hold a secret" in failure.sentence
    assert not (tmp_path / "x").exists()


def test_a_key_lying_beside_the_journal_counts(wheel: AWheel, tmp_path: Path) -> None:
    (wheel.folder / "old").mkdir()
    (wheel.folder / "old" / "wheel.key").write_text("ab" * 16 + "cd" * 16 + "\n")
    wheel.log.write_text("ab" * 16 + "\n")
    assert "old/wheel.key" in refused(wheel.pack("--out", tmp_path / "x")).sentence


@pytest.mark.req("IEC-CR-4.1")
def test_nothing_that_is_not_on_the_list_can_be_packed() -> None:
    for name in ("keys/wheel.key", "../config.json", "people.jsonl", "coups/x/trace.vcd"):
        with pytest.raises(AssertionError):
            bundle.pack({name: b""}, {})


def test_of_a_wheel_that_really_played_nothing_secret_is_in_the_file(
    wheel: AWheel, tmp_path: Path
) -> None:
    """By a search of its own, of the packed bytes and of what they unpack to."""
    packed(wheel, tmp_path)
    data = (tmp_path / "out.tar.gz").read_bytes()
    everything = data + gzip.decompress(data)
    assert len(wheel.private) == 4
    for secret in (*wheel.private, *wheel.hashes):
        assert secret not in everything
        assert secret.hex().encode() not in everything.lower()
    assert own_public(wheel) in everything  # what is public is there: the search would find it


def own_public(wheel: AWheel) -> bytes:
    return (wheel.keys / "wheel.pub").read_text().strip().encode()


def test_a_disk_that_fails_in_the_middle_leaves_nothing(
    wheel: AWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(handle: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("firmware.lib.durable.os.fsync", failing)
    with pytest.raises(Failure, match="input/output error"):
        make.write(tmp_path / "out.tar.gz", b"x" * 10_000)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("out")]


def test_what_was_packed_is_read_by_the_other_command(wheel: AWheel, tmp_path: Path) -> None:
    packed(wheel, tmp_path)
    said = read(tmp_path / "out.tar.gz").stdout
    assert "Wheel table-3, board roulette_ref, packed 20" in said
    assert "journal   intact: " in said
    assert "coups     000001-coup-1" in said


def test_what_lies_beside_the_journal_has_nothing_deleted(wheel: AWheel, tmp_path: Path) -> None:
    victim = rest_files.put_evil(wheel.folder / "journal.db", tmp_path / "victim")
    found = packed(wheel, tmp_path)
    assert victim.exists()
    assert "names another file" in found.manifest["missing"]["journal"]
