"""What is wrong with one key, before anybody knows on which line it stands."""

from __future__ import annotations

from typing import NamedTuple


class Wrong(NamedTuple):
    """A key, and a sentence; of a notice: the wheel plays with it."""

    section: str
    key: str
    text: str
    is_notice: bool = False
