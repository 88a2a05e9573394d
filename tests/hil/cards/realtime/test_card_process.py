"""A card table at real ptys: `cylindre run` is a process; shoe, croupier, two people are here."""

from __future__ import annotations

import pytest

from tools.hil.cards import process
from tools.hil.cards.faults import CONFIRMED
from tools.hil.cards.scenario import CardScenario, Use
from tools.hil.faults.entry import VOID
from tools.virtual.card_hands import Setup

SEED = 6  # of hands that do not unload the shoe to count it: that takes a minute
ANY = None  # confirmed or void, as the fault comes


@pytest.mark.parametrize("game", ["blackjack_lu", "baccarat_live"])
def test_two_rounds_are_played_whole_by_the_croupiers_keys(game: str) -> None:
    ran = process.run(CardScenario(game, Setup(game, SEED), 2))
    assert ran.verdict.broken == ()
    assert [each.verdict for each in ran.verdict.rounds] == [CONFIRMED] * 2


# Each fault in its round; what two people say there, they say at the socket, with their PINs.
@pytest.mark.parametrize(
    "faults",
    [
        [
            ("line_garbage", "deal", CONFIRMED),
            ("line_forged", "deal", CONFIRMED),
            ("line_replays", "deal", CONFIRMED),
        ],
        [("shoe_unplugged", "deal", ANY), ("shoe_reboots", "deal", ANY)],
        [("keyboard_unplugged", "bets", CONFIRMED), ("card_unread_thrice", "deal", ANY)],
        # The shoe is changed and counted; the journal says what stood.
        [("cut_pressed", "deal", CONFIRMED), ("killed", "deal", VOID)],
    ],
    ids=lambda faults: faults[0][0],
)
def test_what_goes_wrong_at_ports_and_with_people_breaks_no_rule(
    faults: list[tuple[str, str, str | None]],
) -> None:
    uses = [
        Use(fault, number, moment, 1, seed=1)
        for number, (fault, moment, _) in enumerate(faults, start=1)
    ]
    setup = Setup("baccarat_live", SEED)
    ran = process.run(CardScenario(faults[0][0], setup, len(uses) + 1, tuple(uses)))
    assert ran.verdict.broken == ()
    assert ran.log.begun == [use.round for use in uses]
    assert len(ran.verdict.rounds) == len(uses) + 1
    for (_, _, verdict), judged in zip(faults, ran.verdict.rounds, strict=False):
        assert verdict in (ANY, judged.verdict)
