"""Has people sign what is asked of a controller, each with a PIN.

It is judged before a PIN is asked for: by the controller's own table of requests, and by how it
says that it stands. Whether it makes sense once it is signed, the controller decides.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import rules
from boards import card_tables
from boards.apparatus import of
from firmware.api import requests, values
from firmware.api.request_table import LOGIN, Request
from firmware.client.ask import Refusal, ask, sentences
from firmware.client.session import Session
from firmware.core import faults
from firmware.core.coup import manual
from firmware.keys.pin_entry import ask_pin
from firmware.lib.errors import FAILED, Failure

_UNASKED = "-"  # in the place of a PIN while the rest is judged


class Credential(NamedTuple):
    """Who signs a request, under which of its keys; `pin_file`: None to have the PIN typed."""

    key: str
    name: str
    pin_file: Path | None


def signed(folder: Path | None, request: dict[str, Any], *signers: Credential) -> dict[str, Any]:
    """Returns `request` with everybody's PIN, asked for in this order once it is judged.

    Raises Failure.
    """
    judge(folder, request | {key: _claim(name) for key, name, _ in signers})
    return request | {key: _claim(name, ask_pin(name, path)) for key, name, path in signers}


def log_in(folder: Path | None, name: str, pin_file: Path | None) -> Session:
    """Returns the session of a person, to be entered, once `check_login` has nothing against it.

    Raises Failure.
    """
    check_login(folder, name)
    return Session(folder, name, ask_pin(name, pin_file))


def ask_as(
    folder: Path | None, name: str, pin_file: Path | None, request: dict[str, Any]
) -> dict[str, Any]:
    """Returns the answer to a request that a person makes who logs in for it. Raises Failure."""
    judge(folder, request | {"session": "-"})
    with log_in(folder, name, pin_file) as session:
        return session.ask(request)


def check_login(folder: Path | None, name: str) -> None:
    """Raises Failure where no controller answers, or nobody can be called so."""
    judge(folder, {"do": LOGIN, "person": _claim(name)})


def check_name(name: str) -> None:
    """Raises Failure where nobody can be called so."""
    _parse({"do": LOGIN, "person": _claim(name)}, 0)


def judge(folder: Path | None, request: dict[str, Any]) -> None:
    """Raises Failure for a request that this controller would refuse whoever signs it."""
    status = ask(folder, {"do": "status"})["status"]
    game = status["game"]
    wheel = None if game is None or game in card_tables.NAMES else of(game)
    parsed = _parse(request, values.COUP_MAX if wheel is None else wheel.numbers[1])
    try:
        requests.check_place(parsed, game)
    except values.Refused as refused:
        raise Refusal(refused.error["code"], sentences(refused.error)) from None
    given, why = parsed.given, None
    if status["state"] is not None and given.get("coup", 0) > status["coup"]:
        why = f"there is no coup {given['coup']} to correct."
    elif wheel is not None and given.get("number") is not None:
        # A house's own layout may order the compartments otherwise; the law gives them colours.
        why = manual.unlike(rules.load(wheel.rules), given["number"], given.get("colour"))
    if why is not None:
        raise Failure(FAILED, faults.sentence("P10", why))


def _parse(request: dict[str, Any], number_max: int) -> Request:
    line = json.dumps(request, ensure_ascii=False).encode(errors="surrogatepass")
    try:
        return requests.parse(line, number_max)
    except values.Refused as refused:
        raise Refusal(refused.error["code"], sentences(refused.error)) from None


def _claim(name: str, pin: str = _UNASKED) -> dict[str, str]:
    return {"name": name, "pin": pin}
