"""What each unit can read, write, call and reach, under a real systemd: a program in the place of
its own tries all of it (probe.py)."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from package_rig import Machine
from unit_rights import EVERY, IMAGE_SERVICES, ROOT, Unit

pytestmark = pytest.mark.needs("systemd", "Debian 12")
PROGRAMS = ROOT / "tools/image/root/usr/lib/cylindre-image"
# Folders of the machine, each of which somebody may write; and files, each of which somebody reads.
FOLDERS = (
    "/usr", "/etc", "/etc/cylindre", "/var/lib", "/var/lib/cylindre", "/var/lib/cylindre/keys",
    "/var/lib/cylindre-page", "/var/lib/cylindre-display", "/var/lib/cylindre-orders", "/var/log",
    "/data", "/data/update", "/boot/firmware", "/run", "/run/lock", "/run/cylindre",
    "/home", "/root", "/opt", "/sys/fs/cgroup", "/proc/sys/kernel",
)  # fmt: skip
EVERYBODYS, HIDDEN = "/etc/hostname", ("/root/all", "/home/all")
WHEELS = ("/var/lib/cylindre/keys/wheel.key", "/var/lib/cylindre/people.jsonl")
READ = (EVERYBODYS, "/etc/shadow", *HIDDEN, *WHEELS, "/data/update/state.json")
# Nodes of our own, with the numbers of devices: memory, the kernel's log, a serial port, a disk,
# the machine's watchdog.
NODES = {
    "mem": "c 1 1", "kmsg": "c 1 11", "serial": "c 4 64", "disk": "b 7 99", "watchdog": "c 10 130",
    "null": "c 1 3",
}  # fmt: skip
IN_PLACE = """[Unit]
ConditionPathExists=
ConditionKernelCommandLine=
OnFailure=
Conflicts=
JobTimeoutAction=none
Wants=
After=
[Service]
Type=oneshot
Restart=no
RemainAfterExit=no
WatchdogSec=0
EnvironmentFile=
ExecStartPre=
ExecStartPost=
ExecStopPost=
ExecStart=
ExecStart=/usr/bin/python3 -ISB /run/probe.py '{given}'
StandardOutput=truncate:/run/told/{name}
"""


@pytest.fixture(scope="module")
def machine(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """With the image's units, and every file and folder that somebody may touch."""
    made = Machine(package, tmp_path_factory.mktemp("sandbox") / "mount")
    try:
        folders = " ".join(place for place in FOLDERS if not place.startswith(("/sys", "/proc")))
        made.ok(f"mkdir -p {folders} /run/told /run/nodes; chmod 700 /data/update")
        made.ok("chmod 755 /run; chmod 1777 /run/lock")
        made.ok("chown -R cylindre: /var/lib/cylindre /run/cylindre")
        made.ok("chown cylindre-page: /var/lib/cylindre-page; chmod 700 /var/lib/cylindre-page")
        for path in (*HIDDEN, *WHEELS, "/data/update/state.json"):
            made.ok(f"echo secret > {path}")
        made.ok(f"chmod 755 /root /home; chmod 644 {' '.join(HIDDEN)}")
        made.ok(f"chown cylindre: {' '.join(WHEELS)}; chmod 600 {' '.join(WHEELS)}")
        for name, numbers in NODES.items():
            made.ok(f"mknod -m 666 /run/nodes/{name} {numbers}")
        for path in IMAGE_SERVICES:
            put(made, path, f"/etc/systemd/system/{path.name}")
        put(made, Path(__file__).with_name("probe.py"), "/run/probe.py")
        made.ok("systemctl daemon-reload")
        yield made
    finally:
        made.close()


def put(machine: Machine, source: Path, to: str) -> None:
    machine.ok(f"cat > {to} <<'END OF IT'\n{source.read_text()}\nEND OF IT")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Somebody who listens on this machine, and answers nobody."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def tried(machine: Machine, unit: Unit, port: int) -> dict[str, Any]:
    """What it let a program do."""
    devices = [f"/run/nodes/{name}" for name in NODES]
    given = json.dumps([FOLDERS, READ, devices, port], separators=(",", ":"))
    name = unit.name.removesuffix(".service")
    text = IN_PLACE.format(given=given, name=name)
    folder = f"/run/systemd/system/{unit.name}.d"
    machine.ok(f"mkdir -p {folder}; cat > {folder}/zz.conf <<'END'\n{text}END")
    machine.ok(f"systemctl daemon-reload; systemctl reset-failed {unit.name} 2>/dev/null || true")
    try:
        machine.ok(f"systemctl start {unit.name}")
        found: dict[str, Any] = json.loads(machine.ok(f"cat /run/told/{name}"))
        return found
    finally:
        machine.run(f"systemctl stop {unit.name}; rm -r {folder}; systemctl daemon-reload")


def below(folder: str, others: list[str]) -> bool:
    """Whether it is one of those, or in one."""
    return any(folder == other or folder.startswith(f"{other}/") for other in others)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_a_unit_lets_its_program_do_what_its_text_says_and_no_more(
    machine: Machine, port: int, path: Path
) -> None:
    unit = Unit(path)
    found = tried(machine, unit, port)
    is_root = not unit.last("User")
    assert (found["user"] == 0) == is_root
    # A user's own folders are written by it alone: where systemd allows a folder, its mode decides.
    outside = [folder for folder in found["writes"] if not below(folder, unit.writes)]
    assert outside == []
    if is_root:
        assert set(found["writes"]) >= {each for each in unit.writes if each in FOLDERS} - NOT_ROOTS
    else:
        assert {f"/var/lib/{name}" for name in unit.all("StateDirectory")} <= set(found["writes"])
    assert EVERYBODYS in found["reads"]
    assert not set(HIDDEN) & set(found["reads"])
    if unit.last("User") != "cylindre" and not is_root:
        assert found["reads"] == [EVERYBODYS]
    allowed = [name for name, kind in KINDS.items() if kind in unit.all("DeviceAllow")]
    devices = [device.removeprefix("/run/nodes/") for device in found["devices"]]
    assert set(devices) - {"null"} <= set(allowed)
    assert sorted(found["sockets"]) == sorted(unit.families)
    assert found["reaches"] == ("localhost" in unit.network)
    assert found["calls"] == []
    assert found["sees"] == (unit.last("ProtectProc") != "invisible" or is_root)


# What a unit may write by its own text, and root without its powers may not: another's folder.
NOT_ROOTS = {"/var/lib/cylindre", "/var/lib/cylindre-page"}
KINDS = {"serial": "char-ttyS", "disk": "block-*"}
