"""The shoe at the table: loaded, burned, read, in trouble, at its end, changed.

What is dealt to a round is held to hold.py and table.py; here is what the shoe itself goes through.
"""

from firmware.core.cards import facts, hold, rescan, states
from firmware.core.cards.reasons import FOREIGN_CARD, MISDEALT, SHOE_CHANGED, SHOE_EXHAUSTED
from firmware.core.cards.shoe_count import (
    NO_IDENTITY,
    OTHER_SET,
    SEEN_BEFORE,
    TOO_OFTEN,
    ShoeCount,
    ShoeState,
    is_count,
)
from firmware.shims.typed import TYPE_CHECKING, Any
from firmware.stakes import card_kinds
from rules.cards import deck
from rules.cards import due as dues

if TYPE_CHECKING:
    from firmware.core.cards.table import CardTable

TOO_MANY = "a card too many"
# {} stands for the card, and for what the reader says besides.
_FOREIGN = {
    TOO_OFTEN: "{}, it came too often",
    SEEN_BEFORE: "{}, it was seen before",
    OTHER_SET: "{}, it is of another set",
    NO_IDENTITY: "{}, it has no identity",
}
_TROUBLES = {
    facts.JAM: "a card is jammed",
    facts.SILENT: "it does not answer, {}",
    facts.LYING: "it contradicts itself, {}",
}

EVENTS = (
    facts.CardRead,
    facts.CardPulledBack,
    facts.CutCardSeen,
    facts.ShoeEmpty,
    facts.ShoeTrouble,
    facts.ShoeTroubleEnded,
    facts.ShoeLoaded,
    facts.ShoeCounted,
)


