"""Who is logged in at which browser. What counts is the controller's session; this mirrors it.

A browser holds a random cookie that no script can read; the controller's token never leaves the
wheel. All is in memory: when the page starts anew, everybody logs in again.
"""

from __future__ import annotations

import hmac
import math
import re
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, NamedTuple

COOKIE = "__Host-cylindre"  # such a name a browser takes from this very host alone, over TLS
# What a browser keeps of having known a PIN, as the controller gave it: docs/service.md.
DEVICE = "__Host-cylindre-device"
DEVICE_S = 180 * 86_400.0
_DEVICE_FORM = re.compile(r"[A-Za-z0-9_.-]{1,400}", re.ASCII)
LOGINS_MAX = 32  # as the controller's sessions
_COOKIE_BYTES = 32
# Whoever tries PINs waits: the controller slows down each person, this each tablet.
ATTEMPTS_MAX = 8
WITHIN_S = 60.0
ADDRESSES_MAX = 256
DEVICES_MAX = 64


class Login(NamedTuple):
    """Somebody at a browser. `token`: the controller's session; `csrf`: what requests must name."""

    cookie: str
    csrf: str
    token: str
    name: str
    role: str
    idle_s: float
    until_s: float

    def __repr__(self) -> str:
        return f"Login({self.name!r}, {self.role!r})"


class Logins:
    """Opens logins, finds them by their cookie, ends them."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._open: dict[str, Login] = {}
        self._used_s: dict[str, float] = {}

    def open(self, answer: dict[str, Any]) -> Login:
        """Returns a login, as the controller answered it. The one unused for longest gives way."""
        if len(self._open) >= LOGINS_MAX:
            self.end(min(self._open, key=lambda cookie: self._used_s[cookie]))
        now_s = self._clock_s()
        login = Login(
            cookie=secrets.token_urlsafe(_COOKIE_BYTES),
            csrf=secrets.token_urlsafe(_COOKIE_BYTES),
            token=answer["session"],
            name=answer["name"],
            role=answer["role"],
            idle_s=answer["idle_s"],
            until_s=now_s + answer["most_s"],
        )
        self._open[login.cookie] = login
        self._used_s[login.cookie] = now_s
        return login

    def find(self, cookie: str | None) -> Login | None:
        """Returns whose cookie that is; None if nobody's, or the login has ended."""
        login = self._open.get(cookie or "")
        if login is None:
            return None
        now_s = self._clock_s()
        if now_s >= login.until_s or now_s - self._used_s[login.cookie] >= login.idle_s:
            self.end(login.cookie)
            return None
        return login

    def used(self, login: Login) -> None:
        """Notes that the controller was asked something with that session."""
        if login.cookie in self._open:
            self._used_s[login.cookie] = self._clock_s()

    def end(self, cookie: str) -> None:
        """Ends one, if it is open."""
        self._open.pop(cookie, None)
        self._used_s.pop(cookie, None)

    def all(self) -> list[Login]:
        """Returns everybody."""
        return list(self._open.values())


def is_same(given: str, kept: str) -> bool:
    """Returns whether two tokens are the same, in a time that tells nothing."""
    return hmac.compare_digest(given.encode(), kept.encode())


def device_of(cookie: str | None) -> str:
    """Returns what a browser keeps of having known a PIN; "" for none, and for what is none."""
    return cookie if cookie is not None and _DEVICE_FORM.fullmatch(cookie) else ""


class Attempts:
    """How often each address may try to log in; a device that has logged in counts by itself, so
    that its neighbours keep it off from nothing."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._tried_s: OrderedDict[str, deque[float]] = OrderedDict()
        self._devices: OrderedDict[str, None] = OrderedDict()

    def wait_s(self, address: str, device: str = "") -> int:
        """Returns the seconds that it must wait; 0: it may try now, and this counts."""
        now_s = self._clock_s()
        address = device if self.knows(device) else address
        tried_s = self._tried_s.setdefault(address, deque(maxlen=ATTEMPTS_MAX))
        self._tried_s.move_to_end(address)
        while len(self._tried_s) > ADDRESSES_MAX:
            self._tried_s.popitem(last=False)
        if len(tried_s) == ATTEMPTS_MAX and now_s - tried_s[0] < WITHIN_S:
            return math.ceil(WITHIN_S - (now_s - tried_s[0]))
        tried_s.append(now_s)
        return 0

    def knows(self, device: str) -> bool:
        """Returns whether somebody has logged in at that device."""
        return device in self._devices

    def forget(self, address: str, device: str) -> None:
        """Takes that somebody there knew the PIN, at that device."""
        self._tried_s.pop(address, None)
        if not device:
            return
        self._tried_s.pop(device, None)
        self._devices[device] = None
        self._devices.move_to_end(device)
        while len(self._devices) > DEVICES_MAX:
            self._devices.popitem(last=False)
