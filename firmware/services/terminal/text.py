"""What a terminal tells its player: in words of his language, or as one JSON object a line.

What the controller says is English that came as text, in it the law's French: as a Message it is
recognised by the catalogue (firmware/lib/language.py). JSON is never translated.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from firmware.bus.terminal import (
    Carried,
    Decided,
    NotInPlay,
    NotTold,
    OtherVersion,
    Seat,
    Settled,
    Unseated,
)
from firmware.bus.terminal_messages import (
    CARD_BETS,
    VERSION,
    Decide,
    PutIn,
    SignOff,
    SignOn,
    Stake,
    TakeBack,
)
from firmware.lib.language import N_, Message, listed
from firmware.services.terminal.player_stakes import StakeSums
from firmware.stakes.answers import CardDue, CardPaid, CardSettled
from firmware.text.card_words import WINNERS, place_of
from firmware.text.money import money, payment_words, place
from rules.cards import bets as card_bets


class GivenBack(NamedTuple):
    """Money came back out of the acceptor."""

    cents: int


class Turn(NamedTuple):
    """What the player must decide now; None: nothing. `left_s`: seconds left, None for no limit."""

    due: CardDue | None
    left_s: int | None


class NotEntered(NamedTuple):
    """Money lies in the box, and in nobody's account."""

    cents: int


_STANDS = {
    "BETS_OPEN": N_("faites vos jeux · place your bets"),
    "BALL_IN_TRACK": N_("faites vos jeux · the ball is in the track"),
    "NO_MORE_BETS": N_("rien ne va plus · no more bets"),
    "BALL_DROPPED": N_("rien ne va plus · the ball has left the track"),
    "DETECTED": N_("rien ne va plus · the number is being confirmed"),
    "MANUAL": N_("rien ne va plus · the croupier enters the number"),
    "CONFIRMED": N_("le numéro est sorti · the number is out"),
    "VOID": N_("coup nul · void"),
    "FAULT": N_("hors service · out of play"),
    "SERVICE": N_("table fermée · table closed"),
    "NO_SHOE": N_("sabot en préparation · the shoe is being prepared"),
    "DEALING": N_("rien ne va plus · the cards are dealt"),
    "INSURANCE": N_("assurance ? · insurance?"),
    "PLAYING": N_("rien ne va plus · the players decide"),
    "DEALER": N_("rien ne va plus · the dealer draws"),
    "DONE": N_("rien ne va plus · the round is being confirmed"),
    "HOLD": N_("coup suspendu · the round is held"),
}


_CARD_BETS = tuple(name for _, name in CARD_BETS)
# What a player types for it.
_ORDERS = {
    "hit": N_("hit (a card)"),
    "stand": N_("stand (no more)"),
    "double": N_("double (one card)"),
    "split": N_("split (two hands)"),
    "insure": N_("insure"),
    "no_insurance": N_("no (no insurance)"),
}


# At a card table, instead.
_STANDS_AT_CARDS = {"CONFIRMED": N_("le coup est terminé · the round is over")}
CARD_STATES = ("NO_SHOE", "DEALING", "INSURANCE", "PLAYING", "DEALER", "DONE", "HOLD")


class AtCards(NamedTuple):
    """How a card table stands."""

    standing: Seat


def as_json(told: Any, t_us: int, placed: dict[int, Stake]) -> str:
    """Returns one event as a JSON object.

    `placed`: the stakes by number, as far as they are known.
    """
    line: dict[str, Any] = {"t_us": t_us}
    if isinstance(told, AtCards):
        told = told.standing
    if isinstance(told, Seat):
        line |= {"event": "standing", **told._asdict()}
        del line["due"]
    elif isinstance(told, Turn):
        line |= {"event": "due", **_turn(told)}
    elif isinstance(told, Decided):
        line |= {"event": "decided", "request": told.request, **_asked(told.ask)}
        line |= {"accepted": told.accepted, "rule": told.rule, "why": told.why}
    elif isinstance(told, Settled):
        line |= {"event": "settled", "coup": told.coup, "number": told.number}
        line |= {"colour": told.colour}
        line["payments"] = [_payment(entry, placed) for entry in told.entries]
        line["stake_cents"] = sum(entry[1] for entry in told.entries)
        line["returned_cents"] = sum(entry[1] + entry[2] for entry in told.entries)
    elif isinstance(told, CardSettled):
        line |= {"event": "round_settled", "coup": told.coup, "outcome": told.outcome}
        line["payments"] = [card_payment(paid) for paid in told.paid]
        line["stake_cents"] = sum(paid.cents for paid in told.paid)
        line["returned_cents"] = sum(paid.cents + paid.won_cents for paid in told.paid)
    elif isinstance(told, Unseated):
        line |= {"event": "unseated", "coup": told.coup}
    elif isinstance(told, NotInPlay):
        line |= {"event": "not_in_play", "coup": told.coup, "ids": list(told.ids)}
    elif isinstance(told, NotTold):
        line |= {"event": "not_told", "coup": told.coup, "ids": list(told.ids)}
    elif isinstance(told, StakeSums):
        line |= {"event": "stakes", **told._asdict()}
    elif isinstance(told, Carried):
        line |= {"event": "carried", "coup": told.coup, "id": told.id}
    elif isinstance(told, OtherVersion):
        line |= {"event": "other_version", "version": told.version}
    elif isinstance(told, NotEntered):
        line |= {"event": "not_entered", "cents": told.cents}
    elif isinstance(told, GivenBack):
        line |= {"event": "given_back", "cents": told.cents}
    else:
        line |= {"event": "refused_here", "why": str(told)}
    return json.dumps(line, ensure_ascii=False)


