"""What is remembered of the past, record by record."""

from firmware.core.coup.restart_state import LastOutcome
from firmware.store.checked_lines import Row
from firmware.store.replay_state import Recall

UTC = "2026-11-23T20:15:03Z"


def ended(coup: int, seq: int, number: int, colour: str) -> Row:
    return Row(seq, UTC, "result", {"coup": coup, "seq": seq, "number": number, "colour": colour})


def corrected(coup: int, seq: int, number: int, colour: str) -> Row:
    return ended(coup, seq, number, colour)._replace(kind="correction")


def test_a_correction_of_the_last_coup_is_its_number_and_one_of_an_older_coup_is_not() -> None:
    recall = Recall()
    for row in (ended(1, 1, 17, "black"), ended(2, 2, 5, "red"), corrected(1, 3, 18, "red")):
        recall.add_row(row)
    assert recall.restart_state.last == LastOutcome(2, 5, "red", None)
    assert recall.restart_state.seq == 3
    recall.add_row(corrected(2, 4, 8, "black"))
    assert recall.restart_state.last == LastOutcome(4, 8, "black", None)
    assert recall.restart_state.corrections == ((1, 3), (2, 4))
