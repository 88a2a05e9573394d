"""One display, asked and told by hand: what it believes of whom, and for how long."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.bus import frame, message_bytes, messages, record
from firmware.bus.frame import Deframer
from firmware.bus.messages import Answer, Envelope, Heartbeat
from firmware.bus.receiver import CHALLENGES_MAX, DARK, FRESH_US, Receiver
from firmware.store import signing
from tools.busbench import TABLE, Ledger

KEY = bytes(range(32))
LEDGER = Ledger()
for _number in (17, 18, 20):
    LEDGER.result(_number)
OTHER = Ledger(b"another wheel's own key.........")
for _number in (36, 36, 36):
    OTHER.result(_number)
TOLD_TABLE = message_bytes.table_bytes(TABLE)
BEAT = Heartbeat(
    1, 1, "roulette", "CONFIRMED", 3, 1, 3, record.digest(LEDGER.records[2]), 3,
    LEDGER.signer.kid, 1, True, message_bytes.table_digest(TOLD_TABLE),
)  # fmt: skip
OPEN = BEAT._replace(state="BETS_OPEN", coup=4)


class Hand:
    """A controller by hand, with the display's key."""

    def __init__(self, **more: Any) -> None:
        self.display = Receiver(3, KEY, LEDGER.root, 77, signing.verify)
        self.counter = 0
        self.challenge = b""
        self.lit_at_once = DARK

    def ask(self, at_us: int, session: int = 1, counter: int | None = None) -> Answer | None:
        """Asks, and keeps the challenge."""
        self.counter += 1
        envelope = Envelope(3, session, self.counter if counter is None else counter)
        asked = frame.encode(message_bytes.ask_bytes(envelope, KEY))
        reply = self.display.feed(asked, at_us)
        if not reply:
            return None
        (payload,) = Deframer().feed(reply)
        opened = message_bytes.open_answer(payload, KEY)
        assert opened is not None
        assert opened[0] == envelope
        self.challenge = opened[1].challenge
        return opened[1]

    def tell(self, told: Heartbeat, at_us: int, challenge: bytes | None = None) -> None:
        """A heartbeat that answers the last challenge."""
        challenge = self.challenge if challenge is None else challenge
        answers = [(1, bytes(32), bytes(8)), (3, KEY, challenge)]
        self.say(message_bytes.answered(message_bytes.heartbeat_bytes(told), answers), at_us)

    def record(self, data: bytes, at_us: int) -> None:
        self.say(message_bytes.record_bytes(data), at_us)

    def say(self, payload: bytes, at_us: int) -> None:
        assert self.display.feed(frame.encode(payload), at_us) == b""
        self.lit_at_once = self.display.lit
        while self.display.work():
            pass
        self.display.tick(at_us)


def lit() -> Hand:
    """A display that lights the last result of the ledger, asked at 0."""
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    for data in reversed(LEDGER.records):
        hand.record(data, 2_000)
    assert hand.display.lit.number == 20
    return hand


def test_there_is_a_dash_before_anything_is_heard() -> None:
    display = Hand().display
    assert display.lit == DARK
    assert display.deadline_us is None


def test_a_named_and_signed_number_is_lit() -> None:
    found = lit().display.lit
    assert (found.state, found.number, found.colour, found.seq) == ("CONFIRMED", 20, "black", 3)
    assert (found.epoch, found.coup, found.rotor, found.game) == (1, 3, 1, "roulette")
    assert found.history == ((17, "black"), (18, "red"), (20, "black"))
    assert (found.wheel, found.layout_verified, found.manual) == ("table 7", True, False)


def test_the_dash_comes_a_second_after_the_challenge_not_after_the_answer() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(OPEN, 900_000)
    assert hand.display.deadline_us == FRESH_US
    hand.display.tick(FRESH_US - 1)
    assert hand.display.lit.state == "BETS_OPEN"
    hand.display.tick(FRESH_US)
    assert hand.display.lit == DARK


def test_a_challenge_answered_after_a_second_lights_nothing() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(OPEN, FRESH_US)
    assert hand.lit_at_once == hand.display.lit == DARK


def test_an_older_challenge_answered_later_shortens_nothing() -> None:
    hand = Hand()
    hand.ask(0)
    first = hand.challenge
    hand.ask(400_000)
    hand.tell(OPEN, 410_000)
    hand.tell(OPEN._replace(counter=2), 420_000, first)
    assert hand.display.deadline_us == 400_000 + FRESH_US