def as_words(told: Any, placed: dict[int, Stake]) -> str:
    """Returns one event in words, a Message; empty if it is none for people."""
    if isinstance(told, AtCards):
        return _standing(told.standing, _STANDS_AT_CARDS)
    if isinstance(told, Seat):
        return _standing(told, {})
    if isinstance(told, Decided):
        return _decided(told)
    if isinstance(told, Settled):
        return _settled(told, placed)
    if isinstance(told, CardSettled):
        return card_settled_words(told)
    if isinstance(told, Turn):
        return _turn_words(told)
    if isinstance(told, StakeSums):
        return _sums(told)
    if isinstance(told, Unseated):
        return Message(
            "an employee has signed you off: what is not sealed goes back, what is sealed is"
            " settled. Ask at the table, or sign on anew: on ACCOUNT PIN"
        )
    if isinstance(told, NotInPlay):
        return Message(
            "coup {coup}: stake {ids} takes no part: it was lost, or given back",
            coup=told.coup,
            ids=", ".join(str(number) for number in told.ids),
        )
    if isinstance(told, NotTold):
        return Message(
            "coup {coup}: what became of stake {ids} is told here no more, but your account has"
            " it: ask at the table",
            coup=told.coup,
            ids=", ".join(str(number) for number in told.ids),
        )
    if isinstance(told, Carried):
        return Message(
            "the ball is thrown again in the same game (art. 37-1): stake {id} lies for coup"
            " {coup}",
            id=told.id,
            coup=told.coup,
        )
    if isinstance(told, OtherVersion):
        return Message(
            "what speaks on the line is of version {version}, this terminal of {own}: install one"
            " on both",
            version=told.version,
            own=VERSION,
        )
    if isinstance(told, NotEntered):
        return Message(
            "{cents} lie in the box and are not in your account: call an employee",
            cents=money(told.cents),
        )
    if isinstance(told, GivenBack):
        return Message("{cents} come back out of the acceptor", cents=money(told.cents))
    return Message("not sent: {why}", why=Message(str(told)))


def _standing(told: Seat, instead: dict[str, str]) -> str:
    """Says how the table stands; `instead`: of what is said at a wheel."""
    if told.state is None:
        return Message("the controller is not heard: nothing is accepted until it is")
    if told.conflict:
        return Message("two terminals reply at this address: both are refused")
    said = Message(instead.get(told.state) or _STANDS[told.state])
    if told.open:
        said += Message("; stakes are taken for coup {coup}", coup=told.coup)
    if not told.employee:
        said += Message("; no employee is at the table (Luxembourg, art. 20-1)")
    if not told.seated:
        return said + Message("; nobody is signed on here")
    return said + Message("; to stake: {funds}", funds=money(told.funds_cents))


def _decided(told: Decided) -> str:
    what = _words(told.ask)
    if not told.accepted:
        why = Message(told.why)
        if not told.rule:
            return Message("refused: {what} ({why})", what=what, why=why)
        rule = Message(told.rule)
        return Message("refused: {what} ({rule}: {why})", what=what, rule=rule, why=why)
    if isinstance(told.ask, Stake):
        return Message("accepted: {what}  stake {number}", what=what, number=told.request)
    return Message("accepted: {what}", what=what)


def _settled(told: Settled, placed: dict[int, Stake]) -> str:
    out = Message("{} {}", told.number, Message(str(told.colour)))
    if told.number is None:
        out = Message("void, all stakes come back")
    lines = [Message("coup {coup}: {out}", coup=told.coup, out=out)]
    # Art. 37-1: what has lost is collected first, then each is paid.
    for number, cents, won in sorted(told.entries, key=lambda entry: entry[2] >= 0):
        stake = placed.get(number)
        what = "" if stake is None else f"{place(stake.bet, stake.on)}, "
        paid = payment_words(cents, won)
        lines.append(Message("  stake {number}: {what}{paid}", number=number, what=what, paid=paid))
    staked = sum(entry[1] for entry in told.entries)
    won = sum(entry[2] for entry in told.entries)
    lines.append(Message("  together: {paid}", paid=payment_words(staked, won)))
    return listed(lines, "\n")


