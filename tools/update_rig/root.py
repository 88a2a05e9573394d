"""The root slot of the rig's machine: small, its own, and real enough to be updated.

Its own are /init, /etc, the release and some megabytes that compress badly. Programs come from the
host, read-only: /usr/bin and its like, Python, and this checkout.
"""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

from firmware.lib.partitions import DATA_FOLDER, DISK_ID, FIRMWARE_FOLDER, PARTITIONS, partition
from firmware.services.update import release, system_conf
from firmware.services.update.release import Release
from firmware.services.update.slots import KEYRING, LIBEXEC, RAUC_CONF, RELEASE
from tools.hil.kernel import build

BUSYBOX = Path("/bin/busybox")  # Debian's busybox-static
OUT = "/run/out"
PAYLOAD_BYTES = 6 << 20  # an installation takes long enough to be cut at many points
_FROM_HOST = ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64")
_LINKS = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64",
          "var/run": "/run"}  # fmt: skip
_EMPTY = ("proc", "sys", "dev", "run", "tmp", "data", "boot/firmware", "var/lib/cylindre")

_INIT = """\
#!/busybox sh
# First process. What systemd and udev do on a wheel, as far as updates need it.
b=/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
$b mount -t tmpfs tmpfs /run
$b mount -t tmpfs tmpfs /tmp
$b mkdir -p /run/host {out} /run/dbus
$b mount -t hostfs -o / none /run/host
{binds}
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TERM=dumb
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={checkout}
mkdir -p /dev/disk/by-partuuid /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
for n in {numbers}; do ln -s /dev/ubda$n /dev/disk/by-partuuid/{disk:08x}-0$n; done
mount -t hostfs -o "$HIL_OUT" none {out}
mount /dev/ubda{firmware} {firmware_folder}
# As systemd does where the kernel is told fsck.repair=yes: half a superblock is mended from a copy.
e2fsck -y /dev/ubda{data} >/dev/null 2>&1
mount /dev/ubda{data} {data_folder}
mkdir -p {data_folder}/cylindre
mount -o bind {data_folder}/cylindre /var/lib/cylindre
dbus-daemon --config-file=/etc/dbus-1/rig.conf --fork
sh {out}/job.sh
echo $? >{out}/status
sync
$b poweroff -f
"""
# Of type session, so that it starts RAUC's service itself; at the address of the system's bus.
_BUS = """\
<busconfig>
  <type>session</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <servicedir>/etc/dbus-1/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/> <allow eavesdrop="true"/> <allow own="*"/>
  </policy>
</busconfig>
"""
_SERVICE = "[D-BUS Service]\nName=de.pengutronix.rauc\nExec=/usr/bin/rauc service\n"


def lay(folder: Path, made: Release, authority: Path) -> None:
    """Makes the folder of a root slot that is that release and trusts that authority."""
    needed = [*_EMPTY, *_FROM_HOST, *(str(path).lstrip("/") for path in _host_folders())]
    for name in needed:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, target in _LINKS.items():
        (folder / name).symlink_to(target)
    shutil.copy(BUSYBOX, folder / "busybox")
    _write(folder / "init", _init(), 0o755)
    _write(folder / "etc/passwd", "root:x:0:0::/run:/bin/sh\n")
    _write(folder / "etc/group", "root:x:0:\n")
    _write(folder / "etc/dbus-1/rig.conf", _BUS)
    _write(folder / "etc/dbus-1/services/de.pengutronix.rauc.service", _SERVICE)
    _write(folder / RELEASE, release.text(made))
    _write(folder / RAUC_CONF, system_conf.text(made.board))
    _write(folder / KEYRING, authority.read_text())
    for name, text in system_conf.scripts().items():
        _write(folder / LIBEXEC / name, text, 0o755)
    _write(folder / "usr/local/bin/cylindre", _entry(), 0o755)
    noise = random.Random(made.version).randbytes(PAYLOAD_BYTES)
    (folder / "payload").write_bytes(noise)


def _init() -> str:
    binds = [f"$b mount -o bind /run/host/{name} /{name}" for name in _FROM_HOST]
    for path in _host_folders():  # one below /tmp is not in the root slot
        binds.append(f"$b mkdir -p {path}; $b mount -o bind /run/host{path} {path}")
    return _INIT.format(
        out=OUT,
        binds="\n".join(binds),
        checkout=build.ROOT,
        numbers=" ".join(str(each.number) for each in PARTITIONS),
        disk=DISK_ID,
        firmware=partition("firmware").number,
        firmware_folder=FIRMWARE_FOLDER,
        data=partition("data").number,
        data_folder=DATA_FOLDER,
    )


def _host_folders() -> list[Path]:
    """What else comes from the host: this checkout, and a Python that does not lie in /usr."""
    prefix = Path(sys.base_prefix).resolve()
    found = {build.ROOT, Path(sys.prefix).resolve(), prefix}
    return sorted(
        path for path in found if not path.is_relative_to("/usr/bin") and path != Path("/usr")
    )


def _entry() -> str:
    return f'#!/bin/sh\nexec {sys.executable} -m tools.cli "$@"\n'


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
