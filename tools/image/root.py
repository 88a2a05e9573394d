"""Makes the root file system: Debian 12 arm64 by mmdebstrap, the files of root/, the application.

An arm64 machine runs on this one through qemu-user and binfmt_misc; the kernel must know it.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from firmware.lib import partitions, programs
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.services.device import manifest
from firmware.services.update import release, slots, system_conf
from firmware.services.update.release import Release

RELEASE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
SECURITY = "http://deb.debian.org/debian-security"
_COMPONENTS = "main non-free-firmware"  # the latter for the Pi's own firmware
# fmt: off
PACKAGES = (
    "systemd-sysv", "systemd-timesyncd", "udev", "dbus", "kmod", "zstd",
    "python3", "rauc", "rauc-service", "libubootenv-tool", "fdisk", "e2fsprogs", "dosfstools",
    "initramfs-tools", "linux-image-arm64", "raspi-firmware", "u-boot-rpi",
)
# fmt: on
NEEDED = (("mmdebstrap", "mmdebstrap"), ("qemu-aarch64-static", "qemu-user-static"))
_OURS = Path(__file__).with_name("root")
_CHECKOUT = Path(__file__).resolve().parents[2]
_PROGRAMS = "usr/lib/cylindre-image"  # the folder of root/ whose files are programs
REGISTERED = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
_PARTS = "/cylindre-parts"

# In the finished root, as its own root ($1). What the boot partitions hold goes out to the
# parts, and is not kept twice.
_FINISH = f"""
set -eu
root="$1"
chroot "$root" systemctl --quiet enable systemd-networkd systemd-timesyncd cylindre-grow
chroot "$root" systemctl --quiet enable cylindre-where
chroot "$root" systemctl --quiet mask serial-getty@.service getty@.service getty-static.service
mkdir -p "$root{_PARTS}/trees" "$root{partitions.DATA_FOLDER}"
mkdir -p "$root/etc/cylindre" "$root/var/lib/cylindre"
cp "$root"/boot/vmlinuz-* "$root{_PARTS}/{partitions.KERNEL}"
cp "$root"/boot/initrd.img-* "$root{_PARTS}/{partitions.INITRD}"
cp "$root"/usr/lib/linux-image-*/broadcom/*.dtb "$root{_PARTS}/trees/"
cp -r "$root/usr/lib/raspi-firmware" "$root{_PARTS}/"
cp "$root/usr/lib/u-boot/rpi_arm64/u-boot.bin" "$root{_PARTS}/"
"""
_CLEAN = f"""
set -eu
root="$1"
rm -rf "$root{_PARTS}" "$root"/boot/* "$root"/usr/lib/linux-image-* "$root/usr/lib/raspi-firmware"
rm -rf "$root"/usr/lib/u-boot "$root"/vmlinuz* "$root"/initrd.img*
rm -rf "$root"/var/cache/ldconfig/aux-cache "$root"/var/log/* "$root"/var/cache/debconf/*-old
mkdir -p "$root{partitions.FIRMWARE_FOLDER}"
: > "$root/etc/machine-id"
: > "$root/etc/resolv.conf"
echo cylindre > "$root/etc/hostname"
if ! grep -q '^root:[*!]' "$root/etc/shadow"; then
    echo "E: root has a password" >&2
    exit 1
fi
"""


def build(
    parts: Path, deb: Path, *, epoch: int, board: str, mirror: str, keyring: Path | None
) -> None:
    """Fills `parts` with root.tar and what the boot partitions need. Raises Failure."""
    programs.require(NEEDED)
    if not REGISTERED.exists():
        text = "The kernel here runs no arm64 programs: install qemu-user-static and"
        raise Failure(FAILED, f"{text} binfmt-support, and mount binfmt_misc.")
    if not deb.is_file():
        raise Failure(USAGE, f"There is no package {deb}: make package makes it.")
    with tempfile.TemporaryDirectory(prefix="cylindre-root-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # mmdebstrap's hooks may run as another user
        _stage(folder / "root", Release(_version(deb, epoch), board), keyring)
        package = folder / "cylindre.deb"
        shutil.copyfile(deb, package)
        (folder / "sources").write_text(_sources(mirror))
        programs.run(*_command(folder, parts), epoch=epoch)
    made = parts / _PARTS[1:]
    for path in sorted(made.iterdir()):
        path.rename(parts / path.name)
    made.rmdir()


def _command(folder: Path, parts: Path) -> list[str | Path]:
    install = (
        'chroot "$1" apt-get -qq install --yes --no-install-recommends /tmp/cylindre.deb'
        ' && rm "$1/tmp/cylindre.deb"'
    )
    here, python = shlex.quote(str(_CHECKOUT)), shlex.quote(sys.executable)
    again = f'PYTHONPATH={here} {python} -m tools.image.root "$1"'
    out, root = shlex.quote(str(parts)), shlex.quote(str(folder / "root"))
    return [
        "mmdebstrap", "--architectures=arm64", "--variant=minbase",
        '--aptopt=APT::Install-Recommends "false"', "--dpkgopt=force-unsafe-io",
        "--dpkgopt=path-exclude=/usr/share/doc/*",
        "--dpkgopt=path-include=/usr/share/doc/*/copyright",
        "--dpkgopt=path-include=/usr/share/doc/cylindre/*",
        "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
        f"--include={','.join(PACKAGES)}",
        f"--essential-hook=sync-in {root} /",
        f"--customize-hook=copy-in {shlex.quote(str(folder / 'cylindre.deb'))} /tmp",
        f"--customize-hook={install}",
        f"--customize-hook={_FINISH}",
        f"--customize-hook=copy-out {_PARTS} {out}",
        f"--customize-hook={_CLEAN}",
        f"--customize-hook={again}",
        RELEASE, parts / "root.tar", folder / "sources",
    ]  # fmt: skip


