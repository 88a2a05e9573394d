"""Why the call of one coup came when it did: a few lines, from what the journal has of it.

A round of cards is told whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware.bus.messages import is_card_game
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message, translated
from firmware.text import call_status, call_text
from firmware.text.journal_coup import Coup
from firmware.text.journal_text import shown


def object_and_lines(path: Path, found: Coup, language: str) -> tuple[dict[str, Any], list[str]]:
    """Returns an object for programs and the lines for people.

    Raises Failure where the journal does not tell, or tells what was not sealed.
    """
    number, said = found.end.body["coup"], found.evidence
    if is_card_game(str(found.end.body.get("game"))):
        from firmware.text import journal_round, round_text

        played = journal_round.find(path, number)
        if played is None:
            text = Message("{path}: nothing is there of round {round}.", path=path, round=number)
            raise Failure(FAILED, text)
        lines = [translated(line, language) for line in round_text.explained(played, found.lists)]
        return round_text.object_of(played), lines
    evidence = {"coup": number, "call": said.get("call"), "drop": said.get("drop")}
    return evidence, explained(path, found, language)


def explained(path: Path, found: Coup, language: str) -> list[str]:
    """Returns the lines; of a coup without a call, or whose call is not predicted, one. Raises
    Failure where the journal does not tell."""
    said, coup = found.evidence, found.end.body["coup"]
    if not said:
        text = Message(
            "{path}: nothing was kept that explains the call of coup {coup}.", path=path, coup=coup
        )
        raise Failure(FAILED, text)
    if "at_us" not in said:
        text = Message(
            "{path}: a restart of the controller interrupted coup {coup}: its call is not known.",
            path=path,
            coup=coup,
        )
        raise Failure(FAILED, text)
    if "call" not in said:
        return [_uncalled(coup, language)]
    call = said["call"]
    lines = [call_text.opening(coup, call, language), *call_text.reasons(call, language)]
    if len(lines) > 1 and "drop" in said:
        lines.append(call_text.left(call, said["drop"], language))
    unpredicted = call_status.unpredicted(found.end.body.get("game"), language)
    if unpredicted is not None:
        lines.append(unpredicted)
    return [shown(line) for line in lines]


def _uncalled(coup: int, language: str) -> str:
    return translated(Message("Coup {coup} was void before any call.", coup=coup), language)
