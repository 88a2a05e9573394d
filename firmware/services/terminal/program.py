"""A virtual terminal as a process: a serial line, a player who types or a script, and the truth."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from drivers.acceptor import CardIn, CardOut, Inserted, SimulatedAcceptor
from firmware.bus.terminal import (
    STALE_US,
    UNHEARD,
    WAITING_MAX,
    Decided,
    Settled,
    Terminal,
    Unseated,
)
from firmware.bus.terminal_messages import Decide, PutIn, SignOff, SignOn, Stake
from firmware.keys.folder import read_terminal
from firmware.keys.pin_entry import ask_pin
from firmware.lib.errors import INTERRUPTED, OK, USAGE, Failure
from firmware.lib.language import Message, echo
from firmware.lib.serial_line import Line, LineLostError
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.lib.unseen import reveal
from firmware.services.terminal.commands import (
    CLEAR,
    DUE,
    HELP,
    LINE_MAX,
    ORDERS,
    PULL,
    QUIT,
    REPEAT,
    SETTLED,
    Card,
    Decision,
    Insert,
    Order,
    WrongOrder,
    check_account,
    parse,
    read_script,
    sign_on,
)
from firmware.services.terminal.player_stakes import PlayerStakes
from firmware.services.terminal.text import (
    CARD_STATES,
    AtCards,
    GivenBack,
    NotEntered,
    Turn,
    as_json,
    as_words,
)
from firmware.stakes.answers import CardSettled

_WAIT_US = 200_000  # how long it waits at most: a port that is gone is tried as often
_TYPED_MAX = 8 * LINE_MAX  # bytes without an end of line: more than any order has
# Bets of cards that lie on a seat: this one, if no other is named.
_AT_SEAT = ("main", "perfect_pairs", "super_black", "super_silver", "super_gold")
_PLACED_MAX = 1000  # stakes remembered by what they lay on


class Choices(NamedTuple):
    """What the command line chose."""

    port: str
    baud: int
    keys: Path
    address: int
    account: int | None
    pin_file: Path | None
    script: Path | None
    as_json: bool
    started_us: int


def run_terminal(choices: Choices) -> int:
    """Plays until it is told to quit or stopped; the exit code. Raises Failure."""
    key = read_terminal(choices.keys, choices.address)
    script = None if choices.script is None else read_script(choices.script)
    signs_on = None if choices.account is None else _seat(choices.account, choices.pin_file)
    terminal = Terminal(choices.address, key, int.from_bytes(os.urandom(4)))
    placed: dict[int, Stake] = {}

    def tell(told: Any) -> None:
        if choices.as_json:
            click.echo(as_json(told, now_us() - choices.started_us, placed))
        elif text := as_words(told, placed):
            echo(text)

    player = Player(terminal, script, tell, placed, signs_on, address=choices.address)
    line = Line(choices.port, choices.baud)
    line.open()
    reveal()
    if script is None and not choices.as_json and sys.stdin.isatty():
        _help(err=False)
    try:
        with Wake() as wake:
            serve(line, player, wake, sys.stdin.fileno() if script is None else None)
    finally:
        line.close()
    return INTERRUPTED if wake.stopped_by == SIGINT else OK


def _seat(account: int, pin_file: Path | None) -> SignOn:
    """Returns what signs on, once its player's PIN is asked for. Raises Failure."""
    try:
        check_account(account, str(account))
        return sign_on(account, ask_pin(str(account), pin_file))
    except WrongOrder as error:
        raise Failure(USAGE, error.args[0]) from None


