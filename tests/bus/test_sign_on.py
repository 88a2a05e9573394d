"""A player signs on with the key of his account: what is listened to opens nothing, and who tries
keys waits longer each time."""

import pytest
from players import NAMES, key_of, on
from wire import KEYS, Bench

from firmware.bus import frame, terminal_bytes
from firmware.bus.frame import Deframer
from firmware.bus.terminal import Decided, OtherVersion, Settled, Terminal
from firmware.bus.terminal_host import TRIES, WAIT_US, WRONG_KEY
from firmware.bus.terminal_messages import (
    VERSION,
    Envelope,
    PutIn,
    Reply,
    SignOff,
    SignOn,
    SignOnProof,
    Stake,
    TakeBack,
)  # fmt: skip

WRONG = SignOn(1, key_of(2))


@pytest.mark.req("IEC-CR-1.2")
def test_neither_pin_nor_key_goes_over_the_line() -> None:
    bench = Bench(1)
    assert bench.asked(bench.terminals[0], on("anna")).accepted
    said = b"".join(data for _, _, data in bench.wire.log)
    assert key_of(1) not in said


def test_another_key_and_no_account_are_refused_in_the_same_words() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    for ask in (WRONG, SignOn(len(NAMES) + 1, key_of(1))):
        answer = bench.asked(anna, ask)
        assert (answer.accepted, answer.why) == (False, WRONG_KEY)
    assert bench.book.player(1) is None


def test_a_sign_on_that_was_listened_to_opens_nothing_in_another_poll() -> None:
    """The reply is signed anew by who has the terminal's key; the proof in it is of its poll."""
    bench = Bench(1)
    anna = bench.terminals[0]
    assert bench.asked(anna, on("anna")).accepted
    heard = []
    for _, who, data in bench.wire.log:
        for payload in Deframer().feed(data) if who is anna else ():
            opened = terminal_bytes.open_reply(payload, KEYS[1])
            if opened is not None and isinstance(opened[1].ask, SignOnProof):
                heard.append(opened)
    envelope, reply = heard[0]
    right = terminal_bytes.proof(envelope, KEYS[1], 1, key_of(1))
    assert reply.ask == SignOnProof(1, right)
    for later in (envelope._replace(counter=envelope.counter + 1), envelope._replace(session=1)):
        assert terminal_bytes.proof(later, KEYS[1], 1, key_of(1)) != right


def test_who_tries_keys_waits_longer_each_time_and_the_player_too() -> None:
    bench = Bench(2)
    thief, anna = bench.terminals
    for _ in range(TRIES):
        assert bench.asked(thief, WRONG).why == WRONG_KEY
    assert "too many sign-ons failed: wait 10 s" in bench.asked(thief, WRONG).why
    assert "wait" in bench.asked(anna, on("anna")).why  # at another terminal as well
    assert "wait" in bench.asked(thief, on("bert")).why  # and of another account
    bench.run(WAIT_US)
    assert bench.asked(thief, WRONG).why == WRONG_KEY
    assert "wait 20 s" in bench.asked(thief, WRONG).why
    bench.run(2 * WAIT_US)
    assert bench.asked(anna, on("anna")).accepted
    assert bench.asked(thief, on("bert")).accepted


def test_a_pulled_card_in_the_middle_of_a_stake_leaves_what_was_accepted() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    anna.ask(Stake(0, "rouge", 500, ()))
    anna.ask(SignOff())
    bench.run(2_000_000)
    stake, off = bench.of(anna, Decided)[-2:]
    assert stake.accepted
    assert (off.accepted, off.rule) == (False, "art. 20-3 a")
    assert bench.book.accepted_stakes(1) == [(stake.request, 500)]


def test_who_starts_a_terminal_anew_does_not_sit_on_another_players_seat() -> None:
    """Its power was off for a moment, and he never pulled his card."""
    bench = Bench(1)
    anna = bench.terminals[0]
    assert bench.asked(anna, on("anna")).accepted
    stake = bench.asked(anna, Stake(0, "rouge", 500, ()))
    again = Terminal(1, KEYS[1], 0xBEEF)
    bench.terminals[0] = again
    bench.happened[id(again)] = []
    bench.run(4_000_000)
    assert not again.standing.seated
    assert again.standing.funds_cents == 0
    for ask in (Stake(0, "noir", 500, ()), PutIn(500), TakeBack(stake.request)):
        assert not bench.asked(again, ask).accepted
    assert [one["id"] for one in bench.book.close(7)["stakes"]] == [stake.request]
    bench.book.ended({"coup": 7, "number": 1, "colour": "red", "stakes": bench.book.sealed(7)})
    bench.run(2_000_000)
    assert bench.of(again, Settled) == []
    assert bench.book.player(1) is None  # nothing lies any more
    assert bench.asked(again, on("bert")).accepted
    bench.run(1_000_000)
    assert bench.of(again, Settled) == []


def test_what_two_terminals_hide_is_decided_by_the_controller_alone() -> None:
    """A note that is being recorded as a second terminal replies is neither refused nor lost."""
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    anna.ask(PutIn(5_000))
    bench.run(300_000)
    bench.terminals.append(Terminal(1, KEYS[1], 0xBEEF))
    bench.happened[id(bench.terminals[-1])] = []
    bench.run(2_000_000, lambda: anna.standing.conflict)
    assert not [one for one in bench.of(anna, Decided) if isinstance(one.ask, PutIn)]
    for asked in bench.host.take_asked():
        bench.book.entered(*bench.book.entry(*asked))
    bench.terminals.pop()
    assert bench.run(9_000_000, lambda: anna.idle)
    (told,) = [one for one in bench.of(anna, Decided) if isinstance(one.ask, PutIn)]
    assert told.accepted


def test_money_put_in_is_decided_once_it_is_recorded() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    before = bench.book.funds_cents(1)
    anna.ask(PutIn(5_000))
    bench.run(2_000_000)
    assert not anna.idle  # the journal has not said that it has it
    (asked,) = bench.host.take_asked()
    kind, body = bench.book.entry(*asked)
    bench.book.entered(kind, body)
    assert bench.run(2_000_000, lambda: anna.idle)
    assert bench.of(anna, Decided)[-1].accepted
    assert bench.book.funds_cents(1) == before + 5_000
    assert list(bench.host.take_asked()) == []


def test_a_terminal_of_another_version_says_so_and_believes_nothing() -> None:
    terminal = Terminal(1, KEYS[1], 7)
    poll = Bench(1).host.poll(0)
    (payload,) = Deframer().feed(poll)
    older = frame.encode(bytes([VERSION - 1]) + payload[1:])
    for _ in range(3):
        assert terminal.feed(older, 1_000) == b""
    assert terminal.take_events() == [OtherVersion(VERSION - 1)]
    assert terminal.standing.state is None
    assert terminal.feed(poll, 2_000) != b""


def test_a_reply_of_another_version_places_nothing() -> None:
    reply = Reply(7, 1, 0, 0, 0, 0, 1, on("anna"))
    said = terminal_bytes.reply_bytes(Envelope(1, 5, 1), reply, KEYS[1])
    older = bytes([VERSION - 1]) + said[1:-8]
    from firmware.bus.mac import signed

    assert terminal_bytes.open_reply(signed(KEYS[1], older), KEYS[1]) is None
