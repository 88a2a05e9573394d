"""Where things lie on a device is said once: units, defaults and examples agree."""

import importlib
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click
import pytest

from firmware.lib import places
from tools.commands import config, orders
from tools.commands.group import COMMANDS

UNITS = Path(__file__).parents[2] / "tools" / "image" / "systemd"
PLACE = re.compile(r"(?<![\w.])/(?:etc|run|var/lib)/cylindre[\w./-]*")
# What a unit, the package or a person puts there (docs/device.md).
KNOWN = {
    places.CONFIG_FILE.parent,
    places.CONFIG_FILE,
    places.CONFIG_FILE.with_name("conf.d"),
    places.CONFIG_FILE.with_name("display.env"),
    places.CONFIG_FILE.with_name("guide.env"),
    places.DEVICE_SOCKETS,
    places.DEVICE_STATE,
    places.DEVICE_STATE / places.JOURNAL,
    places.DEVICE_STATE / places.KEYS,
    places.DEVICE_STATE / places.PEOPLE,
    places.DEVICE_STATE / places.RECORDS,
    places.PAGE_STATE,
    places.PAGE_STATE / places.ORDERS,
    Path("/var/lib/cylindre-display"),
    Path("/var/lib/cylindre-display/keys"),
    Path("/var/lib/cylindre-orders"),
}


def options(unit: str) -> dict[str, str]:
    """Of the command line that a unit starts."""
    text = (UNITS / unit).read_text().replace("\\\n", " ")
    match = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert match is not None
    words = shlex.split(match[1])
    return {a: b for a, b in pairwise(words) if a.startswith("--")}


def defaults(command: click.Command) -> dict[str, str]:
    return {each.opts[-1]: str(each.default) for each in command.params}


def test_orders_are_looked_for_where_the_page_leaves_them() -> None:
    said = options("cylindre-orders.service")
    assert said == {name: defaults(orders.command)[name] for name in said}
    assert Path(said["--folder"]) == Path(options("cylindre-page.service")["--state"]) / "orders"
    watched = (UNITS / "cylindre-orders.path").read_text()
    assert f"PathExistsGlob={said['--folder']}/*.order" in watched


def test_the_units_play_and_serve_where_the_tools_look() -> None:
    plays, serves = options("cylindre.service"), options("cylindre-page.service")
    for said in (plays, serves):
        assert Path(said["--config"]) == places.CONFIG_FILE
        assert Path(said["--socket"]) == places.DEVICE_SOCKETS
        assert Path(said["--journal"]) == places.DEVICE_STATE / places.JOURNAL
        assert Path(said["--keys"]) == places.DEVICE_STATE / places.KEYS
    assert Path(plays["--record"]) == places.DEVICE_STATE / places.RECORDS
    assert Path(serves["--state"]) == places.PAGE_STATE
    assert defaults(config.settle)["--file"] == str(places.CONFIG_FILE)


def test_the_page_may_write_all_that_it_writes() -> None:
    """Its unit is ProtectSystem=strict: all but its StateDirectory is read-only."""
    text = (UNITS / "cylindre-page.service").read_text()
    assert "ProtectSystem=strict" in text and "ReadWritePaths" not in text
    match = re.search(r"^StateDirectory=(\S+)$", text, re.MULTILINE)
    assert match is not None
    assert Path(options("cylindre-page.service")["--state"]) == Path("/var/lib") / match[1]


def said(command: click.Command) -> Iterator[str]:
    """All help of a command and of those below it."""
    yield command.get_help(click.Context(command, terminal_width=1_000))
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from said(each)


@pytest.mark.parametrize("name", [name for name, _ in COMMANDS])
def test_no_help_names_a_place_that_no_device_has(name: str) -> None:
    module = importlib.import_module(f"tools.commands.{name.replace('-', '_')}")
    found = {
        Path(place.rstrip("./")) for text in said(module.command) for place in PLACE.findall(text)
    }
    assert found <= KNOWN
