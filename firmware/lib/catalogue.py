"""The catalogue of a language: gettext's, with the templates of sentences that came as text alone.

A Message is looked up by its template. What crossed a socket, or was put together of several
sentences, is text: it is recognised by the templates themselves, whose words of their own stand in
it, and is filled in as a Message would be.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from gettext import GNUTranslations
from pathlib import Path
from typing import NamedTuple

from firmware.lib.language import FRENCH, HOLE, Message, filled

DOMAIN = "cylindre"
FOLDER = Path(__file__).resolve().parents[1] / "text" / "locale"
OWN_MIN = 7  # letters
TEXT_MAX = 1_000  # characters; longer is no sentence of ours, and would take seconds to match
POINTS = {FRENCH: ","}  # where it is another than in English
_DECIMAL = re.compile(r"[+-]?\d+\.\d+")
_CONTEXT_END = "\x04"  # of gettext, before a text that has a context
# A quotation of the law, which is French in every language; what follows it is ours.
_QUOTED = re.compile(r"(« .+ » : )(.+)")
_CODED = re.compile(r"([A-Z]\d\d): (.+)", re.S)  # a fault's code, and its sentences
_SENTENCES = re.compile(r"(?<=[.?!])\s+")  # between two


class _Template(NamedTuple):
    own: int  # letters that are no value
    between: tuple[str, ...]  # what stands before, between and behind the values
    names: list[str]  # of the values
    translation: str

    def match(self, text: str) -> re.Match[str] | None:
        """The values in a text, if it is this template's."""
        if not text.startswith(self.between[0]) or not text.endswith(self.between[-1]):
            return None  # nearly always; 2000 patterns would take half a second to compile
        return _pattern(self.between).fullmatch(text)


class Catalogue:
    """What is known of one language."""

    def __init__(self, translations: GNUTranslations, point: str) -> None:
        """`translations`: as gettext has read them; `point`: of a number in a text."""
        self._point = point
        self.messages: dict[str, str] = _entries(translations)
        self._templates: list[_Template] | None = None

    def translated(self, text: str) -> str:
        """Returns it in this language, as far as that is known."""
        return self.known(text) or str(text)

    def known(self, text: str) -> str | None:
        """Returns it in this language; None if it is none of ours."""
        if isinstance(text, Message):
            said = self.messages.get(text.template)
            if (
                said is None
                and text.values
                and not any(map(str.isalpha, HOLE.sub("", text.template)))
            ):
                said = text.template  # nothing in it but what is filled in
            if said is not None:
                values = {
                    name: self.translated(value) if isinstance(value, Message) else value
                    for name, value in text.values.items()
                }
                return filled(said, values) if values else said
        return self.recognised(text)

    @lru_cache(2000)  # noqa: B019 (a catalogue lives as long as its process)
    def recognised(self, text: str) -> str | None:
        """Translates a text that came without its template; None if it is none of ours."""
        if text in self.messages and not HOLE.search(text):
            return self.messages[text]
        if len(text) > TEXT_MAX:
            return None
        quoted = _QUOTED.fullmatch(text)
        rest = quoted and self.recognised(quoted[2])
        if quoted and rest:
            return quoted[1] + rest
        coded = _CODED.fullmatch(text)
        rest = coded and self.recognised(coded[2])
        if coded and rest:
            return filled(self.messages.get("{}: ", "{}: "), {"0": coded[1]}) + rest
        # Templates with hardly a word of their own fit almost anything: they come last.
        for own in (OWN_MIN, 0):
            said = self._in_turn(text, own) or self._matched(text, own)
            if said:
                return said
        return None

    def _in_turn(self, text: str, own: int) -> str | None:
        """One known sentence after the other."""
        for cut in _SENTENCES.finditer(text):
            first = self._matched(text[: cut.start()], own)
            rest = first and self.recognised(text[cut.end() :])
            if rest:
                return f"{first}{cut[0]}{rest}"
        return None

    def _matched(self, text: str, own: int) -> str | None:
        if self._templates is None:
            self._templates = _compiled(self.messages)
        for template in self._templates:
            if template.own < own:
                break
            match = template.match(text)
            if match is not None:
                found = map(self._value, match.groups())
                return filled(template.translation, dict(zip(template.names, found, strict=True)))
        return None

    def _value(self, text: str) -> str:
        """What fills a sentence: translated where it is one of ours, with its spaces."""
        if _DECIMAL.fullmatch(text):
            return text.replace(".", self._point)
        said = self.recognised(text.strip())
        return text if said is None else text.replace(text.strip(), said)


@cache
def catalogue(language: str) -> Catalogue:
    """Opens the catalogue of what programs say; FileNotFoundError if there is none."""
    return Catalogue(_read(DOMAIN, language), POINTS.get(language, "."))


def contexts(domain: str, language: str) -> dict[tuple[str, str], str]:
    """Returns the texts of a catalogue of tables by their context (GROUP.NAME) and English."""
    found = {}
    for key, said in _entries(_read(domain, language)).items():
        context, _, text = key.partition(_CONTEXT_END)
        found[context, text] = said
    return found


def _read(domain: str, language: str) -> GNUTranslations:
    # gettext's own `translation` would keep a second copy of it all, for ever.
    with (FOLDER / language / "LC_MESSAGES" / f"{domain}.mo").open("rb") as file:
        return GNUTranslations(file)


def _entries(translations: GNUTranslations) -> dict[str, str]:
    # gettext looks up one message; there is no public way to list them all.
    entries = translations._catalog  # type: ignore[attr-defined]
    return {key: text for key, text in entries.items() if isinstance(key, str) and key}


def _compiled(messages: dict[str, str]) -> list[_Template]:
    """Every message as a pattern; those with most words of their own first: they are surest."""
    found = [_template(text, said) for text, said in messages.items()]
    return sorted((each for each in found if each.own), key=lambda each: -each.own)


def _template(text: str, translation: str) -> _Template:
    names: list[str] = []
    between = []
    end = 0
    for hole in HOLE.finditer(text):
        between.append(text[end : hole.start()])
        names.append(hole[1] or str(len(names)))
        end = hole.end()
    # A value that stands in a text has its format already.
    plain = HOLE.sub(lambda hole: "{" + hole[1] + "}", translation)
    own = sum(map(str.isalpha, HOLE.sub("", text)))
    return _Template(own, (*between, text[end:]), names, plain)


@cache
def _pattern(between: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, between)), re.S)
