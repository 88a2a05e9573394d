"""Whether what a configuration chooses goes together: all that can be known without a wheel.

What a single key may be, firmware/config knows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import rules
from firmware.config import Mistake, made
from firmware.config.survey import Survey
from firmware.services.configuring import game, money, named_files
from firmware.services.configuring.wrong import Wrong


class Checked(NamedTuple):
    """What is wrong; and what the wheel plays with, but may not be meant."""

    mistakes: list[Mistake]
    notices: list[Mistake]


def check(found: Survey, board: str | None = None) -> Checked:
    """Every mistake in what was read, and in how it goes together.

    `board`: stands before the configuration's own, as `cylindre run --board`. What depends on a
    section in which something is wrong already is not judged.
    """
    wrong = [] if None in found.doubtful else _judged(found, board)
    mistakes = [_placed(one, found) for one in wrong if not one.is_notice]
    notices = [_placed(one, found) for one in wrong if one.is_notice]

    def in_order(mistake: Mistake) -> tuple[bool, str, int, str]:
        return (mistake.file != found.name, *mistake)

    return Checked(
        sorted([*found.mistakes, *mistakes], key=in_order), sorted(notices, key=in_order)
    )


def _judged(found: Survey, board: str | None) -> list[Wrong]:
    config = made(found.said, found.folder)
    name = board or config.board
    unsure = found.doubtful if board is None else found.doubtful - {"wheel"}
    wrong: list[Wrong] = []
    played: dict[str, Any] | None = rules.load(config.rules) if config.rules else None
    if "wheel" not in unsure and name is not None:
        wrong, played = game.check(config, name)
    elif "wheel" not in unsure:
        text = "no board is named: what depends on it is not checked. Name one here, or by --board."
        wrong.append(Wrong("wheel", "board", text, is_notice=True))
    if not unsure & {"stakes", "maxima", "game"}:
        wrong += money.check(config, played)
    if not unsure & {"stakes", "bus"}:
        wrong += money.check_line(config)
    wrong += named_files.check(config, name)
    return [one for one in wrong if one.section not in unsure]


def _placed(wrong: Wrong, found: Survey) -> Mistake:
    """With the line of the key, else of its section's first, else the file's name alone."""
    said = found.said.get((wrong.section, wrong.key))
    if said is None:
        of_it = [said for (section, _), said in found.said.items() if section == wrong.section]
        said = of_it[0] if of_it else None
    if said is None:
        return Mistake(found.name, 0, wrong.text)
    return Mistake(said.file, said.line, wrong.text)
