"""All that an object knows, as a value that can be compared."""

from __future__ import annotations

from typing import Any

# What came is kept as it came, by a display (record_chain.py), and believed no more for that.
_NOTHING = ("_heard",)
_PLAIN = (int, str, bytes, bool, float, type(None))


def state_of(thing: Any) -> Any:
    """Every attribute of `thing`, and of what it holds, down to plain values."""
    if isinstance(thing, _PLAIN):
        return thing
    if isinstance(thing, bytearray):
        return bytes(thing)
    if isinstance(thing, dict):
        return [(state_of(key), state_of(value)) for key, value in thing.items()]
    if isinstance(thing, set | frozenset):
        return sorted(map(repr, thing))
    if isinstance(thing, list | tuple):
        return [state_of(one) for one in thing]
    if callable(thing) or isinstance(thing, type):
        return None
    known = sorted(item for item in vars(thing).items() if item[0] not in _NOTHING)
    return [type(thing).__name__, *(state_of(one) for one in known)]
