"""Sensor traces: value change dumps (IEEE 1364 VCD) of a wheel's input lines.

The form is that of contracts/trace.md: `$timescale 1 us $end`, one scope `wheel`, a 1-bit wire for
each line of the board, initial values in `$dumpvars` at `#0`, a last time stamp. The reader takes
a little more than the writer gives (other time scales that come out in whole microseconds, several
records on a line, no `$dumpvars`), and never guesses: what it cannot read is a TraceError. A trace
that does not end with a time stamp and a newline was cut short.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from vcd.common import Timescale
from vcd.reader import ScalarChange, Token, TokenKind, VarDecl, VCDParseError, tokenize
from vcd.writer import VCDWriter

from firmware.core.feed import TIME_ONLY
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import open_file

SCOPE = "wheel"
FILE_MAX = 4 * 2**30  # bytes: what FAT takes, and more than a wheel makes in a month

Edge = tuple[int, int, int]  # at_us, line (the index in the board's inputs), level

# Microseconds in a unit of the time scale, as numerator and denominator.
_UNITS_US = {
    "s": (1_000_000, 1),
    "ms": (1_000, 1),
    "us": (1, 1),
    "ns": (1, 1_000),
    "ps": (1, 1_000_000),
    "fs": (1, 1_000_000_000),
}
TIME_MAX_US = 10 * 366 * 86_400 * 1_000_000  # ten years; what is later is a damaged number

# Put behind the file, so that a record cut short by the file's end shows: it swallows this one.
_SENTINEL = "end of cylindre trace 5e1f"
_TAIL = f"\n$comment {_SENTINEL} $end\n".encode()
_ASCII = bytes(range(128)) + b"?" * 128  # comments and dates may be in any language

# Records that may stand between changes: they frame values or say nothing.
_BLOCKS = frozenset(
    (
        TokenKind.COMMENT,
        TokenKind.DUMPALL,
        TokenKind.DUMPON,
        TokenKind.DUMPOFF,
        TokenKind.DUMPVARS,
        TokenKind.END,
    )
)


class TraceError(Failure):
    """A trace that cannot be read on or written: a sentence, beginning with FILE: or FILE:LINE:."""

    def __init__(self, sentence: str) -> None:
        super().__init__(FAILED, sentence)


def line_names(board: dict[str, Any]) -> tuple[str, ...]:
    """Returns the names of a board's input lines, in the order that numbers them."""
    return tuple(name for name, *_ in board["inputs"])


@contextlib.contextmanager
def open_trace(path: str | os.PathLike[str], board: dict[str, Any]) -> Iterator[TraceReader]:
    """Opens a trace of `board` and reads its header and initial levels.

    Raises TraceError for what is not such a trace.
    """
    name = os.fspath(path)
    try:
        file = open_file(name, size_max=FILE_MAX, own_handles=True)
    except OSError as error:
        raise TraceError(_unreadable(name, error)) from error
    with file:
        yield TraceReader(name, file, board)