class Player:
    """Who sits at the terminal: asks what is typed or scripted, is told what happens."""

    def __init__(
        self,
        terminal: Terminal,
        script: Sequence[Order] | None,
        tell: Callable[[Any], None],
        placed: dict[int, Stake],
        seat: SignOn | None,
        *,
        address: int = 0,
        clock: Callable[[], int] | None = None,
    ) -> None:
        """`placed` is filled with what was accepted; `seat` is asked whenever the seat is free,
        until an employee signs him off; `address`: the terminal's, at a card table its seat;
        `clock`: of what is due, None for the machine's."""
        self._address = address
        self._clock = clock or now_us
        self.terminal = terminal
        self.leaving = False  # once all that was asked is decided
        self._script = list(script or ())
        self._tell = tell
        self._placed = placed
        self._seat = seat
        self._acceptor = SimulatedAcceptor()
        self._card_is_out = False  # and his seat is not free yet
        self._left_at = 0  # the coup in which that was asked last
        self._standing = UNHEARD
        self._settled = False
        self._at_cards = False  # a state was told that no wheel has
        self._typed: list[Any] = []  # and not done yet
        self._stakes = PlayerStakes()
        self._sums = self._stakes.sums  # as told
        self._signing = seat is not None
        if seat is not None:
            self._do(seat)

    def typed(self, text: str) -> None:
        """Takes a line that was typed."""
        try:
            order = parse(text)
        except WrongOrder as error:
            self._tell(error)
        else:
            if order is not None:
                self._take_typed(order.do)

    def _take_typed(self, do: Any) -> None:
        if len(self._typed) >= WAITING_MAX:
            why = Message(
                "too much is waiting already: the controller is not heard, or does not decide"
            )
            self._tell(WrongOrder(why))
            return
        self._typed.append(do)
        self._do_typed()

    def _do_typed(self) -> None:
        """Does what was typed; what is repeated or cleared shows once all before is decided."""
        while self._typed and (self.terminal.idle or self._typed[0] not in (REPEAT, CLEAR)):
            self._do(self._typed.pop(0))

    def after_step(self) -> None:
        """Tells after every step what happened, and goes on with the script."""
        for told in self.terminal.take_events():
            if isinstance(told, Decided) and told.accepted and isinstance(told.ask, Stake):
                self._placed[told.request] = told.ask
                if len(self._placed) > _PLACED_MAX:
                    del self._placed[min(self._placed)]
            if isinstance(told, Decided) and isinstance(told.ask, SignOn):
                self._signing = False
            if isinstance(told, Decided) and isinstance(told.ask, PutIn) and not told.accepted:
                self._tell(NotEntered(told.ask.cents))
            if isinstance(told, Unseated):  # who is to sit here from now on, a person says
                self._seat = None
            self._settled = self._settled or isinstance(told, Settled | CardSettled)
            self._stakes.take_event(told)
            self._tell(told)
        before, self._standing = self._standing, self.terminal.standing
        if before != self._standing:
            if before._replace(due=None) != self._standing._replace(due=None):
                self._at_cards = self._at_cards or self._standing.state in CARD_STATES
                said = AtCards(self._standing) if self._at_cards else self._standing
                self._tell(said)
            if before.due != self._standing.due:
                self._tell(Turn(self._standing.due, self._left_s()))
            if _may_sit(self._standing) and not _may_sit(before):
                self._sign_on_again()
        self._stakes.take_standing(self._standing)
        if self._sums != self._stakes.sums:
            self._sums = self._stakes.sums
            self._tell(self._sums)
        self._leave()
        self._do_typed()
        while self._script and self.terminal.idle and self._is_time(self._script[0]):
            self._settled = False
            self._do(self._script.pop(0).do)

    def _left_s(self) -> int | None:
        """Returns the seconds left for what is to be decided; None: no limit, or nothing is."""
        due = self._standing.due
        if due is None or due.until_us is None:
            return None
        return max(0, int(due.until_us) - self._clock()) // 1_000_000

    def _sign_on_again(self) -> None:
        """The seat has become free: the controller was started again, or a second terminal left."""
        if self._seat is not None and not self._signing:
            self._signing = True
            self._do(self._seat)

    def _is_time(self, order: Order) -> bool:
        standing = self._standing
        if standing.state is None or (self._seat is not None and not standing.seated):
            return False
        if order.coup is not None and standing.coup != order.coup:
            return False
        if order.state == SETTLED:
            return self._settled
        if order.state == DUE:
            return standing.due is not None
        return order.state in (None, standing.state)

    def _do(self, do: Any) -> None:
        if do == QUIT:
            self.leaving = True
            self._script.clear()
        elif do == HELP:
            _help(err=True)
        elif do == REPEAT:
            why_not = Message("there is nothing to repeat: no last stake of yours is known here")
            self._ask_each(self._stakes.repeated(), why_not)
        elif isinstance(do, Insert | Card) or do == PULL:
            self._use_acceptor(do)
        elif do == CLEAR:
            why_not = Message("there is nothing to take back: no stake that lies is known here")
            self._ask_each(self._stakes.cleared(), why_not)
        elif isinstance(do, Decision):
            due, why_not = self._standing.due, Message("nothing is to be decided here now")
            asks = [] if due is None else [_decide(do, due, self._standing.coup)]
            self._ask_each(asks, why_not)
        elif isinstance(do, Stake) and do.bet in _AT_SEAT and not do.on:
            self._ask_each([do._replace(on=(self._address,))], "")
        else:
            self._ask_each([do], "")

    def _use_acceptor(self, do: Any) -> None:
        """Does to the acceptor what its player would, and asks what follows."""
        acceptor = self._acceptor
        if isinstance(do, Insert):
            done, why_not = acceptor.insert(do.cents), Message("other money lies in the acceptor")
        elif isinstance(do, Card):
            done = acceptor.put_card(do.account, do.secret)
            why_not = Message("a card is in already: pull it out first")
        else:
            done, why_not = acceptor.pull_card(), Message("no card is in")
        if not done:
            self._tell(WrongOrder(why_not))
        for event in acceptor.take_events():
            if isinstance(event, Inserted):
                self._take_money(event.cents)
            elif isinstance(event, CardOut):
                self._seat, self._card_is_out = None, True
                self._left_at = self._standing.coup
                self._ask_each([SignOff()], "")
            else:
                self._take_card(event)

    def _take_money(self, cents: int) -> None:
        """Stacks a note that can be asked for, and gives any other back."""
        if not self._standing.seated or self._card_is_out:
            self._tell(WrongOrder(Message("the acceptor takes nothing: sign on first")))
        elif self._ask_each([PutIn(cents)], ""):
            self._acceptor.stack()
            return
        self._acceptor.give_back()
        self._tell(GivenBack(cents))

    def _take_card(self, card: CardIn) -> None:
        try:
            self._seat = sign_on(card.account, card.secret)
        except WrongOrder as error:
            self._acceptor.pull_card()
            self._acceptor.take_events()
            self._tell(error)
        else:
            self._card_is_out, self._signing = False, True
            self._ask_each([self._seat], "")

    def _leave(self) -> None:
        """Asks again to leave the seat of who pulled his card out, once his coup has ended."""
        if self._card_is_out and self._standing.seated and self.terminal.idle:
            if self._standing.coup != self._left_at:
                self._left_at = self._standing.coup
                self._ask_each([SignOff()], "")
        elif self._card_is_out and not self._standing.seated:
            self._card_is_out = False

    def _ask_each(self, asks: Sequence[Any], why_not: str) -> bool:
        """Asks one after the other; `why_not`: what is told if there is none. Returns whether all
        are asked.
        """
        if self._card_is_out and not all(isinstance(ask, SignOff | SignOn) for ask in asks):
            asks, why_not = (), Message("the card is out: nothing is asked for its player any more")
        if not asks:
            self._tell(WrongOrder(why_not))
        for ask in asks:
            try:
                self.terminal.ask(ask)
            except ValueError as error:
                self._tell(error)
                return False
        return bool(asks)


