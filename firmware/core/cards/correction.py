"""Corrections: a disputed round is corrected by a new record of two people, never changed.

The last round is, until the next one begins. Its stakes stay as they were sealed; its cards, what
was decided, or that it counts at all may be otherwise: the same engine says what follows.
"""

from firmware.core.cards import facts, states
from firmware.core.cards.play import Play
from firmware.core.cards.reasons import BY_CROUPIER
from firmware.core.cards.restart_state import Ended
from firmware.shims.typed import TYPE_CHECKING, Any
from firmware.stakes import card_kinds, card_round, card_seal
from rules.cards import deck
from rules.cards import due as dues
from rules.cards.errors import CardsError

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable


_DECIDED = ("seat", "hand", "do", "cents")


def ask(table: "CardTable", asked: "facts.RoundCorrectionAsked") -> str | None:
    """Has a correction recorded, to be told once it is. Returns why not, or None."""
    last = table.last
    if table.open or last is None or asked.round != last.end["round"]:
        return f"round {asked.round} is not the last, or has not ended: it is out of reach here."
    if table.shoe.is_burning:
        return "the next round's shoe is being burned."
    if table.correcting:
        return "another correction is being recorded."
    if table.paying:
        return "a payment is being recorded."
    if last.stakes is None:
        return "nothing was staked in that round."
    body: dict[str, Any] = {"round": asked.round, "corrects": last.end["seq"]}
    if asked.cards is None:
        if last.end.get("reason") is not None:
            return "that round is void already."
        body["reason"] = BY_CROUPIER
        body["cards"], body["engagements"] = list(last.cards), list(last.engagements)
    else:
        why_not = _played(table, asked, body)
        if why_not is not None:
            return why_not
    body["manual"] = [asked.who, asked.manager]
    body["why"] = asked.why
    body["seq"] = table.seq + 1
    body["shoe"] = last.end["shoe"]
    table.note_correcting(correcting=True)
    table.record(card_kinds.CORRECTION, body, waits=True)
    return None


def _played(
    table: "CardTable", asked: "facts.RoundCorrectionAsked", body: "dict[str, Any]"
) -> str | None:
    """Adds to `body` what those cards and decisions make. Returns why they cannot be, or None."""
    last, cards = table.last, asked.cards or ()
    decisions = last.engagements if asked.decisions is None else asked.decisions
    stood = list(last.engagements)
    known = {row["k"]: row for row in last.cards}
    play = Play(table.limits, last.stakes)
    dealt = decided = 0
    try:
        while play.due.kind != dues.DONE:
            kind = play.due.kind
            if kind == dues.CHECK:
                play.check()
            elif kind == dues.TURN:
                play.turn()
            elif kind == dues.CARD:
                if dealt == len(cards):
                    return f"after {dealt} cards the next one goes to {play.due.to}: give it too."
                _deal(play, cards[dealt], known.get(dealt + 1))
                dealt += 1
            else:
                if decided == len(decisions):
                    return f"after {dealt} cards somebody decides: say what."
                given = decisions[decided]
                by = given.get("by", asked.who)
                said = (given["seat"], given["hand"], given["do"], given.get("cents"), by)
                play.decide(*said, _funds(table, play, given, stood))
                decided += 1
    except CardsError as error:
        return error.rule + ": " + error.sentence
    except (KeyError, TypeError, AttributeError):
        return "a decision has a seat, a hand and what it does."
    if dealt < len(cards) or decided < len(decisions):
        return "the round ends before all those cards and decisions."
    body["cards"], body["engagements"] = play.cards, play.engagements
    body["outcome"] = play.round.outcome()
    body["decks"] = table.limits.decks
    body["seal"] = card_seal.cards_seal(asked.round, last.end["shoe"], play.cards)
    body["stakes"] = play.seal
    paid, told = play.round.payments(), _known(table)
    body["held"] = [at for at in play.held() if paid[at] not in told]
    return None


def _funds(
    table: "CardTable", play: Play, given: "dict[str, Any]", stood: "list[Any]"
) -> "dict[Any, int] | None":
    """Returns what each account that bets behind that seat laid as it was decided so; where people
    say now that it was decided otherwise, what it would have had.

    `stood`: decisions of the round as it stands, less those that were said again; so this one.
    """
    if table.book is None:
        return None
    seat = given["seat"]
    has: dict[Any, int] = table.book.behind.funds_of(table.last.stakes, seat)
    decided = [given.get(key) for key in _DECIDED]
    for row in stood:
        if "lays" in row and [row.get(key) for key in _DECIDED] == decided:
            stood.remove(row)
            laid = card_round.funds_of(play.round, row) or {}
            return {player: laid[player] for player in has}
    for player, _, _, cents in card_round.laid_sums(play.round):
        if player in has:
            has[player] = max(0, has[player] - cents)
    return has


def _known(table: "CardTable") -> "list[Any]":
    """Returns the payments that the management knows of, as the round stood."""
    last = table.last
    if last.end.get("reason") is not None:
        return []
    paid = card_round.payments(last.stakes, last.cards, last.engagements, last.end)
    waits = last.end.get("held") or () if last.waits else ()
    told = table.limits.rules.get("told_before_paid", ())
    return [paid[at] for at in range(len(paid)) if paid[at].bet in told and at not in waits]


def _deal(play: Play, card: int, stood: "dict[str, Any] | None") -> None:
    """Deals a card as people say it; one that stood keeps its identity."""
    row = play.deal(card, ident="", how=facts.PEOPLE, ordinal=0, n=0)
    if stood is not None and stood["card"] == row["card"]:
        for key in ("id", "how", "ordinal"):
            row[key] = stood[key]


def durable(table: "CardTable", body: "dict[str, Any]") -> None:
    """Takes a correction that is recorded: from now on its round stands so."""
    last = Ended(
        table.last.stakes, body["cards"], body["engagements"], body, bool(body.get("held"))
    )
    table.note_correcting(correcting=False)
    table.replace_last(last)
    if table.book is not None and not table.book.corrected(body):
        table.fault("P15", str(body["round"]))
    payments = card_round.payments(last.stakes, last.cards, last.engagements, body)
    happening = states.VOID_CORRECTED if body.get("reason") else states.RESULT_CORRECTED
    if states.after(table.state, happening) is not None:  # the shoe may have ended meanwhile
        table.enter(happening)
    cards = [deck.card_of(row["card"]) for row in last.cards]
    decisions = [tuple(row[key] for key in _DECIDED) for row in last.engagements]
    said = (body["seq"], body["corrects"], body.get("outcome"), body.get("reason"), payments)
    stands = (body.get("held", []), cards, decisions)
    table.emit(facts.RoundCorrection(table.at_us, table.round, *said, *stands))
