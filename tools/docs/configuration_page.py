"""The table of docs/configuration.md, from the table of keys: a heading a section."""

from __future__ import annotations

from firmware.config.keys import KEYS, SECTIONS, Key
from firmware.services.configuring.effective import default, shown
from tools.docs.part import Part


def render() -> str:
    """All keys; the maxima, which are alike, in one row."""
    parts = []
    for section in SECTIONS:
        keys = [key for key in KEYS if key.section == section]
        names = " ".join(f"`{key.name}`" for key in keys)
        rows = (
            [_row(names, keys[0], "")] if section == "maxima" else [_own_row(key) for key in keys]
        )
        head = ["| key | is | default | decides | read by |", "|---|---|---|---|---|"]
        parts.append(f"### [{section}]\n\n" + "\n".join(head + rows))
    return "\n\n".join(parts)


def _own_row(key: Key) -> str:
    held = default(key)
    return _row(f"`{key.name}`", key, "" if held is None else f"`{shown(held)}`")


def _row(name: str, key: Key, held: str) -> str:
    return f"| {name} | {key.wants} | {held} | {key.means} | `{key.used_by}` |"


PART = Part("configuration.md", "keys", "firmware/config/keys.py", render)