def test_a_heartbeat_that_answers_nobody_here_changes_nothing() -> None:
    hand = lit()
    before = hand.display.lit
    told = message_bytes.heartbeat_bytes(OPEN._replace(counter=9))
    for answers in ([], [(4, KEY, hand.challenge)], [(3, bytes(32), hand.challenge)]):
        hand.say(message_bytes.answered(told, answers), 500_000)
    assert hand.display.lit == before
    assert hand.display.deadline_us == FRESH_US


def test_what_comes_again_or_in_disorder_changes_nothing() -> None:
    hand = lit()
    hand.tell(OPEN._replace(counter=5), 3_000)
    assert hand.display.lit.state == "BETS_OPEN"
    for counter in (5, 4, 1):
        hand.tell(BEAT._replace(counter=counter), 4_000)
    assert hand.display.lit.state == "BETS_OPEN"


def test_a_challenge_never_comes_twice() -> None:
    hand = Hand()
    seen = []
    for turn in range(300):
        answer = hand.ask(turn * 10_000)
        assert answer is not None
        seen.append(answer.challenge)
    assert len(set(seen)) == 300
    assert len(hand.display._challenges) == CHALLENGES_MAX


def test_a_number_that_no_record_names_is_a_dash() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    assert (hand.display.lit.state, hand.display.lit.number) == ("CONFIRMED", None)
    hand.record(OTHER.records[2], 1_000)  # of another wheel
    hand.record(LEDGER.records[1], 1_000)  # the one before
    assert hand.display.lit.number is None
    hand.tell(BEAT._replace(counter=2, coup=9), 2_000)
    hand.record(LEDGER.records[2], 2_000)  # true, but of another coup than the heartbeat's
    assert hand.display.lit.number is None


def test_a_record_of_another_digest_is_not_the_one_that_is_named() -> None:
    hand = Hand()
    hand.ask(0)
    twin = Ledger()
    for number in (17, 18, 36):
        twin.result(number)
    hand.tell(BEAT, 1_000)
    hand.record(twin.records[2], 1_000)  # truly signed, for the same seq: it cannot exist
    assert hand.display.lit.number is None
    assert not hand.display.work()


def test_two_records_of_one_sequence_are_a_dash() -> None:
    """A journal put back to an old copy without a new epoch: both are signed."""
    hand = lit()
    twin = Ledger()
    for number in (17, 18, 36):
        twin.result(number)
    hand.tell(BEAT._replace(counter=2, digest=record.digest(twin.records[2])), 3_000)
    hand.record(twin.records[2], 3_000)
    assert hand.display.lit.number is None


def test_a_record_of_another_epoch_never_fills_a_gap() -> None:
    old = Ledger(epoch=2)
    old.result(36)
    old.result(36)
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.record(LEDGER.records[2], 2_000)
    assert hand.ask(3_000).want == 2
    hand.record(old.records[1], 4_000)
    assert hand.display.lit.history == ((20, "black"),)
    assert hand.ask(5_000).want == 2


def test_a_session_that_is_alive_is_the_only_one_that_is_answered() -> None:
    hand = lit()
    assert hand.ask(500_000, session=2) is None
    assert hand.ask(FRESH_US - 1) is not None  # but no heartbeat answers it
    assert hand.ask(FRESH_US, session=2) is not None
    hand.tell(OPEN._replace(session=2), FRESH_US + 1_000)
    assert hand.display.lit.state == "BETS_OPEN"
    assert hand.ask(FRESH_US + 2_000, session=1, counter=99) is None


def test_two_sessions_that_asked_do_not_take_turns() -> None:
    hand = Hand()
    hand.ask(0, session=1)
    first = hand.challenge
    hand.ask(10_000, session=2)
    hand.tell(OPEN._replace(session=2), 20_000)
    hand.tell(BEAT._replace(session=1, counter=50), 30_000, first)
    assert hand.display.lit.state == "BETS_OPEN"


def test_the_greatest_counter_does_not_outlive_who_said_it() -> None:
    """Somebody had the display's key for a while, and the session."""
    hand = Hand()
    hand.ask(0)
    hand.tell(OPEN._replace(counter=2**32 - 1), 1_000)
    hand.ask(500_000)
    hand.tell(BEAT._replace(counter=7), 501_000)
    assert hand.display.lit.state == "BETS_OPEN"
    hand.ask(FRESH_US + 1)
    hand.tell(BEAT._replace(counter=8), FRESH_US + 2)
    assert hand.display.lit.state == "CONFIRMED"


