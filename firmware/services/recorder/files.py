"""A recorded coup as a folder: the edges as a trace (contracts/trace.md), the rest as JSON lines.

    000012-coup-7/trace.vcd     edges; PulseView opens it, `cylindre replay --board` reads it
    000012-coup-7/coup.json     board, house, hashes, the memory that the coup began with, and the
                                SHA-256 of all three files: damage is found, nothing is proved
    000012-coup-7/notes.jsonl   facts, requests, orders to the motor, bytes of the bus

A folder gets its name when it is complete: what ends in `.part` was being written when the power
went, and is nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from firmware.core.feed import TIME_ONLY
from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.named_file import read_named
from firmware.store.recorded_coup import Coup, Note
from firmware.text.trace import TraceError, open_trace, write_trace

VERSION = 1
TRACE, HEAD, NOTES = "trace.vcd", "coup.json", "notes.jsonl"
_NAME = re.compile(r"(\d{6,})-coup-\d+")
_PART = ".part"
_FILE_MAX = 64 * 2**20  # bytes of each: a coup of the worst kind has 4 MB (docs/recorder.md)
_DAMAGED = (ValueError, KeyError, TypeError, RecursionError)  # what reading it may end with
_KEYS = {"restart_state": "memory"}  # of coup.json, where the field of a Coup has another name


class RecordingError(Exception):
    """What is no recording that can be used: a sentence."""


def recordings(folder: Path) -> list[Path]:
    """Returns the complete recordings in a folder, the oldest first."""
    found = [path for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.is_dir()]
    return sorted(found, key=_at)


def _at(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    assert match is not None, "only recordings are asked for"
    return int(match[1])


def tidy(folder: Path) -> None:
    """Makes the folder, and removes what a crash left half written. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name.endswith(_PART) and _NAME.fullmatch(path.name.removesuffix(_PART)):
            shutil.rmtree(path)


def save(folder: Path, coup: Coup, board: dict[str, Any], about: dict[str, Any]) -> Path:
    """Writes a recording beside the others, and names it. Raises OSError, TraceError."""
    there = recordings(folder)
    number = _at(there[-1]) + 1 if there else 1
    path = folder / f"{number:06d}-coup-{coup.number}"
    part = path.with_name(path.name + _PART)
    try:
        part.mkdir()
        edges = [*coup.edges, (coup.end_us, TIME_ONLY, 0)]
        write_trace(part / TRACE, board, edges, coup.levels)
        told = {_KEYS.get(field, field): value for field, value in coup._asdict().items()}
        for apart in ("edges", "notes", "levels"):
            del told[apart]
        _write(part / NOTES, "".join(json.dumps(list(note)) + "\n" for note in coup.notes))
        _sync(part / TRACE)
        head = json.loads(json.dumps({"version": VERSION} | about | told))  # as it is read again
        head["sha256"] = digest(part, head)
        _write(part / HEAD, json.dumps(head, indent=1) + "\n")
        os.rename(part, path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return path


def forget(folder: Path, kept: int) -> None:
    """Removes the oldest recordings beyond `kept`. Raises OSError."""
    for path in recordings(folder)[:-kept]:
        part = path.with_name(path.name + _PART)
        os.rename(path, part)  # half removed it is no recording either
        shutil.rmtree(part)


def digest(path: Path, head: dict[str, Any]) -> str:
    """Returns a recording's hash, in hexadecimal: its coup.json says `head`. Raises OSError."""
    said = {key: value for key, value in head.items() if key != "sha256"}
    total = hashlib.sha256(json.dumps(said, sort_keys=True).encode())
    for name in (TRACE, NOTES):
        total.update(hashlib.sha256(read_named(path / name, _FILE_MAX)).digest())
    return total.hexdigest()


def load_head(path: Path) -> dict[str, Any]:
    """Returns what coup.json says of a recording that is as it was written.

    Raises RecordingError.
    """
    try:
        head: dict[str, Any] = json.loads(read_named(path / HEAD, _FILE_MAX))
        if head["version"] != VERSION:
            raise RecordingError(
                Message(
                    "{path}: recorded by another version of cylindre ({version}, here"
                    " {own_version}); replay it with the version that recorded it.",
                    path=path,
                    version=head["version"],
                    own_version=VERSION,
                )
            )
        if head["sha256"] != digest(path, head):
            text = Message(
                "{path}: damaged: it is not as it was recorded. Copy it anew, or take another.",
                path=path,
            )
            raise RecordingError(text)
    except OSError as error:
        raise RecordingError(_unread(path, error)) from error
    except _DAMAGED as error:
        raise RecordingError(_damaged(path / HEAD)) from error
    return head


def load(path: Path, head: dict[str, Any], board: dict[str, Any]) -> Coup:
    """Returns a recording whose head was read.

    Raises RecordingError if it cannot be read, or the board is another today.
    """
    try:
        with open_trace(path / TRACE, board) as trace:
            edges = list(trace.edges())
            levels = tuple(trace.levels)
        lines = read_named(path / NOTES, _FILE_MAX).decode().splitlines()
        notes = [Note(*json.loads(line)) for line in lines]
        end_us = edges.pop()[0]
        return Coup(
            head["number"],
            levels,
            head["memory"],
            head["rested"],
            edges,
            notes,
            end_us,
            head["cut"],
        )
    except TraceError as error:
        raise RecordingError(str(error)) from error
    except OSError as error:
        raise RecordingError(_unread(path, error)) from error
    except _DAMAGED as error:
        raise RecordingError(_damaged(path / NOTES)) from error


def _damaged(path: Path) -> str:
    return Message(
        "{path}: damaged, or of no recorded coup. Copy it anew, or take another.", path=path
    )


def _unread(path: Path, error: OSError) -> str:
    return Message("{path}: {cause}. Copy it anew, or take another.", path=path, cause=cause(error))


def _write(path: Path, text: str) -> None:
    path.write_text(text)
    _sync(path)


def _sync(path: Path) -> None:
    """On the disk before the folder has its name: a power cut leaves no named half."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
