"""How a command that `make` starts ends: its exit status, and one sentence for what went wrong."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from firmware.lib.errors import INTERRUPTED, Failure


def run(command: click.Command) -> NoReturn:
    """Runs it with the arguments of this process, and exits as it ended; never with a traceback."""
    try:
        sys.exit(command(standalone_mode=False))
    except Failure as failure:
        print(failure.sentence, file=sys.stderr)
        sys.exit(failure.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)
