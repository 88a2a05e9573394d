"""Who is logged in: a token for each person, that ends by itself. Tokens live in memory alone."""

import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.api.requests import Credentials
from firmware.api.values import Refused
from firmware.core.house import SUPERVISOR
from firmware.lib.language import Message

IDLE_S = 900.0  # a tablet that lies open for longer is nobody's
MOST_S = 28_800.0  # a working day
SESSIONS_MAX = 32  # the oldest gives way: more people than that do not stand around a wheel
_TOKEN_BYTES = 16
_AGAIN = Message("Log in again.")


class Person(NamedTuple):
    """Somebody who is logged in."""

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Returns whether this person has that role; a supervisor has a technician's, too."""
        return self.role in (role, SUPERVISOR)


class Sessions:
    """Opens sessions, finds them again, ends them."""

    def __init__(
        self, people: Credentials | None, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        """`people`: who is asked at each request whether that person still has that role."""
        self._people = people
        self._clock_s = clock_s
        self._open: dict[str, tuple[Person, float, float]] = {}  # with when it began, was used last

    def open(self, person: Person) -> dict[str, Any]:
        """Returns a new session: what its owner is told."""
        if len(self._open) >= SESSIONS_MAX:
            del self._open[min(self._open, key=lambda token: self._open[token][2])]
        token = secrets.token_hex(_TOKEN_BYTES)
        now_s = self._clock_s()
        self._open[token] = (person, now_s, now_s)
        limits = {"idle_s": round(IDLE_S), "most_s": round(MOST_S)}
        return {"session": token, "name": person.name, "role": person.role, **limits}

    def person(self, token: str, *, used: bool = True) -> Person:
        """Returns whose session that is.

        `used`: it does not count as idle from now. Raises Refused.
        """
        found = self._open.get(token)
        if found is None:
            raise Refused("no_session", Message("Nobody is logged in with that session."), _AGAIN)
        person, begun_s, used_s = found
        now_s = self._clock_s()
        over = now_s - used_s >= IDLE_S or now_s - begun_s >= MOST_S
        role = None if over or self._people is None else self._people.role_of(person.name)
        if role != person.role:
            del self._open[token]
            why = (
                Message("has ended")
                if over
                else Message("is of somebody who has that role no more")
            )
            raise Refused("no_session", Message("The session {why}.", why=why), _AGAIN)
        if used:
            self._open[token] = (person, begun_s, now_s)
        return person

    def close(self, token: str) -> None:
        """Ends one. Raises Refused if there is none."""
        self.person(token)
        del self._open[token]