class Shoe:
    """One shoe, and its count."""

    def __init__(self, table: "CardTable", state: ShoeState) -> None:
        """`state`: what a restart knows of it."""
        self._table = table
        self.count = ShoeCount(state)
        self.is_empty = False
        self.is_rebooted = False
        self.is_inexact = False  # more may have gone by than its numbers say
        self.is_burning = False
        self.burned = 0
        self.troubles: list[str] = []
        self._said: dict[str, str] = {}  # of each, as people are told of it
        # Cards that people entered while it was in trouble, and that it may still tell of.
        self.entered: list[int] = []
        # The trouble of which it told late what had come: people have not yet seen that it lies so.
        self.unsure: Any = None

    # Any: one of EVENTS.
    def handle(self, event: Any) -> None:
        """Takes what the shoe says."""
        kind = type(event)
        if kind is facts.CardRead:
            self._read(event)
        elif kind is facts.CardPulledBack:
            self._pulled_back(event.n, event.how)
        elif kind is facts.CutCardSeen:
            self.cut()
        elif kind is facts.ShoeEmpty:
            self._emptied()
        elif kind is facts.ShoeTrouble:
            self._trouble(event)
        elif kind is facts.ShoeTroubleEnded:
            self._trouble_ended(event.what)
        elif kind is facts.ShoeLoaded:
            self._greeted(event)
        else:
            self._counted(event.counts)

    def why_no_card(self) -> str | None:
        """Returns why the next card may not be drawn, as a hold's why; None if it may."""
        if self.troubles:
            return self.troubles[-1]
        return hold.REBOOT if self.is_rebooted else None

    def doubt(self) -> None:
        """Takes that its count may be wrong: two people confirm it, or the shoe is changed.

        While its first cards are burned, it is loaded again.
        """
        self.count.is_trusted = False
        if self.is_burning:
            self.end(locked=False)

    def forget_doubts(self) -> None:
        """Takes that a round begins, or that all of it was read again."""
        self.is_rebooted, self.is_inexact, self.unsure = False, False, None

    def gone_back(self) -> None:
        """Takes that a card which counts is in it again: nothing more is played of it."""
        self.count.is_over = True
        self.count.is_trusted, self.count.must_count, self.count.in_play = False, True, False
        self._row("doubted", {"why": hold.BACK})
        self.doubt()
        self._table.fault("K23", "")
        self._table.void(MISDEALT)
        self._table.end_shoe()

    def count_lost(self, lost: int, n: int) -> None:
        """Counts cards that went by unread. `n`: the reader's number of the last of them, so that
        a restart knows of a card behind it which has no row yet.
        """
        self.count.drawn += lost
        self.count.unread += lost
        if lost:
            self._row("missed", {"lost": lost, "n": n})

    def start(self) -> str | None:
        """Takes that its decks are in it, shuffled: burns the first. Returns why not, or None."""
        hello, decks = self.count.hello, self._table.limits.decks
        if not hello.serial:
            return "no shoe has said what it is: connect it."
        if hello.decks != decks:
            return f"the shoe has {hello.decks} decks, and this table plays {decks}."
        why = self._why_unheard()
        if why is not None:
            return why
        if self.is_burning:
            return "the first cards are being burned."
        if self.count.must_count:
            return "what is left in the shoe is counted first, or two people confirm it."
        self.count.load()
        self.is_empty = False
        self.is_burning, self.burned = True, 0
        self.entered = []
        self.forget_doubts()
        self._table.forget_faults()
        self._row("begun", {})
        self._burned_enough()
        return None

    def burn(self, read: "facts.CardRead", said: "dict[str, Any]") -> None:
        """Counts a card that is put away. `said`: what else its row says."""
        card = read.card
        if card is not None:
            why = self.count.why_foreign(card, read.ident)
            if why is not None:
                self.foreign(read, why)
                return
        row = {
            "round": 0,
            "k": 0,
            "ordinal": self.count.count_card(card, read.ident),
            "card": None if card is None else deck.text_of(card),
            "id": read.ident,
            "to": facts.BURN,
            "how": read.how,
        }
        row.update(said)
        self._table.record_card(row)

    def burn_unseen(self) -> str | None:
        """Counts one of its first cards, put away face down where nothing reads it.

        Returns why not, or None.
        """
        if not self.is_burning or self._table.house.reader != facts.PEOPLE:
            return "no card is to be burned by the croupier alone."
        self.burn(facts.CardRead(self._table.at_us, 0, None, "", facts.PEOPLE), {})
        self._burned_one()
        return None

    def foreign(self, read: "facts.CardRead", why: str) -> None:
        """Takes that a card is none of the shoe's: void, and out of play."""
        table = self._table
        assert read.card is not None
        self.count.is_trusted = False
        table.fault("K11", _FOREIGN[why].replace("{}", deck.french(read.card)))
        table.void(FOREIGN_CARD)
        table.lock()

    def exhausted(self) -> None:
        """Takes that the round needs a card and the shoe has none."""
        table = self._table
        self.doubt()
        table.fault("K12", "")
        table.void(SHOE_EXHAUSTED)
        table.lock()

    def cut(self) -> None:
        """Takes that the cut card came: this round ends, then the shoe is changed."""
        self._play_last()
        self._table.end_shoe()

    def end(self, *, locked: bool) -> None:
        """Takes that nothing more is played of what is in it."""
        self.is_burning, self.count.is_over = False, False
        self.count.must_count = (
            self._table.house.count_at_change or locked or not self.count.is_trusted
        )
        self.count.is_trusted, self.count.in_play = False, False
        self._row("ended", {})

    def confirm_count(self, who: str, manager: str, why: str) -> str | None:
        """Takes that two people know what is in it. Returns why not, or None."""
        table, count = self._table, self.count
        if table.open or self.is_burning or not (count.must_count or not count.is_trusted):
            return "no count of the shoe is in doubt, or a round is open."
        if table.state in (states.NO_SHOE, states.FAULT):
            if not count.must_count:
                return "no count of the shoe is in doubt."
            count.must_count = False
        elif self._why_unheard() is not None:
            return self._why_unheard()
        else:
            count.is_trusted = True
            if self.is_inexact:
                count.n = -1  # whatever came out before that
        self._row("confirmed", {"manual": [who, manager], "why": why})
        return None

    # --- what it says -----------------------------------------------------------------------------

    def _read(self, read: "facts.CardRead") -> None:
        table = self._table
        lost = self.count.lost_before(read.n) if read.how != facts.PEOPLE else 0
        if lost is None:
            return  # told again: it counts once
        is_theirs = table.house.reader == facts.PEOPLE
        if read.how == facts.PEOPLE and not is_theirs and not hold.may_enter(table):
            table.refuse("the shoe reads the cards here, and nobody types them in alone.")
            return
        if read.how != facts.PEOPLE and self._was_entered(read.card, lost):
            self._name_last(read)
            return
        if table.playing():
            if rescan.is_on(table):
                rescan.scan(table, read, lost)
            else:
                hold.card(table, read, lost)
            return
        if self.is_burning or table.state in (states.CONFIRMED, states.VOID) or table.open:
            self.count_lost(lost, read.n - 1)
            if self.is_burning and read.ident and read.ident in self.count.idents:
                return  # pushed and pulled: read twice, it is one card
            is_first = self.is_burning
            self.burn(read, {})
            if not is_first:
                table.fault("K19", "")
            elif self.is_burning:
                self._burned_one()
        else:
            table.refuse("no shoe is in play: the card is not counted.")

    def _was_entered(self, card: int | None, lost: int) -> bool:
        """Returns whether people have entered the card that it tells of now, late.

        Another one like it is taken for it: it is not told as dealt, so people pull it again.
        """
        if lost or not (card is None or card in self.entered):
            self.entered = []  # it has told of all before this one
        if not self.entered:
            return False
        at = 0 if card is None else self.entered.index(card)
        self.entered = self.entered[at + 1 :]
        return True

    def _name_last(self, read: "facts.CardRead") -> None:
        """Notes the reader's number of the round's last card, which people have entered."""
        play = self._table.play
        if not self.entered and play is not None and play.cards and self._table.playing():
            play.last_n = read.n

    def _why_unheard(self) -> str | None:
        """Returns why what it says may not be all; None if it is. A jam ends when a card moves."""
        for what in self.troubles:
            if what != facts.JAM:
                return "the shoe is in trouble: " + what + "."
        return None

    def _burned_one(self) -> None:
        self.burned += 1
        self.count.must_count = True  # after a restart: it is in it no more
        self._burned_enough()

    def _burned_enough(self) -> None:
        if self.is_burning and self.burned >= self._table.house.burned:
            if self.count.is_over:
                self._row("cut", {})  # before the round's: until then what is burned is in doubt
            self.is_burning = False
            self.count.is_trusted, self.count.must_count, self.count.in_play = True, False, True
            self._table.begin_round()

    def _play_last(self) -> None:
        """Takes that no round is begun from it any more: a restart knows that, too."""
        if self.count.in_play and not self.count.is_over:
            self._row("cut", {})
        self.count.is_over = True

    def _pulled_back(self, n: int, how: str) -> None:
        table = self._table
        if how == facts.PEOPLE and table.house.reader != facts.PEOPLE:
            table.refuse("the shoe reads the cards here: none is taken back by keys.")
        elif how == facts.PEOPLE and table.playing():
            hold.take_back(table, n)
        elif how == facts.PEOPLE:
            table.refuse("no card is to be taken back.")
        elif n == facts.NEVER_OUT:
            table.fault("K18", "")
        elif table.playing():
            hold.pulled_back(table, n)
        elif self.count.in_play or self.is_burning:
            self.gone_back()

    def _emptied(self) -> None:
        table = self._table
        if self.is_burning:
            self.doubt()
        self.is_empty = True
        self._play_last()
        if table.playing() and table.play is None:
            table.void(SHOE_EXHAUSTED)
        elif self._waits_for_card():
            self.exhausted()
        else:
            table.end_shoe()

    def _waits_for_card(self) -> bool:
        table = self._table
        return bool(table.playing() and table.play is not None and table.play.due.kind == dues.CARD)

    def _trouble(self, event: "facts.ShoeTrouble") -> None:
        table = self._table
        if event.what not in self.troubles:
            self.troubles.append(event.what)
        if event.what not in self._said:
            said = _TROUBLES[event.what]
            said = said.replace("{}", event.detail) if event.detail else said.replace(", {}", "")
            self._said[event.what] = said
        table.fault("K13", self._said[event.what])
        if event.what == facts.LYING and (self.count.in_play or self.is_burning):
            self.doubt()  # cards may have come and gone
            self.is_inexact = True
            self._row("doubted", {"why": facts.LYING})
        if self._waits_for_card() and table.state != states.HOLD:
            hold.hold_round(table, event.what)

    def _trouble_ended(self, what: str) -> None:
        if what in self.troubles:
            self.troubles.remove(what)
            self._table.end_fault("K13", self._said.pop(what))  # as it was told

    def _greeted(self, hello: "facts.ShoeLoaded") -> None:
        table, old = self._table, self.count.hello
        is_other = bool(old.serial) and old.serial != hello.serial
        is_anew = bool(old.serial) and not is_other and old.boot != hello.boot
        # A reader's own numbers began anew, and none of them tells what came between two rounds.
        if is_other or (is_anew and table.house.reader == facts.SHOE and not table.playing()):
            self.doubt()
        came = self.count.greet(hello)
        # What comes out of a shoe that has ended is not counted; it is missed as it is unloaded.
        gone = came if self.count.in_play or not self.count.first else 0
        self.count_lost(gone, self.count.n)  # before the row below, whose number has them
        self._row("loaded", {"model": hello.model, "decks": hello.decks, "boot": hello.boot})
        if gone and self.count.is_trusted:
            table.fault("K19", "")
        if table.house.reader == facts.SHOE and not hello.is_authenticated:
            table.fault("K15", hello.serial)
        if hello.decks != table.limits.decks:
            table.fault("K17", str(hello.decks))
        if is_other or is_anew:
            self.entered = []
        if is_other:
            table.void(SHOE_CHANGED)
            self.is_burning = False
            self.cut()
        elif is_anew and table.playing():
            self.is_rebooted = True
            if self._waits_for_card() and table.state != states.HOLD:
                hold.hold_round(table, hold.REBOOT)

    def _counted(self, left: Any) -> None:
        table = self._table
        if table.state not in (states.NO_SHOE, states.FAULT) or self.is_burning:
            table.refuse("the shoe is counted as it is unloaded, between two shoes.")
        elif not is_count(left):
            table.refuse("a count is 52 numbers, one a card.")
        else:
            agrees = self.count.agrees(left)
            differ = [] if agrees else self.count.differs(left)
            wrong = [deck.text_of(card) for card in differ]
            self.count.must_count = not agrees
            self._row("counted", {"left": sum(left), "agrees": agrees, "wrong": wrong})
            if not agrees:
                said = ", ".join([deck.french(card) for card in differ[:6]])
                table.fault("K16", said or TOO_MANY)

    def _row(self, what: str, said: "dict[str, Any]") -> None:
        assert what in card_kinds.SHOE_WHATS, what
        hello = self.count.hello
        body = {
            "what": what,
            "serial": hello.serial,
            "authenticated": hello.is_authenticated,
            "n": self.count.n,
            "drawn": self.count.drawn,
            "trusted": self.count.is_trusted,
            "must_count": self.count.must_count,
        }
        body.update(said)
        self._table.record(card_kinds.SHOE, body)