def write_manifest(root: Path) -> None:
    """Lists all our software below `root` anew: an image has files that the package has not."""
    (root / manifest.MANIFEST).write_bytes(manifest.text_of(manifest.installed(root)))


def manifest_of(tar: Path) -> bytes:
    """The manifest that a finished root has. Raises Failure if it has none."""
    with tarfile.open(tar) as packed:
        file = packed.extractfile(f"./{manifest.MANIFEST}")
        if file is None:
            raise Failure(FAILED, f"{tar} has no manifest.")
        return file.read()


def _version(deb: Path, epoch: int) -> str:
    """The package's, which is the release's."""
    return programs.run("dpkg-deb", "-f", deb, "Version", epoch=epoch).decode().strip()


def _sources(mirror: str) -> str:
    security = SECURITY if mirror == MIRROR else mirror.replace("/debian/", "/debian-security/")
    places = ((mirror, RELEASE), (mirror, f"{RELEASE}-updates"), (security, f"{RELEASE}-security"))
    # A dated mirror's lists are older than they may be: that is meant.
    options = f"[signed-by={_KEYRING} check-valid-until=no]"
    return "".join(f"deb {options} {uri} {suite} {_COMPONENTS}\n" for uri, suite in places)


def _stage(root: Path, made: Release, keyring: Path | None) -> None:
    """root/ with fixed modes, whatever the checkout's are, and what updates have to know."""
    shutil.copytree(_OURS, root, copy_function=shutil.copyfile)
    files = {slots.RAUC_CONF: system_conf.text(made.board), slots.RELEASE: release.text(made)}
    files |= {slots.LIBEXEC / name: text for name, text in system_conf.scripts().items()}
    if keyring is not None:
        files[slots.KEYRING] = keyring.read_text()
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    programs_of = (root / _PROGRAMS, root / slots.LIBEXEC)
    for path in (root, *root.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.parent in programs_of else 0o644)


if __name__ == "__main__":  # a hook of mmdebstrap, with the finished root
    write_manifest(Path(sys.argv[1]))