class TraceReader:
    """One trace, read as far as it is asked for."""

    def __init__(self, name: str, file: io.BufferedIOBase, board: dict[str, Any]) -> None:
        self.name = name
        self.lines = line_names(board)
        self.levels = [0] * len(self.lines)  # a line that the trace lacks reads 0
        self._board = str(board["name"])
        self._source = _Source(file)
        self._records = _Records(name, self._source)
        self._line_of: dict[str, int] = {}
        self._scale = (0, 1)
        self._now_us = 0
        self._read_header()
        self._first = self._read_levels()

    def edges(self) -> Iterator[Edge]:
        """Yields the changes after the initial levels, in the file's order, once.

        The last is (end_us, TIME_ONLY, 0). Raises TraceError where the file cannot be read on or
        is cut short, after yielding how far time had come.
        """
        now_us, levels, line_of = self._now_us, list(self.levels), self._line_of
        records, token = self._records, self._first
        try:
            while token is not None:
                kind = token.kind
                if kind is TokenKind.CHANGE_TIME:
                    now_us = self._time(token, now_us)
                elif kind is TokenKind.CHANGE_SCALAR:
                    line, level = self._change(token, line_of)
                    if levels[line] != level:
                        levels[line] = level
                        yield now_us, line, level
                elif kind not in _BLOCKS:
                    self._refuse(token)
                token = records.take()
            if not records.timed:
                self._cut("in the middle, without a last time stamp; it is cut short")
        except TraceError:
            yield now_us, TIME_ONLY, 0
            raise
        yield now_us, TIME_ONLY, 0

    def _read_header(self) -> None:
        """Everything up to $enddefinitions."""
        scopes: list[str] = []
        while True:
            token = self._records.take()
            if token is None:
                self._cut("before $enddefinitions")
            kind, data = token.kind, token.data
            if kind is TokenKind.ENDDEFINITIONS:
                break
            if kind is TokenKind.SCOPE:
                scopes.append(token.scope.ident)
                if scopes != [SCOPE]:
                    self._fail(token, f'scope "{scopes[-1]}" where one scope "{SCOPE}" is expected')
            elif kind is TokenKind.UPSCOPE and scopes:
                scopes.pop()
            elif isinstance(data, Timescale):
                self._scale = self._read_scale(token, data)
            elif isinstance(data, VarDecl):
                if not scopes:
                    self._fail(token, f'wire "{data.ref_str}" stands outside the scope "{SCOPE}"')
                self._declare(token, data)
            elif kind not in (TokenKind.COMMENT, TokenKind.DATE, TokenKind.VERSION):
                self._fail(token, "a value before $enddefinitions")
        if not self._scale[0]:
            self._fail(token, "no $timescale in the header; `$timescale 1 us $end` is expected")

    def _read_scale(self, token: Token, scale: Timescale) -> tuple[int, int]:
        unit = _UNITS_US.get(scale.unit.value)
        if unit is None or scale.magnitude < 1:
            self._fail(token, f"time scale {scale}; `$timescale 1 us $end` is expected")
        return scale.magnitude * unit[0], unit[1]

    def _declare(self, token: Token, wire: VarDecl) -> None:
        name = wire.ref_str
        if name not in self.lines:
            near = difflib.get_close_matches(name, self.lines, n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"its lines: {' '.join(self.lines)}."
            self._fail(token, f'board {self._board} has no line "{name}"; {hint}')
        if wire.size != 1 or wire.type_.value != "wire":
            self._fail(token, f'"{name}" is a {wire.size}-bit {wire.type_}, not a 1-bit wire')
        line = self.lines.index(name)
        if line in self._line_of.values() or wire.id_code in self._line_of:
            self._fail(token, f'wire "{name}" or its identifier "{wire.id_code}" is declared twice')
        self._line_of[wire.id_code] = line

    def _read_levels(self) -> Token | None:
        """Sets the initial levels; returns the first record behind them (None: there is none)."""
        dumping = timed = False
        while True:
            token = self._records.take()
            if token is None:
                self._cut("inside $dumpvars" if dumping else "before the first time stamp")
            kind = token.kind
            if kind is TokenKind.CHANGE_TIME:
                if timed:
                    return token  # no $dumpvars: what stands at the first time stamp was initial
                self._now_us = self._time(token, 0)
                timed = True
                if self._now_us:
                    return self._records.take()  # not at #0: what comes is no initial value
            elif kind is TokenKind.DUMPVARS:
                dumping = True
            elif kind is TokenKind.END and dumping:
                return self._records.take()
            elif kind is TokenKind.CHANGE_SCALAR and (timed or dumping):
                line, level = self._change(token, self._line_of)
                self.levels[line] = level
            elif kind is not TokenKind.COMMENT:
                self._refuse(token)

    def _time(self, token: Token, now_us: int) -> int:
        mul, div = self._scale
        stamp = token.data
        assert isinstance(stamp, int)
        at_us, rest = divmod(stamp * mul, div)
        if rest:
            self._fail(token, f"time #{stamp} falls between two microseconds")
        if at_us < now_us:
            back = f"time goes back, from {now_us} to {at_us} us"
            self._fail(token, f"{back}; the file is damaged or cut short")
        if at_us > TIME_MAX_US:
            self._fail(token, f"time #{stamp} is more than ten years away; the file is damaged")
        return at_us

    def _change(self, token: Token, line_of: dict[str, int]) -> tuple[int, int]:
        change = token.data
        assert isinstance(change, ScalarChange)
        line = line_of.get(change.id_code)
        if line is None:
            self._fail(token, f'no wire was declared with the identifier "{change.id_code}"')
        if change.value == "1":
            return line, 1
        if change.value != "0":
            name = self.lines[line]
            self._fail(token, f'"{name}" becomes "{change.value}"; a trace holds 0 and 1 alone')
        return line, 0

    def _refuse(self, token: Token) -> NoReturn:
        word = token.kind.name.lower().replace("_", " ")
        self._fail(token, f"a {word} has no place here; 1-bit changes are expected")

    def _fail(self, token: Token, what: str) -> NoReturn:
        raise TraceError(_sentence(self.name, token.span.start.line, what))

    def _cut(self, where: str) -> NoReturn:
        raise TraceError(_sentence(self.name, self._source.last_line, f"the file ends {where}"))


class _Records:
    """The records of a VCD, until its end. A record that the end cuts short is a TraceError."""

    def __init__(self, name: str, source: _Source) -> None:
        self._name = name
        self._source = source
        self._tokens = tokenize(source)
        self._any = False
        self.timed = False  # the last record, comments aside, was a time stamp

    def take(self) -> Token | None:
        """The next record, or None at the proper end of the file."""
        try:
            token = next(self._tokens)
        except VCDParseError as error:
            self._fail(error.loc.line, error)
        except StopIteration as error:
            self._fail(self._source.last_line, error)
        except OSError as error:
            raise TraceError(_unreadable(self._name, error)) from error
        except ValueError as error:  # a number of thousands of digits
            self._fail(self._source.last_line, error)
        if token.kind is TokenKind.COMMENT and token.data == _SENTINEL:
            if not self._any:
                raise TraceError(f"{self._name}:1: the file is empty; record the trace again.")
            return None
        source = self._source
        if source.torn and token.span.start.line >= source.last_line:
            self._fail(source.last_line, ValueError("no newline"))  # it may have been longer
        self._any = True
        if token.kind is not TokenKind.COMMENT:
            self.timed = token.kind is TokenKind.CHANGE_TIME
        return token

    def _fail(self, line: int, why: Exception) -> NoReturn:
        last = self._source.last_line
        if not self._any:
            what = "this is not a VCD trace"
        elif self._source.ended and line >= last:
            what = "the file is cut short here, in the middle of a record"
        else:
            what = "this line is no VCD record"
        raise TraceError(_sentence(self._name, min(line, last), what)) from why


class _Source(io.RawIOBase):
    """The bytes of a file, as ASCII, and the sentinel behind them."""

    def __init__(self, file: io.BufferedIOBase) -> None:
        super().__init__()
        self._file = file
        self._newlines = 0
        self._open_line = 0  # 1 while the last line has no newline
        self.ended = False

    @property
    def last_line(self) -> int:
        """The number of the last line that was read, from 1."""
        return max(1, self._newlines + self._open_line)

    @property
    def torn(self) -> bool:
        """Whether the file has been read to its end, and its last line has no newline."""
        return self.ended and self._open_line == 1

    def readinto(self, buffer: Any) -> int:
        """Fills `buffer` as far as the file goes; then the sentinel, once."""
        if self.ended:
            return 0
        chunk = self._file.read(len(buffer))
        if chunk:
            self._newlines += chunk.count(b"\n")
            self._open_line = int(not chunk.endswith(b"\n"))
            chunk = chunk.translate(_ASCII)
        else:
            self.ended = True
            chunk = _TAIL
        buffer[: len(chunk)] = chunk
        return len(chunk)


def _sentence(name: str, line: int, what: str) -> str:
    return Message("{}:{}: {}{}", name, line, Message(what), "" if what[-1] in ".?" else ".")


def _unreadable(name: str, error: OSError) -> str:
    return f"{name}: cannot be read: {cause(error)}."


@contextlib.contextmanager
def _writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Words what goes wrong with the file called `path`."""
    try:
        yield
    except OSError as error:
        raise TraceError(f"{path}: cannot be written: {cause(error)}.") from error


class TraceWriter:
    """Writes a trace edge by edge. The file gets its name when the trace is complete."""

    def __init__(
        self, path: str | os.PathLike[str], board: dict[str, Any], levels: Sequence[int] = ()
    ) -> None:
        """Starts a trace at 0 us. `levels` are the lines' initial levels (0 where absent).

        Raises TraceError if the file cannot be made. A link is followed; what exists and is no
        regular file is never replaced.
        """
        self._name = path
        self._path = Path(os.path.realpath(path))
        with _writing(path):
            if self._path.exists() and not stat.S_ISREG(self._path.stat().st_mode):
                raise TraceError(
                    f"{path}: cannot be written: it is no regular file; give a file's name."
                )
            self._part = self._path.with_name(self._path.name + ".part")
            self._part.unlink(missing_ok=True)  # a kill left it, or somebody laid a link there
            self._file = open(self._part, "x", encoding="ascii", newline="\n")  # noqa: SIM115
        self._vcd = VCDWriter(self._file, timescale="1 us", date="", version="")
        self._wires = [
            self._vcd.register_var(SCOPE, name, "wire", 1, levels[line] if levels else 0)
            for line, name in enumerate(line_names(board))
        ]
        self._named = False
        try:
            with _writing(path):
                self._vcd.flush()  # from here on a change is an edge, at 0 us too
        except TraceError:
            self.abandon()
            raise

    def edge(self, at_us: int, line: int, level: int) -> None:
        """Takes one edge; times never decrease. A level that the line has already is left out.

        Raises TraceError if the disk does not take it.
        """
        try:
            self._vcd.change(self._wires[line], at_us, level)
        except OSError:
            with _writing(self._name):
                raise

    def close(self, end_us: int) -> None:
        """Ends the trace at `end_us` and gives the file its name. Raises TraceError."""
        with _writing(self._name):
            self._vcd.close()
            self._file.write(
                f"#{end_us}\n"
            )  # also where an edge came at that time: the trace's end
            self._file.close()
            os.replace(self._part, self._path)
        self._named = True

    def abandon(self) -> None:
        """Takes back what was written, unless the trace was closed."""
        if not self._named:
            with contextlib.suppress(OSError):  # a full disk refuses what is still to be written
                self._file.close()
            self._part.unlink(missing_ok=True)


def write_trace(
    path: str | os.PathLike[str],
    board: dict[str, Any],
    edges: Iterable[Edge],
    levels: Sequence[int] = (),
) -> None:
    """Writes a whole trace; `edges` end with (end_us, TIME_ONLY, 0), else the last edge ends it."""
    writer = TraceWriter(path, board, levels)
    try:
        at_us = 0
        for at_us, line, level in edges:
            if line != TIME_ONLY:
                writer.edge(at_us, line, level)
        writer.close(at_us)
    finally:
        writer.abandon()
