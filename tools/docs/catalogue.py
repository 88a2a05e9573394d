"""The catalogues of languages: every text that is said, extracted from the code, and translated.

`make docs` brings them up to date, `make check` fails where one is not: a text that the catalogue
lacks or has no more, one without a translation, one that is filled in otherwise than in English, or
a compiled catalogue of another day. A text is extracted where a Message or N_ has it as a literal;
from the modules of SPEAKING, every sentence; and from the tables of codes of the portable part,
which knows nothing of languages. The words of the displays and of the service page have catalogues
of their own (WORDS): short as they are, each has its place in the tables, GROUP.NAME, as context.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import boards
from firmware.bus.record import QUALITIES
from firmware.core import faults
from firmware.core.coup import evidence
from firmware.core.faults import FAULTS
from firmware.lib.catalogue import DOMAIN, FOLDER
from firmware.lib.language import ENGLISH, HOLE, LANGUAGES
from firmware.services.page import words as page_words
from firmware.services.page import words_health, words_tools
from firmware.text import display_words
from tools.commands.group import GROUPS
from tools.docs import catalogue_words
from tools.technician.doctor.problems import PROBLEMS

ROOT = Path(__file__).resolve().parents[2]
MARKS = ("Message", "N_")
_UNDATED = datetime(2026, 1, 1, tzinfo=UTC)  # the same sources, the same bytes
DOMAINS = {
    DOMAIN: "what cylindre says",
    display_words.DOMAIN: "what the table displays say",
    page_words.DOMAIN: "what the service page says",
}
# Where words stand in tables, and those tables.
WORDS = {
    display_words.DOMAIN: (("firmware/text/display_words.py", display_words.TABLES),),
    page_words.DOMAIN: (
        ("firmware/services/page/words.py", page_words.OWN),
        ("firmware/services/page/words_tools.py", words_tools.TOOLS),
        ("firmware/services/page/words_health.py", {"health": words_health.HEALTH}),
    ),
}
# What a translator could not know, by context.
NOTES = {
    "letters.red": "The first letter of the colour. Colours of one game need letters of their own.",
    "labels.own_name": "What this language calls itself.",
    "call.point": "What stands before the decimals of a number.",
    "shell.own_name": "What this language calls itself.",
    "shell.own_switch": "Said in this language: what leads to it.",
}
# One text of a catalogue, and the files that say it. `context` None: it is known by its text alone.
Entry = NamedTuple("Entry", [("context", str | None), ("text", str), ("places", list[str])])
HEADER = "# The {language} of {what}. Written by `make docs`; translated by hand.\n"


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
    for _, text in faults.ENDS:
        found.setdefault(text, set()).add("firmware/core/faults.py")
    for problem in PROBLEMS:
        for text in filter(None, (problem.what, problem.cause, problem.remedy, problem.on_image)):
            found.setdefault(text, set()).add("tools/technician/doctor/problems.py")
    for title, commands in GROUPS:
        for text in (title, *dict(commands).values()):
            found.setdefault(text, set()).add("tools/commands/group.py")
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


def entries(domain: str, root: Path = ROOT) -> Iterator[Entry]:
    """Every text of a domain: in the order of its tables, else of the alphabet."""
    if domain not in WORDS:
        for text, places in sorted(messages(root).items()):
            yield Entry(None, text, sorted(places))
        return
    for place, tables in WORDS[domain]:
        for group, table in tables.items():
            for name, text in table.items():
                yield Entry(f"{group}.{name}", text, [place])


def written(path: Path, language: str, root: Path = ROOT) -> str:
    """A catalogue's source as it should be: what is said now, with the translations it has."""
    old = read_po(io.BytesIO(path.read_bytes()), locale=language) if path.exists() else Catalog()
    new = Catalog(locale=language, project=path.stem, fuzzy=False)
    for context, text, places in entries(path.stem, root):
        known = old.get(text, context)
        said = known.string if known is not None else ""
        locations = [(place, 0) for place in places]
        notes = [NOTES[context]] if context in NOTES else []
        entry = new.add(text, said, locations=locations, auto_comments=notes, context=context)
        entry.flags.clear()  # our templates are filled in by firmware/lib/language.py
    raw = io.BytesIO()
    write_po(raw, new, width=100, omit_header=True, include_lineno=False)
    plural = f"nplurals={new.num_plurals}; plural={new.plural_expr};"
    head = HEADER.format(language=Locale(language).english_name, what=DOMAINS[path.stem])
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
    return [
        f"{language}: {trouble}"
        for language, path in _catalogues(folder)
        for trouble in _troubles_of(path, language, root)
    ]


def _troubles_of(path: Path, language: str, root: Path) -> Iterator[str]:
    compiled_path = path.with_suffix(".mo")
    if not path.exists() or not compiled_path.exists():
        yield f"{path.name}: is missing: run make docs, then translate."
        return
    source = path.read_text(encoding="utf-8")
    if written(path, language, root) != source:
        yield f"{path.name}: not what the code says: run make docs, then translate."
    for entry in read_po(io.BytesIO(source.encode()), locale=language):
        text, said = str(entry.id), str(entry.string)
        where = f" ({entry.context})" if entry.context else ""
        if text and not said:
            yield f"{path.name}: {text!r}{where} has no {language}."
        elif text and holes(text) != holes(said):
            yield f"{path.name}: {said!r} is not filled in as {text!r}{where}."
    if compiled_path.read_bytes() != compiled(source, language):
        yield f"{compiled_path.name}: not what {path.name} says: run make docs."


def holes(text: str) -> list[str]:
    """What fills a text, by name or place."""
    names = [hole[1] for hole in HOLE.finditer(text)]
    return sorted(name or str(place) for place, name in enumerate(names))


def source_of(language: str, folder: Path = FOLDER, domain: str = DOMAIN) -> Path:
    """The file that people translate."""
    return folder / language / "LC_MESSAGES" / f"{domain}.po"


def write(folder: Path = FOLDER) -> None:
    """Brings every catalogue up to date."""
    for language, path in _catalogues(folder):
        path.parent.mkdir(parents=True, exist_ok=True)
        source = written(path, language)
        path.write_text(source, encoding="utf-8")
        path.with_suffix(".mo").write_bytes(compiled(source, language))


def _catalogues(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each language but English, with the source of each of its catalogues."""
    for language in LANGUAGES:
        if language != ENGLISH:
            for domain in DOMAINS:
                yield language, source_of(language, folder, domain)
