"""The catalogues of languages: every text that is said, extracted from the code, and its French.

`make docs` brings them up to date, `make check` fails where one is not: a text that the catalogue
lacks or has no more, one without a translation, one that is filled in otherwise than in English, or
a compiled catalogue of another day. A text is extracted where a Message or N_ has it as a literal;
from the modules of SPEAKING, every sentence; and from the tables of codes of the portable part,
which knows nothing of languages.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import boards
from firmware.bus.record import QUALITIES
from firmware.core.coup import evidence
from firmware.core.faults import FAULTS
from firmware.lib.catalogue import DOMAIN, FOLDER
from firmware.lib.language import ENGLISH, HOLE, LANGUAGES
from tools.docs import catalogue_words
from tools.technician.doctor.problems import PROBLEMS

ROOT = Path(__file__).resolve().parents[2]
MARKS = ("Message", "N_")
_UNDATED = datetime(2026, 1, 1, tzinfo=UTC)  # the same sources, the same bytes
HEADER = "# The {language} of what cylindre says. Written by `make docs`; translated by hand.\n"


def messages(root: Path = ROOT) -> dict[str, set[str]]:
    """Every text that is said, and the files that say it."""
    found: dict[str, set[str]] = {}
    for name in ("firmware", "rules", "tools"):
        for path in sorted((root / name).rglob("*.py")):
            place = path.relative_to(root).as_posix()
            tree = ast.parse(path.read_text(encoding="utf-8"))
            texts = [*marked(tree)]
            if place in catalogue_words.SPEAKING:
                texts += sentences(tree)
            for text in texts:
                found.setdefault(text, set()).add(place)
    for kind in FAULTS:
        found.setdefault(kind.text, set()).add("firmware/core/faults.py")
        found.setdefault(kind.remedy, set()).add("firmware/core/faults.py")
    for problem in PROBLEMS:
        for text in filter(None, (problem.what, problem.cause, problem.remedy, problem.on_image)):
            found.setdefault(text, set()).add("tools/technician/doctor/problems.py")
    for name in boards.NAMES:
        found.setdefault(boards.load(name)["title"], set()).add("boards")
    for text in (*dict(evidence.CALLS).values(), *dict(evidence.DROPS).values()):
        found.setdefault(text, set()).add("firmware/core/coup/evidence.py")
    for text in dict(QUALITIES).values():
        found.setdefault(text, set()).add("firmware/bus/record.py")
    for text in (
        *catalogue_words.WORDS,
        *catalogue_words.CODES,
        *catalogue_words.WHOLE,
        *catalogue_words.TOML,
        *catalogue_words.CLICK,
        *catalogue_words.SYSTEM,
        *(text.capitalize() for text in catalogue_words.SYSTEM),
    ):
        found.setdefault(text, set())
    return found


def marked(tree: ast.AST) -> Iterator[str]:
    """The literals that are marked."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value:
                yield first.value


def sentences(tree: ast.AST) -> Iterator[str]:
    """Every text of several words but docstrings; {} for what is filled in."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):  # a docstring, or nothing that is said
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in ast.walk(node) if part is not node}
        elif isinstance(node, ast.keyword) and node.arg == "help":
            skipped |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            parts = node.values
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts
            )
        else:
            continue
        text = text.strip()
        own = HOLE.sub("", text)
        if " " in text and re.search("[a-z]", own) and not catalogue_words.UNSAID.search(text):
            yield text


def written(path: Path, language: str, root: Path = ROOT) -> str:
    """A catalogue's source as it should be: what is said now, with the translations it has."""
    old = read_po(io.BytesIO(path.read_bytes()), locale=language) if path.exists() else Catalog()
    new = Catalog(locale=language, project=DOMAIN, fuzzy=False)
    for text, places in sorted(messages(root).items()):
        known = old.get(text)
        said = known.string if known is not None else ""
        entry = new.add(text, said, locations=[(place, 0) for place in sorted(places)])
        entry.flags.clear()  # our templates are filled in by firmware/lib/language.py
    raw = io.BytesIO()
    write_po(raw, new, width=100, omit_header=True, include_lineno=False)
    plural = f"nplurals={new.num_plurals}; plural={new.plural_expr};"
    head = HEADER.format(language=Locale(language).english_name)
    head += 'msgid ""\nmsgstr ""\n'
    for line in (f"Language: {language}", "Content-Type: text/plain; charset=utf-8",
                 f"Plural-Forms: {plural}"):  # fmt: skip
        head += f'"{line}\\n"\n'
    return head + "\n" + raw.getvalue().decode()


def compiled(source: str, language: str) -> bytes:
    """The catalogue as gettext reads it."""
    catalog = read_po(io.BytesIO(source.encode()), locale=language)
    catalog.creation_date = catalog.revision_date = _UNDATED
    raw = io.BytesIO()
    write_mo(raw, catalog)
    return raw.getvalue()


def troubles(folder: Path = FOLDER, root: Path = ROOT) -> list[str]:
    """What is wrong with the catalogues, a line each."""
    found = []
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        path = source_of(language, folder)
        source = path.read_text(encoding="utf-8")
        if written(path, language, root) != source:
            found.append(f"{path.name}: not what the code says: run make docs, then translate.")
        for entry in read_po(io.BytesIO(source.encode()), locale=language):
            text, said = str(entry.id), str(entry.string)
            if text and not said:
                found.append(f"{path.name}: {text!r} has no {language}.")
            elif text and holes(text) != holes(said):
                found.append(f"{path.name}: {said!r} is not filled in as {text!r}.")
        if path.with_suffix(".mo").read_bytes() != compiled(source, language):
            found.append(
                f"{path.with_suffix('.mo').name}: not what {path.name} says: run make docs."
            )
    return found


def holes(text: str) -> list[str]:
    """What fills a text, by name or place."""
    names = [hole[1] for hole in HOLE.finditer(text)]
    return sorted(name or str(place) for place, name in enumerate(names))


def source_of(language: str, folder: Path = FOLDER) -> Path:
    """The file that people translate."""
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def write(folder: Path = FOLDER) -> None:
    """Brings every catalogue up to date."""
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        path = source_of(language, folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        source = written(path, language)
        path.write_text(source, encoding="utf-8")
        path.with_suffix(".mo").write_bytes(compiled(source, language))
