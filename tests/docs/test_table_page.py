"""docs/table.md and journal.md: the files that they show are valid."""

import re
import tomllib
from pathlib import Path

import pytest

from firmware import config
from firmware.config import layout_file

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = "\n".join((DOCS / name).read_text(encoding="utf-8") for name in ("table.md", "journal.md"))
BLOCKS = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LAYOUTS = [block for block in BLOCKS if "apparatus" in tomllib.loads(block)]
CONFIGS = [block for block in BLOCKS if block not in LAYOUTS]


@pytest.mark.parametrize("text", CONFIGS)
def test_a_configuration_of_the_page_can_be_used(text: str) -> None:
    assert config.parse(text) != config.Config()


def test_the_layout_of_the_page_can_be_used(tmp_path: Path) -> None:
    assert len(CONFIGS) >= 5
    (text,) = LAYOUTS
    file = tmp_path / "cases.toml"
    file.write_text(text, encoding="utf-8")
    assert len(layout_file.load(file, "vingt_trois", 27)["layout"]) == 27
