"""Imports that leave OpenSSL out: controller and display fit beside a browser on a small board."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

# asyncio loads the one for TLS, hashlib the other for speed; both do without. 4 MB resident.
_LEFT_OUT = ("ssl", "_hashlib")


@contextlib.contextmanager
def without_openssl() -> Iterator[None]:
    """Hides OpenSSL from what is imported for the first time meanwhile."""
    modules: dict[str, Any] = sys.modules
    absent = [name for name in _LEFT_OUT if name not in modules]
    for name in absent:
        modules[name] = None
    try:
        yield
    finally:
        for name in absent:
            del modules[name]
