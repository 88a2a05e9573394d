"""The controller's view of the displays: asks each in turn, notes what it answers and lacks, and
tells when one is silent, lights something else, or is not alone. Bytes and time in; asks out.

An answer counts once: the one to the ask that is out, within its slot, made with that display's
key. Whatever comes late, again, or from nobody changes nothing.
"""

from firmware.bus import frame, message_bytes, messages, slots
from firmware.bus.line_arbiter import LineArbiter
from firmware.bus.messages import Answer, Envelope
from firmware.bus.sent_views import BARE, DASH, NUMBER, WRONG, SentViews
from firmware.shims.typed import Any, Sequence

# Unheard for so long, or dark while it answers, a display is told: three of the longest rounds.
SILENT_US = 3_000_000
SILENT = "B11"
LIGHTS_OTHER = "B12"
TWO_AT_ONE_ADDRESS = "B13"
BELIEVES_LATER = "B14"
# What a display may light, as technicians are told it.
LIGHTS = {NUMBER: "number", BARE: "as told", DASH: "dash", WRONG: "other"}
BOOTS_MAX = 4  # remembered at one address; two make a conflict


class Place:
    """What the controller knows of one display."""

    def __init__(self, address: int, key: bytes) -> None:
        self.address = address
        self.key = key
        self.counter = 0  # of the last ask to it
        self.replied = 0  # the boot that answered that ask
        # Who answers here, lately: [boot, when]; first come first.
        self.boots: list[list[int]] = []
        self.heard_us = 0  # when its last answer came
        self.challenge = b""  # of that answer; empty: none was heard yet
        self.asked_us: int | None = None  # when it was asked last
        self.waits_since_us = 0  # since its last answer, or since asks began
        # How long it has lit less than it was told; and whether a number, and none since.
        self.lacking_us = 0
        self.lacks_number = False
        self.lit = b""  # what it lit, by its last answer
        # What it lacks: a record's seq, the next key, the table. Forgotten once that is sent.
        self.want = 0
        self.is_dark = True
        self.beats = 0  # heartbeats since its last answer: a dark one needs one before all else
        self.sent = 0  # the last record that it wanted and was sent
        self.times = 0  # how often on end
        self.kid = b""
        self.leads = 0  # times it was sent the rotations, and knew no other key afterwards
        self.led_us = 0  # when it may be sent them again
        self.lacks_key = False
        self.lacks_table = False
        self.faults: list[str] = []  # what is wrong with it, by code, and was told
        self.is_missed = False  # its silence was told, and it has not answered since
        self.answers = 0  # to asks, since the start

    def is_fresh(self, now_us: int) -> bool:
        """Tells whether its last challenge is worth an answer."""
        return bool(self.challenge) and now_us - self.heard_us < slots.FRESH_US


