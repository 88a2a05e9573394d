"""What a unit lets a program do: this one, started in the place of its own, tries all of it.

It prints one JSON object. Run by the machine's own Python, so it imports nothing of ours.
"""

import ctypes
import errno
import json
import mmap
import os
import socket
import sys
import time

WRITES, READS, DEVICES, PORT = json.loads(sys.argv[1])
_REFUSED = (errno.EPERM, errno.EACCES, errno.EROFS, errno.ENOENT, errno.EAFNOSUPPORT)
_LIBC = ctypes.CDLL(None, use_errno=True)
_NOWHERE = 0x7FFF_FFF0  # a process and a place of memory that there are not
_NEW_USER, _ATTACH, _NO_RANDOM = 0x1000_0000, 16, 0x0004_0000


def can(do, *words):
    """Whether it is let; what fails for another reason was."""
    try:
        done = do(*words)
    except PermissionError:
        return False
    except OSError as error:
        return error.errno not in _REFUSED
    except TimeoutError:
        return False
    if hasattr(done, "close"):
        done.close()
    return True


def write(folder):
    path = os.path.join(folder, "probe.tmp")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    os.unlink(path)


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def device(path):
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


def call(name, *words):
    """As libc makes it. Raises OSError."""
    ctypes.set_errno(0)
    if getattr(_LIBC, name)(*words) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def reach(port):
    return socket.create_connection(("127.0.0.1", port), timeout=2)


def runs_as_owner():
    handle = os.memfd_create("probe")
    try:
        os.fchmod(handle, 0o4755)
    finally:
        os.close(handle)


def writable_and_executable():
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


CALLS = {
    "mount": lambda: call("mount", None, None, None, 0, None),
    "umount": lambda: call("umount2", None, 0),
    "swapon": lambda: call("swapon", None, 0),
    "make a namespace": lambda: call("unshare", _NEW_USER),
    "enter a namespace": lambda: call("setns", -1, 0),
    "chroot": lambda: call("chroot", b"/"),
    "trace": lambda: call("ptrace", _ATTACH, _NOWHERE, None, None),
    "set the clock": lambda: time.clock_settime(time.CLOCK_MONOTONIC, 1.0),  # which nobody can
    "set the name": lambda: call("sethostname", ctypes.c_void_p(_NOWHERE), 5),
    "another personality": lambda: call("personality", _NO_RANDOM),
    "be scheduled in real time": lambda: os.sched_setscheduler(
        0, os.SCHED_FIFO, os.sched_param(10)
    ),
    "make a file that runs as its owner": runs_as_owner,
    "make memory writable and executable": writable_and_executable,
}
FAMILIES = {
    "UNIX": socket.AF_UNIX, "INET": socket.AF_INET, "INET6": socket.AF_INET6,
    "NETLINK": socket.AF_NETLINK, "PACKET": socket.AF_PACKET, "VSOCK": socket.AF_VSOCK,
    "BLUETOOTH": socket.AF_BLUETOOTH,
}  # fmt: skip
_KINDS = {"NETLINK": socket.SOCK_RAW, "PACKET": socket.SOCK_RAW, "BLUETOOTH": socket.SOCK_RAW}

print(
    json.dumps(
        {
            "user": os.geteuid(),
            "writes": [folder for folder in WRITES if can(write, folder)],
            "reads": [path for path in READS if can(read, path)],
            "devices": [path for path in DEVICES if can(device, path)],
            "sockets": [
                name
                for name, family in FAMILIES.items()
                if can(socket.socket, family, _KINDS.get(name, socket.SOCK_STREAM))
            ],
            "reaches": can(reach, PORT),
            "calls": [name for name, do in CALLS.items() if can(do)],
            "sees": os.path.exists("/proc/1/stat"),
        }
    )
)
