"""What is not typed as it stands, of the pages that are typed from top to bottom, and why."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from typed_page import How, Instead, Reader


def tty(reader: Reader, stands: re.Match[str]) -> str:
    """The tty of that number, of those that the window of the line shows."""
    return re.findall(r"/dev/pts/\d+", reader.others["cylindre line"].text)[int(stands[1])]


def staked_on(reader: Reader, _: re.Match[str]) -> str:
    """The coup that the player's stakes lay for."""
    shown = reader.others["cylindre terminal"].text
    coups = re.findall(r"^coup (\d+): ", shown.partition("together")[0], re.MULTILINE)
    return f"--coup {coups[-1]}"


def this_season(_: Reader, day: re.Match[str]) -> str:
    """That day of the season which is now."""
    today = datetime.date.today()
    began = today.year - (today < datetime.date(today.year, 10, 1))
    return f"{day[1]}{began + int(day[2]) - 2026}"


TABLE = How(
    instead=(
        Instead(
            r'(season_(?:from|to) = ")(2026|2027)', this_season, "no table opens outside its season"
        ),
        Instead(r"/dev/pts/([012])\b", tty, "what the window of `cylindre line` shows"),
        Instead(
            r"^cylindre display .*", r"\g<0> --page-port 0", "the usual port may be taken here"
        ),
        Instead(
            r"--coup 2\b", staked_on, "the coup that was staked on, as its player's window shows"
        ),
    ),
    inside={
        "cylindre terminal": {
            "plein 17 500": r"accepted: plein 17 5\.00",
            "rouge 700": r"accepted: rouge 7\.00",
            "back 2": "accepted: taking back stake 2",
        }
    },
    untyped={
        "in - out =": "a formula",
        "cylindre config apply new.toml --as": "art. 37-3: not on the day of the opening",
    },
    when={
        "cylindre explain": ("cylindre run", r"coup 1 .*compartment"),
        "cylindre manual": ("cylindre run", r"coup [2-9] .*rien ne va plus\n.*\Z"),
        # Who opens one window after the other takes longer than the controller has patience.
        "cylindre employee on": ("cylindre run", "ball in the track"),
        "cylindre settle": ("cylindre terminal", "together"),
    },
    ends={"cylindre orphelins close": (1, "art. 8: nothing is in an account that began today")},
)
FIRST_WHEEL = How(
    instead=(
        Instead("ADDRESS-OF-THIS-REPOSITORY", "$ROOT", "the repository is here"),
        Instead(
            "^make setup$",
            'ln -s "$(dirname "$(dirname "$(command -v cylindre)")")" .venv',
            "fetches from the network, for a minute; .ci/run plays it",
        ),
        Instead(
            "^cylindre image build .*",
            "cp $MADE/* .",
            "takes minutes, and Debian's mirror: tests/image/package",
        ),
        Instead("/dev/sdX", "$DISK", "a disk that is a file"),
        Instead("/mnt", "$CARD", "where a card's files are laid out"),
        Instead("NAME", "weber", "whoever it is"),
    ),
    untyped={
        "sudo apt install": "Debian's packages; tools/testing/machine.py says what tests want",
        "make package": "compiles for minutes: tests/image/package",
        "Service page:": "the wheel's screen says that",
        "sudo mount": "the card's files are laid out in a folder already",
        "sudo umount": "as mount",
    },
)
SUPPORT = How(instead=(Instead("/media/stick", ".", "a stick"),))
RECORDER = How(when={"cylindre replay": ("cylindre run", "coup 1 .*compartment")})
TYPED = {
    "table.md": TABLE,
    "recorder.md": RECORDER,
    "support.md": SUPPORT,
    "first-wheel.md": FIRST_WHEEL,
}

# What pages name and none of these types: typed in this order, in a folder of its own.
OTHERS = (
    "cylindre --lang fr boards",
    "cylindre completion bash > completion",
    "cylindre config new new.toml",
    "cylindre sim --coups 1 --seed 1",
    "cylindre hil list",
    "cylindre hil faults rotor_jams",
    "cylindre hil run beam_dark --folder var/beam",
    "cylindre hil campaign var/night --coups 2 --pairs 0 --jobs 1",
    "cylindre hil compare var/night var/night",
    "cylindre people add weber --role supervisor --board roulette_ref",
    "cylindre people list --board roulette_ref",
    "cylindre run --board roulette_ref",
    "cylindre status",
    "cylindre watch",
    "cylindre page --port 0",
    "cylindre key show --keys var/roulette_ref/keys",
    "cylindre void",
    "cylindre hand pause",
    "cylindre hand lay 17",
    "cylindre hand press btn_void",
    "make help",
)
TYPED_OTHERS = How(
    instead=(Instead("^make", "make -C $ROOT", "there is the Makefile"),),
    when={"cylindre void": ("cylindre run", r"bets open\n.*\Z")},
)
# What takes another machine, a card, root or many minutes: in played.txt a command, and below it
# the test that runs it. A target of make is what it runs: `make -n`.
_LINES = Path(__file__).with_name("played.txt").read_text(encoding="utf-8").splitlines()
PLAYED = dict(zip(_LINES[::2], map(str.strip, _LINES[1::2]), strict=True))
