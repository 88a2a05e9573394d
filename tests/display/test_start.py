"""A plain line of arguments starts a display without click, and means what click reads in it."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.lib.errors import FAILED, INTERRUPTED, NO_DEVICE
from firmware.services.display import start
from tools.commands.display import command

ROOT = Path(__file__).parents[2]
PLAIN = ["--port", "/dev/ttyUSB0", "--keys", "/var/lib/cylindre-display/keys"]
# The same, for click alone.
OTHER = [f"--port={PLAIN[1]}", *PLAIN[2:]]
NAMES = ["--port", "--keys", "--address", "--baud", "--page-port", "--json", "--terminal", "--lang"]
LIMITS = [
    each
    for span in (start.ADDRESSES, start.BAUDS, start.PAGE_PORTS)
    for each in span[:: len(span) - 1]
]
NUMBERS = [str(limit + more) for limit in LIMITS for more in (-1, 0, 1)]
VALUES = [
    "keys",
    "/nowhere",
    "/",
    "",
    "-",
    "--",
    "-1",
    "+1",
    " 2",
    "1_0",
    "٣",
    "1.0",
    "007",
    "\udcff",
]
LINES = st.lists(st.sampled_from([*NAMES, *NUMBERS, *VALUES, "--addr", "--baud=9600", "--help"]))


def by_click(line: list[str]) -> dict[str, object] | None:
    try:
        return command.make_context("display", list(line)).params
    except (click.ClickException, click.exceptions.Exit):
        return None


def meant(given: dict[str, object]) -> dict[str, object]:
    """With what `start` takes where nothing is given."""
    assert start.start.__kwdefaults__ is not None
    defaults = {**start.start.__kwdefaults__}
    del defaults["started_us"]
    return defaults | given


@given(LINES)
def test_any_line_that_is_read_is_read_as_click_does(line: list[str]) -> None:
    read = start.read(line)
    assert read is None or meant(read) == by_click(line)


@given(
    st.permutations(NAMES[2:5]),
    st.sampled_from(NUMBERS),
    st.integers(0, 3),
    st.sampled_from(VALUES),
)
def test_options_with_a_value_are_read_as_click_does(
    names: list[str], number: str, many: int, value: str
) -> None:
    for text in (number, value):
        line = PLAIN + [word for name in names[:many] for word in (name, text)]
        read = start.read(line)
        assert read is None or meant(read) == by_click(line)


def test_what_a_unit_gives_is_a_plain_line() -> None:
    unit = (ROOT / "tools/image/systemd/cylindre-display.service").read_text()
    words = unit.replace("\\\n", " ").split("cylindre display ")[1].split("\n")[0]
    line = words.replace("${PORT}", "/dev/ttyUSB0").replace("${ADDRESS}", "2").split()
    assert start.read(line) == {
        "port": "/dev/ttyUSB0", "address": 2, "keys": Path("/var/lib/cylindre-display/keys"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "limits", [("--address", 1, 32), ("--baud", 300, 4_000_000), ("--page-port", 0, 65_535)]
)
def test_numbers_are_read_from_the_least_to_the_most(limits: tuple[str, int, int]) -> None:
    name, least, most = limits
    for number in (least, most):
        read = start.read([*PLAIN, name, str(number)])
        assert read is not None
        assert number in read.values()
    for number in (least - 1, most + 1):
        assert start.read([*PLAIN, name, str(number)]) is None


ENDINGS = [
    ("KeyboardInterrupt", INTERRUPTED),
    ("BrokenPipeError(32, 'Broken pipe')", FAILED),
    ("OSError(28, 'No space left on device')", FAILED),
    ("Failure(3, 'Why.')", NO_DEVICE),
]


@pytest.mark.parametrize(("ending", "exit_code"), ENDINGS)
def test_however_a_display_ends_its_line_makes_no_difference(ending: str, exit_code: int) -> None:
    code = (
        "import sys\n"
        "from firmware.lib.errors import Failure\n"
        "from firmware.services.display import start\n"
        "def end(*_, **__):\n"
        f"    raise {ending}\n"
        "start.start = end\n"
        "from tools.cli import main\n"
        "sys.exit(main())\n"
    )
    plain, other = (run(code, line) for line in (PLAIN, OTHER))
    assert plain.returncode == other.returncode == exit_code
    assert (plain.stdout, plain.stderr) == (other.stdout, other.stderr)


@pytest.mark.parametrize(("line", "loads"), [(PLAIN, False), (OTHER, True)])
def test_a_plain_line_loads_no_click(line: list[str], loads: bool) -> None:
    """There are no keys: it ends before it would wait."""
    done = run("import sys, tools.cli\ntools.cli.main()\nprint('click' in sys.modules)", line)
    assert done.stdout.split() == [str(loads)]
    assert "There is no key" in done.stderr


def run(code: str, line: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code, "display", *line],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
