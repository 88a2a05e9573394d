"""A wheel's first configuration: a file beside the firmware, which any laptop can read and write.

The wheel takes it at its next start, if it is valid (tools/image/root/).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tools.exits import CONFIGURATION, FAILED, Failure
from tools.image import layout


def check(path: Path) -> None:
    """Raises Failure, with every mistake, if `path` is no configuration or mtools is missing."""
    from firmware import config

    try:
        config.load(path)
    except FileNotFoundError:
        raise Failure(CONFIGURATION, f"There is no configuration {path}.") from None
    except config.ConfigError as error:
        raise Failure(CONFIGURATION, "\n".join(error.sentences)) from None
    if shutil.which("mcopy") is None:
        raise Failure(FAILED, "mcopy is missing: sudo apt install mtools brings it.")


def put(path: Path, disk: Path) -> None:
    """Copies a checked configuration to the flashed disk, or image. Raises Failure."""
    place = f"{disk}@@{layout.partition('firmware').start_mib}M"
    done = subprocess.run(
        ["mcopy", "-o", "-i", place, str(path), f"::{layout.FIRST_CONFIG}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        why = done.stderr.strip().replace("\n", " ")[:200]
        text = f"The configuration could not be put on {disk} ({why}): copy it there by hand as"
        raise Failure(FAILED, f"{text} {layout.FIRST_CONFIG}, or flash again.")
