"""The folder of a campaign: what it is, and every row so far, so that it can be gone on with."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib.errors import FAILED, USAGE, Failure, cause
from firmware.lib.named_file import open_named, read_named
from firmware.store.source_hash import firmware_hash
from tools.fast import switch
from tools.hil.campaign.plan import VERSION, Plan
from tools.hil.campaign.work import sources, unwritten

_ROOT = Path(__file__).resolve().parents[3]
# What a person calls the fields of a plan.
_OPTIONS = {
    "seed": "--seed", "coups": "--coups", "pairs": "--pairs", "faults": "--faults",
    "places": "--places", "real_coups": "--real-coups", "clean": "--clean", "wheels": "--wheels",
}  # fmt: skip
_TOLD_MAX = 2**20  # bytes: a plan has some thousand
_RESULTS_MAX = 2**30  # bytes: rows of two million scenarios; all are held in memory
# What every row has, each of its uses, and each rule that it broke.
_ROW = {
    "job": int, "place": str, "kind": str, "apparatus": str, "wheel": str, "hand": bool,
    "learned": bool, "coups": int, "right": int, "void": int, "late": int, "late_void": int,
    "clean": int, "clean_voids": dict, "voids": dict, "lead_ms": list, "rest_ms": list,
    "uses": list, "broken": list, "wheel_s": int,
}  # fmt: skip
_USE = {"fault": str, "code": str | None, "after_ms": int | None, "how": str | None,
        "verdict": str | None, "idle": bool}  # fmt: skip
_BROKEN = {"rule": str, "coup": int | None, "fault": str | None, "text": str}


class Folder:
    """One campaign on disk, open for one process at a time."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Opens or makes it. Raises Failure if it is of another campaign, or in use."""
        self.path = path
        self.plan = plan
        self.rows: dict[int, dict[str, Any]] = {}
        try:
            path.mkdir(parents=True, exist_ok=True)
            how = os.O_RDWR | os.O_CREAT | os.O_APPEND
            results = open_named(path / "results.jsonl", how, size_max=_RESULTS_MAX)
            self._file = os.fdopen(results, "a+b", buffering=0)
        except OSError as error:
            why = cause(error)
            raise Failure(FAILED, f"{path}: {why}. Name a folder that can be written.") from None
        except ValueError:
            raise Failure(USAGE, "The name of a folder has no null character.") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise Failure(FAILED, f"Another campaign is at work in {path}: let it end.") from None
        try:
            self._own()
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, row: dict[str, Any]) -> None:
        """Keeps a row. Raises Failure if it cannot be written; those before are kept."""
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            left = line.encode()
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise unwritten(self.path / "results.jsonl", error) from None
        self.rows[row["job"]] = row

    def write(self, name: str, text: str) -> Path:
        """A file beside the results: whole or, if that cannot be, as it was. Raises Failure."""
        path = self.path / name
        part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()  # on a full disk its room is wanted
            raise unwritten(path, error) from None
        return path

    @property
    def commit(self) -> str:
        """The commit that the campaign was begun with."""
        return str(self._told["commit"])

    def _own(self) -> None:
        """Whether this is the campaign that the folder was made for; if it is new, it is."""
        path = self.path / "campaign.json"
        plan = json.loads(json.dumps(self.plan._asdict()))
        mine = {"version": VERSION, "sources": sources(), "plan": plan}
        played = switch.kind()
        if not path.exists():
            if self._file.tell():
                raise Failure(FAILED, f"{path} is missing: name a new folder.")
            self._told = mine | {
                "firmware": firmware_hash().hex(),
                "commit": commit(),
                "played": played,
            }
            self.write(path.name, json.dumps(self._told, indent=2) + "\n")
            return
        try:
            self._told = json.loads(read_named(path, _TOLD_MAX))
            theirs = {key: self._told[key] for key in (*mine, "commit")}
        except OSError as error:
            raise unwritten(path, error) from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Failure(FAILED, f"{path} is of no campaign: name a new folder.") from None
        if theirs["version"] != VERSION or theirs["sources"] != mine["sources"]:
            of = f"another version of Cylindre (commit {theirs['commit']})"
            raise Failure(FAILED, f"{self.path} holds a campaign of {of}: name a new folder.")
        then = self._told.get("played")
        if then != played:
            remedy = "make fast" if then == switch.COMPILED else f"{switch.INTERPRETED}=1"
            sentence = f"{self.path} holds a campaign that is played {then}:"
            raise Failure(FAILED, f"{sentence} {remedy} goes on with it, or name a new folder.")
        other = [_OPTIONS[key] for key in plan if theirs["plan"].get(key) != plan[key]]
        if other:
            sentence = f"{self.path} holds a campaign with another {' and '.join(other)}:"
            raise Failure(USAGE, f"{sentence} give the same as then, or name a new folder.")

    def _read(self) -> None:
        """Every row. A last line that was not written whole is cut off: its job is played again.

        Raises Failure of any other line that is no row: that is damage, and nothing is thrown away.
        """
        self._file.seek(0)
        rows, good = _rows(self.path, self._file.read())
        self.rows.update((row["job"], row) for row in rows)
        self._file.truncate(good)


