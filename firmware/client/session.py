"""Somebody who is logged in at a running controller, as docs/service.md tells.

with Session(folder, "weber", pin) as session:
    session.ask({"do": "parts"})
    session.act("note", "rim beam 1 cleaned")
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import click

from firmware.client.ask import ask
from firmware.lib.errors import Failure

DETAIL_MAX = 400  # characters, as in firmware/api/values.py

_Command = TypeVar("_Command", bound=Callable[..., Any])


def as_option(*, required: bool = True) -> Callable[[_Command], _Command]:
    """Returns the option `--as NAME`: who does it.

    Their PIN is asked for (firmware/keys/pin_entry.py).
    """
    return click.option(
        "--as",
        "name",
        required=required,
        metavar="NAME",
        help="Who does it: a technician or supervisor with a PIN (cylindre people).",
    )


class Session:
    """Logs in where a `with` begins, and out where it ends."""

    def __init__(self, folder: Path | None, name: str, pin: str) -> None:
        """`folder`: of the controller's sockets; None: that of the only controller here."""
        self.name = name
        self.role = ""  # the controller says it
        self._folder = folder
        self._pin = pin
        self._token = ""

    def __enter__(self) -> Session:
        """Raises Failure if no controller answers, or it refuses."""
        person = {"name": self.name, "pin": self._pin}
        told = ask(self._folder, {"do": "login", "person": person})
        self.name, self.role, self._token = told["name"], told["role"], told["session"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A controller that has stopped meanwhile has forgotten the session by itself.
        with contextlib.suppress(Failure):
            self.ask({"do": "logout"})

    @property
    def token(self) -> str:
        """Returns what stands under `session` in each request, for who keeps a connection of his
        own.
        """
        return self._token

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer. Raises Failure if nobody answers, or it is refused."""
        return ask(self._folder, {**request, "session": self._token})

    def act(self, what: str, detail: str, sha256: str | None = None) -> None:
        """Writes down in the journal what was done; `sha256`: of the file it is about.

        Returns once the controller has taken it. Raises Failure.
        """
        request = {"do": "act", "what": what, "detail": detail[:DETAIL_MAX]}
        self.ask(request if sha256 is None else {**request, "sha256": sha256})
