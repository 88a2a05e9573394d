"""`cylindre`, its virtual wheel built otherwise than the board is drawn: built.py GEOMETRY COMMAND.

`GEOMETRY`: JSON, what differs, as boards/ has it. The controller knows of the drawing alone.
"""

import json
import sys
from typing import Any

from tools import cli
from tools.sim import table


def main() -> int:
    built = json.loads(sys.argv.pop(1))
    drawn = table.virtual_table

    def virtual_table(board: dict[str, Any], *arguments: Any, **options: Any) -> Any:
        wheel = {**board, "geometry": {**board["geometry"], **built}}
        return drawn(wheel, *arguments, **options)

    table.virtual_table = virtual_table
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
