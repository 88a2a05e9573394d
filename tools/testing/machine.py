"""What tests want of the machine besides Python, git and make. The one place that names it.

A test asks by mark, `@pytest.mark.needs("mcopy", "root")`, a fixture by the fixture `needs`:
`needs("rauc")`. Without it the test is skipped, and the run tells at its end what was wanting and
what brings it (tools/testing/plugin.py).

`python -m tools.testing.machine packages` prints Debian's packages that bring what `make test-all`
and the suite of updates want, `covers COMMAND ...` plays a command where no program of this table
is to be seen: as root, in its own mount namespace.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from firmware.lib.programs import PATH

ROOT = Path(__file__).resolve().parents[2]
_BROWSERS_MODULE = "tools/micropython/node_modules/@micropython/micropython-webassembly-pyscript"


SQLITE = "libsqlite3.so.0"
TRACES = ROOT.parent / "shared" / "traces"
OPEN_TRACES = TRACES.with_name("traces_open")
REAL_SPINS = Path(
    os.environ.get("CYLINDRE_REAL_SPINS", ROOT.parent / "shared" / "data" / "real_spins_27.csv")
)


class Want(NamedTuple):
    """What tests want. `remedy`: how it comes, where no package of Debian's brings it.

    `soak`: by `make soak` alone. `what`: what it is, where it is no program.
    """

    programs: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    condition: Callable[[], bool] | None = None
    remedy: str = ""
    soak: bool = False
    what: str = ""


def _is_root() -> bool:
    return os.geteuid() == 0


def _runs(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _mounts() -> bool:
    """Whether file systems may be mounted, in a namespace of their own."""
    return _is_root() and _runs("unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt")


def _starts_systemd() -> bool:
    """Whether a namespace can be made with overlays and control groups, as systemd wants them."""
    return _is_root() and _runs(
        "unshare", "-mpfuiC", "sh", "-c", "mount -t tmpfs t /mnt && mkdir /mnt/a /mnt/b /mnt/c &&"
        " mount -t overlay o -o lowerdir=/,upperdir=/mnt/a,workdir=/mnt/b /mnt/c"
        " && mount -t cgroup2 c /mnt/a",
    )  # fmt: skip


def _loops() -> bool:
    """Whether a file becomes a disk."""
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(1 << 20)
        try:
            done = subprocess.run(
                ["losetup", "--show", "-f", file.name], capture_output=True, text=True, check=False
            )
        except OSError:
            return False
        return done.returncode == 0 and _runs("losetup", "-d", done.stdout.strip())


def _loops_have_partitions() -> bool:
    """Whether the kernel lets a disk made of a file have partitions."""
    return Path("/sys/module/loop/parameters/max_part").exists() and _is_root() and _loops()


def root_device() -> Path:
    """What the root of this machine lies on, in /sys; it need not exist."""
    number = os.stat("/").st_dev
    return Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")


def _has_headers() -> bool:
    """Whether what is compiled for this Python finds its headers."""
    return Path(sysconfig.get_path("include"), "Python.h").exists()


def _runs_arm64() -> bool:
    """Whether programs of a Pi run on this kernel, and U-Boot in QEMU."""
    from tools.image.boot import UBOOT
    from tools.image.root import REGISTERED

    return REGISTERED.exists() and UBOOT.exists()


def _micropython() -> bool:
    """Whether what `make micropython` starts is here."""
    chosen = os.environ.get("MICROPYTHON")
    return shutil.which(chosen) is not None if chosen else _micropython_in_node()


def _micropython_in_node() -> bool:
    return shutil.which("node") is not None and (ROOT / _BROWSERS_MODULE).exists()


def _compiles_for_debian() -> bool:
    """Whether the package can be compiled here."""
    from tools.image import deb

    return deb.interpreter() is not None


def _installs_for_debian() -> bool:
    """Whether dpkg takes the package here: it depends on that python3."""
    return Path("/usr/bin/python3").resolve().name == "python3.11"


def _limits_memory() -> bool:
    """Whether processes can be given a limit of memory, as systemd does."""
    from tools.testing import memory_limit

    return memory_limit.is_possible()


def _shares_sqlite() -> bool:
    """Whether Python's sqlite3 uses a library of its own file: then what it writes can be seen."""
    import sqlite3

    try:
        library = ctypes.CDLL(SQLITE)
    except OSError:
        return False
    library.sqlite3_libversion.restype = ctypes.c_char_p
    maps = Path("/proc/self/maps").read_text().splitlines()
    loaded = {line.split()[-1] for line in maps if "libsqlite3" in line}
    version: bytes = library.sqlite3_libversion()
    return len(loaded) == 1 and version.decode() == sqlite3.sqlite_version


