"""docs/call.md: its limits are those of the code."""

import importlib
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "call.md").read_text(encoding="utf-8")
LIMITS = re.findall(r"^\|[^|]*\| ([\d.]+) \| `(\w+)\.(\w+)` \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("value", "module", "name"), LIMITS)
def test_a_limit_of_the_page_is_that_of_the_code(value, module, name):
    found = importlib.import_module(f"firmware.core.call.{module}")
    assert getattr(found, name) == float(value)


def test_the_page_names_limits():
    assert len(LIMITS) > 8
