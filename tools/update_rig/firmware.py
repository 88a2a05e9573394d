"""What U-Boot does before the kernel starts (tools/image/boot.cmd), on a card in a file."""

from __future__ import annotations

from pathlib import Path

from firmware.lib.partitions import SLOTS, STATE_COPY, STATE_FILE, TRIES, Slot
from firmware.services.update import bootenv
from firmware.services.update.slots import other
from tools.update_rig import card as cards


def choose(card: Path) -> Slot:
    """The slot that starts now; one of its starts is used up."""
    words = bootenv.parse(cards.read_word_file(card, STATE_FILE))
    if words is None:
        words = bootenv.parse(cards.read_word_file(card, STATE_COPY))
    if words is None:  # a card that somebody wrote on
        words = bootenv.words(("A", "B"), {slot.bootname: TRIES for slot in SLOTS})
    chosen, counted = count(words)
    now = bootenv.text(counted)
    for name in (STATE_FILE, STATE_COPY):
        cards.write_word_file(card, name, now)
    return chosen


def count(words: dict[str, str]) -> tuple[Slot, dict[str, str]]:
    """The slot that starts by these words, and the words from then on."""
    order, left = bootenv.choice(words)
    by_name = {slot.bootname: slot for slot in SLOTS}
    chosen = next((by_name[name] for name in order if left[name]), None)
    if chosen is not None:
        left[chosen.bootname] -= 1
    else:  # the first of the order once more, and the other one after it
        chosen = by_name[order[0]]
        left[other(chosen).bootname] = 1
    return chosen, bootenv.words(order, left)
