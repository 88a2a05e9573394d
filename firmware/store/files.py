"""What the stores share: their error, and making a file's name durable."""

import os
from pathlib import Path


class JournalError(Exception):
    """The journal cannot be used; the text says why and what to do."""


def sync_folder(folder: Path) -> None:
    """Makes the name of a new file durable; without it a power cut could lose the whole file."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
