"""What a terminal tells its player: in words, or as one JSON object a line."""

from __future__ import annotations

import json
from typing import Any

from firmware.bus.terminal import Decided, NotInPlay, Seat, Settled, Unseated
from firmware.bus.terminal_messages import SignOff, SignOn, Stake, TakeBack
from firmware.text.money import money, payment_words, place

_STANDS = {
    "BETS_OPEN": "faites vos jeux · place your bets",
    "BALL_IN_TRACK": "faites vos jeux · the ball is in the track",
    "NO_MORE_BETS": "rien ne va plus · no more bets",
    "BALL_DROPPED": "rien ne va plus · the ball has left the track",
    "DETECTED": "rien ne va plus · the number is being confirmed",
    "MANUAL": "rien ne va plus · the croupier enters the number",
    "CONFIRMED": "le numéro est sorti · the number is out",
    "VOID": "coup nul · void",
    "FAULT": "hors service · out of play",
    "SERVICE": "table fermée · table closed",
}


def as_json(told: Any, t_us: int, placed: dict[int, Stake]) -> str:
    """Returns one event as a JSON object.

    `placed`: the stakes by number, as far as they are known.
    """
    line: dict[str, Any] = {"t_us": t_us}
    if isinstance(told, Seat):
        line |= {"event": "standing", **told._asdict()}
    elif isinstance(told, Decided):
        line |= {"event": "decided", "request": told.request, **_asked(told.ask)}
        line |= {"accepted": told.accepted, "rule": told.rule, "why": told.why}
    elif isinstance(told, Settled):
        line |= {"event": "settled", "coup": told.coup, "number": told.number}
        line |= {"colour": told.colour}
        line["payments"] = [_payment(entry, placed) for entry in told.entries]
    elif isinstance(told, Unseated):
        line |= {"event": "unseated", "coup": told.coup}
    elif isinstance(told, NotInPlay):
        line |= {"event": "not_in_play", "coup": told.coup, "ids": list(told.ids)}
    else:
        line |= {"event": "refused_here", "why": str(told)}
    return json.dumps(line, ensure_ascii=False)


def as_words(told: Any, placed: dict[int, Stake]) -> str:
    """Returns one event in words; empty if it is none for people."""
    if isinstance(told, Seat):
        return _standing(told)
    if isinstance(told, Decided):
        what = _words(told.ask)
        if told.accepted:
            number = f"  stake {told.request}" if isinstance(told.ask, Stake) else ""
            return f"accepted: {what}{number}"
        rule = f"{told.rule}: " if told.rule else ""
        return f"refused: {what} ({rule}{told.why})"
    if isinstance(told, Settled):
        out = (
            "void, all stakes come back" if told.number is None else f"{told.number} {told.colour}"
        )
        lines = [f"coup {told.coup}: {out}"]
        for number, cents, won in told.entries:
            stake = placed.get(number)
            what = "" if stake is None else f"{place(stake.bet, stake.on)}, "
            lines.append(f"  stake {number}: {what}{payment_words(cents, won)}")
        return "\n".join(lines)
    if isinstance(told, Unseated):
        return (
            "an employee has signed you off: what is not sealed goes back, what is sealed is"
            " settled. Ask at the table, or sign on anew: on NAME"
        )
    if isinstance(told, NotInPlay):
        ids = ", ".join(str(number) for number in told.ids)
        return f"coup {told.coup}: stake {ids} takes no part: it was lost, or given back"
    return f"not sent: {told}"


def _standing(told: Seat) -> str:
    if told.state is None:
        return "the controller is not heard: nothing is accepted until it is"
    if told.conflict:
        return "two terminals reply at this address: both are refused"
    said = _STANDS[told.state]
    if told.open:
        said += f"; stakes are taken for coup {told.coup}"
    if not told.employee:
        said += "; no employee is at the table (Luxembourg, art. 20-1)"
    if not told.seated:
        said += "; nobody is signed on here"
    return said


def _words(ask: Any) -> str:
    if isinstance(ask, Stake):
        return f"{place(ask.bet or 'unknown bet', ask.on)} {money(ask.cents)}"
    if isinstance(ask, SignOn):
        return f"on {ask.player}"
    return f"back {ask.id}" if isinstance(ask, TakeBack) else "off"


def _asked(ask: Any) -> dict[str, Any]:
    if isinstance(ask, Stake):
        stake = {"coup": ask.coup, "bet": ask.bet, "on": list(ask.on), "cents": ask.cents}
        return {"do": "stake", **stake}
    if isinstance(ask, SignOn):
        return {"do": "on", "player": ask.player}
    if isinstance(ask, TakeBack):
        return {"do": "back", "id": ask.id}
    assert isinstance(ask, SignOff)
    return {"do": "off"}


def _payment(entry: tuple[int, int, int], placed: dict[int, Stake]) -> dict[str, Any]:
    number, cents, won = entry
    stake = placed.get(number)
    known = {} if stake is None else {"bet": stake.bet, "on": list(stake.on)}
    return {
        "id": number,
        **known,
        "stake_cents": cents,
        "won_cents": won,
        "returned_cents": cents + won,
    }
