"""Where on the service page each fault is mended: the view, and what of it to look at.

`MENDS` has a row for each code of firmware/core/faults.py. A row names a view of static/views, and
a group of the self-test or a part of the parts' view where one fits; or no view, and why not.
"""

from collections.abc import Mapping
from typing import NamedTuple

from firmware.lib.catalogue import catalogue
from firmware.lib.language import ENGLISH


class Mend(NamedTuple):
    """What mends the faults of these codes."""

    codes: str
    view: str | None  # None: no view does
    look_at: str | None  # there, as its rows or cards are called
    why_none: str | None = None


# What the journal lies on holds the other files too, and the page measures no storage.
_STORAGE = "the storage itself is at fault: cylindre doctor looks at it, at the machine"
_CARD_TABLE = "it is mended at the card table"
# fmt: off
MENDS = (
    Mend("W21 W22 C10", "selftest", "rim beams"),
    Mend("W23 W24", "selftest", "ring sensors"),
    Mend("W25 W26 W27", "selftest", "slow parts"),
    Mend("W31 W32", "selftest", "encoder"),
    Mend("W33", "scope", None),  # which line, and when
    Mend("W41 W42", "selftest", "cups"),
    Mend("W51 W52", "history", None),  # the lead of the calls, as it is learned anew
    Mend("C11 C12", "about", None),  # the age of the loop
    Mend("M10 M11 M13 M14", "selftest", "motor"),
    Mend("M12", None, None, "the button is released at the wheel, and the fault cleared there"),
    Mend("B10", "parts", "line"),
    Mend("B11 B12 B13", "parts", "displays"),
    Mend("B14", "log", None),  # the journal is verified there
    Mend("S10 S14", "parts", "journal"),
    Mend("S11 S15", None, None, _STORAGE),
    Mend("S12", "parts", "fram"),
    Mend("S13 T10 T11", "parts", "clock"),
    Mend("S16", "log", None),
    Mend("L10 L11", "parts", "level"),
    Mend("L12 W53", "health", None),  # where balls leave the track, against what was foretold
    Mend("H00", None, None, "who is logged in reads what was found"),
    Mend("H10 H11 H12 H13 H20 H21", "health", None),  # what is judged, and since when
    Mend("H22", "selftest", "ring sensors"),
    Mend("H23", "selftest", "motor"),
    Mend("H30", "log", None),  # the journal is verified there
    Mend("T12 T13", None, None, "the page shows no terminal; cylindre status counts them"),
    Mend("K10 K11 K12 K13 K14 K15 K16 K17 K18 K19 K20 K21 K22 K23", None, None, _CARD_TABLE),
    Mend("P10", "live", None),  # the state of the coup
    Mend("P11", "config", None),  # coup_s in [pace]
    Mend("P12", "log", None),
    Mend("P14", "coups", None),  # which sensors voted for what
    Mend("P15", None, None, "cylindre settle says it, from the journal"),
)
# fmt: on


def targets(
    language: str, parts: Mapping[str, str]
) -> dict[str, tuple[str, str | None, str | None]]:
    """Returns each code that a view mends: the view, what to look at, and that in a language.

    `parts`: what the parts' view says in it.
    """
    found: dict[str, tuple[str, str | None, str | None]] = {}
    for mend in MENDS:
        if mend.view is None:
            continue
        said = mend.look_at
        if said is not None and mend.view == "parts":
            said = parts.get(f"key_{said}") or parts[said]
        elif said is not None and language != ENGLISH:
            said = catalogue(language).known(said) or said
        found |= dict.fromkeys(mend.codes.split(), (mend.view, mend.look_at, said))
    return found