# fmt: off
WANTS = {
    "atheris": Want(
        condition=lambda: importlib.util.find_spec("atheris") is not None,
        remedy="make setup, on Linux and x86-64", what="the fuzzer that follows coverage",
    ),
    "bmaptool": Want(("bmaptool",), ("bmap-tools",)),
    "busybox": Want(("busybox",), ("busybox-static",)),
    "chromium": Want(("chromium", "chromedriver"), ("chromium", "chromium-driver")),
    "dbus-daemon": Want(("dbus-daemon",), ("dbus",)),  # it, busybox, gcc: the suite of updates
    "dpkg-deb": Want(("dpkg", "dpkg-deb"), ("dpkg",)),
    "dtc": Want(("dtc", "fdtoverlay"), ("device-tree-compiler",)),
    "fish": Want(("fish",), ("fish",)),
    "fw_printenv": Want(("fw_printenv",), ("libubootenv-tool",)),
    "gcc": Want(("gcc",), ("gcc",)),  # it and Python headers: make fast
    "man": Want(("groff", "man"), ("groff-base", "man-db")),
    "mcopy": Want(("mcopy",), ("mtools",)),
    "mkfs.ext4": Want(("mkfs.ext4",), ("e2fsprogs",)),
    "mkfs.fat": Want(("mkfs.fat",), ("dosfstools",)),
    "mkimage": Want(("mkimage",), ("u-boot-tools",)),
    "mksquashfs": Want(("mksquashfs", "unsquashfs", "sqfstar"), ("squashfs-tools",)),
    "numpy": Want(
        condition=lambda: importlib.util.find_spec("numpy") is not None,
        remedy="make setup, or pip install 'cylindre[quick]'", what="arrays of numbers"
    ),
    "open traces": Want(
        condition=OPEN_TRACES.exists, remedy="../shared/traces_open beside the checkout",
        what="recorded edges that were decided wrongly"
    ),
    "openssl": Want(("openssl",), ("openssl",)),
    "rauc": Want(("rauc",), ("rauc",)),
    "sfdisk": Want(("sfdisk",), ("fdisk",)),
    "systemd-analyze": Want(("systemd-analyze",), ("systemd",)),
    "zsh": Want(("zsh",), ("zsh",)),
    "Python headers": Want(
        condition=_has_headers, remedy="apt install python3-dev, of the Python of .venv",
        what="`Python.h` of this Python"
    ),
    "arm64": Want(
        ("arch-test", "mmdebstrap", "qemu-aarch64-static", "qemu-system-aarch64", "update-binfmts"),
        ("arch-test", "binfmt-support", "mmdebstrap", "qemu-system-arm", "qemu-user-static",
         "u-boot-qemu"),
        _runs_arm64, "apt install u-boot-qemu; mount -t binfmt_misc none /proc/sys/fs/binfmt_misc;"
        " update-binfmts --enable qemu-aarch64", soak=True
    ),
    "Debian 12": Want(
        condition=_installs_for_debian, remedy="Debian 12", what="its `python3`, which is 3.11"
    ),
    "loop devices": Want(("losetup",), ("mount",), _loops, "root, and a kernel with loop devices"),
    "memory limit": Want(
        condition=_limits_memory, remedy="root, and a kernel whose control groups limit memory",
        what="a control group of a test's own"
    ),
    "micropython": Want(
        condition=_micropython, remedy="make micropython (node and npm), or MICROPYTHON=FILE",
        what="`$MICROPYTHON`, or MicroPython in `node`"
    ),
    "micropython in node": Want(
        condition=_micropython_in_node, remedy="make micropython (node and npm)",
        what="`node`, and the MicroPython that npm brings"
    ),
    "mounts": Want(("unshare", "mount"), ("util-linux", "mount"), _mounts, "root that may mount"),
    "numbered disks": Want(
        condition=lambda: any(Path("/sys/block").glob("*/diskseq")), remedy="Linux 5.15 or newer",
        what="a kernel that counts what is put into a disk"
    ),
    "python3.11": Want(
        condition=_compiles_for_debian, remedy="python3.11 on the path",
        what="Debian's `python3.11`, or another"
    ),
    "real spins": Want(
        condition=REAL_SPINS.exists,
        remedy="../shared/data beside the checkout, or CYLINDRE_REAL_SPINS=FILE",
        what="spins of a real wheel, filmed",
    ),
    "partitions of loop devices": Want(
        ("losetup", "partx"), ("mount", "util-linux"), _loops_have_partitions,
        "root, and a kernel whose loop devices have partitions"
    ),
    "root on a disk": Want(
        condition=lambda: root_device().exists(), remedy="a root on a disk",
        what="a root whose disk is in /sys"
    ),
    "root": Want(condition=_is_root, remedy="root", what="the user 0"),
    "shared SQLite": Want(
        condition=_shares_sqlite, remedy=f"a Python whose sqlite3 is linked with {SQLITE}",
        what="a library whose writes can be seen"
    ),
    "systemd": Want(
        ("unshare", "nsenter", "systemd-analyze"), ("systemd", "util-linux"), _starts_systemd,
        "root that may make namespaces"
    ),
    "traces": Want(
        condition=TRACES.exists, remedy="../shared/traces beside the checkout",
        what="recorded edges of wheels"
    ),
}
# fmt: on


