"""The keys of a configuration as `cylindre run --help` shows them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

FEW = 3  # choices that are named; of more the commands beside tell


class WithKeys(click.Command):
    """A command whose help has every key of a configuration below its options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options, then the keys; only help waits for the table to be imported."""
        super().format_options(ctx, formatter)
        with formatter.section("A configuration holds what a house chooses; all of it may be left"
                               " out"):  # fmt: skip
            formatter.write_dl(list(rows()), col_max=32)


def rows() -> Iterator[tuple[str, str]]:
    """A row a key: an example, and what it decides; above the first of a section its name.

    Of keys that are alike, one.
    """
    from firmware.config.keys import ALIKE, KEYS, SECTIONS

    for section in SECTIONS:
        yield f"[{section}]", ""
        keys = [key for key in KEYS if key.section == section]
        for key in keys[:1] if section in ALIKE else keys:
            example = json.dumps(key.example, ensure_ascii=False)
            yield f"  {key.name} = {example}", f"{key.means}{_may_be(key)}"


def _may_be(key: Any) -> str:
    """What it may be and what holds without it, in brackets."""
    from firmware.config.keys import ALIKE

    said = []
    if key.unit and not key.choices:
        said.append(f"{key.low} to {key.high} {key.unit}")
    elif len(key.choices) in range(1, FEW + 1) or key.kind == (bool,):
        said.append(key.wants)
    if key.section in ALIKE:
        said.append("each has its key")
    if key.default is not None:
        said.append(f"default {json.dumps(key.default)}")
    return f" ({'; '.join(said)})" if said else ""
