"""Tables in Markdown, and those of a message's fields: byte, name, type, meaning."""

import struct
from collections.abc import Sequence

from firmware.bus import frame

# fmt: off
TYPES = {
    "B": "u8", "b": "i8", "H": "u16", "I": "u32", "Q": "u64", "q": "i64",
    "4s": "4 bytes", "8s": "8 bytes", "16s": "16 bytes",
}
# fmt: on


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table with this head and these rows."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def field_table(fields: Sequence[tuple[str, str, str]], offset: int) -> str:
    """A table of fields (name, struct code, meaning), the first at byte `offset`."""
    rows = []
    for name, code, meaning in fields:
        rows.append((offset, name, TYPES[code], meaning))
        offset += struct.calcsize(frame.BYTE_ORDER + code)
    return table(("byte", "field", "type", "meaning"), rows)
