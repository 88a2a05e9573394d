"""Why the call of one coup came when it did: a few lines, from what the journal has of it."""

from __future__ import annotations

from pathlib import Path

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message, translated
from firmware.text import call_status, call_text
from firmware.text.journal_coup import Coup
from firmware.text.journal_text import shown


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
