"""Every fault has a view that mends it, or says why none does."""

from pathlib import Path

import pytest

from firmware.core.faults import FAULTS
from firmware.lib.language import LANGUAGES
from firmware.services.page import server
from firmware.services.page.mends import MENDS, Mend
from firmware.services.page.words import vocabulary
from firmware.services.page.words_tools import PARTS
from tools.technician.selftest import optics, rotor_run, slow

VIEWS = {path.stem for path in (Path(server.__file__).parent / "static" / "views").glob("*.mjs")}
STEPS = {optics.group_of(name) for name in ("rim0", "pocket0", "cup0", "btn_void")} | {
    rotor_run.ENCODER, rotor_run.MOTOR, slow.GROUP,
}  # fmt: skip
CARDS = {name.removeprefix("key_") for name in PARTS if name.startswith("key_")}
LOOKED_AT = {"selftest": STEPS, "parts": CARDS | {"displays"}}


def test_each_code_of_the_table_has_one_row_and_each_row_is_a_code() -> None:
    codes = [code for mend in MENDS for code in mend.codes.split()]
    assert sorted(codes) == sorted(kind.code for kind in FAULTS)


@pytest.mark.parametrize("mend", MENDS, ids=lambda mend: mend.codes)
def test_what_it_names_is_there_or_it_says_why_not(mend: Mend) -> None:
    if mend.view is None:
        assert mend.why_none
        assert mend.look_at is None
    else:
        assert mend.why_none is None
        assert mend.view in VIEWS
        assert mend.look_at is None or mend.look_at in LOOKED_AT[mend.view]


def test_what_to_look_at_is_said_in_the_language_of_the_page() -> None:
    words = vocabulary()
    assert words["en"]["fault_mends"]["W23"] == ("selftest", "ring sensors", "ring sensors")
    assert words["fr"]["fault_mends"]["W23"] == (
        "selftest", "ring sensors", "capteurs de couronne",
    )  # fmt: skip
    assert words["fr"]["fault_mends"]["L11"] == ("parts", "level", "Niveau")
    for language in LANGUAGES:
        told = words[language]["fault_mends"]
        assert set(told) == {code for mend in MENDS if mend.view for code in mend.codes.split()}, (
            language
        )
