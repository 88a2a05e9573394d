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

from firmware.bus.terminal import STALE_US, UNHEARD, Decided, Settled, Terminal, Unseated
from firmware.bus.terminal_messages import PLAYER_MAX, SignOn, Stake
from firmware.keys.folder import read_terminal
from firmware.lib.errors import INTERRUPTED, OK, USAGE, Failure
from firmware.lib.serial_line import Line, LineLostError
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.services.terminal.commands import (
    HELP,
    LINE_MAX,
    ORDERS,
    QUIT,
    SETTLED,
    Order,
    WrongOrder,
    parse,
    read_script,
)
from firmware.services.terminal.text import as_json, as_words

_WAIT_US = 200_000  # how long it waits at most: a port that is gone is tried as often
_TYPED_MAX = 8 * LINE_MAX  # bytes without an end of line: more than any order has
_PLACED_MAX = 1000  # stakes remembered by what they lay on


class Choices(NamedTuple):
    """What the command line chose."""

    port: str
    baud: int
    keys: Path
    address: int
    player: str | None
    script: Path | None
    as_json: bool
    started_us: int


def run_terminal(choices: Choices) -> int:
    """Plays until it is told to quit or stopped; the exit code. Raises Failure."""
    key = read_terminal(choices.keys, choices.address)
    script = None if choices.script is None else read_script(choices.script)
    if choices.player is not None and not 0 < len(choices.player.encode()) <= PLAYER_MAX:
        raise Failure(USAGE, f"--player: a name has 1 to {PLAYER_MAX} bytes.")
    terminal = Terminal(choices.address, key, int.from_bytes(os.urandom(4)))
    placed: dict[int, Stake] = {}

    def tell(told: Any) -> None:
        if choices.as_json:
            click.echo(as_json(told, _now_us() - choices.started_us, placed))
        elif text := as_words(told, placed):
            click.echo(text)

    player = Player(terminal, script, tell, placed, choices.player)
    line = Line(choices.port, choices.baud)
    line.open()
    if script is None and not choices.as_json and sys.stdin.isatty():
        click.echo("\n".join(ORDERS))
    try:
        with Wake() as wake:
            _serve(line, player, wake, sys.stdin.fileno() if script is None else None)
    finally:
        line.close()
    return INTERRUPTED if wake.stopped_by == SIGINT else OK


class Player:
    """Who sits at the terminal: asks what is typed or scripted, is told what happens."""

    def __init__(
        self,
        terminal: Terminal,
        script: Sequence[Order] | None,
        tell: Callable[[Any], None],
        placed: dict[int, Stake],
        name: str | None,
    ) -> None:
        """`placed` is filled with what was accepted; `name` signs on whenever the seat is free,
        until an employee signs it off."""
        self.terminal = terminal
        self.leaving = False  # once all that was asked is decided
        self._script = list(script or ())
        self._tell = tell
        self._placed = placed
        self._name = name
        self._standing = UNHEARD
        self._settled = False
        self._signing = name is not None
        if name is not None:
            self._do(SignOn(name))

    def typed(self, text: str) -> None:
        """Takes a line that was typed."""
        try:
            order = parse(text)
        except WrongOrder as error:
            self._tell(error)
        else:
            if order is not None:
                self._do(order.do)

    def after_step(self) -> None:
        """Tells after every step what happened, and goes on with the script."""
        for told in self.terminal.take_events():
            if isinstance(told, Decided) and told.accepted and isinstance(told.ask, Stake):
                self._placed[told.request] = told.ask
                if len(self._placed) > _PLACED_MAX:
                    del self._placed[min(self._placed)]
            if isinstance(told, Decided) and isinstance(told.ask, SignOn):
                self._signing = False
            if isinstance(told, Unseated):  # who is to sit here from now on, a person says
                self._name = None
            self._settled = self._settled or isinstance(told, Settled)
            self._tell(told)
        before, self._standing = self._standing, self.terminal.standing
        if before != self._standing:
            self._tell(self._standing)
            if _may_sit(self._standing) and not _may_sit(before):
                self._sign_on_again()
        while self._script and self.terminal.idle and self._is_time(self._script[0]):
            self._settled = False
            self._do(self._script.pop(0).do)

    def _sign_on_again(self) -> None:
        """The seat has become free: the controller was started again, or a second terminal left."""
        if self._name is not None and not self._signing:
            self._signing = True
            self._do(SignOn(self._name))

    def _is_time(self, order: Order) -> bool:
        standing = self._standing
        if standing.state is None or (self._name is not None and not standing.seated):
            return False
        if order.coup is not None and standing.coup != order.coup:
            return False
        if order.state == SETTLED:
            return self._settled
        return order.state in (None, standing.state)

    def _do(self, do: Any) -> None:
        if do == QUIT:
            self.leaving = True
            self._script.clear()
        elif do == HELP:
            for text in ORDERS:
                click.echo(text, err=True)
        else:
            try:
                self.terminal.ask(do)
            except ValueError as error:
                self._tell(error)


def _may_sit(standing: Any) -> bool:
    """Returns whether the seat is free, as far as is known."""
    return standing.state is not None and not standing.seated and not standing.conflict


def _serve(line: Line, player: Player, wake: Wake, typing: int | None) -> None:
    """Until the player quits or a signal stops it."""
    terminal = player.terminal
    listened_us = _now_us()
    typed = b""
    while wake.stopped_by is None and not (player.leaving and terminal.idle):
        waits_for: list[Any] = [wake]
        if line.is_open:
            waits_for.append(line)
        if typing is not None:
            waits_for.append(typing)
        ready, _, _ = select.select(waits_for, [], [], _wait_us(terminal) / 1e6)
        now_us = _now_us()
        overslept = now_us - listened_us > STALE_US
        listened_us = now_us
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
        _listen(line, terminal, now_us, readable=line in ready, overslept=overslept)
        player.after_step()


def _listen(
    line: Line, terminal: Terminal, now_us: int, *, readable: bool, overslept: bool
) -> None:
    """Takes what came and replies at once. What waited too long is old, and not replied to."""
    terminal.tick(now_us)
    try:
        if not line.is_open:
            line.open()
            click.echo(f"The port {line.port} is back.", err=True)
        elif overslept:
            terminal.drop()
            line.forget()
        elif readable:
            reply = terminal.feed(line.read(), now_us)
            if reply:
                line.write(reply)
    except LineLostError:
        terminal.drop()
        text = f"The port {line.port} is gone: plug it in again, the terminal waits."
        click.echo(text, err=True)
    except Failure:
        pass  # still gone


def _wait_us(terminal: Terminal) -> int:
    deadline_us = terminal.deadline_us
    if deadline_us is None:
        return _WAIT_US
    return max(0, min(_WAIT_US, deadline_us - _now_us()))


def _now_us() -> int:
    return time.monotonic_ns() // 1000
