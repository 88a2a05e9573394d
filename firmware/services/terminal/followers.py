"""A host of followers as a process: a serial line, one JSON object a line in and out.

In, each with the account of its player:

    {"do": "sign_on", "account": 7, "pin": "4711"}
    {"do": "follow", "account": 7, "seat": 3, "cents": 1000, "double": true}
    {"do": "back", "account": 7, "seat": 3}
    {"do": "sign_off", "account": 7}
    {"do": "quit"}

`double`: whether he follows doubles and splits. Out: `standing`, `decided`, `funds`, `settled`,
`not_in_play` (stakes that were given back, or lost), `not_told` (whose end is told no more),
`other_version` (of what polls here), and `refused_here` for a line that is none of these, which
repeats the line unless it may have a PIN.
JSON is never translated.

A thread makes the keys of who signs on, for that takes longer than a poll waits for its reply. What
is asked keeps its order.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import click

from firmware.bus.follower_messages import (
    Follow,
    FollowerSignOff,
    FollowerSignOn,
    TakeBackBehind,
)
from firmware.bus.followers import (
    UNHEARD,
    WAITING_MAX,
    FollowerFunds,
    FollowerNotInPlay,
    FollowerNotTold,
    FollowerSettled,
    FollowersHost,
    Standing,
)
from firmware.bus.terminal import Decided, OtherVersion
from firmware.keys.folder import read_terminal
from firmware.lib.errors import INTERRUPTED, OK
from firmware.lib.language import Message
from firmware.lib.serial_line import Line
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.services.terminal.commands import WrongOrder, sign_on
from firmware.services.terminal.program import now_us, serve
from firmware.services.terminal.text import card_payment

# By what is to be done: its keys besides `account`, and the type of each.
_KEYS: dict[str, dict[str, type]] = {
    "sign_on": {"pin": str},
    "sign_off": {},
    "follow": {"seat": int, "cents": int, "double": bool},
    "back": {"seat": int},
}
# What a line out tells (docs/cards.md).
_NAMES: dict[type, str] = {
    Standing: "standing",
    Decided: "decided",
    FollowerFunds: "funds",
    FollowerSettled: "settled",
    FollowerNotInPlay: "not_in_play",
    FollowerNotTold: "not_told",
    OtherVersion: "other_version",
}
_REFUSED_HERE = "refused_here"
EVENTS = (*_NAMES.values(), _REFUSED_HERE)
_QUIT = {"do": "quit"}
_SECRET = ("pin", "sign_on")  # a line with one of these may have a PIN
_SHOWN_MAX = 200  # characters of a line that is none


class Choices(NamedTuple):
    """What the command line chose."""

    port: str
    baud: int
    keys: Path
    address: int
    started_us: int


def run_followers(choices: Choices) -> int:
    """Serves the followers until it is told to quit or stopped; the exit code. Raises Failure."""
    key = read_terminal(choices.keys, choices.address)
    host = FollowersHost(choices.address, key, int.from_bytes(os.urandom(4)))

    def tell(line: dict[str, Any]) -> None:
        said = {"t_us": now_us() - choices.started_us, **line}
        click.echo(json.dumps(said, ensure_ascii=False))

    line = Line(choices.port, choices.baud)
    line.open()
    worker = ThreadPoolExecutor(1)
    try:
        with Wake() as wake:
            serve(line, Followers(host, tell, worker), wake, sys.stdin.fileno())
    finally:
        line.close()
        worker.shutdown(wait=False, cancel_futures=True)
    return INTERRUPTED if wake.stopped_by == SIGINT else OK


class Followers:
    """Asks what lines say, and tells what happens, before the controller hears that it was told."""

    def __init__(
        self, host: FollowersHost, tell: Callable[[dict[str, Any]], None], worker: Executor
    ) -> None:
        """`tell` takes one event, to be written as a line; `worker` has one thread."""
        self.leaving = False  # once all that was asked is decided
        self.terminal = self  # that `serve` feeds
        self._host = host
        self._tell = tell
        self._worker = worker
        self._typed: deque[tuple[str, Future[Any]]] = deque()  # lines that are not asked yet
        self._standing = UNHEARD

    @property
    def deadline_us(self) -> int | None:
        """Tells when to call `tick` if nothing comes before."""
        return self._host.deadline_us

    @property
    def idle(self) -> bool:
        """Tells whether all that was asked is decided."""
        return not self._typed and self._host.idle

    def feed(self, data: bytes, at_us: int) -> bytes:
        """Takes the bytes that came; tells what they say, and returns what to send then."""
        reply = self._host.feed(data, at_us)
        self.after_step()
        return reply

    def tick(self, at_us: int) -> None:
        """Lets time pass."""
        self._host.tick(at_us)

    def drop(self) -> None:
        """Forgets the controller."""
        self._host.drop()

    def typed(self, text: str) -> None:
        """Takes a line."""
        if not text.strip():
            return
        if len(self._typed) >= WAITING_MAX:
            self._refuse(text, "too much is waiting already")
            return
        self._typed.append((text, self._worker.submit(_parse, text)))
        self._ask()

    def _ask(self) -> None:
        """Asks what lines say whose keys are made, in their order."""
        while self._typed and self._typed[0][1].done():
            text, parsed = self._typed.popleft()
            try:
                asked = parsed.result()
                if asked is None:
                    self.leaving = True
                else:
                    self._host.ask(asked)
            except (WrongOrder, ValueError) as error:
                self._refuse(text, str(error))

    def _refuse(self, text: str, why: str) -> None:
        is_secret = any(word in text.lower() for word in _SECRET)
        shown = "" if is_secret else text[:_SHOWN_MAX]
        self._tell({"event": _REFUSED_HERE, "why": why, "line": shown})

    def after_step(self) -> None:
        """Tells what happened, and asks what can be asked by now."""
        self._ask()
        for told in self._host.take_events():
            self._tell(_event(told))
        if self._standing != self._host.standing:
            self._standing = self._host.standing
            self._tell(_event(self._standing))


def _parse(text: str) -> Any:
    """Returns what a line asks; None to quit. Raises WrongOrder."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if given == _QUIT:
        return None
    do = given.get("do") if isinstance(given, dict) else None
    if not isinstance(do, str) or do not in _KEYS:
        known = ", ".join([*_KEYS, "quit"])
        raise WrongOrder(Message("a line is a JSON object whose do is one of {known}", known=known))
    keys = {"account": int, **_KEYS[do]}
    if set(given) != {"do", *keys}:
        raise WrongOrder(Message("{do} has these keys: {keys}", do=do, keys=", ".join(keys)))
    for key, kind in keys.items():
        if type(given[key]) is not kind:
            raise WrongOrder(Message("{key} is not as it must be", key=key))
    account = given["account"]
    if do == "sign_on":
        return FollowerSignOn(account, sign_on(account, given["pin"]).key)
    if do == "sign_off":
        return FollowerSignOff(account)
    if do == "back":
        return TakeBackBehind(account, given["seat"])
    return Follow(account, 0, given["seat"], given["double"], given["cents"])


