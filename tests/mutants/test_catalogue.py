"""A mutant is bound to a function and its text: what no longer fits is told, by name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.mutants import catalogue
from tools.mutants.catalogue import Mutant
from tools.mutants.tree import Unfit, mutated, unfit

ROOT = Path(__file__).resolve().parents[2]
AREAS = ("core", "bus", "store", "stakes", "api", "display", "update")
SMALL = {"comparison", "unit", "order"}  # one of these is easily made and hardly seen
TEXT = '''
class Door:
    def opens(self, key):
        """Not without its key."""
        return key == self.key

    @property
    def key(self):
        def own(n):
            return n + n
        return own(1)


def opens(key):
    return key == 1
'''
DOOR = Mutant(
    "any-key", "comparison", "door.py", "Door.opens", "==", "!=", ("tests/test_door.py::test_key",)
)


@pytest.fixture
def made_up(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "door.py").write_text(TEXT)
    (tmp_path / "tests/test_door.py").write_text("def test_key():\n    pass\n")
    return tmp_path


def test_a_mutant_is_put_into_its_own_function_alone() -> None:
    altered = mutated(TEXT, "Door.opens", "==", "!=")
    assert altered.replace("!=", "==") == TEXT
    assert altered.index("!=") < altered.index("==")
    assert "return n * n" in mutated(TEXT, "Door.key.own", "+", "*")


def test_code_that_moves_takes_its_mutant_with_it(made_up: Path) -> None:
    (made_up / "door.py").write_text("import os\n\n\n" + TEXT.replace("    ", "     "))
    assert unfit([DOOR], made_up) == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"path": "gate.py"}, "any-key: there is no gate.py."),
        ({"function": "Door.shuts"}, "any-key: in door.py there is no function Door.shuts."),
        ({"old": ">"}, "any-key: in door.py Door.opens has '>' 0 times, not once."),
        ({"old": "key"}, "any-key: in door.py Door.opens has 'key' 4 times, not once."),
        ({"new": "=="}, "any-key: in door.py '==' changes nothing in Door.opens."),
        ({"new": "=>"}, "any-key: in door.py '=>' makes no Python in Door.opens: invalid syntax."),
        ({"tests": ()}, "any-key: it names no test."),
        ({"tests": ("tests/test_gate.py",)}, "any-key: there is no tests/test_gate.py."),
        (
            {"tests": ("tests/test_door.py::test_keys",)},
            "any-key: there is no test test_keys in tests/test_door.py.",
        ),
    ],
)
def test_what_no_longer_fits_is_told(made_up: Path, changed: dict[str, str], why: str) -> None:
    assert unfit([DOOR._replace(**changed)], made_up) == [why]


def test_a_remark_that_is_altered_is_no_mistake() -> None:
    with pytest.raises(Unfit, match="changes nothing"):
        mutated("def one():\n    return 1  # of two\n", "one", "of two", "of three")


def test_two_in_one_function_or_of_one_name_are_told(made_up: Path) -> None:
    found = unfit([DOOR, DOOR._replace(old="self.key", new="1")], made_up)
    assert found == [
        "any-key: two mutants in one name.",
        "door.py::Door.opens: two mutants in one function.",
    ]


def test_a_function_that_is_there_twice_is_told(made_up: Path) -> None:
    (made_up / "door.py").write_text(TEXT + TEXT)
    assert unfit([DOOR], made_up) == ["any-key: in door.py Door.opens is there twice."]


def test_a_test_of_one_case_is_found(made_up: Path) -> None:
    assert unfit([DOOR._replace(tests=("tests/test_door.py::test_key[1]",))], made_up) == []


def test_a_mistake_in_a_module_of_data_needs_no_function(made_up: Path) -> None:
    (made_up / "data.py").write_text("DOOR = {'key': 1}\n")
    data = DOOR._replace(path="data.py", function="", old="1", new="2")
    assert unfit([data, data._replace(name="other")], made_up, spread=False) == []
    assert unfit([data._replace(old="3")], made_up) == [
        "any-key: in data.py the module has '3' 0 times, not once."
    ]


def test_each_row_of_the_regulations_breaks_its_own_code() -> None:
    """Issue 23, 9: a patch beside the row; `make regulations` plays it."""
    rows = catalogue.regulations()
    assert unfit([row.mutant for row in rows], ROOT, spread=False) == []
    for row in rows:
        assert row.mutant.tests == (f"tests/{row.test}",)
        assert row.mutant.path.endswith(row.code)


def test_ours_fit_and_are_spread() -> None:
    """Issue 19, 3: sixty over these seven, twenty of them one comparison, unit or order."""
    mutants = catalogue.read()
    assert unfit(mutants, ROOT) == []
    among = [mutant for mutant in mutants if any(f"/{area}/" in mutant.path for area in AREAS)]
    assert len(among) >= 60
    assert {area for area in AREAS if any(f"/{area}/" in each.path for each in among)} == set(AREAS)
    kinds = Counter(mutant.kind for mutant in among)
    assert sum(kinds[kind] for kind in SMALL) >= 20
