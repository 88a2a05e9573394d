"""The Debian package: `make package`, or `python -m tools.image.deb OUT [--arch arm64]`.

Our sources, the wheels that requirements.lock beside this file pins, for the target's processor,
and what systemd and udev are told. No compiler, nothing of the machine it is made on: the same
checkout gives the same bytes. tools/image/debian holds what dpkg wants.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import click

from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import N_, Message
from firmware.services.device import manifest
from firmware.store.clock import BUILT_S
from tools.docs import shell_files

ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("requirements.lock")
_DEBIAN = Path(__file__).with_name("debian")
_SYSTEMD = Path(__file__).with_name("systemd")
PYTHON = "3.11"  # of Debian 12
# Debian's name of a processor, that of Python's wheels; Debian 12 has glibc 2.36.
PROCESSORS = {"arm64": "aarch64", "amd64": "x86_64"}
_GLIBCS = ("2_36", "2_35", "2_34", "2_31", "2_28", "2_17")
_ABIS = ("cp311", "abi3", "none")
SOFTWARE = Path("usr/lib/cylindre")
# Where each file of tools/image/systemd goes; units go to usr/lib/systemd/system.
_PLACES = {
    "cylindre.sysusers": "usr/lib/sysusers.d/cylindre.conf",
    "cylindre.tmpfiles": "usr/lib/tmpfiles.d/cylindre.conf",
    "cylindre.modules": "usr/lib/modules-load.d/cylindre.conf",
    "cylindre.rules": "usr/lib/udev/rules.d/60-cylindre.rules",
    "cylindre-watchdog.conf": "usr/lib/systemd/system.conf.d/50-cylindre.conf",
}
# Started with the machine. Links of the package, not of `systemctl enable`: the manifest has them.
STARTED = (
    "cylindre.service",
    "cylindre-page.service",
    "cylindre-display.service",
    "cylindre-guide.service",
    "cylindre-orders.path",
    "cylindre-update-commit.service",
)
_DOCS = ("device.md", "update.md", "verify-install.md")
# What an installer writes of the machine it runs on.
_DEBIANS = f"/usr/bin/python{PYTHON}"
_INSTALLERS = ("INSTALLER", "RECORD", "REQUESTED", "direct_url.json")


def build(out: Path, architecture: str) -> Path:
    """Makes the package in the folder `out`; its file. Raises Failure."""
    epoch = _epoch()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    with tempfile.TemporaryDirectory(prefix="cylindre-deb-") as name:
        tree = Path(name) / "tree"
        _add_wheels(tree / SOFTWARE, architecture)
        _add_ours(tree / SOFTWARE, Path(name))
        _compile(tree)
        _add_system(tree)
        _settle(tree)
        (tree / manifest.MANIFEST.parent).mkdir(parents=True)
        listed = manifest.text_of(manifest.installed(tree))
        _write(tree / manifest.MANIFEST, listed, 0o644)
        _add_control(tree, version, architecture)
        _settle(tree)
        out.mkdir(parents=True, exist_ok=True)
        file = out / f"cylindre_{version}_{architecture}.deb"
        # Not xz: 30 % smaller, three times as slow, and how many threads it had shows in the bytes.
        _run(
            ["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", tree, file],
            SOURCE_DATE_EPOCH=str(epoch),
        )
    return file


def _add_wheels(folder: Path, architecture: str) -> None:
    """What the software stands on, as the lock has it, for that processor."""
    processor = PROCESSORS[architecture]
    options = [f"--platform=manylinux_{glibc}_{processor}" for glibc in _GLIBCS]
    options += [f"--platform=manylinux2014_{processor}", f"--platform=linux_{processor}"]
    options += [f"--abi={abi}" for abi in _ABIS]
    _run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--target", folder, "--python-version", PYTHON, "--implementation", "cp", *options),
            *("--only-binary", ":all:", "--require-hashes", "--no-deps", "--no-compile"),
            *("--no-warn-conflicts", "--root-user-action", "ignore", "-r", LOCK),
        ]
    )
    shutil.rmtree(folder / "bin", ignore_errors=True)  # scripts that name this machine's Python
    for path in sorted(folder.glob("*.dist-info/*")):
        if path.name in _INSTALLERS:
            path.unlink()


def _add_ours(folder: Path, work: Path) -> None:
    """Our own packages, as pyproject.toml says what belongs to them."""
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", work])
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    for name in (*_INSTALLERS, "WHEEL"):  # the last names the version of what packed it
        for path in folder.glob(f"cylindre-*.dist-info/{name}"):
            path.unlink()


def _compile(tree: Path) -> None:
    """Byte code beside each source: on a read-only root Python could keep none, and a start would
    take seconds longer. It holds by what the manifest says, so nothing is asked of the source."""
    python = interpreter()
    if python is None:
        text = Message(
            "The package is for Python {python}, which is not here: install python{python}.",
            python=PYTHON,
        )
        raise Failure(FAILED, text)
    _run(
        [
            *(python, "-ISB", "-m", "compileall", "-q", "-j1"),
            *("--invalidation-mode", "unchecked-hash", "-s", tree, "-p", "/", tree / SOFTWARE),
        ]
    )


def interpreter() -> str | None:
    """The Python that the package is compiled with: Debian's, ours, or that of the path."""
    if Path(_DEBIANS).exists():  # byte code differs from one patch release to the next
        return _DEBIANS
    if sys.version_info[:2] != (3, 11):
        return shutil.which(f"python{PYTHON}")
    return sys.executable