def _event(told: Any) -> dict[str, Any]:
    return {"event": _NAMES[type(told)], **_fields(told)}


def _fields(told: Any) -> dict[str, Any]:
    if isinstance(told, Decided):
        verdict = {"accepted": told.accepted, "rule": told.rule, "why": told.why}
        return {"request": told.request, **_asked(told.ask), **verdict}
    if isinstance(told, (FollowerNotInPlay, FollowerNotTold)):
        bets = [{"id": n, "seat": seat, "stake_cents": cents} for n, seat, cents in told.bets]
        return {"account": told.account, "coup": told.coup, "bets": bets}
    if isinstance(told, FollowerSettled):
        return {
            "account": told.account,
            "coup": told.coup,
            "outcome": told.outcome,
            "payments": [card_payment(paid) for paid in told.paid],
            "stake_cents": sum(paid.cents for paid in told.paid),
            "returned_cents": sum(paid.cents + paid.won_cents for paid in told.paid),
        }
    fields: dict[str, Any] = told._asdict()
    return fields


def _asked(ask: Any) -> dict[str, Any]:
    if isinstance(ask, Follow):
        return {"do": "follow", **ask._asdict()}
    if isinstance(ask, TakeBackBehind):
        return {"do": "back", **ask._asdict()}
    do = "sign_on" if isinstance(ask, FollowerSignOn) else "sign_off"
    return {"do": do, "account": ask.account}
