"""What each unit can read, write, call and reach, under a real systemd: a program in the place of
its own tries all of it (probe.py)."""

import json
import socket
import subprocess
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
    "/data", "/data/update", "/boot/firmware", "/run", "/run/lock", "/run/cylindre", "/home",
    "/root", "/opt", "/sys/fs/cgroup", "/proc/sys/kernel",
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
        made.ok("mkdir -p /usr/lib/cylindre-image")
        for path in sorted(PROGRAMS.iterdir()):
            put(made, path, f"/usr/lib/cylindre-image/{path.name}")
            made.ok(f"chmod 755 /usr/lib/cylindre-image/{path.name}")
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


@pytest.fixture(scope="module")
def filters(machine: Machine, port: int) -> bool:
    """Whether this kernel lets systemd say whom a unit may reach over IP."""
    machine.ok(
        "cat > /run/systemd/system/filters.service <<'END'\n[Service]\nType=oneshot\n"
        "IPAddressDeny=any\nStandardOutput=truncate:/run/told/filters\n"
        f"ExecStart=/usr/bin/python3 -ISB /run/probe.py '[[],[],[],{port}]'\nEND"
    )
    machine.ok("systemctl daemon-reload; systemctl start filters")
    return not json.loads(machine.ok("cat /run/told/filters"))["reaches"]


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
    machine: Machine, port: int, filters: bool, path: Path
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
    if filters or unit.last("PrivateNetwork") == "yes" or "INET" not in unit.families:
        assert found["reaches"] == ("localhost" in unit.network)
    assert found["calls"] == []
    assert found["sees"] == (unit.last("ProtectProc") != "invisible" or is_root)


# What a unit may write by its own text, and root without its powers may not: another's folder.
NOT_ROOTS = {"/var/lib/cylindre", "/var/lib/cylindre-page"}
KINDS = {"serial": "char-ttyS", "disk": "block-*"}


def test_the_images_first_unit_makes_its_folders_and_takes_a_configuration_in_its_sandbox(
    machine: Machine,
) -> None:
    """At the first start, and again at the second, where the folders are others' already."""
    machine.ok("rm -rf /data/*; mkdir -p /boot/firmware/first /usr/share/cylindre")
    machine.ok('echo \'{"version":"1.0.0","board":"pi4"}\' >/usr/share/cylindre/release.json')
    machine.ok("printf '[wheel]\\nboard = \"pi4\"\\n' > /boot/firmware/first/wheel.toml")
    for _ in range(2):
        machine.ok("systemctl start cylindre-data")
        assert "board" in machine.ok("cat /data/etc/wheel.toml")
        owners = machine.ok("stat -c '%U %a' /data/cylindre /data/page /data/display /data/update")
        assert owners.split() == [
            "cylindre", "750", "cylindre-page", "700", "cylindre-display", "700", "root", "700",
        ]  # fmt: skip
        machine.ok("systemctl stop cylindre-data")
    machine.ok("test ! -e /boot/firmware/first -a ! -e /boot/firmware/refused.txt")


def test_the_image_tells_where_its_page_is_in_its_sandbox(machine: Machine) -> None:
    """Of the certificate that the page alone reads, and this machine's addresses."""
    machine.ok("mkdir -p /var/lib/cylindre-page/tls")
    machine.ok("echo YWJj > /var/lib/cylindre-page/tls/page.crt")
    machine.ok("chown -R cylindre-page: /var/lib/cylindre-page/tls; touch /etc/cylindre/wheel.toml")
    machine.ok("chmod 600 /var/lib/cylindre-page/tls/page.crt")
    machine.ok("systemctl start cylindre-where")
    told = machine.until("journalctl -o cat -t cylindre-where | grep fingerprint")
    addresses = [word for word in machine.ok("hostname -I").split() if ":" not in word]
    assert (f"https://{addresses[-1]}:8443/" if addresses else "No address yet") in told
    assert "BA:78:16:BF" in told  # of "abc"
    machine.ok("systemctl stop cylindre-where; rm /etc/cylindre/wheel.toml")


@pytest.mark.needs("partitions of loop devices", "sfdisk")
def test_the_data_partition_fills_the_card_in_its_sandbox(machine: Machine, tmp_path: Path) -> None:
    """A card in a file. udev does not run there: the kernel alone is told, and asked. That it would
    be heard by netlink shows the test above.
    """
    card = tmp_path / "card"
    with card.open("wb") as file:
        file.truncate(64 << 20)
    table = """label: dos
unit: sectors
1 : start=2048, size=2048, type=c
4 : start=8192, size=24576, type=5
5 : start=8448, size=1024, type=83
6 : start=10240, size=1024, type=83
7 : start=12288, size=20480, type=83
"""
    words = ["losetup", "--show", "-f", str(card)]
    subprocess.run(["sfdisk", "-q", str(card)], input=table, text=True, check=True)
    disk = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    try:
        subprocess.run(["partx", "-a", disk], check=True, capture_output=True)
        # The host's /dev is this machine's: no link is made there. What udevadm writes is written.
        said = 'echo change > "/sys/class/block/$part/uevent"'
        changes = f"s|^part=.*readlink.*|part={disk}p7|; s|^udevadm.*|{said}|"
        machine.ok(f"cd /usr/lib/cylindre-image; sed -i '{changes}' grow; grep -q {disk}p7 grow")
        started = machine.run("systemctl start cylindre-grow")
        assert started.returncode == 0, machine.ok("journalctl --no-pager -u cylindre-grow")
        node = Path(f"/sys/class/block/{Path(disk).name}p7")
        ends = int((node / "start").read_text()) + int((node / "size").read_text())
        assert ends == (64 << 20) // 512
    finally:
        subprocess.run(["partx", "-d", disk], check=False, capture_output=True)
        subprocess.run(["losetup", "-d", disk], check=True)
