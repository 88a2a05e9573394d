"""The ban-list of the glossary: what it finds, and what it leaves alone."""

from pathlib import Path

import pytest

from tools.docs import vocabulary

PAGE = f"{vocabulary.HEADING}\n\n| name | say |\n|---|---|\n| `told` | what was told |\n\n## More\n"


def module(root: Path, name: str, text: str = "") -> Path:
    path = root / "firmware" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(root: Path) -> list[tuple[str, int]]:
    return [(use.name, use.line) for use in vocabulary.uses(root, vocabulary.banned(PAGE))]


@pytest.mark.parametrize(
    "text",
    [
        "def told(): ...\n",
        "class Told: ...\n",
        "async def told(): ...\n",
        "class Bus:\n    def told(self): ...\n",
        "if True:\n    def told(): ...\n",
    ],
)
def test_a_public_name_that_is_banned_is_found(tmp_path: Path, text: str) -> None:
    module(tmp_path, "bus/line.py", text)
    assert len(names(tmp_path)) == 1


def test_a_module_and_a_folder_are_names_too(tmp_path: Path) -> None:
    module(tmp_path, "told.py")
    module(tmp_path, "told/__init__.py")
    assert names(tmp_path) == [("told", 1), ("told", 1)]


def test_what_is_private_local_or_only_contains_the_word_is_left(tmp_path: Path) -> None:
    text = "def _told(): ...\ndef told_of(): ...\ndef play():\n    def told(): ...\n    told = 1\n"
    module(tmp_path, "line.py", text)
    assert names(tmp_path) == []


def test_a_glossary_without_its_table_is_an_error() -> None:
    with pytest.raises(ValueError, match="no table"):
        vocabulary.banned("# Glossary\n")


def test_the_code_uses_no_name_that_the_glossary_bans() -> None:
    page = vocabulary.GLOSSARY.read_text(encoding="utf-8")
    assert vocabulary.uses(vocabulary.ROOT, vocabulary.banned(page)) == []
