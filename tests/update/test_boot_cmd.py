"""boot.cmd, run by a shell whose `load`, `env` and `fatwrite` are U-Boot's as far as it needs them.

What a shell cannot show: that U-Boot's own shell reads these lines as this one does. They use no
more of it than the lines that QEMU starts an image with (tools/image/boot.py).
"""

import itertools
import subprocess
from pathlib import Path

import pytest

from firmware.lib.partitions import TRIES
from firmware.services.update import bootenv
from tools.update_rig.machine import count_start

SCRIPT = Path(__file__).parents[2] / "tools" / "image" / "boot.cmd"
ORDERS = (("A", "B"), ("B", "A"), ("A",), ("B",))
WORDS = [
    (order, dict(zip("AB", left, strict=True)))
    for order in ORDERS
    for left in itertools.product(range(TRIES + 1), repeat=2)
]
_UBOOT = """
setenv() { name=$1; shift; eval "$name=\\$*"; }
setexpr() { eval "$1=$(($2 - $4))"; }
load() { case "$*" in *args.txt*) return 1; esac; }
env() { if test "$1" = export; then words="$BOOT_ORDER:$BOOT_A_LEFT:$BOOT_B_LEFT"; fi; }
fatwrite() { test -z "$READ_ONLY" && echo "$4 $words"; }
booti() { echo "started $bootargs"; exit; }
reset() { exit 1; }
"""


def boots(order: tuple[str, ...], left: dict[str, int], *, read_only: bool = False) -> list[str]:
    """What is written to the card, a line a file; then what is started."""
    given = {"BOOT_ORDER": " ".join(order), "READ_ONLY": "yes" if read_only else ""}
    given |= {"devtype": "mmc", "devnum": "0", "loadaddr": "1"}
    given |= {f"BOOT_{name}_LEFT": str(count) for name, count in left.items()}
    text = SCRIPT.read_text().replace("${serial#}", "0")
    done = subprocess.run(
        ["sh"], input=_UBOOT + text, env=given, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if not line.startswith("cylindre:")]


def started(said: str) -> str:
    """The slot; its kernel is told the root of the same slot."""
    words = said.split()
    slot = next(word for word in words if word.startswith("rauc.slot="))[-1]
    assert f"root=PARTUUID=63796c31-{'05' if slot == 'A' else '06'}" in words
    return slot


def test_what_the_rig_takes_for_the_firmware_does_the_same():
    for order, left in WORDS:
        slot, words = count_start(bootenv.words(order, left))
        told = ":".join(words[f"BOOT_{name}"] for name in ("ORDER", "A_LEFT", "B_LEFT"))
        *written, last = boots(order, left)
        assert written == [f"slots.env {told}", f"slots.bak {told}"], (order, left)
        assert started(last) == slot.bootname, (order, left)


@pytest.mark.parametrize(
    ("order", "left", "slot"),
    [
        ("BA", {"A": 3, "B": 1}, "A"),  # a trial that would never end
        ("BA", {"A": 0, "B": 1}, "B"),
        ("BA", {"A": 3, "B": 3}, "B"),  # it has proved itself
        ("AB", {"A": 1, "B": 3}, "B"),
        ("AB", {"A": 1, "B": 0}, "A"),  # as flashed: B is empty
        ("AB", {"A": 0, "B": 0}, "A"),
        ("B", {"A": 3, "B": 1}, "B"),  # A is being written over
    ],
)
def test_a_start_that_cannot_be_counted_is_no_try(order, left, slot):
    """The card cannot be written: a slot on trial would have its one start for ever."""
    said = boots(tuple(order), left, read_only=True)
    assert [started(line) for line in said] == [slot]  # and nothing is written
