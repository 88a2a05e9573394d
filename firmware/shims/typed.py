"""The few typing names that a MicroPython device lacks, so that one source serves both.

On CPython these are the real ones and mypy reads them as such. MicroPython ignores annotations
but must still find the names that are *called* or subclassed.
"""

try:
    from typing import (
        TYPE_CHECKING,
        Any,
        Callable,
        Iterable,
        Iterator,
        NamedTuple,
        Protocol,
        Sequence,
    )
except ImportError:  # MicroPython
    from collections import namedtuple

    TYPE_CHECKING = False  # type: ignore
    Any = None  # type: ignore
    Callable = None  # type: ignore
    Iterable = None  # type: ignore
    Iterator = None  # type: ignore
    Sequence = None  # type: ignore

    class Protocol:  # type: ignore[no-redef]
        """Stands for typing.Protocol, which only a type checker needs."""

    def NamedTuple(name, fields):  # type: ignore # noqa: N802
        """Makes a record type from (name, type) pairs, as typing.NamedTuple does."""
        return namedtuple(name, [field for field, _ in fields])


__all__ = [
    "TYPE_CHECKING",
    "Any",
    "Callable",
    "Iterable",
    "Iterator",
    "NamedTuple",
    "Protocol",
    "Sequence",
]
