"""What the screen says besides the guide's own sentence: English, the key of its translations."""

from __future__ import annotations

from typing import Any

from firmware.core.cards import facts
from firmware.lib.language import LANGUAGES, N_, Message, translated
from firmware.services.guide import keys
from firmware.text.card_guide import CHOICES

# What is due after it, by the code of the guide. DEAL says it by its own place.
THEN = {
    facts.LOAD: N_("Then the first cards are burned."),
    facts.COUNT: N_("Then the shoe is played, or changed."),
    facts.BURNING: N_("Then the stakes open."),
    facts.BETS: N_("Then the cards are dealt."),
    facts.DEAL: N_("What follows hangs on this card."),
    facts.LATE: N_("What follows hangs on this card."),
    facts.INSURE: N_("Then the hands are played."),
    facts.DECIDE: N_("What follows hangs on this decision."),
    facts.TURN: N_("Then the dealer draws, or the round is paid."),
    facts.GOLD_JACK: N_("Then it is paid, and START begins the next round."),
    facts.CONFIRM: N_("Then pay and collect, from right to left."),
    facts.RECORDING: N_("Then pay and collect, from right to left."),
    facts.HELD: N_("Then the round goes on, or all stakes go back."),
    facts.NEXT: N_("Then the stakes open."),
    facts.BURN_ALL: N_("Then the stakes open."),
    facts.LOCKED: N_("Then another shoe is put at the table."),
}
# Where there are no seats.
THEN_BACCARAT = dict.fromkeys((facts.CONFIRM, facts.RECORDING), N_("Then pay and collect."))
# What a key does.
MEANS = {
    facts.KEY_START: N_("the next round"),
    facts.KEY_NO_MORE_BETS: N_("no more bets"),
    facts.KEY_CONFIRM: N_("the cloth is right"),
    facts.KEY_VOID: N_("all stakes go back"),
    facts.KEY_BURN: N_("a card is burned"),
    facts.KEY_EXPOSED: N_("players have seen it"),
    facts.KEY_CUT: N_("the cut card came"),
    facts.KEY_TURNED: N_("the hole card lies face up"),
    facts.KEY_CARD: N_("one more card"),
    facts.KEY_STAND: N_("no more cards"),
    facts.KEY_DOUBLE: N_("one card, twice the stake"),
    facts.KEY_PAIR: N_("the pair is split"),
    facts.KEY_INSURANCE: N_("the seat is insured"),
    **dict.fromkeys(facts.SEAT_KEYS, N_("this seat")),
}
CHIPS = N_("chips lie there, or no more")  # what a seat's key says before the call
BY_ACCOUNT = N_("by account")  # nothing that the croupier pays
SHOE_THERE = N_("the shoe is in place")  # what START says of a new shoe
NO_INSURANCE = N_("the seat is not insured")  # what RESTE does while insurance is offered
NO_MORE_INSURANCE = N_("nobody else is insured")  # what RIEN NE VA PLUS does there
# What people ask together.
ASKS = {
    keys.CARD: N_("Enter the card"),
    keys.BURN: N_("Burn the card, by two"),
    keys.COUNT: N_("Confirm the count"),
    keys.RESCAN: N_("Read the round again"),
    keys.PAY: N_("The management knows of it"),
    keys.CORRECT: N_("Correct the round"),
    keys.CLEAR: N_("Clear the lock"),
}
# What a seat decides.
DECIDES = CHOICES | {"insure": N_("Insurance"), "no_insurance": N_("No insurance")}
# What is proposed as the reason.
WHYS = {
    keys.CARD: N_("the card cannot be read"),
    keys.BURN: N_("exposed, the round goes on"),
    keys.COUNT: N_("counted by two"),
    keys.CORRECT: N_("seen on the cloth"),
}
LABELS = {
    "own_name": N_("English"),
    "simulated": N_("SIMULATED TABLE"),
    "last": N_("Last round of the shoe"),
    "round": N_("round"),
    "shoe": N_("Shoe"),
    "dealer": N_("Dealer"),
    "player": N_("Player"),
    "banker": N_("Banker"),
    "seat": N_("Seat"),
    "hand": N_("hand"),
    "here": N_("HERE"),
    "go": N_("DO"),
    "wait": N_("WAIT"),
    "held": N_("ATTENTION"),
    "locked": N_("LOCKED"),
    "staked": N_("stake"),
    "cloth": N_("Cloth"),
    "next": N_("next"),
    "ways": N_("Ways out"),
    "wrong": N_("What went wrong"),
    "paid": N_("Payments, from right to left"),
    "paid_players": N_("Payments"),  # where there are no seats
    "seconds": N_("s"),
    "sure": N_("Touch again to confirm"),
    "send": N_("Send"),
    "close": N_("Close"),
    "void": N_("The round is void"),
    "card": N_("Card"),
    "cards": N_("Cards of the round, in their order"),
    "decisions": N_("Decisions of the round, in their order"),
    "why": N_("Why"),
    "croupier": N_("Croupier"),
    "management": N_("Management"),
    "pin": N_("PIN"),
    "back": N_("Wipe out"),
    "space": N_("Space"),
    "capitals": N_("Capitals"),
    "missing": N_("Fill in every field first."),
    "asking": N_("It is being asked: wait."),
    "failed": N_("The guide's program does not answer: start cylindre guide again."),
    "unheard": N_("The guide's program is not heard: the screen comes back by itself."),
    "crowded": N_("Too many pages are open: close one."),
}
GONE = N_("The controller does not answer: the screen comes back by itself.")
STILL = N_("The controller stands still: the screen comes back by itself.")
OTHER_VERSION = N_("The controller is of another version: restart cylindre guide after the update.")
NO_CARDS = N_("No cards are dealt here: this is a wheel's controller.")
CHANGED = N_("The table has gone on meanwhile: look, and press again.")
UNDER_WAY = N_("The last key is not answered yet: wait, and look.")
SURE_KEY = N_("Press it again to confirm.")
BY_NAME = N_("That takes names and PINs: use cylindre cards, or the guide's page.")
NOT_NOW = N_("That means nothing now.")
CROSSED = N_("That was not asked by the page itself: load it again.")
WRONG_FORM = N_("That cannot be read: load the page again.")


def in_each(text: str) -> dict[str, str]:
    """Returns a sentence by the code of its language."""
    return {language: translated(Message(text), language) for language in LANGUAGES}


def vocabulary() -> dict[str, Any]:
    """Returns what the page says by itself, by the code of its language."""

    def table(texts: dict[str, str], language: str) -> dict[str, str]:
        return {name: translated(Message(text), language) for name, text in texts.items()}

    return {
        language: {
            "labels": table(LABELS | {"changed": CHANGED}, language),
            "asks": table(ASKS, language),
            "decides": table(DECIDES, language),
            "whys": table(WHYS, language),
        }
        for language in LANGUAGES
    }
