"""What stands on a display besides what is lit: which scene is played, the tally, the limits.

Every face draws the same scene: the page, the terminal.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import rules
from firmware.bus.messages import BACCARAT, CONFIRMED, STALE, VOID, is_card_game
from firmware.bus.receiver import Lit
from firmware.bus.slots import FRESH_US
from firmware.services.display.cloth import NOTHING, Cloth, Told, lay
from firmware.services.display.roads import RoadBook
from firmware.services.display.tally import Book, Outcome, Tally
from firmware.text.display_words import ATTRACT, EVERY_BET, SIMPLE, STARTING
from rules.limits import WrongInput, names, open_table

# `bets`: whose maximum this is, keys of display_words.BETS; `maximum_cents` None: there is none.
Limit = NamedTuple("Limit", [("bets", tuple[str, ...]), ("maximum_cents", int | None)])
# `currency`: what the cents are of, ISO 4217.
Limits = NamedTuple(
    "Limits", [("currency", str), ("minimum_cents", int), ("maxima", tuple[Limit, ...])]
)


def limits_of(table: Any) -> Limits | None:
    """Returns the limits of a receiver's Table.

    None if it has none, or such as its rules forbid.
    """
    if table is None or table.rules not in rules.WHEEL_GAMES or not table.minimum_cents:
        return None
    game = rules.load(table.rules)
    try:
        opened = open_table(
            game, table.minimum_cents, dict(table.maxima), table.table_minimum_cents or None
        )
    except WrongInput:
        return None
    simple = {bet.name for bet in game["bets"] if bet.simple}
    found: list[Limit] = []
    for name in names(game):
        maximum = next(iter(opened.positions[name].values())).maximum_cents
        bet = SIMPLE if name in simple else name
        if found and found[-1].maximum_cents == maximum:
            if bet not in found[-1].bets:
                found[-1] = found[-1]._replace(bets=(*found[-1].bets, bet))
        else:
            found.append(Limit((bet,), maximum))
    if [limit.maximum_cents for limit in found] == [None]:
        found = [Limit((EVERY_BET,), None)]
    return Limits(game["currency"], opened.floor_cents, tuple(found))


# A coup comes every 45 s or so; when none has begun so long after the last one's end, the table
# waits for players. The number stays among the last 20.
ATTRACT_US = 90_000_000
# A record comes some 30 ms behind the heartbeat that names it, and until then nothing of the past
# is told. What stood there stays so long, or the row would flicker at every result.
HOLD_US = 500_000

# Each display is asked once a second and told at once: who was not heard so long is not there.
STARTING_US = 2 * FRESH_US

# `stage`: the state lit, ATTRACT or STARTING. `tally` and `limits` None: not known. `asks`: who
# asks to be the first supervisor; None: nobody. `cloth`: of a card table.
Scene = NamedTuple(
    "Scene",
    [
        ("lit", Lit),
        ("stage", str),
        ("tally", Tally | None),
        ("limits", Limits | None),
        ("asks", str | None),
        ("cloth", Cloth | None),
    ],
)
Outcomes = Callable[[], Iterable[tuple[int, Outcome]]]


def is_shown(scene: Scene) -> bool:
    """Returns whether the number is: a table that waits for players has it among the last ones
    alone.
    """
    return scene.stage == CONFIRMED and scene.lit.number is not None


# In these no round goes on, or it is not told whether one does.
_NOT_IN_PLAY = (CONFIRMED, VOID, "FAULT", "SERVICE")


class Director:
    """Makes the scene of what is lit."""

    def __init__(self) -> None:
        self._book = Book()
        self._roads = RoadBook()
        self._told: Told = NOTHING
        self._lit: Lit | None = None
        self._since_us = 0  # when the coup ended that is lit
        self._scene: Scene | None = None
        self._past: tuple[Outcome, ...] = ()
        self._past_us = 0  # when it was last told
        # Until when nobody may have been heard yet: from the first scene on, until somebody was.
        self._starting_until_us: int | None = None

    def scene(
        self,
        lit: Lit,
        now_us: int,
        outcomes: Outcomes = tuple,
        asks: str | None = None,
        told: Told = NOTHING,
    ) -> Scene:
        """Returns the scene to show now; the same object as long as nothing changes.

        `outcomes` gives those of `lit.history`, each with its coup. `asks`, `told`: a receiver's.
        """
        lit = self._with_past(lit, now_us)
        before, scene = self._lit, self._scene
        if before is None or _end(before) != _end(lit):
            self._since_us = now_us
        stage = self._stage(lit, now_us)
        if scene is None or lit != before or stage != scene.stage or told != self._told:
            self._lit, self._told = lit, told
            scene = self._scene = self._make(lit, stage, outcomes)
        if asks != scene.asks:
            scene = self._scene = scene._replace(asks=asks)
        return scene

    def _with_past(self, lit: Lit, now_us: int) -> Lit:
        """`lit` with the outcomes that stood there a moment ago, if none are told just now."""
        if lit.state == STALE:
            self._past = ()
        elif lit.history:
            self._past, self._past_us = lit.history, now_us
        elif now_us - self._past_us < HOLD_US:
            return lit._replace(history=self._past)
        return lit

    def _make(self, lit: Lit, stage: str, outcomes: Outcomes) -> Scene:
        if lit.state == STALE or lit.game is None:
            return Scene(lit, stage, None, None, None, None)
        if is_card_game(lit.game):  # nothing there is told by numbers
            return Scene(lit._replace(history=()), stage, None, None, None, self._cloth(lit, stage))
        self._book.add_outcomes(lit.game, [((lit.epoch, coup), told) for coup, told in outcomes()])
        return Scene(lit, stage, self._book.tally(), limits_of(lit.table), None, None)

    def _cloth(self, lit: Lit, stage: str) -> Cloth:
        """Returns what lies on a card table; the roads begin anew with a shoe."""
        told, roads = self._told, None
        assert lit.game is not None  # one of cards
        if lit.game == BACCARAT:
            ends = [((lit.epoch, each), end.winner) for each, end in told.ends]
            self._roads.add_ends(ends)
            if told.first is not None:
                goes_on = lit.coup == told.first and lit.state not in _NOT_IN_PLAY
                roads = self._roads.roads(lit.epoch, told.first, has_ended=not goes_on)
        return lay(lit.game, told, roads, is_open=stage != ATTRACT)

    def _stage(self, lit: Lit, now_us: int) -> str:
        if self._starting_until_us is None:
            self._starting_until_us = now_us + STARTING_US
        if lit.state != STALE:
            self._starting_until_us = now_us
        elif now_us < self._starting_until_us:
            return STARTING
        waits = lit.state in (CONFIRMED, VOID) and now_us - self._since_us >= ATTRACT_US
        # Before the first coup of all, no game has been offered yet.
        return ATTRACT if waits or (lit.coup == 0 and lit.state == "BETS_OPEN") else lit.state


def _end(lit: Lit) -> tuple[object, ...]:
    return (lit.state, lit.epoch, lit.coup, lit.seq)
