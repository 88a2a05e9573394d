"""The few typing names that a MicroPython device lacks, so that one source serves both.

On CPython these are the real ones and mypy reads them as such. MicroPython ignores annotations
but must still find the names that are *called* or subclassed. What it would evaluate and lacks,
`int | None` in a record's fields, stands in quotes.

Where a portable module says `Any` all the same:

- An attribute or field that is None at first, or for some records, and is read only where the
  state or the kind says that it is not: no reader would gain by asking once more.
- `dict[str, Any]`: a board's geometry, rules and bodies of records. They are data as JSON has them,
  checked where they come in (boards/check.py, firmware/config) and not typed a second time.
- Events, facts and orders: records without a common base, told apart by their type (core/facts.py).
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
