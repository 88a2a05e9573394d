"""The units, as systemd itself judges them."""

import re
import subprocess
from pathlib import Path

import pytest
from patience import LAST_RESORT_S
from unit_rights import EVERY, HEAD, ROOT, UNITS, Unit

from firmware.api import connection
from firmware.lib import peer_user
from tools.image import deb

# One writes /etc, for what the journal orders; the other what U-Boot reads; and of an image, what
# makes the folders of the data partition, and lets that fill the card.
ROOTS = (
    "cylindre-orders.service",
    "cylindre-update-commit.service",
    "cylindre-update-started.service",
    "cylindre-data.service",
    "cylindre-grow.service",
)
EXPOSURE_MAX = 25  # the issue: 2.5 or lower; systemd-analyze wants tenths

DEVICES = ROOT / "docs" / "device.md"

judged = pytest.mark.needs("systemd-analyze")


def analyse(*words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["systemd-analyze", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=False,
    )


@judged
@pytest.mark.parametrize("unit", EVERY, ids=lambda path: path.name)
def test_each_service_is_exposed_to_little(unit: Path) -> None:
    done = analyse("security", "--offline=yes", f"--threshold={EXPOSURE_MAX}", unit)
    assert "Overall exposure level" in done.stdout
    assert done.returncode == 0, done.stdout[-200:]


@judged
def test_a_service_that_may_do_anything_is_noticed(tmp_path: Path) -> None:
    unit = tmp_path / "bare.service"
    unit.write_text("[Service]\nExecStart=/bin/true\n")
    done = analyse("security", "--offline=yes", f"--threshold={EXPOSURE_MAX}", unit)
    assert done.returncode != 0


@judged
@pytest.mark.parametrize("unit", EVERY, ids=lambda path: path.name)
def test_systemd_understands_each_line(unit: Path, tmp_path: Path) -> None:
    """With a program where the package puts it, in a copy: this machine need not have it."""
    program = tmp_path / "cylindre"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for path in EVERY:
        text = re.sub(
            r"/usr/(bin/cylindre\b|lib/cylindre-image/\w+)", str(program), path.read_text()
        )
        (tmp_path / path.name).write_text(text)
    done = analyse("verify", "--man=no", "--recursive-errors=no", tmp_path / unit.name)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.req("IEC-CR-7.2")
@pytest.mark.parametrize("unit", EVERY, ids=lambda path: path.name)
def test_each_service_has_a_limit_of_memory_and_of_tasks(unit: Path) -> None:
    for limit in ("MemoryMax=[0-9]+[MK]", "TasksMax=[0-9]+"):
        assert re.search(rf"(?m)^{limit}$", unit.read_text())


@pytest.mark.req("EN-5.9-2")
def test_what_plays_reaches_no_network() -> None:
    """The controller none at all; a display the browser of its own machine."""
    assert "\nPrivateNetwork=yes\n" in (UNITS / "cylindre.service").read_text()
    display = (UNITS / "cylindre-display.service").read_text()
    assert "\nIPAddressDeny=any\n" in display
    assert re.findall(r"(?m)^IPAddressAllow=(.*)$", display) == ["localhost"]


@pytest.mark.req("EN-5.6-7")
def test_nobody_runs_as_root_and_the_controller_is_watched() -> None:
    for unit in EVERY:
        if unit.name not in ROOTS:
            assert "\nUser=cylindre" in unit.read_text(), unit.name
    controller = (UNITS / "cylindre.service").read_text()
    for line in ("Type=notify", "WatchdogSec=5", "Restart=on-failure"):
        assert f"\n{line}\n" in controller
    assert "\nOnFailure=cylindre-safe.service\n" in controller
    assert "\nExecStartPre=/usr/bin/cylindre verify-install --quiet\n" in controller


def test_the_guides_user_is_a_person_to_the_controller_and_its_page_knows_who_asks() -> None:
    """Else no key of the screen counts, and no browser is served."""
    users = (UNITS / "cylindre.sysusers").read_text()
    number = re.search(r"(?m)^u cylindre-guide (\d+) ", users)
    assert number is not None and int(number[1]) in connection._PEOPLES
    assert "\nm cylindre-guide cylindre\n" in users
    guide = (UNITS / "cylindre-guide.service").read_text()
    assert "\nUser=cylindre-guide\n" in guide
    assert re.findall(r"(?m)^IPAddressAllow=(.*)$", guide) == ["localhost"]
    assert "\nProcSubset=pid\n" in guide
    assert all(path.is_relative_to("/proc/self") for path, _ in peer_user._TABLES)


def test_what_each_unit_may_do_stands_in_the_documentation_as_the_unit_says_it() -> None:
    """A unit that may do more is seen there, by whoever reads the change."""
    lines = DEVICES.read_text().splitlines()
    at = lines.index(HEAD) + 2
    assert lines[at : at + len(EVERY) + 1] == [*(Unit(path).row() for path in EVERY), ""]


@judged
@pytest.mark.parametrize("unit", EVERY, ids=lambda path: path.name)
def test_the_exposure_that_the_documentation_tells_is_the_units(unit: Path) -> None:
    """Of another version of systemd by a tenth, perhaps."""
    name = re.escape(unit.name.removesuffix(".service"))
    text = DEVICES.read_text()
    told = re.search(
        rf"(?m)^\| `{name}\.service` \|.*\| ([0-9.]+) \|$|`{name}` \([^)]*?([0-9.]+)\)", text
    )
    assert told is not None
    said = analyse("security", "--offline=yes", unit).stdout
    found = re.search(r"Overall exposure level for \S+ ([0-9.]+)", said)
    assert found is not None
    assert abs(float(told[1] or told[2]) - float(found[1])) < 0.15


@pytest.mark.parametrize("name", ["cylindre-orders.service", "cylindre-update-commit.service"])
def test_root_may_read_a_journal_with_its_owners_rights(name: str) -> None:
    """Else it would not read it at all (firmware/lib/as_owner.py), and no update would be kept."""
    text = (UNITS / name).read_text()
    assert " CAP_SETUID CAP_SETGID\n" in text
    assert "\nSystemCallFilter=@setuid\n" in text[text.index("SystemCallFilter=~@privileged") :]
    assert "\nPrivateTmp=yes\n" in text


def test_what_the_package_starts_it_stops_before_it_goes() -> None:
    """An order's path that stays would call for a service whose program is gone."""
    debian = UNITS.parent / "debian"
    started, stopped = (
        set(re.findall(r"cylindre[a-z-]*\.(?:service|path)", (debian / name).read_text()))
        for name in ("postinst", "prerm")
    )
    assert started
    assert started <= stopped
    assert {unit for unit in deb.STARTED if "update" not in unit} <= started
