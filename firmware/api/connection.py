"""One connection to the socket: its bytes in, cut into lines; its bytes out, up to a limit."""

import errno
import os
import pwd
import socket
import stat
import struct
from collections import Counter, deque
from collections.abc import Iterable

from firmware.api.requests import LINE_MAX

# Some 300 facts: who is that far behind for so long does not read at all.
OUT_MAX = 32_768
_READ_MAX = 4096
# The rest are the machine's own: Debian policy 9.2.2.
_PEOPLES = range(1000, 60_000)
_CREDENTIALS = struct.Struct("3i")  # struct ucred of unix(7): pid, uid, gid


class Client:
    """A connection; `control` says whether it may command."""

    def __init__(self, connection: socket.socket, *, control: bool, out_max: int = OUT_MAX) -> None:
        """Takes a connected socket and makes it one that never waits. `out_max`: bytes that may
        wait to leave.
        """
        connection.setblocking(False)
        self.socket = connection
        self.control = control
        self.uid = uid = _uid(connection)
        self.who = _name(uid)
        # A program that runs by itself, as a user of its own: nobody stands behind what it asks.
        self.is_daemon = uid not in (0, os.geteuid()) and uid not in _PEOPLES
        self.out_max = out_max
        self.lines: deque[bytes] = deque()  # that came and are not answered yet
        self.asking = False  # the core has not yet decided what was asked last
        self.ended = False  # it asks no more, but waits for an answer
        self._in = bytearray()
        self._out = bytearray()

    @property
    def waiting(self) -> bool:
        """Returns whether bytes are waiting to leave."""
        return bool(self._out)

    def receive(self) -> bool:
        """Puts the whole lines that came into `lines`; False when the other end has closed.

        A line that is too long is handed over as far as it came, longer than LINE_MAX; after
        that the connection has no lines any more.
        """
        try:
            data = self.socket.recv(_READ_MAX)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        self._in += data
        *lines, rest = self._in.split(b"\n")
        self._in = rest
        if len(rest) > LINE_MAX:
            lines.append(rest)
            self._in = bytearray()
        self.lines.extend(bytes(line) for line in lines)
        return True

    def fits(self, line: bytes) -> bool:
        """Returns False if too much waits already."""
        return len(self._out) + len(line) <= self.out_max

    def send(self, line: bytes) -> bool:
        """Takes a line with its newline; False if it does not fit, or nobody is there."""
        if not self.fits(line):
            return False
        self._out += line
        return self.flush()

    def flush(self) -> bool:
        """Sends what the other end takes now; False if nobody is there."""
        try:
            while self._out:
                del self._out[: self.socket.send(self._out)]
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True


def one_of_the_greediest(clients: Iterable[Client], newcomer: Client) -> Client | None:
    """Returns who gives way to a newcomer where `clients` are all that there may be: the last that
    came of the user who has most, and still has more than the newcomer's then; None: nobody.

    So one user may have all places while nobody else wants one, and keeps nobody out.
    """
    there = list(clients)
    counts = Counter(client.uid for client in there)
    greediest = max(counts, key=lambda uid: counts[uid])
    if counts[greediest] <= counts[newcomer.uid] + 1:
        return None
    theirs = [client for client in there if client.uid == greediest]
    return next((client for client in reversed(theirs) if not client.asking), None)


def _uid(connection: socket.socket) -> int:
    """Returns the user at the other end, as the kernel knows it."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    uid: int = _CREDENTIALS.unpack(found)[1]
    return uid


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except (KeyError, OSError):
        return f"uid {uid}"


def listen(path: str, mode: int) -> socket.socket:
    """Returns a listening socket at `path` with these permissions. Raises OSError.

    The file of a controller that died is replaced; EADDRINUSE if one still answers there.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        try:
            listener.bind(path)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or not _abandoned(path):
                raise
            os.unlink(path)
            listener.bind(path)
        os.chmod(path, mode)  # nobody can connect before listen()
        listener.listen()
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def _abandoned(path: str) -> bool:
    """Returns whether `path` is a socket at which nobody listens."""
    if not stat.S_ISSOCK(os.stat(path).st_mode):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False
