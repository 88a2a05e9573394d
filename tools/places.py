"""Where things lie unless the command line says otherwise."""

from pathlib import Path

STATE_FOLDER = Path("var")  # journal and sockets of a board lie in the folder of its name
