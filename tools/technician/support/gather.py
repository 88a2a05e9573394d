"""What goes into a bundle, and nothing else: each part by itself, so that one that fails is told.

A configuration goes in as the values it sets, never as its text: a comment may say anything.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from firmware.config.this_wheel import MODEL_FILE, Files
from firmware.lib.errors import Failure, cause
from firmware.lib.language import N_, Message, listed
from firmware.lib.named_file import begin_named, open_file, read_named
from tools.technician.doctor.case import Case
from tools.technician.doctor.examine import examine
from tools.technician.doctor.machine import Unseen
from tools.technician.doctor.text import objects
from tools.technician.selftest.certificate import kept_certificates
from tools.technician.support import rights
from tools.technician.support.bundle import EACH_MAX, FILES_MAX, TOTAL_MAX, Told, no_one

LOG_LINES = 5_000  # some days of a wheel's sentences, its last hours of facts
LOG_BYTES = 2_000_000
ROWS = 500  # of the journal: two hours of play
COUPS = 10
CERTIFICATES = 3
_UNITS = ("cylindre", "cylindre-*")
_JOURNALCTL_S = 20.0
_SYSTEMD = Path("/run/systemd/system")  # sd_booted(3)
# What journalctl says where it shows a user's own rows alone, or none; with which it may succeed.
_KEPT_BACK = re.compile("not seeing messages from other users|insufficient permissions")
_NOTHING = (b"", b"-- No entries --")
_OS_RELEASE = "etc/os-release"
# What a mistake in a configuration quotes.
_QUOTED = re.compile(r"""["'(].*["')]|(?<=, not ).*""")
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]")

Found = Iterator[tuple[str, bytes]]


class Missing(Exception):
    """A part that cannot be had, or not whole; the text says why."""


class Gathered(NamedTuple):
    """The files of a bundle, and what could not be had."""

    files: dict[str, bytes]
    missing: dict[str, str]


def gather(
    case: Case,
    files: Files,
    without: dict[str, str],
    total_max: int = TOTAL_MAX,
    told: Told = no_one,
) -> Gathered:
    """Every part but those in `without`, which says why. Changes nothing.

    `total_max`: bytes of all together; the parts come in their order, the largest last. `told`: how
    far it is.
    """
    # What a mistake quotes is no value that we know, so it may be anything.
    case = case._replace(mistakes=tuple(_QUOTED.sub('"..."', each) for each in case.mistakes))
    found: dict[str, bytes] = {}
    missing = dict(sorted(without.items()))
    for at, (name, part) in enumerate(PARTS):
        told(N_("gathering"), at, len(PARTS))
        if name in without:
            continue
        try:
            for path, content in part(case, files):
                if not _fits(found, content, total_max):
                    missing[name] = Message("too large: only the newest were taken")
                    break
                found[path] = content
        except Missing as error:
            missing[name] = str(error)
        except Failure as failure:
            missing[name] = failure.sentence
        except OSError as error:
            missing[name] = Message("{}: {}", error.filename or name, cause(error))
    told(N_("gathering"), len(PARTS), len(PARTS))
    return Gathered(found, missing)


def _fits(found: dict[str, bytes], content: bytes, total_max: int) -> bool:
    total = sum(map(len, found.values())) + len(content)
    return len(content) <= EACH_MAX and total <= total_max and len(found) < FILES_MAX - 1


def _versions(case: Case, _: Files) -> Found:
    from firmware.store.source_hash import firmware_hash

    known = [each for each in metadata.distributions() if each.metadata["Name"]]
    packages = {each.metadata["Name"]: each.version for each in known}  # half removed: no name
    told = {
        "program": packages.get("cylindre"),
        "firmware_hash": firmware_hash().hex(),
        "python": sys.version.split()[0],
        "kernel": platform.release(),
        "processor": platform.machine(),
        "system": _os_name(case),
        "machine": _or_none(case, MODEL_FILE),
        "board": None if case.board is None else case.board["name"],
        "packages": dict(sorted(packages.items())),
    }
    yield "versions.json", _json(told)


def _os_name(case: Case) -> str | None:
    named = re.search(r'^PRETTY_NAME="?([^"\n]*)', _or_none(case, _OS_RELEASE) or "", re.M)
    return named[1] if named else None


def _or_none(case: Case, name: str) -> str | None:
    try:
        return case.machine.text(name)
    except Unseen:
        return None


def _config(case: Case, _: Files) -> Found:
    yield "config.json", _json({"values": asdict(case.config), "mistakes": case.mistakes})


