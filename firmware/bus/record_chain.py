"""What a display believes of the past: the newest record, by its signature, those before it, by the
digest that each signs of the one before, and the key that rotations led to.

Nothing is believed, and no signature checked, unless a live heartbeat asks for it: it names the
newest record by its digest. The heartbeat itself is proved by then (receiver.py).
"""

from firmware.bus import record
from firmware.bus.messages import HISTORY_MAX, Heartbeat
from firmware.bus.record import CORRECTION, ROTATION, Record
from firmware.shims.typed import Any

# Rotations that wait for their signature to be checked: they come 20 ms apart, a microcontroller
# takes longer for one. Whatever does not fit is sent again.
WAITING_MAX = 8
# A number's record and its correction: on a full line each comes again after .8 s only.
HEARD_MAX = 2


class RecordChain:
    """Keeps the records and key of one display. Give it proved heartbeats, and what came."""

    def __init__(self, root: bytes, verify: Any) -> None:
        """`root`: the wheel's first public key. `verify`: as Receiver has it."""
        self.newest = (0, 0)  # epoch and seq of the newest record ever believed
        self.kid = record.key_id(root)  # the name of the newest key
        self._verify = verify
        self._key = root
        # Up to this (epoch, seq) the keys before it signed, the last outcome among them that one.
        self._until = (0, 0)
        self._key_until = root
        self._told: Heartbeat | None = None  # the last heartbeat, while live
        self._heard: list[bytes] = []  # the last that came unasked; nothing follows from them alone
        self._records: dict[bytes, Record] = {}  # by digest
        # What the methods of these names found, until something changes on which that depends.
        self._found: list[Record] | None = None
        self._ends: Any = None
        self._outcomes: Any = None
        self._history: Any = None
        self._digest = b""  # of the newest
        self._named = b""  # the record that the heartbeat names, to be checked
        self._rotations: list[bytes] = []  # to be checked, each by the key that the last one gives
        self._may_follow = False  # since this display said which key it knows none was forged

    @property
    def wheel(self) -> "str | None":
        """Gives the wheel's name, as the newest record has it."""
        chain = self._chain()
        name: str | None = chain[0].wheel if chain else None
        return name

    @property
    def waits(self) -> bool:
        """Tells whether a signature waits to be checked."""
        return bool(self._named or self._rotations)

    def follow_heartbeat(self, told: "Heartbeat | None") -> None:
        """Takes a heartbeat that is proved; None: nobody is heard any more."""
        if told is None or self._told is None or _names(told) != _names(self._told):
            self._forget_found()
        self._told = told
        if told is None or self._is_past(told) or record.digest(self._named) != told.digest:
            if self._named:
                self._keep(self._named)  # a correction may have come behind it
            self._named = b""
        if told is None or told.kid == self.kid:
            self._rotations = []
        self._take_heard()

    def answered(self) -> None:
        """Takes that this display has just said which key it knows, and so asked for the next."""
        self._may_follow = True

    def add_record(self, data: bytes) -> None:
        """Takes a record that came, if it is the one that is lacking; all else costs a hash, and
        the last of it is kept as it came: what is heard or checked next may name it."""
        if not self._take(data):
            self._keep(data)

    def work(self) -> bool:
        """Checks one signature, if one waits; False if none does. Takes long."""
        if self._named:
            data, self._named = self._named, b""
            found = record.parse(data)
            assert found is not None  # else it would not wait
            key = self._key_of(found)
            if record.decode_signed(data, key, self._verify) is not None:
                self._believe(found, record.digest(data))
            return True
        if not self._rotations:
            return False
        found = record.decode_signed(self._rotations[0], self._key, self._verify)
        if found is not None:
            self._rotations = self._rotations[1:]
            self._follow(found)
        else:  # one that is forged costs no more than that until this display asks again
            self._rotations = []
            self._may_follow = False
        return True

    def want(self) -> int:
        """Gives seq of the newest record that is lacking; 0: none."""
        return 0 if self._told is None or self._named else self._lacks(self._told)[0]

    def outcome(self) -> "Record | None":
        """Tells how the coup that the heartbeat names ended, by its last record; None: not known.

        That coup is the last one that ended: corrections of older ones may have come after it, but
        no other result or void.
        """
        told = self._told
        last = None
        for found in self._chain():
            assert told is not None  # else there is no chain
            if last is None and found.coup == told.coup:
                last = found
            if found.kind != CORRECTION:
                if last is None or found.coup != told.coup or last.game != told.game:
                    return None
                return last
        return None

    def outcomes(self) -> "tuple[tuple[int, tuple[int, str] | None], ...]":
        """Gives `ends` as a coup with its (number, colour), None where there is no number: for a
        void, and for a round of cards."""
        if self._outcomes is None:
            self._outcomes = tuple([(coup, _number(last)) for coup, last in self.ends()])
        found: tuple[tuple[int, tuple[int, str] | None], ...] = self._outcomes
        return found

    def ends(self) -> "tuple[tuple[int, Record], ...]":
        """Gives the last coups or rounds without a gap, newest last: each with the record that
        stands for it, its own or that of its last correction. None of them while the newest record
        is not here: it may correct any."""
        if self._ends is None:
            self._ends = self._find_ends()
        found: tuple[tuple[int, Record], ...] = self._ends
        return found

    def history(self) -> "tuple[tuple[int, str] | None, ...]":
        """Gives the same without the coups."""
        if self._history is None:
            self._history = tuple([outcome for _, outcome in self.outcomes()])
        found: tuple[tuple[int, str] | None, ...] = self._history
        return found

    def _find_ends(self) -> Any:
        told = self._told
        corrected: dict[int, Record] = {}
        ends: list[tuple[int, Record]] = []
        for found in self._chain():
            if told is None or found.game != told.game:
                break
            last = corrected.get(found.seq, found)
            if found.kind != CORRECTION:
                ends.append((found.coup, last))
            elif found.corrects not in corrected:
                corrected[found.corrects] = last
        return tuple(reversed(ends))

    def _is_past(self, told: Heartbeat) -> bool:
        """Tells whether the controller holds less than this display believed, or something else."""
        named = (told.epoch, told.seq)
        if named == self.newest and self._digest:
            return told.digest != self._digest
        return named < self.newest

    def _chain(self) -> "list[Record]":
        """Returns the record that the heartbeat names and those before it, newest first, without a
        gap.
        """
        if self._found is None:
            self._found = self._find_chain()
        return self._found

    def _find_chain(self) -> "list[Record]":
        told = self._told
        found: list[Record] = []
        if told is None or self._is_past(told):
            return found
        digest: Any = told.digest  # None: the first of its epoch follows none
        while len(found) < told.past and digest in self._records:
            said = self._records[digest]
            if not found and (said.epoch, said.seq) != (told.epoch, told.seq):
                break
            found.append(said)
            digest = said.after
        return found

    def _forget_found(self) -> None:
        self._found = None
        self._ends = None
        self._outcomes = None
        self._history = None

    def _lacks(self, told: Heartbeat) -> "tuple[int, bytes]":
        """Seq and digest of the newest record that may be asked for and is not here; 0: none."""
        chain = self._chain()
        if self._is_past(told) or len(chain) >= told.past:
            return 0, b""
        if not chain:
            return told.seq, told.digest
        return (chain[-1].seq - 1, chain[-1].after) if chain[-1].after else (0, b"")

    def _keep(self, data: bytes) -> None:
        if data not in self._heard:
            self._heard = (self._heard + [data])[-HEARD_MAX:]

    def _take_heard(self) -> None:
        """Takes what is lacking from the last that came; one may lead to the next."""
        for _ in range(HEARD_MAX):
            self._heard = [data for data in self._heard if not self._take(data)]

    def _take(self, data: bytes) -> bool:
        """Tells whether it was taken: it is what is lacking, or leads to the key that is."""
        told = self._told
        if told is None:
            return False
        seq, digest = self._lacks(told)
        if seq and record.digest(data) == digest:
            return self._take_outcome(data, seq, digest, told)
        return told.kid != self.kid and self._may_follow and self._take_rotation(data)

    def _take_outcome(self, data: bytes, seq: int, digest: bytes, told: Heartbeat) -> bool:
        found = record.parse(data)
        if found is None or found.kind not in record.OUTCOMES or found.seq != seq:
            return False
        if digest != told.digest:
            # The signature of the newest covers it.
            self._hold(found, digest)
            return True
        if found.epoch == told.epoch and record.kid(data) == record.key_id(self._key_of(found)):
            self._named = data
            return True
        return False

    def _believe(self, found: Record, digest: bytes) -> None:
        """The newest record, whose signature is right."""
        self.newest = (found.epoch, found.seq)
        self._digest = digest
        self._hold(found, digest)
        self._take_heard()
        # Those before it may lead to it once the one between them is here, so they stay.
        self._records = {
            name: said
            for name, said in self._records.items()
            if 0 <= found.seq - said.seq < HISTORY_MAX
        }
        self._forget_found()

    def _hold(self, found: Record, digest: bytes) -> None:
        """Keeps that record, and no other of its sequence: each epoch may count from one again."""
        others = [name for name, said in self._records.items() if said.seq == found.seq]
        for name in others:
            del self._records[name]
        self._records[digest] = found
        self._forget_found()

    def _take_rotation(self, data: bytes) -> bool:
        """Returns a rotation by the newest key, or by the one that those which wait lead to."""
        if len(self._rotations) == WAITING_MAX:
            return False
        last = self.kid
        if self._rotations:
            waits = record.parse(self._rotations[-1])
            assert waits is not None  # else it would not wait
            last = record.key_id(waits.next_key)
        if record.kid(data) == last:
            found = record.parse(data)
            if found is not None and found.kind == ROTATION:
                self._rotations.append(data)
                return True
        return False

    def _key_of(self, found: Record) -> bytes:
        """The only key that may have signed that outcome as the newest."""
        return self._key_until if (found.epoch, found.seq) <= self._until else self._key

    def _follow(self, rotation: Record) -> None:
        """The next key signs from here on. Whatever came since from the one before is forged."""
        until = (rotation.epoch, rotation.seq or 0)
        if until != self._until:  # else the key of now has signed no outcome
            self._until, self._key_until = until, self._key
        self._key = rotation.next_key
        self.kid = record.key_id(self._key)
        if self.newest > until:
            self.newest = until
            self._digest = b""
            self._records = {}
        self._forget_found()
        self.follow_heartbeat(self._told)  # which may have seemed to hold less than was believed


def _names(told: Heartbeat) -> Any:
    """Returns what of a heartbeat the past that is told depends on."""
    return told.epoch, told.seq, told.digest, told.past, told.game


def _number(end: Record) -> "tuple[int, str] | None":
    return None if end.number is None else (end.number, end.colour)