def test_a_session_is_believed_only_for_what_it_asked_itself() -> None:
    hand = Hand()
    hand.ask(0, session=1)
    hand.tell(OPEN._replace(session=2), 1_000)
    assert hand.display.lit == DARK


def test_an_ask_counts_once() -> None:
    hand = Hand()
    assert hand.ask(0, counter=7) is not None
    assert hand.ask(1_000, counter=7) is None
    assert hand.ask(2_000, counter=6) is None
    assert hand.ask(3_000, counter=8) is not None


def test_an_ask_that_is_not_the_last_frame_is_answered_no_more() -> None:
    hand = Hand()
    asked = frame.encode(message_bytes.ask_bytes(Envelope(3, 1, 1), KEY))
    other = frame.encode(message_bytes.answered(message_bytes.heartbeat_bytes(BEAT), []))
    assert hand.display.feed(asked + other, 0) == b""
    asked = frame.encode(message_bytes.ask_bytes(Envelope(3, 1, 2), KEY))
    assert hand.display.feed(other + asked, 0) != b""


def test_an_ask_to_another_address_or_with_another_key_is_not_answered() -> None:
    hand = Hand()
    for address, key in ((4, KEY), (3, bytes(32))):
        asked = frame.encode(message_bytes.ask_bytes(Envelope(address, 1, 1), key))
        assert hand.display.feed(asked, 0) == b""
    assert hand.display._challenges == []


def test_it_answers_what_it_lights_believes_and_lacks() -> None:
    hand = Hand()
    answer = hand.ask(0)
    assert answer is not None
    assert answer.lit == messages.lit_digest("STALE", None, 0, 0)
    assert (answer.epoch, answer.seq, answer.want, answer.table) == (0, 0, 0, bytes(4))
    hand.tell(BEAT, 1_000)
    answer = hand.ask(2_000)
    assert answer is not None
    assert (answer.want, answer.lit) == (3, messages.lit_digest("CONFIRMED", None, 1, 3))
    hand.record(LEDGER.records[2], 3_000)
    hand.say(TOLD_TABLE, 3_000)
    answer = hand.ask(4_000)
    assert answer is not None
    assert answer.lit == messages.lit_digest("CONFIRMED", 20, 1, 3)
    assert (answer.epoch, answer.seq, answer.want) == (1, 3, 2)
    assert answer.table == BEAT.table[:4]
    assert hand.display.lit.table == TABLE
    assert answer.kid == record.key_id(LEDGER.root)


def test_a_table_that_no_live_heartbeat_names_is_not_believed() -> None:
    hand = Hand()
    hand.say(TOLD_TABLE, 0)
    hand.ask(0)
    hand.tell(OPEN._replace(table=bytes(8)), 1_000)
    hand.say(TOLD_TABLE, 2_000)
    assert hand.display.lit.table is None
    hand.tell(OPEN._replace(counter=2), 3_000)
    hand.say(TOLD_TABLE.replace(b"table 7", b"table 8"), 4_000)
    assert hand.display.lit.table is None
    hand.say(TOLD_TABLE, 4_000)
    assert hand.display.lit.table == TABLE
    hand.tell(OPEN._replace(counter=3, table=bytes(8)), 5_000)
    assert hand.display.lit.table is None


def test_a_lost_port_is_a_dash_at_once_and_nothing_old_answers() -> None:
    hand = lit()
    hand.display.drop()
    assert hand.display.lit == DARK
    hand.tell(BEAT._replace(counter=2), 3_000)
    assert hand.display.lit == DARK
    hand.ask(4_000)
    hand.tell(BEAT._replace(counter=3), 5_000)
    assert hand.display.lit.number == 20  # the records are still here


def test_below_what_was_believed_nothing_is_lit() -> None:
    hand = lit()
    old = BEAT._replace(counter=2, seq=2, coup=2, past=2, digest=record.digest(LEDGER.records[1]))
    hand.tell(old, 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())
    hand.record(LEDGER.records[1], 4_000)
    assert hand.display.lit.number is None
    hand.tell(BEAT._replace(counter=3), 5_000)
    assert hand.display.lit.number == 20


