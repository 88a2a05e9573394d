"""Manual mode: people enter the number that the sensors could not give.

French arrêté of 14 May 2007, art. 67-5: where no more bets or the number cannot be detected, the
croupier enters the number in the presence of a member of the management, who restarts the game;
each has a credential of his own. Over the socket that is a PIN; at the table it is a key switch.
"""

from firmware.core import facts
from firmware.core.coup import states
from firmware.core.coup.evidence import PEOPLE
from firmware.core.sense.button import Button
from firmware.shims.typed import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from firmware.core.coup.table import Table


CROUPIERS_KEY = "key_croupier"
MANAGEMENTS_KEY = "key_management"
COUNT = "btn_number"
LINES = (CROUPIERS_KEY, MANAGEMENTS_KEY, COUNT)
# As the record's `why`: keys cannot say more.
BY_KEYS = "keys"
# A member of the management has to come; a table does not wait longer for one.
MANUAL_US = 1_800_000_000
# Void reasons that say the sensors failed, not the coup: where the house chose so, people enter
# the number. Every other is void, whoever stands there: it is the regulations', or a ball that is
# known to be gone (ball_lost) and has no number. But a boule ball that nothing sees any more may
# rest between two cups: that ball_lost boule.py leaves to people (Table.ask_people_or_void).
UNDETECTED = ("sensors_disagree", "encoder", "timeout")


def choices(rules: dict[str, Any]) -> list[tuple[int, str]]:
    """Returns every number with each colour it has, ascending: what can be entered."""
    pairs = zip(rules["layout"], rules["colours"])
    return sorted(set(pairs))


def place(rules: dict[str, Any], number: int, colour: str | None) -> "tuple[int | None, str]":
    """Returns the compartment of a number, None if it lies in several, and its colour.

    `colour` may be None where the number has one alone. Asserts what `unlike` has judged.
    """
    found = [at for at, here in enumerate(rules["layout"]) if here == number]
    if colour is not None:
        found = [at for at in found if rules["colours"][at] == colour]
    colours = {rules["colours"][at] for at in found}
    assert len(colours) == 1, (number, colour)
    return (found[0] if len(found) == 1 else None), colours.pop()


def body(rules: dict[str, Any], entered: facts.ManualEntered) -> dict[str, Any]:
    """Returns what the record of a result says of a number that people entered."""
    compartment, colour = place(rules, entered.number, entered.colour)
    return {
        "number": entered.number,
        "compartment": compartment,
        "colour": colour,
        "manual": [entered.who, entered.manager],
    }


def unlike(rules: dict[str, Any], number: int, colour: str | None) -> str | None:
    """Returns why this apparatus has no such number and colour, as a sentence; None if it has."""
    colours = [its for here, its in choices(rules) if here == number]
    if not colours:
        return f"there is no {number} here."
    names = " or ".join(colours)
    if colour is None and len(colours) > 1:
        return f"{number} is {names} here: say which."
    if colour is not None and colour not in colours:
        return f"{number} is {names}, never {colour}."
    return None


def refusal(table: "Table", number: int, colour: str | None) -> str | None:
    """Returns why people may not enter this now, as a sentence; None if they may."""
    if table.closing:
        return "the end of the coup is being recorded."
    if not table.open:
        return "no coup is open."
    if table.state == states.BALL_IN_TRACK:
        return "the ball is in the track."
    if stakes_in_doubt(table):
        return "the terminals take stakes until the call, and it was not detected: void the coup."
    if table.state == states.DETECTED:
        return "a number is detected; confirm it, or declare the coup void."
    return unlike(table.rules, number, colour)


def stakes_in_doubt(table: "Table") -> bool:
    """Returns whether the terminals still take stakes: who sees the ball lie could place one."""
    return table.has_terminals and states.after(table.state, states.CALL_DUE) is not None


def ask(table: "Table", reason: str) -> None:
    """Has the open coup wait for people to enter its number. Calls it first, if it was not."""
    at_us = table.at_us
    _call(table, at_us)
    table.wait_for_people(reason, at_us, until_us=at_us + MANUAL_US)
    table.fault(at_us, "P14", reason.replace("_", " "))
    table.tell_view()


def enter(table: "Table", entered: facts.ManualEntered) -> None:
    """Takes the number that people say, which `refusal` has judged. Calls first, if need be."""
    _call(table, entered.at_us)
    table.enter(states.NUMBER_ENTERED, entered.at_us)
    table.tell_view()
    said = body(table.rules, entered)
    for key in ("who", "manager", "why"):
        table.evidence.note(key, getattr(entered, key))
    if table.people_asked_why is not None:
        table.evidence.note("undetected", table.people_asked_why)
    table.close("result", said)


def _call(table: "Table", at_us: int) -> None:
    if states.after(table.state, states.CALL_DUE) is not None:
        table.call(at_us, {"why": PEOPLE})


class Keys:
    """Reads two key switches and a button, where a board has them: the keys are the credentials.

    While the croupier's key is turned, each press of the button counts up; the management's key,
    turned meanwhile, enters what was counted. The croupier's key turned back forgets it.
    """

    def __init__(self, table: "Table") -> None:
        """`table`: the Table whose coups they are for."""
        self._table = table
        self._choices = choices(table.rules)
        self._turned = False  # the croupier's key
        self._at: Any = None  # what was counted: an index of _choices
        self._coup = 0  # and for which coup
        self._managements, self._button = Button(), Button()

    def handler(self, name: str) -> Callable[[int, int], None]:
        """Returns what takes (at_us, level) of one of LINES."""
        own = {CROUPIERS_KEY: self._croupier, MANAGEMENTS_KEY: self._management}
        return own.get(name, self._count)

    def doubt(self, at_us: int, name: str) -> None:
        """Drops what that line was about to do: it lost an edge."""
        if name == CROUPIERS_KEY:
            self._croupier(at_us, 0)  # whoever holds the key turns it again

    def _croupier(self, at_us: int, level: int) -> None:
        self._turned = level == 1
        if not self._turned and self._at is not None:
            self._keep(at_us, None)

    def _count(self, at_us: int, level: int) -> None:
        if not self._button.pressed(at_us, level) or not self._turned:
            return
        # Any entry will do to ask whether one may be made: it is counted on from there.
        why_not = refusal(self._table, *self._choices[0])
        if why_not is not None:
            self._table.refuse(at_us, why_not)
            return
        begun = self._at is None or self._coup != self._table.coup
        self._coup = self._table.coup
        self._keep(at_us, 0 if begun else (self._at + 1) % len(self._choices))

    def _management(self, at_us: int, level: int) -> None:
        if not self._managements.pressed(at_us, level):
            return
        table = self._table
        if self._at is None or self._coup != table.coup:
            table.refuse(at_us, "no number was entered with the croupier's key.")
            return
        number, colour = self._choices[self._at]
        why_not = refusal(table, number, colour)
        if why_not is not None:
            table.refuse(at_us, why_not)
            return
        self._keep(at_us, None)
        keys = (CROUPIERS_KEY, MANAGEMENTS_KEY, BY_KEYS)
        enter(table, facts.ManualEntered(at_us, number, colour, *keys))

    def _keep(self, at_us: int, choice: int | None) -> None:
        """Remembers a choice, or None, and emits it for the croupier's screen."""
        self._at = choice
        number, colour = (None, None) if choice is None else self._choices[choice]
        self._table.emit(facts.NumberKeyed(at_us, self._table.coup, number, colour))
