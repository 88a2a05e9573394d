"""How a display starts: its options, what they may be, and the process they lead to.

`tools/commands/display.py` tells people of them: click reads any line of arguments, with help and a
sentence for each mistake. It would stay resident beside a program that runs for long, 1.5 MB of 20:
so a line as a unit gives it is read here (ADR 25).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from firmware.lib.lean import without_openssl

ADDRESS, ADDRESSES = 1, range(1, 33)
BAUD, BAUDS = 115_200, range(300, 4_000_001)
PAGE_PORT, PAGE_PORTS = 8037, range(65_536)  # 37 numbers; above 1024: no rights needed


def _whole(allowed: range) -> Callable[[str], int]:
    def value(text: str) -> int:
        if not text.isdecimal() or int(text) not in allowed:
            raise ValueError(text)
        return int(text)

    return value


# What reads an option's value; ValueError for what click would refuse. Not --json and --terminal:
# what is to stay small is a display with a page, beside a browser.
_OPTIONS: dict[str, Callable[[str], Any]] = {
    "--port": str,
    "--keys": Path,
    "--address": _whole(ADDRESSES),
    "--baud": _whole(BAUDS),
    "--page-port": _whole(PAGE_PORTS),
}


def read(line: Sequence[str]) -> dict[str, Any] | None:
    """Returns what `start` is given for a plain line of arguments; None for any other line.

    In a plain line each option stands once, by its whole name, with a good value after it.
    """
    names, texts = line[::2], line[1::2]
    if len(names) != len(texts) or len(set(names)) != len(names):
        return None
    if not {"--port", "--keys"} <= set(names) <= set(_OPTIONS):
        return None
    given = {}
    for name, text in zip(names, texts, strict=True):
        if not text or text.startswith("-"):
            return None
        try:
            given[name.removeprefix("--").replace("-", "_")] = _OPTIONS[name](text)
        except ValueError:
            return None
    return given


def start(
    port: str,
    keys: Path,
    *,
    address: int = ADDRESS,
    baud: int = BAUD,
    as_json: bool = False,
    terminal: bool = False,
    page_port: int | None = None,
    started_us: int | None = None,
) -> int:
    """Runs a display until a signal stops it; returns the exit code. Raises Failure.

    `page_port` None: no page where `as_json` or `terminal`, PAGE_PORT else.
    """
    if page_port is None and not (as_json or terminal):
        page_port = PAGE_PORT
    with without_openssl():
        from firmware.bus.receiver import Receiver
        from firmware.keys import folder
        from firmware.lib.signatures import verify
        from firmware.services.display.main import Choices, run_display

        if page_port is not None:
            import firmware.services.display.bridge  # noqa: F401  # asyncio: not for whoever serves no page
    receiver = Receiver(
        address,
        folder.read_display(keys, address),
        folder.read_root(keys),
        int.from_bytes(os.urandom(8), "little"),
        verify,
    )
    choices = Choices(port, baud, as_json, terminal, page_port)
    return run_display(choices, receiver, sys.stdout, started_us=started_us)
