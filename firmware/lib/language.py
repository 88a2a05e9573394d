"""Keeps a text apart from its language: what is said is a template and what fills it.

Whoever has something to say makes a Message, which is its English. The edge (a command, a prompt, a
page) puts it into the reader's language with `translated`. Nothing else knows of languages; no
catalogue is opened for English. ADR 22 says why.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

ENGLISH = "en"
FRENCH = "fr"
LANGUAGES = (ENGLISH, FRENCH)
# The first that is set decides, where no --lang is given.
VARIABLES = ("CYLINDRE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
# What is filled in: {}, {name}, {name:5d}. Any other brace stands for itself.
HOLE = re.compile(r"\{(\w*)(?::([^{}\"]*))?\}")
_DEPTH_MAX = 8  # of Messages within one another
_LONG = re.compile(r"\d{4}")  # a width or precision that no sentence has
# What a page or a display says: by group and name, "states" and "VOID".
Tables = Mapping[str, Mapping[str, str]]

_chosen: str | None = None


class Message(str):
    """A text in English that knows its template, the key of its translations, and its values.

    A value that is a Message is translated with it; any other stays as it is. A text of elsewhere
    that is made a Message has no template in the catalogue, and is recognised as far as it is ours.
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, *values: Any, **named: Any) -> Message:
        """`template`: a literal, so that the catalogue has it; `values` fill {} one by one."""
        if isinstance(template, Message) and not values and not named:
            return template
        given = {str(place): value for place, value in enumerate(values)} | named
        self = super().__new__(cls, filled(template, given) if given else template)
        self.template = template
        self.values = given
        return self

    def __add__(self, more: str) -> Message:
        """Both, each with its template."""
        return Message("{}{}", self, more) if more else self

    def __str__(self) -> str:
        """Itself: an error that carries a Message gives it back with its template."""
        return self


def N_(text: str) -> str:  # noqa: N802 (what gettext and its tools call it)
    """Marks a literal for the catalogue; a Message is made of it elsewhere."""
    return text


def listed(texts: Iterable[str], between: str = ", ") -> Message:
    """Joins as between.join(texts), each with its template."""
    found: list[Message] = []
    for text in texts:
        found += [Message(between), Message(text)] if found else [Message(text)]
    return Message("{}" * len(found), *found)


def filled(template: str, values: Mapping[str, Any]) -> str:
    """Fills in a template; {} takes the values in order."""
    places = iter(range(len(values)))
    return HOLE.sub(
        lambda hole: format(values[hole[1] or str(next(places))], hole[2] or ""), template
    )


def choose(language: str | None) -> None:
    """Makes it the language of this process; None: what the environment says."""
    global _chosen
    _chosen = language


def current() -> str:
    """Returns this process's language: the one chosen, else the environment's, else English."""
    if _chosen is not None:
        return _chosen
    said = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")
    code = re.split(r"[_.@:-]", said.lower())[0]
    return code if code in LANGUAGES else ENGLISH


def packed(text: str | None) -> list[Any] | None:
    """Returns a Message for a line of JSON: [template, {name: value}]; None: its English says it
    all.

    A value that is a Message is such a list itself.
    """
    return _packed(text) if isinstance(text, Message) and text.values else None


def _packed(message: Message) -> list[Any]:
    values = {
        name: _packed(value)
        if isinstance(value, Message)
        else value
        if isinstance(value, str | int | float | None)
        else str(value)
        for name, value in message.values.items()
    }
    return [message.template, values]


def unpacked(said: Any, text: str) -> Message:
    """Returns the Message that was packed beside `text`; the text alone, where `said` does not say
    it."""
    try:
        found = _unpacked(said, _DEPTH_MAX, len(text))
    except (TypeError, ValueError, LookupError):
        return Message(text)
    return found if found == text else Message(text)


def _unpacked(said: Any, depth: int, longest: int) -> Message:
    """Raises TypeError, ValueError or LookupError for what is no packed Message, or is longer."""
    template, values = said
    if not depth or type(template) is not str or type(values) is not dict:
        raise ValueError("no template with its values, or one within the other for ever")
    if any(_LONG.search(hole[2] or "") for hole in HOLE.finditer(template)):
        raise ValueError("a value would be filled up to thousands of characters")
    if not all(isinstance(value, list | str | int | float | None) for value in values.values()):
        raise TypeError("a value of another kind")
    found = {
        name: _unpacked(value, depth - 1, longest) if isinstance(value, list) else value
        for name, value in values.items()
    }
    texts = [found[name or str(place)] for place, (name, _) in enumerate(HOLE.findall(template))]
    if sum(len(each) for each in texts if isinstance(each, str)) > longest:
        raise ValueError("it would be longer than its sentence")
    return Message(template, **found)


def translated(text: str, language: str | None = None) -> str:
    """Returns a text as its reader has it; what the catalogue does not know stays English."""
    language = language or current()
    if language == ENGLISH:
        return text
    from firmware.lib.catalogue import catalogue

    return catalogue(language).translated(text)


def echo(text: str, *, err: bool = False) -> None:
    """Prints as click.echo does, in the language of this process."""
    import click  # who only makes Messages has no need of it

    click.echo(translated(text), err=err)


def tables_in(language: str, domain: str, tables: Tables) -> Tables:
    """English tables in another language; what its catalogue `domain` does not know stays English.

    The catalogue is read anew, and not kept: who makes a page of it needs it once.
    """
    if language == ENGLISH:
        return tables
    from firmware.lib.catalogue import contexts

    said = contexts(domain, language)
    return {
        group: {name: said.get((f"{group}.{name}", text), text) for name, text in table.items()}
        for group, table in tables.items()
    }