@cache
def is_here(name: str) -> bool:
    """Whether this machine has it. Raises KeyError for what is not in the table."""
    want = WANTS[name]
    if any(shutil.which(program, path=PATH) is None for program in want.programs):
        return False
    return want.condition is None or want.condition()


def lacking(names: Iterable[str]) -> list[str]:
    """What this machine lacks of `names`. Raises KeyError for what is not in the table."""
    return [name for name in names if not is_here(name)]


def pairs(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The programs of `names`, each with its package; of wants that one package brings."""
    found = []
    for name in names:
        (package,) = WANTS[name].packages
        found += [(program, package) for program in WANTS[name].programs]
    return tuple(found)


def packages(names: Iterable[str] | None = None) -> list[str]:
    """Debian's packages that bring `names`, sorted; without names, all but a soak's."""
    if names is None:
        names = (name for name, want in WANTS.items() if not want.soak)
    return sorted({package for name in names for package in WANTS[name].packages})


def remedies(names: Iterable[str]) -> list[str]:
    """What to do so that `names` are here: one line for apt, one for each of the rest."""
    wanted = [name for name in names if WANTS[name].programs]
    missing = [
        name
        for name in wanted
        if any(shutil.which(program, path=PATH) is None for program in WANTS[name].programs)
    ]
    lines = [f"sudo apt install {' '.join(packages(missing))}"] if missing else []
    others = [name for name in names if name not in missing]
    return lines + [f"{name}: {WANTS[name].remedy}" for name in others]


def told_wanting(count: int, wanting: Mapping[str, int]) -> str:
    """A line: so many tests were skipped, for want of what, and what brings it."""
    names = ", ".join(f"{name} ({n})" for name, n in sorted(wanting.items()))
    brings = "; ".join(remedies(sorted(wanting)))
    return f"incomplete: {count} tests skipped for want of {names}. What brings it: {brings}"


def covered(command: list[str]) -> int:
    """Plays `command` where no program of the table is to be seen; its exit status.

    A program is covered by an empty file that cannot be started, in a mount namespace of the
    command's own: nothing changes for anybody else.
    """
    if not is_here("mounts"):
        print("Covering programs needs root that may mount.", file=sys.stderr)
        return 1
    folders = PATH.split(":")
    kept = ("unshare", "mount", "losetup", "nsenter")  # util-linux: every Debian has it
    found = {
        path.resolve()
        for want in WANTS.values()
        for program in want.programs
        for path in (Path(folder, program) for folder in folders)
        if program not in kept and path.exists()
    }
    covers = " && ".join(f"mount --bind /dev/null '{path}'" for path in sorted(found)) or "true"
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", f'{covers} && exec "$@"', "sh", *command], check=False
    ).returncode


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["packages"]:
            print(*packages())
        case ["covers", *words] if words:
            sys.exit(covered(words))
        case _:
            sys.exit("One of: packages, covers COMMAND ...")