def _status(_: Case, files: Files) -> Found:
    from firmware.client.ask import ask_status

    yield "status.json", _json(ask_status(files.sockets))


def _doctor(case: Case, _: Files) -> Found:
    yield "doctor.json", _json([*objects(examine(case))])


def _logs(_: Case, files: Files) -> Found:
    if shutil.which("journalctl") and _SYSTEMD.exists():
        yield from _journalctl()
        return
    folders = (files.journal.parent, Path("/var/log/cylindre"))
    paths = [path for folder in folders for path in sorted(folder.glob("*.log"))]
    kept_back = [path for path in folders if path.is_dir() and not rights.may_read(path)]
    if not paths and not kept_back:
        raise Missing(
            Message(
                "no systemd is here, and no *.log in {folders}",
                folders=listed(map(str, folders), Message(" or ")),
            )
        )
    for path in paths:
        if not rights.may_read(path):
            kept_back.append(path)
            continue
        with open_file(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - LOG_BYTES))
            yield f"logs/{_safe(path.name)}", file.read(LOG_BYTES)
    if kept_back:
        raise Missing(listed(map(rights.unread, kept_back), " "))


def _journalctl() -> Found:
    command = ["journalctl", "--no-pager", "--output=short-iso", f"--lines={LOG_LINES}"]
    command += [f"--unit={unit}" for unit in _UNITS]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=_JOURNALCTL_S,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise Missing(
            Message("journalctl did not answer in {journalctl_s:g} s", journalctl_s=_JOURNALCTL_S)
        ) from None
    stderr = done.stderr.decode(errors="replace").strip()
    kept_back = _KEPT_BACK.search(stderr) is not None
    if done.returncode and not kept_back:
        raise Missing(Message("journalctl: {stderr}", stderr=stderr[:200]))
    if done.stdout.strip() not in _NOTHING:
        yield "logs/journalctl.log", done.stdout[-LOG_BYTES:]
    if kept_back:
        raise Missing(rights.unread_journal())


def _journal(case: Case, files: Files) -> Found:
    from firmware.text.journal_coup import last_rows
    from tools.journal.journal_check import check

    entries = last_rows(files.journal, ROWS)
    lines = [{**entry.row._asdict(), "hash": entry.row.hash.hex()} for entry in entries]
    for line, entry in zip(lines, entries, strict=True):
        line["body"] = entry.body
    yield "journal/rows.jsonl", b"".join(_json(line, None) for line in lines)
    fram = Path(case.config.fram) if case.config.fram else None
    try:
        told = check(files.journal, files.keys, fram, None)
    except Failure as failure:
        told = {"intact": None, "why": failure.sentence}
    yield "journal/verify.json", _json(told)


def _coups(_: Case, files: Files) -> Found:
    from firmware.services.recorder.files import HEAD, NOTES, TRACE, recordings

    if not files.records.is_dir():
        raise Missing(
            Message(
                "no coups are kept in {records}: cylindre run --record keeps them",
                records=files.records,
            )
        )
    for folder in reversed(recordings(files.records)[-COUPS:]):
        for name in (HEAD, TRACE, NOTES):
            yield f"coups/{folder.name}/{name}", read_named(folder / name, EACH_MAX)


def _selftest(_: Case, files: Files) -> Found:
    there = [*files.certificates.glob("*.json"), *files.certificates.glob("*.html")]
    if not there:
        raise Missing(
            Message("no certificate lies in {certificates}", certificates=files.certificates)
        )
    numbered = kept_certificates(files.certificates)
    there = sorted(set(there) - set(numbered), key=lambda path: path.stat().st_mtime_ns)
    there += numbered
    for path in there[-CERTIFICATES:]:
        yield f"selftest/{_safe(path.name)}", begin_named(path, EACH_MAX + 1)


def _json(told: Any, indent: int | None = 1) -> bytes:
    return json.dumps(told, ensure_ascii=False, indent=indent, default=str).encode() + b"\n"


def _safe(name: str) -> str:
    """A file's name as it may stand in a bundle."""
    return _UNSAFE.sub("-", name).lstrip(".-")[:80] or "unnamed"


# fmt: off
PARTS: tuple[tuple[str, Callable[[Case, Files], Found]], ...] = (
    ("versions", _versions), ("config", _config), ("status", _status), ("doctor", _doctor),
    ("journal", _journal), ("selftest", _selftest), ("logs", _logs), ("coups", _coups),
)
# fmt: on