class Campaign(NamedTuple):
    """A campaign as it lies in a folder, whoever played it."""

    path: Path
    plan: Plan
    commit: str
    rows: list[dict[str, Any]]


def read(path: Path) -> Campaign:
    """Reads the campaign in a folder, of these sources or of others, and leaves it as it is.

    Raises Failure if there is none.
    """
    where = path / "campaign.json"
    try:
        told = json.loads(read_named(where, _TOLD_MAX))
        version, plan, commit_ = told["version"], _plan(told["plan"]), str(told["commit"])
        data = read_named(path / "results.jsonl", _RESULTS_MAX)
    except OSError as error:
        sentence = f"{path} is the folder of no campaign: {error.filename}: {cause(error)}."
        raise Failure(FAILED, sentence) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Failure(FAILED, f"{path} is the folder of no campaign: see {where}.") from None
    if version != VERSION:
        sentence = f"{path} holds a campaign whose jobs were drawn in another way:"
        raise Failure(FAILED, f"{sentence} play it again, for it cannot be compared.")
    return Campaign(path, plan, commit_, _rows(path, data)[0])


def _plan(told: dict[str, Any]) -> Plan:
    """Raises KeyError, TypeError or ValueError if it is none."""
    given: dict[str, Any] = {
        key: tuple(each) if isinstance(each, list) else each for key, each in told.items()
    }
    plan = Plan(**given)
    kinds = {"faults": str, "places": str, "wheels": str}
    for key, value in plan._asdict().items():
        members = value if isinstance(value, tuple) else (value,)
        if not all(type(each) is kinds.get(key, int) for each in members):
            raise ValueError(key)
        if isinstance(value, tuple) is not (key in kinds):
            raise ValueError(key)
    return plan


def _rows(path: Path, data: bytes) -> tuple[list[dict[str, Any]], int]:
    """The rows, and how many bytes they are. Raises Failure of a damaged line but the last."""
    lines = data.splitlines(keepends=True)
    rows: list[dict[str, Any]] = []
    good = 0
    for at, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            whole = line.endswith(b"\n") and _is_row(row)
        except (ValueError, RecursionError):
            whole = False
        if not whole and at < len(lines):
            sentence = f"{path / 'results.jsonl'}:{at}: this line is damaged. Remove it:"
            raise Failure(FAILED, f"{sentence} the same command plays its job again.")
        if whole:
            rows.append(row)
            good += len(line)
    return rows, good


def _is_row(row: Any) -> bool:
    return (
        _has(row, _ROW)
        and all(_has(use, _USE) for use in row["uses"])
        and all(_has(each, _BROKEN) for each in row["broken"])
        and _are(int, [*row["clean_voids"].values(), *row["voids"].values()])
        and _are(int, [*row["lead_ms"], *row["rest_ms"]])
    )


def _has(told: Any, keys: dict[str, Any]) -> bool:
    return isinstance(told, dict) and all(
        key in told and isinstance(told[key], kind) for key, kind in keys.items()
    )


def _are(kind: type, values: Iterable[Any]) -> bool:
    return all(isinstance(each, kind) for each in values)


def commit() -> str:
    """The commit of this checkout, with "+" if it has changes; "unknown" where there is no git."""
    try:
        found = subprocess.run(
            ["git", "-C", str(_ROOT), "describe", "--always", "--abbrev=12", "--dirty=+",
             "--exclude=*"],
            capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()
