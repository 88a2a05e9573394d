"""The package, made once for all tests from a copy of this checkout; a machine to install it on.

The machine is a real systemd in namespaces of its own, over a copy-on-write view of this machine's
files: what is installed and started there touches nothing here.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

from device_rig import ROOT
from patience import LAST_RESORT_S, until

PARTS = ("firmware", "boards", "drivers", "rules", "tools", "docs", "pyproject.toml", ".gitignore")
SKIPPED = shutil.ignore_patterns("__pycache__", "node_modules", ".npmrc")
BUILD_S = 300.0
PATIENCE_S = 240.0  # four failed starts of a controller on a machine that has much to do
CHECKOUT = "cylindre-checkout"  # the copy, beside the folder of the package


def copied(to: Path) -> Path:
    """This checkout's sources, elsewhere: others may be at work in it."""
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=SKIPPED, symlinks=True)
        else:
            to.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to / name)
    return to


def build(checkout: Path, out: Path, **environment: str) -> Path:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tools.image.deb", str(out), "--arch", "amd64"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), **environment},
        capture_output=True,
        text=True,
        timeout=BUILD_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def package_in(shared: Path) -> Path:
    """The package; made by whoever comes first, of all processes that run tests now."""
    with (shared / "cylindre-package.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        there = sorted((shared / "cylindre-package").glob("*.deb"))
        if there:
            return there[0]
        made = build(copied(shared / CHECKOUT), shared / "cylindre-package.new")
        (shared / "cylindre-package.new").rename(shared / "cylindre-package")
        return shared / "cylindre-package" / made.name


_BOOT = """
set -e
mount -t tmpfs guest "$2"
mkdir "$2/up" "$2/work" "$2/root"
mount -t overlay guest -o lowerdir=/,upperdir="$2/up",workdir="$2/work" "$2/root"
cd "$2/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount --rbind /dev dev
mount -t tmpfs run run
cp "$1" run/cylindre.deb
mkdir old
pivot_root . old
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
dpkg --install /run/cylindre.deb
cat > /etc/systemd/system/guest.target <<END
[Unit]
Requires=sysinit.target
Wants=systemd-journald.service
AllowIsolate=yes
END
exec env -i container=other PATH=$PATH /lib/systemd/systemd --system --unit=guest.target \\
    --log-target=journal --show-status=0
"""


class Machine:
    """A booted one. `run` runs a line of shell there, as root."""

    def __init__(self, package: Path, folder: Path) -> None:
        folder.mkdir()
        self.keys = folder.with_name("keys")  # the displays', outside
        self._log = (folder.parent / "boot.log").open("w+")
        self._boot = subprocess.Popen(
            ["unshare", "-mpfuiC", "--kill-child", "sh", "-c", _BOOT, "sh", package, folder],
            stdout=self._log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._pid = 0
        self.until("systemctl is-active guest.target")

    def run(self, line: str, **more: int) -> "subprocess.CompletedProcess[str]":
        words = ["nsenter", "-t", str(self._pid), "-m", "-p", "-u", "-i", "-C", "--"]
        return subprocess.run(
            [*words, "sh", "-c", line],
            capture_output=True,
            text=True,
            timeout=LAST_RESORT_S,
            check=False,
            start_new_session=True,  # a signal to its group is not for us
        )

    def ok(self, line: str) -> str:
        done = self.run(line)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        return done.stdout

    def until(self, line: str) -> str:
        """What it prints once it succeeds."""

        def done() -> "subprocess.CompletedProcess[str] | None":
            assert self._boot.poll() is None, self._said()
            self._pid = self._pid or self._first()
            ended = self.run(line) if self._pid else None
            return ended if ended is not None and ended.returncode == 0 else None

        found = until(done, line, PATIENCE_S, told=self._said)
        assert found is not None
        return found.stdout

    def _first(self) -> int:
        """The first process of the machine, once it is systemd."""
        children = Path(f"/proc/{self._boot.pid}/task/{self._boot.pid}/children").read_text()
        for word in children.split():
            if Path(f"/proc/{word}/comm").read_text() == "systemd\n":
                return int(word)
        return 0

    def _said(self) -> str:
        self._log.seek(0)
        return self._log.read()

    def close(self) -> None:
        self._boot.kill()  # its first process goes with it, and so do all others and every mount
        self._boot.wait()
        self._log.close()
