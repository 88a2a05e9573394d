"""The signed records of the last outcomes, at hand for whoever lacks one."""

from firmware.bus import messages, record
from firmware.shims.typed import Any, Sequence

HELD_MAX = 24  # records kept: the history, and a few


class RecordCache:
    """Keeps what the journal holds of the last outcomes: each is (seq, record, its epoch)."""

    def __init__(self, record_of: Any) -> None:
        """`record_of(seq)`: the signed record of an outcome, or None; asked for the last
        messages.HISTORY_MAX at most."""
        self._record_of = record_of
        self._held: dict[int, tuple[int, bytes, int]] = {}

    def past(self, newest: int) -> "Sequence[tuple[int, bytes, int]]":
        """Gives the record of seq `newest` and those before, newest first, without a gap."""
        found: list[tuple[int, bytes, int]] = []
        seq = newest
        while seq > 0 and len(found) < messages.HISTORY_MAX:
            held = self.find(seq, newest)
            if held is None:
                break
            found.append(held)
            seq -= 1
        return found

    def find(self, seq: int, newest: int) -> "tuple[int, bytes, int] | None":
        """Gives the record of `seq`. `newest`: of all that may be told now."""
        held = self._held.get(seq)
        if held is not None:
            return held
        data = self._record_of(seq)
        parsed = None if data is None else record.parse(data)
        if parsed is None or parsed.seq != seq:
            return None
        for old in [old for old in self._held if not newest - HELD_MAX < old <= newest]:
            del self._held[old]
        self._held[seq] = (seq, data, parsed.epoch)
        return self._held[seq]


def number_seq(past: "Sequence[tuple[int, bytes, int]]") -> int:
    """Gives seq of the last result or void among these, newest first: corrections come after it."""
    for seq, data, _ in past:
        parsed = record.parse(data)
        if parsed is not None and parsed.kind != record.CORRECTION:
            return seq
    return past[-1][0]