def test_another_game_of_a_record_is_not_lit() -> None:
    hand = lit()
    hand.tell(BEAT._replace(counter=2, game="boule"), 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())


@pytest.mark.parametrize("state", ["DETECTED", "MANUAL", "FAULT", "BETS_OPEN", "VOID"])
def test_no_other_state_lights_the_number(state: str) -> None:
    hand = lit()
    hand.tell(BEAT._replace(counter=2, state=state), 3_000)
    found = hand.display.lit
    assert (found.state, found.number, found.colour, found.reason) == (state, None, None, None)


def test_there_is_no_history_while_the_newest_which_may_correct_it_is_on_its_way() -> None:
    hand = lit()
    ledger = Ledger()
    for number in (17, 18, 20, 36):
        ledger.result(number)
    named = record.digest(ledger.records[3])
    told = BEAT._replace(counter=2, coup=4, seq=4, past=4, digest=named)
    hand.tell(told, 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())
    hand.record(ledger.records[3], 4_000)
    found = hand.display.lit
    assert found.history == ((17, "black"), (18, "red"), (20, "black"), (36, "red"))


def test_an_earlier_rotation_played_again_leads_nobody_back() -> None:
    ledger, hand = Ledger(), Hand()
    hand.ask(0)
    for turn in range(3):
        ledger.rotate(b"key number %3d.................." % turn)
    told = OPEN._replace(kid=ledger.signer.kid, digest=bytes(8), seq=0, past=0)
    hand.tell(told, 1_000)
    for at in (0, 1, 0, 0, 2):
        hand.record(ledger.rotations[at], 2_000)
    assert hand.display._believed.kid == ledger.signer.kid


def forged(seq: int) -> bytes:
    """A record in the wheel's name, of that sequence, that its key did not sign."""
    data = bytearray(LEDGER.records[seq - 1])
    data[-1] ^= 1
    assert record.parse(bytes(data)) is not None
    return bytes(data)


def test_what_the_wheel_did_not_sign_fills_no_gap() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.record(LEDGER.records[2], 2_000)
    hand.record(forged(2), 3_000)
    assert hand.display.lit.history == ((20, "black"),)
    hand.record(LEDGER.records[1], 4_000)
    assert hand.display.lit.history == ((18, "red"), (20, "black"))


def test_what_the_wheel_did_not_sign_is_not_lit_though_a_heartbeat_names_it() -> None:
    """Who stole the display's key makes heartbeats, but no number."""
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT._replace(digest=record.digest(forged(3))), 1_000)
    hand.record(forged(3), 2_000)
    assert (hand.display.lit.state, hand.display.lit.number) == ("CONFIRMED", None)
    assert hand.display._believed.newest == (0, 0)
    fake = OTHER.records[2].replace(OTHER.signer.kid, LEDGER.signer.kid)
    hand.tell(BEAT._replace(counter=2, digest=record.digest(fake)), 3_000)
    hand.record(fake, 3_000)
    assert hand.display.lit.number is None


def test_a_rotation_that_the_wheel_did_not_sign_leads_nowhere() -> None:
    ledger, thief, hand = Ledger(), Ledger(b"a thief's key..................."), Hand()
    thief.rotate(b"a thief's second key............")
    fake = thief.rotations[0].replace(record.key_id(thief.root), ledger.signer.kid)
    hand.ask(0)
    hand.tell(OPEN._replace(kid=bytes(8)), 1_000)
    hand.record(fake, 2_000)
    assert hand.display._believed.kid == ledger.signer.kid


def counted(hand: Hand) -> list[bytes]:
    """Every signature that this display checks from now on."""
    checked: list[bytes] = []

    def verify(public: bytes, signature: bytes, message: bytes) -> bool:
        checked.append(signature)
        return signing.verify(public, signature, message)

    hand.display._believed._verify = verify
    return checked


def test_forged_records_cost_no_check_and_true_ones_one_for_all() -> None:
    hand = Hand()
    checked = counted(hand)
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    for seq in (1, 2, 3):
        hand.record(forged(seq), 2_000)
    assert checked == []
    assert hand.ask(2_500).want == 3
    for data in reversed(LEDGER.records):
        hand.record(forged(1), 3_000)
        hand.record(data, 3_000)
    assert len(hand.display.lit.history) == 3
    assert len(checked) == 1


