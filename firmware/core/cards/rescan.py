"""The cloth read again: a card was drawn and not read, and the round is read from its first card.

Studio practice (CARDS section 2): it must repeat what stands, in its order, and nobody may have
decided yet by what the screens said; else the round is void.
"""

from firmware.core.cards import facts, hold
from firmware.core.cards.play import Play
from firmware.core.cards.reasons import MISDEALT
from firmware.core.cards.shoe_count import TOO_OFTEN
from firmware.shims.typed import TYPE_CHECKING, Any
from firmware.stakes import card_kinds
from rules.cards import deck
from rules.cards import due as dues
from rules.cards.errors import CardsError

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable


def is_on(table: "CardTable") -> bool:
    """Returns whether the round is being read again."""
    return table.hold is not None and table.hold.why == hold.RESCAN


def start(table: "CardTable") -> str | None:
    """Has the round read again from its first card. Returns why not, or None."""
    if not table.playing() or table.play is None:
        return "no cards lie on the cloth."
    if table.hold is not None and facts.RESCAN not in hold.ways(table):
        return "what holds the round is ended first, as the croupier's screen says."
    if table.play.engagements:
        return "somebody has decided by what the screens said: the round is void, or goes on."
    was_held = table.hold is not None
    held = hold.hold_round(table, hold.RESCAN)
    held.cards = []
    if not was_held:
        held.missing = None  # people have found that one is missing, or look
    table.shoe.entered = []  # each is read once more
    return None


def scan(table: "CardTable", read: "facts.CardRead", lost: int) -> None:
    """Takes a card of the round that is read again; one that is read twice counts once.

    lost: so many went by unread before it.
    """
    if lost:
        table.hold.cards = []
        table.refuse("one went by unread: read the round again from its first card.")
    elif read.card is None:
        table.refuse("it cannot be read: pull it over the reader again.")
    elif not read.ident or read.ident not in [other.ident for other in table.hold.cards]:
        table.hold.cards.append(read)


def finish(table: "CardTable") -> None:
    """Plays what was read again, which has to repeat what stands; else the round is void."""
    reads, old = table.hold.cards, table.play
    play = Play(table.limits, old.stakes)
    ordinals = _ordinals(reads, old.cards)
    try:
        is_whole = (
            ordinals is not None
            and _are_so_many(table, reads)
            and _deal_again(play, reads, ordinals)
        )
    except CardsError:
        table.shoe.foreign(reads[len(play.cards)], TOO_OFTEN)
        return
    if not is_whole:
        table.void(MISDEALT)
        return
    count = table.shoe.count
    counted: list[Any] = []
    for read, row in zip(reads, play.cards):
        if not row["ordinal"]:
            why = count.why_foreign(read.card, read.ident)
            if why is not None:
                for other in counted:
                    count.put_back(other.card, other.ident)
                table.shoe.foreign(read, why)
                return
            row["ordinal"] = count.count_card(read.card, read.ident)
            counted.append(read)
    table.record(card_kinds.CARD_BACK, {"round": table.round, "k": 1})
    table.take_play(play)
    for row in play.cards:
        table.tell_card(row)
    table.shoe.forget_doubts()
    hold.resume(table)


def _are_so_many(table: "CardTable", reads: "list[Any]") -> bool:
    """Returns whether as many cards were found as were missing.

    Where nobody knows how many that were, one that is read twice must not count as two.
    """
    found = len(reads) - len(table.play.cards)
    if table.hold.missing is not None:
        return bool(found == table.hold.missing)
    return not found or not [read for read in reads if not read.ident and read.how != facts.PEOPLE]


def _deal_again(play: Play, reads: "list[Any]", ordinals: "list[int]") -> bool:
    """Deals the cards of a round again; returns False where one of them is not due.

    Raises CardsError where the decks have no such card any more.
    """
    for read, ordinal in zip(reads, ordinals):
        if play.due.kind == dues.CHECK:
            play.check()
        if play.due.kind != dues.CARD:
            return False
        play.deal(read.card, ident=read.ident, how=read.how, ordinal=ordinal, n=read.n)
    return True


def _ordinals(reads: "list[Any]", rows: "list[dict[str, Any]]") -> "list[int] | None":
    """Returns the ordinal of each card that stood, 0 for one that was missed before.

    Returns None where what was read does not repeat what stands, in its order.
    """
    found: list[int] = []
    stood = 0
    for read in reads:
        row = rows[stood] if stood < len(rows) else None
        if row is not None and (deck.text_of(read.card), read.ident) == (row["card"], row["id"]):
            found.append(row["ordinal"])
            stood += 1
        else:
            found.append(0)
    return found if stood == len(rows) else None