def _add_system(tree: Path) -> None:
    units = tree / "usr/lib/systemd/system"
    wants = units / "multi-user.target.wants"
    wants.mkdir(parents=True)
    for path in sorted(_SYSTEMD.iterdir()):
        place = tree / _PLACES[path.name] if path.name in _PLACES else units / path.name
        _write(place, path.read_bytes(), 0o644)
    for name in STARTED:
        (wants / name).symlink_to(f"../{name}")
    share = tree / "usr/share"
    shell_files.write(share)
    (share / "zsh/site-functions").rename(share / "zsh/vendor-completions")  # Debian's name
    _write(tree / "usr/bin/cylindre", (_DEBIAN / "cylindre").read_bytes(), 0o755)
    for name in _DOCS:
        _write(tree / "usr/share/doc/cylindre" / name, (ROOT / "docs" / name).read_bytes(), 0o644)


def _add_control(tree: Path, version: str, architecture: str) -> None:
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file())
    said = {"VERSION": version, "ARCHITECTURE": architecture, "SIZE": str(-(-size // 1024))}
    text = (_DEBIAN / "control").read_text()
    for name, value in said.items():
        text = text.replace(f"@{name}@", value)
    _write(tree / "DEBIAN/control", text.encode(), 0o644)
    for name in ("postinst", "prerm", "postrm"):
        _write(tree / "DEBIAN" / name, (_DEBIAN / name).read_bytes(), 0o755)


def _settle(tree: Path) -> None:
    """Modes that do not depend on who made it: libraries need not be executable."""
    for path in sorted(tree.rglob("*")):
        if path.is_symlink():
            continue
        runs = path.is_dir() or path.parent in (tree / "usr/bin", tree / "DEBIAN")
        path.chmod(0o755 if runs and path.name != "control" else 0o644)
    tree.chmod(0o755)


def _write(path: Path, data: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def _epoch() -> int:
    text = os.environ.get("SOURCE_DATE_EPOCH", str(BUILT_S))
    if not (text.isascii() and text.isdigit()):
        raise Failure(FAILED, N_("SOURCE_DATE_EPOCH is no time in seconds: unset it."))
    return int(text)


def _run(command: list[object], **more: str) -> None:
    """Runs one step; its own words are for whoever it fails. Raises Failure."""
    words = [str(word) for word in command]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", **more}
    try:
        done = subprocess.run(
            words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise Failure(
            FAILED,
            Message(
                "{words} cannot be started: {why}. Install it.", words=words[0], why=cause(error)
            ),
        ) from None
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [
            Message("it does not say why")
        ]
        step = " ".join(words[:4])
        raise Failure(
            FAILED, Message("The package cannot be made: {step}: {last}.", step=step, last=last[0])
        )


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--arch", type=click.Choice(tuple(PROCESSORS)), default="arm64", show_default=True)
def main(out: Path, arch: str) -> None:
    """Make the Debian package in the folder OUT and print its path. Needs dpkg-deb, and PyPI."""
    try:
        click.echo(build(out, arch))
    except Failure as failure:
        raise click.ClickException(failure.sentence) from None


if __name__ == "__main__":
    main()
