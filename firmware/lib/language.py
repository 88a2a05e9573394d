"""Keeps a text apart from its language: what is said is a template and what fills it.

Whoever has something to say makes a Message, which is its English. The edge (a command, a prompt, a
page) puts it into the reader's language with `translated`. Nothing else knows of languages; no
catalogue is opened for English. ADR 22 says why.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

ENGLISH = "en"
FRENCH = "fr"
LANGUAGES = (ENGLISH, FRENCH)
# The first that is set decides, where no --lang is given.
VARIABLES = ("CYLINDRE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
# What is filled in: {}, {name}, {name:5d}. Any other brace stands for itself.
HOLE = re.compile(r"\{(\w*)(?::([^{}\"]*))?\}")
# What a page or a display says: by group and name, "states" and "VOID".
Tables = Mapping[str, Mapping[str, str]]

_chosen: str | None = None


class Message(str):
    """A text in English that knows its template, the key of its translations, and its values.

    A value that is a Message is translated with it; any other stays as it is.
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, *values: Any, **named: Any) -> Message:
        """`template`: a literal, so that the catalogue has it; `values` fill {} one by one."""
        given = {str(place): value for place, value in enumerate(values)} | named
        self = super().__new__(cls, filled(template, given) if given else template)
        self.template = template
        self.values = given
        return self


def N_(text: str) -> str:  # noqa: N802 (what gettext and its tools call it)
    """Marks a literal for the catalogue; a Message is made of it elsewhere."""
    return text


def filled(template: str, values: Mapping[str, Any]) -> str:
    """A template with its values; {} takes them in order."""
    places = iter(range(len(values)))
    return HOLE.sub(
        lambda hole: format(values[hole[1] or str(next(places))], hole[2] or ""), template
    )


def choose(language: str | None) -> None:
    """Makes it the language of this process; None: what the environment says."""
    global _chosen
    _chosen = language


def current() -> str:
    """The language of this process: the one chosen, else the environment's, else English."""
    if _chosen is not None:
        return _chosen
    said = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")
    code = re.split(r"[_.@:-]", said.lower())[0]
    return code if code in LANGUAGES else ENGLISH


def translated(text: str, language: str | None = None) -> str:
    """A text as its reader has it; what the catalogue does not know stays English."""
    language = language or current()
    if language == ENGLISH:
        return text
    from firmware.lib.catalogue import catalogue

    return catalogue(language).translated(text)


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