class Displays:
    """Asks all displays of one line in turn. Call `feed` with what came, then `ask`."""

    def __init__(
        self, session: int, keys: "dict[int, bytes]", *, arbiter: LineArbiter, plan: Any
    ) -> None:
        """`session`: 64 random bits, new at each start. `plan`: of slots.plan."""
        self.places = [Place(address, keys[address]) for address in sorted(keys)]
        self.sent_views = SentViews()
        # What they should have: epoch and seq of the last outcome that the journal holds, the name
        # of the key that signs now, the first bytes of the table's digest.
        self.newest = (0, 0)
        self.kid = b""
        self.table = bytes(messages.TABLE_HELD_SIZE)
        self._session = session
        self._arbiter = arbiter
        self._slot_us = plan.slot_us
        self._slot_end_us = 0
        self._retries_max = plan.retries
        self._retries = 0  # in this round
        self._is_retry = False  # the last ask was one
        self._next = 0  # whose ask is next, of the places
        self._unheard: Any = None  # who was asked last, until it answers
        self._troubles: list[tuple[str, str]] = []
        self._ended: list[tuple[str, str]] = []

    def ask(self, now_us: int) -> bytes:
        """Gives the frame of the next ask; the line is free and there are displays."""
        place = self._unheard
        can_retry = self._retries < self._retries_max and not self._is_retry
        # Who was silent, though its last challenge was good until the slot's end: asked once more.
        self._is_retry = place is not None and can_retry and place.is_fresh(self._slot_end_us)
        if self._is_retry:
            self._retries += 1
        else:
            if self._next == 0:
                self._retries = 0
            place = self.places[self._next]
            self._next = (self._next + 1) % len(self.places)
            self._watch(place, now_us)
        place.counter += 1
        place.replied = 0
        envelope = Envelope(place.address, self._session, place.counter)
        framed = frame.encode(message_bytes.ask_bytes(envelope, place.key))
        self._arbiter.sent(len(framed), now_us)
        # Slots follow each other by whole periods, however late in its period each was begun.
        begun_us = self._slot_end_us if 0 <= now_us - self._slot_end_us < slots.LOOP_US else now_us
        self._slot_end_us = begun_us + self._slot_us
        self._arbiter.allow_answer(place, self._slot_end_us)
        self._unheard = place
        return framed

    def feed(self, payload: bytes, now_us: int) -> None:
        """Takes a payload that came by `now_us`."""
        address = message_bytes.address_of(payload, messages.ANSWER)
        for place in self.places:
            if place.address == address:
                self._hear(place, payload, now_us)

    def answers(self, now_us: int) -> "Sequence[tuple[int, bytes, bytes]]":
        """Address, key and challenge of each display whose challenge is fresh."""
        return [
            (place.address, place.key, place.challenge)
            for place in self.places
            if place.is_fresh(now_us)
        ]

    def beat(self) -> None:
        """Counts a heartbeat that leaves."""
        for place in self.places:
            place.beats = 1

    def is_lacking(self) -> bool:
        """Tells whether somebody lacks a record, a key or the table."""
        return any(place.want or place.lacks_key or place.lacks_table for place in self.places)

    def lacking_key(self) -> "Sequence[Place]":
        """Gives who lacks a key, once all who do can hear of it together."""
        found = [place for place in self.places if place.lacks_key]
        for place in self.places:
            if place.asked_us is None or (place in found and place.is_dark and not place.beats):
                return []
        return found

    def all_heard(self, now_us: int) -> bool:
        """Tells whether nobody is silent, so that a round takes less time than it may."""
        return all(place.is_fresh(now_us) for place in self.places)

    def is_any_heard(self, now_us: int) -> bool:
        """Tells whether anybody's challenge may be answered."""
        return any(place.is_fresh(now_us) for place in self.places)

    def is_behind(self) -> bool:
        """Tells whether a display that answers, and can, does not yet light what was told last."""
        return any(
            place.challenge
            and BELIEVES_LATER not in place.faults
            and SILENT not in place.faults
            and not self.sent_views.is_last(place.lit)
            for place in self.places
        )

    def standings(self, now_us: int) -> "Sequence[Any]":
        """Tells how each display stands, as plain values for a technician."""
        return [
            {
                "address": place.address,
                "asks": place.counter,
                "answers": place.answers,
                "heard_ms": (now_us - place.heard_us) // 1000 if place.answers else None,
                "lights": LIGHTS[self.sent_views.judge(place.lit, now_us)]
                if place.answers
                else None,
                "shown": self.sent_views.shown(place.lit),
                "faults": list(place.faults),
            }
            for place in self.places
        ]

    def troubles(self) -> "Sequence[tuple[str, str]]":
        """Gives what is newly wrong: (code of firmware/core/faults.py, detail)."""
        found = self._troubles
        self._troubles = []
        return found

    def ended(self) -> "Sequence[tuple[str, str]]":
        """Gives what was told by `troubles` and has newly ended, the same way."""
        found = self._ended
        self._ended = []
        return found

    def _hear(self, place: Place, payload: bytes, now_us: int) -> None:
        opened = message_bytes.open_answer(payload, place.key)
        if opened is None:
            return
        envelope, answer = opened
        if envelope.session != self._session or envelope.counter != place.counter:
            return
        # The tick that ends a slot still reads what came within it.
        if self._arbiter.answered(place, now_us - slots.LOOP_US):
            self._unheard = None
            place.replied = answer.boot
            self._note(place, answer, now_us)
        elif place.replied not in (0, answer.boot):
            # The second answer to one ask: another display has that address, and its key.
            _remember(place, answer.boot, now_us)
            self._tell(place, TWO_AT_ONE_ADDRESS, True)

    def _note(self, place: Place, answer: Answer, now_us: int) -> None:
        """What an answer says of its display."""
        if _remember(place, answer.boot, now_us):
            self._tell(place, TWO_AT_ONE_ADDRESS, True)
        if place.is_missed:
            place.is_missed = False
            self._ended.append((SILENT, str(place.address)))
        silent_us = now_us - place.heard_us
        place.heard_us = now_us
        place.answers += 1
        place.beats = 0
        place.waits_since_us = now_us
        place.challenge = answer.challenge
        place.lit = answer.lit
        place.is_dark = self.sent_views.is_dark(answer.lit)
        place.want = answer.want
        believed = (answer.epoch, answer.seq)
        if place.is_dark and believed < self.newest:
            place.want = self.newest[1]  # which it does not know yet
        if answer.kid != place.kid:
            place.leads, place.led_us = 0, 0
        place.kid = answer.kid
        place.lacks_key = answer.kid != self.kid and now_us >= place.led_us
        place.lacks_table = not place.is_dark and answer.table != self.table
        if silent_us >= SILENT_US:
            silent_us = 0  # what it lit meanwhile is not known, and it may need a while
        self._judge(place, self.sent_views.judge(answer.lit, now_us), silent_us)
        self._tell(place, BELIEVES_LATER, believed > self.newest)

    def _judge(self, place: Place, found: int, passed_us: int) -> None:
        """Tells whether it lights what it was told, and has for the time that passed."""
        if found == DASH:
            place.lacking_us += passed_us
            place.lacks_number = place.lacks_number or not place.is_dark
        elif found != WRONG and not (found == BARE and place.lacks_number):
            # A number that was never lit is not forgotten, however soon the next coup begins.
            place.lacking_us, place.lacks_number = 0, False
        self._tell(place, LIGHTS_OTHER, found == WRONG or place.lacking_us > SILENT_US)

    def _watch(self, place: Place, now_us: int) -> None:
        """Notices silence, and that it or a conflict is over."""
        place.boots = [boot for boot in place.boots if now_us - boot[1] < SILENT_US]
        if place.asked_us is None or now_us - place.asked_us > SILENT_US:
            place.waits_since_us = now_us  # nobody was asked for a while, and so nobody silent
        place.asked_us = now_us
        if len(place.boots) < 2:
            self._tell(place, TWO_AT_ONE_ADDRESS, False)
        self._tell(place, SILENT, now_us - place.waits_since_us >= SILENT_US)

    def _tell(self, place: Place, code: str, is_wrong: bool) -> None:
        """Tells a fault once for as long as it lasts."""
        if not is_wrong:
            if code in place.faults:
                place.faults.remove(code)
        elif code not in place.faults:
            place.faults.append(code)
            place.is_missed = place.is_missed or code == SILENT
            self._troubles.append((code, str(place.address)))


def _remember(place: Place, boot: int, now_us: int) -> bool:
    """Notes who answered; whether an older one did though a newer one is there: no restart."""
    for at, known in enumerate(place.boots):
        if known[0] == boot:
            known[1] = now_us
            return at + 1 < len(place.boots)
    place.boots = place.boots[1 - BOOTS_MAX :] + [[boot, now_us]]
    return False
