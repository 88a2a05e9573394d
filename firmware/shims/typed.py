"""The few typing names that a MicroPython device lacks, so that one source serves both.

On CPython these are the real ones and mypy reads them as such. MicroPython ignores annotations
but must still find the names that are *called* or subclassed.
"""

try:
    from typing import Any, NamedTuple, Protocol, Sequence
except ImportError:  # MicroPython
    from collections import namedtuple

    Any = None  # type: ignore
    Sequence = None  # type: ignore

    class Protocol:  # type: ignore[no-redef]
        """Stands for typing.Protocol, which only a type checker needs."""

    def NamedTuple(name, fields):  # type: ignore # noqa: N802
        """Makes a record type from (name, type) pairs, as typing.NamedTuple does."""
        return namedtuple(name, [field for field, _ in fields])


__all__ = ["Any", "NamedTuple", "Protocol", "Sequence"]