def card_settled_words(told: CardSettled) -> str:
    """Says what a round of cards came to for one player."""
    lines = [Message("round {round}: {out}", round=told.coup, out=outcome_words(told.outcome))]
    # What has lost is collected first, then each is paid.
    for paid in sorted(told.paid, key=lambda each: each.won_cents >= 0):
        lines.append(
            Message(
                "  stake {number}: {what}, {paid}",
                number=paid.id,
                what=_laid_at(paid),
                paid=payment_words(paid.cents, paid.won_cents),
            )
        )
    staked = sum(paid.cents for paid in told.paid)
    won = sum(paid.won_cents for paid in told.paid)
    lines.append(Message("  together: {paid}", paid=payment_words(staked, won)))
    return listed(lines, "\n")


def outcome_words(outcome: Any) -> str:
    """Says how a round of cards ended."""
    if outcome is None:
        return Message("void, all stakes come back")
    if "dealer" in outcome:
        return Message("the dealer has {points}", points=outcome["dealer"])
    return Message(
        "{winner}, {player} to {banker}",
        winner=Message(WINNERS[outcome["winner"]]),
        player=outcome["player"],
        banker=outcome["banker"],
    )


def _laid_at(paid: CardPaid) -> str:
    bet = card_bets.french(paid.bet)
    if not paid.seat:
        return bet
    return Message("{bet}, {place}", bet=bet, place=place_of(paid.seat, max(1, paid.hand)))


def _turn_words(told: Turn) -> str:
    due = told.due
    if due is None:
        return Message("nothing is to be decided here any more")
    choices = listed([Message(_ORDERS[each]) for each in due.choices], ", ")
    said = Message(
        "decide: {place} has {points}: {choices}",
        place=place_of(due.seat, due.hand),
        points=due.points,
        choices=choices,
    )
    if due.cents:
        said += Message("; it costs {cents} at most", cents=money(due.cents))
    if told.left_s is not None:
        said += Message("; {left} s left", left=told.left_s)
    return said


def _sums(told: StakeSums) -> str:
    """Seeds 003, s. 1.2: « affichée dans la fenêtre « mise actuelle » », « Dernière mise »."""
    current = Message("not known, for this terminal was started in the middle of the coup")
    if told.current_cents is not None:
        current = Message(money(told.current_cents))
    if not told.last_coup:
        return Message(
            "mise actuelle · stakes now: {current}; dernière mise · last stakes: none",
            current=current,
        )
    return Message(
        "mise actuelle · stakes now: {current}; dernière mise · last stakes: {last} (coup {coup})",
        current=current,
        last=money(told.last_cents),
        coup=told.last_coup,
    )


def _words(ask: Any) -> str:
    if isinstance(ask, Stake) and ask.bet in _CARD_BETS:
        seat = "".join(f" {number}" for number in ask.on)
        return f"{card_bets.french(ask.bet)}{seat} {money(ask.cents)}"
    if isinstance(ask, Stake):
        return f"{place(ask.bet or 'unknown bet', ask.on)} {money(ask.cents)}"
    if isinstance(ask, Decide):
        what = Message(_ORDERS[ask.do])
        if ask.cents:
            return Message("{} {}", what, money(ask.cents))
        return what
    if isinstance(ask, SignOn):
        return Message("signing on to account {account}", account=ask.account)
    if isinstance(ask, PutIn):
        return Message("{cents} put in", cents=money(ask.cents))
    if isinstance(ask, TakeBack):
        return Message("taking back stake {id}", id=ask.id)
    return Message("signing off")


def _asked(ask: Any) -> dict[str, Any]:
    if isinstance(ask, Stake):
        stake = {"coup": ask.coup, "bet": ask.bet, "on": list(ask.on), "cents": ask.cents}
        return {"do": "stake", **stake}
    if isinstance(ask, SignOn):
        return {"do": "on", "account": ask.account}
    if isinstance(ask, PutIn):
        return {"do": "put_in", "cents": ask.cents}
    if isinstance(ask, TakeBack):
        return {"do": "back", "id": ask.id}
    if isinstance(ask, Decide):
        return {**ask._asdict(), "do": "decide", "decision": ask.do}
    assert isinstance(ask, SignOff)
    return {"do": "off"}


def _turn(told: Turn) -> dict[str, Any]:
    due = told.due
    if due is None:
        return {"kind": None}
    said = {**due._asdict(), "choices": list(due.choices), "left_s": told.left_s}
    del said["until_us"]
    return said


def card_payment(paid: CardPaid) -> dict[str, Any]:
    """Returns what a stake of a round of cards was paid, as JSON has it."""
    what = {"id": paid.id, "bet": paid.bet, "seat": paid.seat, "hand": paid.hand}
    returned = paid.cents + paid.won_cents
    return {
        **what, "stake_cents": paid.cents, "won_cents": paid.won_cents, "returned_cents": returned,
    }  # fmt: skip


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
