"""A round of cards told whole from its rows, for who inspects it: staked, dealt, decided, paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import rules
from firmware.lib.language import Message
from firmware.stakes import card_kinds
from firmware.text import card_rows, card_words
from firmware.text.journal_round import End, Round
from firmware.text.journal_text import recorded, shown
from firmware.text.money import Difference, difference_words, money, payment_words
from rules.cards.bets import french
from rules.cards.due import CardPayment

# Rows that are told one by one; corrections are told last, with what they pay.
_HAPPENINGS = tuple(kind for kind in card_rows.KINDS if kind != card_kinds.CORRECTION)


def explained(found: Round, lists: dict[str, int]) -> Iterator[str]:
    """Tells the round, a sentence a line. `lists`: as journal_coup.Coup has them."""
    return map(shown, _sentences(found, lists))


def object_of(found: Round) -> dict[str, Any]:
    """Returns the round for programs: what was sealed, and how it stood from each end on."""
    first = found.ends[0]
    return {
        "round": found.number,
        "shoe": found.entries[0].body,
        "stakes": first.stakes,
        "ends": [
            {
                "end": end.entry.body,
                "cards": end.cards,
                "engagements": end.engagements,
                "payments": [payment._asdict() for payment in end.payments],
            }
            for end in found.ends
        ],
    }


def _sentences(found: Round, lists: dict[str, int]) -> Iterator[str]:
    first, stands = found.ends[0], found.stands
    corrected = ""
    if stands is not first:
        outcome = card_rows.end_words(first.entry.body)
        corrected = Message(" now; first recorded as {outcome}.", outcome=outcome)
    yield Message(
        "Round {coup}: {outcome}{corrected}",
        coup=found.number,
        outcome=card_rows.end_words(stands.entry.body),
        corrected=corrected or ".",
    )
    yield from _shoe(found)
    if first.stakes is None:
        yield Message("It ended before the call: nothing was staked.")
    else:
        yield from _staked(first.stakes)
    yield Message("What happened:")
    for entry in found.entries[1:]:
        if entry.row.kind in _HAPPENINGS:
            words = card_rows.row_words(entry.row.kind, entry.body)
            yield Message("  {time}  {words}", time=entry.row.utc[11:19], words=words)
    yield from _came(first)
    yield from recorded(first.signed, lists)
    yield from _sealed(first)
    before = first
    for end in found.ends[1:]:
        yield from _correction(before, end)
        before = end


def _shoe(found: Round) -> Iterator[str]:
    body = found.entries[0].body
    drawn = [
        entry.body["ordinal"]
        for entry in found.entries
        if entry.row.kind == card_kinds.CARD_ROW and entry.body["round"]
    ]
    shoe = card_rows.authenticated(body)
    if drawn:
        yield Message(
            "Shoe {serial}, {shoe}: its cards {first} to {last}.",
            serial=body["serial"],
            shoe=shoe,
            first=min(drawn),
            last=max(drawn),
        )
    else:
        yield Message("Shoe {serial}, {shoe}: none of its cards.", serial=body["serial"], shoe=shoe)


def _staked(stakes: Any) -> Iterator[str]:
    yield Message(
        "Rules {rules}, {decks} decks, {limits}; {house}.",
        rules=stakes["rules"],
        decks=stakes["decks"],
        limits=_limits(stakes),
        house=_house(stakes),
    )
    if stakes["side_bets"]:
        yield Message("Side bets: {names}.", names="; ".join(map(french, stakes["side_bets"])))
    if stakes["employees"]:
        yield Message("At the table: {names}.", names=", ".join(stakes["employees"]))
    yield Message("Staked before the call: {total} in all.", total=money(stakes["total_cents"]))
    for stake in stakes["stakes"]:
        yield Message(
            "  {player}: {bet}, {cents}{follow}",
            player=stake["player"],
            bet=card_words.bet(stake["bet"], stake.get("seat"), None),
            cents=money(stake["cents"]),
            follow=_follow(stake.get("follow")),
        )


def _limits(stakes: Any) -> str:
    minimum, multiple = stakes["minimum_cents"], stakes["maximum_multiple"]
    if minimum is None:
        return Message("no minimum")
    if multiple is None:
        return Message("minimum {cents}", cents=money(minimum))
    most = money(minimum * multiple)
    return Message("minimum {cents}, maximum {most}", cents=money(minimum), most=most)


def _house(stakes: Any) -> str:
    """What the house plays otherwise than its rules have it where it does not say."""
    usual = {key.name: key.default for key in rules.load(stakes["rules"])["house"]}
    chosen = [
        f"{key} {_choice(value)}"
        for key, value in sorted(stakes["house"].items())
        if _choice(value) != _choice(usual.get(key))
    ]
    if not chosen:
        return Message("the house chose nothing of its own")
    return Message("the house chose {choices}", choices=", ".join(chosen))


def _choice(value: Any) -> str:
    """A choice as it is sealed; odds are pairs in the rules, and alone in a record."""
    if isinstance(value, list | tuple):
        return "-".join(str(one[1] if isinstance(one, tuple) else one) for one in value)
    return str(value).lower()


def _follow(follow: str | None) -> str:
    if follow is None:
        return ""
    if follow == "double":
        return Message(", follows doubles and pairs")
    return Message(", does not follow")


def _came(end: End) -> Iterator[str]:
    """What an end makes of the round, and what is paid of it, in its order."""
    body = end.entry.body
    if body.get("outcome") is not None:
        yield Message("What came:")
        for line in card_words.outcome_lines(body["outcome"]):
            yield Message("  {}", line)
    if not end.payments:
        return
    if body.get("outcome") is None:
        yield Message("Returned:")
    else:
        yield Message("Collected and paid, in this order:")
    held = body.get("held", ())
    for at, payment in enumerate(end.payments):
        line = payment_line(payment)
        if at in held:
            line = Message("{line}; the management knows first", line=line)
        yield Message("  {}", line)


def payment_line(payment: CardPayment) -> str:
    """Says what becomes of one stake."""
    bet = card_words.bet(payment.bet, payment.seat, payment.hand)
    return Message(
        "{}: {}, {}", payment.player, bet, payment_words(payment.stake_cents, payment.won_cents)
    )


def _sealed(end: End) -> Iterator[str]:
    """What was sealed, and holds: journal_round.find has checked it."""
    if end.stakes is None:
        return
    body = end.entry.body
    yield Message("The seals hold; settled again, the rows give these payments.")
    yield Message("  stakes {seal}", seal=end.stakes["seal"])
    if end.engagements:
        yield Message(
            "  decisions, {count} of them: {seal}",
            count=len(end.engagements),
            seal=end.engagements[-1]["seal"],
        )
    if "seal" in body:
        yield Message("  cards {seal}", seal=body["seal"])


def _correction(before: End, end: End) -> Iterator[str]:
    body = end.entry.body
    yield Message(
        "{utc}: seq {seq} corrects seq {corrects} to {outcome} {people}.",
        utc=end.signed.row.utc,
        seq=body["seq"],
        corrects=body["corrects"],
        outcome=card_rows.end_words(body),
        people=card_words.two(body["manual"], body["why"]),
    )
    yield from _came(end)
    for each in differences(before.payments, end.payments):
        yield Message("  {}", difference_words(each))
    yield from _sealed(end)


def differences(paid: Sequence[CardPayment], due: Sequence[CardPayment]) -> list[Difference]:
    """Returns, player by player, those whom a correction concerns."""
    was, now = _returned(paid), _returned(due)
    found = [Difference(player, was.get(player, 0), now[player]) for player in now]
    return [each for each in found if each.cents]


def _returned(payments: Sequence[CardPayment]) -> dict[str, int]:
    found: dict[str, int] = {}
    for payment in payments:
        found[payment.player] = found.get(payment.player, 0) + payment.returned_cents
    return found
