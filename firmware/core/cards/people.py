"""What people ask of a card table, and what two of them decide together.

Two people as art. 67-5 of the arrêté of 14 May 2007 has it (firmware/core/coup/manual.py): over the
socket each has a PIN, at the table each has a key switch. They are never one person.
"""

from firmware.core import facts as core_facts
from firmware.core.cards import correction, facts, hold, keys, rescan, states
from firmware.core.cards.reasons import BY_CROUPIER
from firmware.shims.typed import TYPE_CHECKING, Any
from firmware.stakes import card_kinds

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable

EVENTS = (
    core_facts.VoidAsked,
    core_facts.ConfirmAsked,
    core_facts.ClearAsked,
    facts.KeySwitched,
    facts.CardEntered,
    facts.BurnAsked,
    facts.RescanAsked,
    facts.CountConfirmed,
    facts.RoundCorrectionAsked,
    facts.Acknowledged,
)
BY_SWITCHES = "keys"  # as a record's `why`: key switches cannot say more
_OF_TWO = (
    facts.CardEntered,
    facts.BurnAsked,
    facts.CountConfirmed,
    facts.RoundCorrectionAsked,
)


class People:
    """Takes what was asked. Who they are, and that they may, was checked before."""

    def __init__(self, table: "CardTable") -> None:
        """`table`: the CardTable they stand at."""
        self._table = table
        self._is_turned = False  # the croupier's switch
        self._card: Any = None  # typed while it is turned
        self._burns = False  # BURN was pressed while it is turned

    # Any: one of EVENTS.
    def handle(self, event: Any) -> None:
        """Does what is asked, or emits why not."""
        why_not = self._ask(type(event), event)
        if why_not is not None:
            self._table.refuse(why_not)

    def propose_card(self, card: int | None) -> None:
        """Takes a card typed in while the round waits for people to enter it."""
        if not self._is_turned:
            self._table.refuse("the croupier's key is turned first, then the management's.")
        elif card is not None:
            self._card = card

    def propose_burn(self) -> str | None:
        """Takes that the croupier would burn an exposed card. Returns why not, or None."""
        if not self._is_turned:
            return "two people have an exposed card burned: turn the croupier's key first."
        self._burns = True
        return None

    def _ask(self, kind: Any, event: Any) -> str | None:
        table = self._table
        if kind is facts.KeySwitched:
            return self._switched(event.switch, on=event.on)
        if kind in _OF_TWO and event.who == event.manager:
            return "two different persons are wanted for that."
        if table.closing:
            return "the end of the round is being recorded."
        if kind is facts.CardEntered:
            return hold.enter_card(table, event)
        if kind is facts.BurnAsked:
            return hold.burn_by_two(table, event.who, event.manager, event.why)
        if kind is facts.RescanAsked:
            return rescan.start(table)
        if kind is facts.CountConfirmed:
            return table.shoe.confirm_count(event.who, event.manager, event.why)
        if kind is facts.RoundCorrectionAsked:
            return correction.ask(table, event)
        if kind is facts.Acknowledged:
            return self._acknowledge(event.manager)
        if kind is core_facts.ConfirmAsked:
            return keys.confirm(table, event.who)
        if kind is core_facts.VoidAsked:
            if not table.open:
                return "no round is open."
            table.void(BY_CROUPIER, who=event.who)
            return None
        return self._clear(event.who)

    def _clear(self, who: str) -> str | None:
        table = self._table
        if table.state != states.FAULT:
            return "there is nothing to clear."
        table.record(card_kinds.CLEARED, {"round": table.round, "who": who})
        table.enter(states.CLEARED)
        return None

    def _acknowledge(self, manager: str) -> str | None:
        table = self._table
        if not table.waits():
            return "no payment waits for the management."
        if table.correcting:
            return "a correction is being recorded."
        if table.paying:
            return "a payment is being recorded."
        table.note_paying(paying=True)
        body = {"round": table.round, "manager": manager}
        table.record(card_kinds.PAID, body, waits=True)
        return None

    def _switched(self, switch: str, *, on: bool) -> str | None:
        table = self._table
        assert switch in facts.SWITCHES, switch
        if switch == facts.SWITCH_CROUPIER:
            self._is_turned = on
            self._card, self._burns = None, False
            return None
        if not on or table.closing:
            return None
        if table.waits():
            return self._acknowledge(facts.SWITCH_MANAGEMENT)
        card, burns = self._card, self._burns
        self._card, self._burns = None, False
        by = (facts.SWITCH_CROUPIER, facts.SWITCH_MANAGEMENT, BY_SWITCHES)
        if card is not None:
            return hold.enter_card(table, facts.CardEntered(table.at_us, card, *by))
        if burns:
            return hold.burn_by_two(table, *by)
        return "nothing waits for the management: the croupier's key comes first."