def test_what_is_named_and_waits_to_be_checked_is_asked_for_no_more() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.display.feed(frame.encode(message_bytes.record_bytes(LEDGER.records[2])), 2_000)
    assert hand.ask(3_000).want == 0
    assert hand.display.work()
    hand.display.tick(4_000)
    assert (hand.display.lit.number, hand.ask(5_000).want) == (20, 2)


def test_the_past_is_that_of_the_newest_record_alone() -> None:
    """A journal put back to an old copy, or a fork by a stolen key: all of it is signed."""
    twin, hand = Ledger(), Hand()
    for _ in range(3):
        twin.result(36)
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.record(LEDGER.records[2], 2_000)
    for data in reversed(twin.records):
        hand.record(data, 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (20, ((20, "black"),))
    hand.record(LEDGER.records[1], 4_000)
    assert hand.display.lit.history == ((18, "red"), (20, "black"))


def corrected() -> tuple[Ledger, Heartbeat]:
    """Two coups, 17 and 18; then the first is corrected to 20."""
    ledger = Ledger()
    ledger.result(17)
    ledger.result(18)
    ledger.correct(1, 20)
    return ledger, BEAT._replace(coup=2, digest=record.digest(ledger.records[2]))


def test_the_number_before_a_correction_is_that_of_the_same_journal() -> None:
    (ledger, told), twin, hand = corrected(), Ledger(), Hand()
    twin.result(36)
    twin.result(36)
    hand.ask(0)
    hand.tell(told, 1_000)
    for data in (ledger.records[2], twin.records[1]):
        hand.record(data, 2_000)
    assert hand.display.lit.number is None
    hand.record(ledger.records[1], 3_000)
    assert hand.display.lit.number == 18


@pytest.mark.parametrize("coup", [1, 2])
def test_the_newest_record_with_an_older_coup_lights_nothing(coup: int) -> None:
    """Somebody has this display's key, and says the rest as it is."""
    hand = lit()
    hand.tell(BEAT._replace(counter=2, coup=coup), 3_000)
    assert (hand.display.lit.state, hand.display.lit.number) == ("CONFIRMED", None)


@pytest.mark.parametrize(("coup", "number"), [(1, None), (2, 18), (3, None)])
def test_the_corrected_coup_is_lit_only_if_it_is_the_last(coup: int, number: int | None) -> None:
    (ledger, told), hand = corrected(), Hand()
    hand.ask(0)
    hand.tell(told._replace(coup=coup), 1_000)
    for data in reversed(ledger.records):
        hand.record(data, 2_000)
    assert hand.display.lit.number == number
    assert hand.display.lit.history == ((20, "black"), (18, "red"))


@pytest.mark.parametrize(("past", "number"), [(0, None), (1, None), (2, 18), (3, 18)])
def test_no_more_is_believed_than_the_heartbeat_says(past: int, number: int | None) -> None:
    (ledger, told), hand = corrected(), Hand()
    hand.ask(0)
    hand.tell(told._replace(past=past), 1_000)
    for data in reversed(ledger.records):
        hand.record(data, 2_000)
    assert hand.display.lit.number == number
    assert len(hand.display.lit.history) <= past


def test_what_is_held_already_is_bound_to_the_heartbeat_just_so() -> None:
    """Whoever has this display's key names an old record as a newer one, or less of the past."""
    hand = lit()
    old = record.digest(LEDGER.records[1])
    hand.tell(BEAT._replace(counter=2, coup=2, seq=9, digest=old), 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())
    hand.tell(BEAT._replace(counter=3, past=2), 4_000)
    assert hand.display.lit.history == ((18, "red"), (20, "black"))


def test_any_number_of_rotations_is_followed_and_no_key_kept_but_two() -> None:
    ledger, hand = Ledger(), Hand()
    hand.ask(0)
    for turn in range(40):
        ledger.rotate(b"key number %3d.................." % turn)
    told = OPEN._replace(kid=ledger.signer.kid, digest=bytes(8), seq=0, past=0)
    hand.tell(told, 1_000)
    for rotation in ledger.rotations:
        hand.record(rotation, 2_000)
    assert hand.display._believed.kid == ledger.signer.kid


def test_a_forged_rotation_costs_one_check_until_the_display_asks_again() -> None:
    ledger, hand = Ledger(), Hand()
    ledger.rotate(b"the house's second key..........")
    checked = counted(hand)
    hand.ask(0)
    hand.tell(OPEN._replace(kid=ledger.signer.kid), 1_000)
    true = ledger.rotations[0]
    for turn in range(50):
        hand.record(true[:-1] + bytes([true[-1] ^ 1 + turn]), 2_000)
    assert len(checked) == 1
    hand.record(true, 3_000)
    assert len(checked) == 1
    hand.ask(4_000)
    hand.record(true, 5_000)
    assert hand.display._believed.kid == ledger.signer.kid
    hand.record(true, 6_000)
    assert len(checked) == 2  # who lacks nothing checks nothing


def test_who_checks_slowly_is_dark_meanwhile_and_lit_afterwards() -> None:
    """A microcontroller that takes 3 s for a signature, with a screen of its own."""
    takes_us, now_us, screen = 3_000_000, [0], [DARK]
    hand = Hand()

    def verify(public: bytes, signature: bytes, message: bytes) -> bool:
        assert screen[0] == DARK
        now_us[0] += takes_us
        return signing.verify(public, signature, message)

    hand.display._believed._verify = verify
    for turn in range(1, 40):
        now_us[0] += 100_000
        hand.ask(now_us[0])
        told = message_bytes.heartbeat_bytes(BEAT._replace(counter=turn))
        for payload in (
            message_bytes.answered(told, [(3, KEY, hand.challenge)]),
            message_bytes.record_bytes(LEDGER.records[2]),
        ):
            hand.display.feed(frame.encode(payload), now_us[0])
            screen[0] = hand.display.lit
            while hand.display.waits(now_us[0], takes_us):
                screen[0] = hand.display.lit
                hand.display.work()
                hand.display.tick(now_us[0])
                screen[0] = hand.display.lit
    assert now_us[0] < 8_000_000
    assert screen[0].number == 20


def test_who_checks_quickly_stays_lit() -> None:
    hand = lit()
    ledger = Ledger()
    for number in (17, 18, 20, 36):
        ledger.result(number)
    named = record.digest(ledger.records[3])
    told = message_bytes.heartbeat_bytes(
        BEAT._replace(counter=2, coup=4, seq=4, past=4, digest=named)
    )
    assert not hand.display.waits(3_000)
    for payload in (
        message_bytes.answered(told, [(3, KEY, hand.challenge)]),
        message_bytes.record_bytes(ledger.records[3]),
    ):
        hand.display.feed(frame.encode(payload), 3_000)
    assert hand.display.waits(FRESH_US - 20_001, 20_000)
    assert hand.display.lit.state == "CONFIRMED"
    assert hand.display.waits(FRESH_US - 20_000, 20_000)
    assert hand.display.lit == DARK
    hand.display.work()
    hand.display.tick(FRESH_US - 1_000)
    assert hand.display.lit.number == 36


SOUP = (
    [frame.encode(message_bytes.record_bytes(data)) for data in LEDGER.records + OTHER.records]
    + [frame.encode(TOLD_TABLE), b"\x00noise", b"\xff" * 600]
    + [
        frame.encode(
            message_bytes.answered(
                message_bytes.heartbeat_bytes(BEAT._replace(counter=counter)),
                [(3, key, bytes(8))],
            )
        )
        for counter, key in ((2, bytes(32)), (2**32 - 1, KEY))
    ]
)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, len(SOUP) - 1), st.binary(max_size=6)), max_size=40))
def test_nothing_unproved_changes_anything(parts: list[Any]) -> None:
    """True records, false ones, heartbeats for other challenges, noise; before and while lit."""
    dark, bright = Hand(), lit()
    shown = bright.display.lit
    deadline = bright.display.deadline_us
    for place, noise in parts:
        data = noise + b"\0" + SOUP[place]
        for hand in (dark, bright):
            assert hand.display.feed(data, 5_000) == b""
            while hand.display.work():
                pass
            hand.display.tick(5_000)
        assert dark.display.lit == DARK
        assert bright.display.lit._replace(table=None) == shown._replace(table=None)
        assert bright.display.deadline_us == deadline
    assert dark.display._believed.newest == (0, 0)
    answer = dark.ask(6_000)
    assert answer is not None
    assert (answer.want, answer.kid, answer.table) == (0, record.key_id(LEDGER.root), bytes(4))