def _help(*, err: bool) -> None:
    for text in ORDERS:
        echo(text, err=err)


def _decide(do: Decision, due: Any, coup: int) -> Decide:
    """Returns what asks it of the hand that is due."""
    return Decide(coup, due.seat, due.hand, do.do, do.cents, due.seen)


def _may_sit(standing: Any) -> bool:
    """Returns whether the seat is free, as far as is known."""
    return standing.state is not None and not standing.seated and not standing.conflict


def serve(line: Line, player: Any, wake: Wake, typing: int | None) -> None:
    """Serves until the player quits or a signal stops it. `player`: a Player, or Followers."""
    terminal = player.terminal
    listened_us = now_us()
    typed = b""
    while wake.stopped_by is None and not (player.leaving and terminal.idle):
        waits_for: list[Any] = [wake]
        if line.is_open:
            waits_for.append(line)
        if typing is not None:
            waits_for.append(typing)
        ready, _, _ = select.select(waits_for, [], [], _wait_us(terminal) / 1e6)
        at_us = now_us()
        overslept = at_us - listened_us > STALE_US
        listened_us = at_us
        wake.read_signals()
        if typing is not None and typing in ready:
            data = os.read(typing, 4096)
            *lines, typed = (typed + data).split(b"\n")
            typed = typed[:_TYPED_MAX]
            for text in lines:
                player.typed(text.decode(errors="replace"))
            if not data:  # Ctrl-D, or the end of a file
                player.typed(typed.decode(errors="replace"))
                player.leaving = True
                typing = None
        _listen(line, terminal, at_us, readable=line in ready, overslept=overslept)
        player.after_step()


def _listen(line: Line, terminal: Any, now_us: int, *, readable: bool, overslept: bool) -> None:
    """Takes what came and replies at once. What waited too long is old, and not replied to."""
    terminal.tick(now_us)
    try:
        if not line.is_open:
            line.open()
            echo(Message("The port {port} is back.", port=line.port), err=True)
        elif overslept:
            terminal.drop()
            line.forget()
        elif readable:
            reply = terminal.feed(line.read(), now_us)
            if reply:
                line.write(reply)
    except LineLostError:
        terminal.drop()
        said = Message(
            "The port {port} is gone: plug it in again, the terminal waits.", port=line.port
        )
        echo(said, err=True)
    except Failure:
        pass  # still gone


def _wait_us(terminal: Any) -> int:
    deadline_us = terminal.deadline_us
    if deadline_us is None:
        return _WAIT_US
    return max(0, min(_WAIT_US, int(deadline_us) - now_us()))


def now_us() -> int:
    """Returns the machine's clock."""
    return time.monotonic_ns() // 1000
