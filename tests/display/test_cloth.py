"""What a display makes of a card table: the cloth and the roads."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from display_page import card_scenes
from display_page.card_scenes import (
    ENDED,
    LONG,
    PAIRS,
    ROUND,
    SCENES,
    SHOE,
    end_of,
    hand,
    lit_of,
    lying,
    shoe,
    told,
)  # fmt: skip
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus.card_messages import BACK, DASH
from firmware.bus.receiver import DARK
from firmware.lib.faces import Json, Plain
from firmware.services.display import picture
from firmware.services.display.cloth import Cloth, Told, points_of
from firmware.services.display.page_json import scene_fields
from firmware.services.display.picture import Painter, draw
from firmware.services.display.roads import ROWS, RoadBook, big_road
from firmware.services.display.scene import ATTRACT_US, Director, Scene
from firmware.services.display.shown import Shown
from firmware.text.display_words import at_table
from rules.cards.deck import card_of

SIX = "5S 2H 6D TC 8H 4S"


def cloth(game: str, state: str, what: Told, **fields: Any) -> Cloth:
    scene = Director().scene(lit_of(game, state, 0, **fields), 0, told=what)
    assert scene.cloth is not None
    return scene.cloth


def ends(found: Cloth) -> list[str | None]:
    return [each.end for each in found.hands]


# --- what is lit ----------------------------------------------------------------------------------


def test_hands_lie_as_they_are_told_with_their_points_and_whose_turn_it_is() -> None:
    what = told(lying(*LONG, hand("d", "6H *"), turn="s5.2", events=PAIRS))
    found = cloth("blackjack", "PLAYING", what)
    by_place = {each.place: each for each in found.hands}
    assert [each.place for each in found.hands if each.has_turn] == ["s5.2"]
    assert by_place["s3.4"].points == "9/19"
    assert by_place["d"].cards == (card_of("6H"), BACK) and by_place["d"].points == "6"
    assert by_place["s3"].events == ("pair_colour",) and by_place["s2"].events == ("insured",)
    assert found.result is None and set(ends(found)) == {None}


def test_a_card_that_is_held_is_a_dash_and_so_are_the_points() -> None:
    found = cloth("blackjack", "HOLD", told(lying(hand("s1", "TH ?"), hand("d", ""))))
    assert found.hands[0].cards == (card_of("TH"), DASH)
    assert [each.points for each in found.hands] == [None, None]
    assert points_of("baccarat", (9, 9)) == "0"


def test_who_wins_is_lit_when_the_signed_record_says_the_same_and_not_before() -> None:
    lying_there = lying(*ENDED, hand("d", "AH 8D"))
    for state in ("CONFIRMED", "NO_SHOE"):
        proved = cloth("blackjack", state, told(lying_there, end_of("blackjack", "AH 8D")))
        assert ends(proved)[:3] == ["loses", "black_jack", "wins"]
        assert proved.result is not None and proved.result.dealer == 19
        assert proved.hands[-1].points == "19"
    bare = cloth("blackjack", "CONFIRMED", told(lying_there))
    assert (set(ends(bare)), bare.result) == ({None}, None)
    assert len(bare.hands) == len(proved.hands)


@pytest.mark.parametrize(
    ("game", "hands", "cards", "left"),
    [
        ("blackjack", (*ENDED, hand("d", "AH 9D")), "AH 8D", {"d": "AH 8D"}),
        ("baccarat", (hand("P", "5S 6D 8H", "loses"), hand("B", "2H TC 5S", "wins")), SIX,
         {"P": "5S 6D 8H", "B": "2H TC 4S"}),
    ],
)  # fmt: skip
def test_where_the_message_has_other_cards_than_the_record_only_the_records_are_lit(
    game: str, hands: Any, cards: str, left: dict[str, str]
) -> None:
    for lies in (lying(*hands), None):  # or none came
        found = cloth(game, "CONFIRMED", told(lies, end_of(game, cards)))
        seen = {each.place: each.cards for each in found.hands}
        assert seen == {place: hand(place, texts)[2] for place, texts in left.items()}
        assert set(ends(found)) == {None}
        assert found.result is not None


@pytest.mark.parametrize(
    ("cards", "said"),
    [("AH KH", "dealer_black_jack"), ("TH 6D KS", "dealer_bust"), ("TH 5D 6S", "dealer_points")],
)
def test_a_dealers_end_has_its_words(cards: str, said: str) -> None:
    found = cloth("blackjack", "CONFIRMED", told(None, end_of("blackjack", cards)))
    assert found.result is not None and found.result.said == said


def test_a_table_that_waits_for_players_shows_no_cards_and_its_roads() -> None:
    director, lit = Director(), lit_of("baccarat", "CONFIRMED", 0)
    what = told(
        lying(hand("P", "5S 6D 8H"), hand("B", "2H TC 4S")), end_of("baccarat", SIX), shoe()
    )
    assert director.scene(lit, 0, told=what).cloth.hands  # type: ignore[union-attr]
    later = director.scene(lit, ATTRACT_US, told=what)
    assert later.cloth is not None
    assert (later.cloth.hands, later.cloth.result) == ((), None)
    assert later.cloth.roads is not None and later.cloth.roads.bead


def test_a_display_that_is_dark_shows_nothing_of_cards() -> None:
    director = Director()
    what = told(lying(*LONG, hand("d", "6H *")))
    assert director.scene(lit_of("blackjack", "PLAYING", 0), 0, told=what).cloth is not None
    dark = director.scene(DARK, 1)
    assert dark.cloth is None and scene_fields(dark)["cloth"] is None


def test_a_wheel_has_no_cloth_whatever_is_told() -> None:
    lit = DARK._replace(state="BETS_OPEN", game="roulette", coup=1)
    assert Director().scene(lit, 0, told=told(lying(*LONG))).cloth is None


def test_the_same_scene_stays_and_another_card_makes_another() -> None:
    director, lit = Director(), lit_of("blackjack", "PLAYING", 0)
    one = director.scene(lit, 0, told=told(lying(*LONG)))
    assert director.scene(lit, 5, told=told(lying(*LONG))) is one
    assert director.scene(lit, 9, told=told(lying(*LONG[:-1]))) is not one


# --- the roads ------------------------------------------------------------------------------------


def book(winners: str, first: int = 1) -> RoadBook:
    names = {"P": "player", "B": "banker", "T": "tie", "-": None}
    found = RoadBook()
    found.add_ends([((1, at), names[one]) for at, one in enumerate(winners, first)])
    return found


def test_roads_begin_with_the_shoe_and_leave_voids_out() -> None:
    roads = book("PPB-TB").roads(1, 2)
    assert roads.bead == ("player", "banker", "tie", "banker")
    assert (roads.player, roads.banker, roads.tie, roads.is_whole) == (1, 2, 1, True)
    assert [run[:4] for run in roads.big] == [
        (0, 0, "player", 0), (1, 0, "banker", 1), (1, 1, "banker", 0),
    ]  # fmt: skip
    assert book("PPB").roads(1, 4).bead == ()  # another shoe
    assert book("PPB").roads(1, 0) == RoadBook().roads(1, 1, has_ended=False)
    assert book("PPB").roads(2, 1).bead == ()  # another epoch counts its own


def test_a_round_that_is_missing_ends_what_is_known() -> None:
    found = book("PP", 3)
    found.add_ends([((1, 6), "banker")])
    assert found.roads(1, 1)[:1] == (("banker",),)
    assert not found.roads(1, 1).is_whole
    found.add_ends([((1, 5), None), ((1, 3), "tie")])  # it comes, and a correction
    assert found.roads(1, 3)[:1] == (("tie", "player", "banker"),)
    assert found.roads(1, 3).is_whole


def test_an_empty_road_is_whole_only_while_the_first_round_goes_on() -> None:
    assert not RoadBook().roads(1, 5).is_whole  # the display was switched on in the middle
    assert RoadBook().roads(1, 5, has_ended=False).is_whole
    for state, first, is_whole in (
        ("PLAYING", ROUND, True), ("PLAYING", ROUND - 1, False), ("CONFIRMED", ROUND, False),
        ("FAULT", ROUND, False),
    ):  # fmt: skip
        what = told(lying()._replace(first=first), ends=())
        scene = Director().scene(lit_of("baccarat", state, 0), 0, told=what)
        assert scene.cloth is not None and scene.cloth.roads is not None
        assert scene.cloth.roads.is_whole == is_whole, (state, first)


def test_roads_are_kept_longer_than_the_records_are() -> None:
    director, all_ends = Director(), shoe(70)
    lit = lit_of("baccarat", "BETS_OPEN", 0)
    for at in range(1, len(all_ends) + 1):
        what = told(lying(), ends=all_ends[max(0, at - 20) : at])
        scene = director.scene(lit, at, told=what)
    assert scene.cloth is not None and scene.cloth.roads is not None
    assert len(scene.cloth.roads.bead) == 70
    assert scene.cloth.roads.is_whole
    anew = told(lying()._replace(first=ROUND), ends=all_ends[-20:])
    scene = director.scene(lit, 100, told=anew)
    assert scene.cloth is not None and scene.cloth.roads is not None
    assert scene.cloth.roads.bead == ()


def test_a_long_run_turns_right_and_the_next_turns_above_it() -> None:
    places = [(run.column, run.row) for run in big_road(["player"] * 8 + ["banker"] * 7)]
    assert places[:8] == [(0, row) for row in range(6)] + [(1, 5), (2, 5)]
    assert places[8:] == [(1, row) for row in range(5)] + [(2, 4), (3, 4)]


def test_ties_that_begin_a_shoe_have_the_place_of_the_first_winner() -> None:
    assert [tuple(run) for run in big_road(["tie", "tie"])] == [(0, 0, None, 2)]
    assert [tuple(run) for run in big_road(["tie", "tie", "banker", "banker"])] == [
        (0, 0, "banker", 2), (0, 1, "banker", 0),
    ]  # fmt: skip


@given(st.lists(st.sampled_from(["player", "banker", "tie"]), max_size=120))
def test_every_winner_has_a_place_of_its_own_and_every_tie_is_counted(winners: list[str]) -> None:
    found = big_road(winners)
    places = [(run.column, run.row) for run in found]
    assert len(set(places)) == len(places)
    assert all(0 <= row < ROWS for _, row in places)
    told_of = [winner for winner in winners if winner != "tie"]
    assert [run.winner for run in found if run.winner] == told_of
    assert sum(run.ties for run in found) == winners.count("tie")


# --- the terminal, lines, JSON --------------------------------------------------------------------


def scenes() -> list[tuple[str, Scene]]:
    found = []
    for game, make in SCENES.items():
        for at, (name, state, what) in enumerate(make()):
            reason = card_scenes.REASON if state == "VOID" else None
            lit = lit_of(game, state, at, reason=reason)
            found.append((f"{game} {name}", Director().scene(lit, 0, told=what)))
    return found


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("name", "scene"), scenes(), ids=lambda value: str(value)[:40])
def test_a_terminal_draws_every_card_table_in_its_lines(
    name: str, scene: Scene, language: str
) -> None:
    for note in ("", "The port /dev/ttyUSB0 is gone: plug it in again."):
        rows = draw(scene, note, "21:30", Painter(colours=False), at_table(language))
        assert len(rows) == picture.LINES
        assert all(len(row) <= picture.COLUMNS for row in rows), rows
        assert not note or rows[-1].strip() == note


def test_a_terminal_draws_cards_backs_points_and_roads() -> None:
    by_name = dict(scenes())
    words = at_table("en")

    def rows(name: str) -> str:
        return "\n".join(draw(by_name[name], "", "21:30", Painter(colours=False), words))

    playing = rows("blackjack playing")
    assert "banque" in playing and "6♥ ▒▒" in playing and "► place 5.2" in playing
    assert "LA BANQUE A 19" in rows("blackjack confirmed")
    assert "LE RÉSULTAT" in rows("blackjack unproved") and "gagne" not in rows("blackjack unproved")
    ended = rows("baccarat confirmed")
    assert "LE JOUEUR GAGNE 9 - 6" in ended and "J 35" in ended and "5♠ 6♦ 8♥" in ended
    assert "dernier coup du sabot" in ended
    assert "COUP NUL" in rows("blackjack void-shoe-over")
    assert "–" in rows("baccarat held")


def test_a_pipe_has_a_line_of_ascii_for_each_change() -> None:
    out = io.StringIO()
    face = Plain(out)
    director, lit = Director(), lit_of("blackjack", "PLAYING", 0)
    for what in (
        told(lying(hand("s1", "TH 7S"), hand("d", "6H *"), turn="s1")),
        told(lying(hand("s1", "TH 7S"), hand("d", "6H *"), turn="s1")),
        told(lying(hand("s1", "TH 7S ?"), hand("d", "6H *"), last=True)),
    ):
        face.show_picture(Shown(director.scene(lit, 0, told=what), "", 0))
    ended = told(
        lying(hand("s1", "TH 7S", "wins"), hand("d", "6H 9D")), end_of("blackjack", "6H 9D")
    )
    face.show_picture(Shown(director.scene(lit._replace(state="CONFIRMED"), 0, told=ended), "", 0))
    lines = out.getvalue().splitlines()
    assert lines == [
        "PLAYING  round 100: -  d: 6H ** (6)  >s1: TH 7S (17)",
        "PLAYING  round 100: -  d: 6H ** (6)  s1: TH 7S - (-)  last round of the shoe",
        "CONFIRMED  round 100: the dealer has 15  d: 6H 9D (15)  s1: TH 7S (17), wins",
    ]
    assert out.getvalue().isascii()


def test_json_lines_have_what_lies_there_and_none_of_it_at_a_wheel() -> None:
    out = io.StringIO()
    face = Json(out)
    what = told(lying(hand("s1", "TH 7S"), hand("d", "6H *"), turn="s1"), first=SHOE)
    face.show_picture(
        Shown(Director().scene(lit_of("blackjack", "PLAYING", 0), 0, told=what), "", 7)
    )
    lit = DARK._replace(state="BETS_OPEN", game="roulette", coup=1)
    face.show_picture(Shown(Director().scene(lit, 0), "", 8))
    one, other = map(json.loads, out.getvalue().splitlines())
    assert [each["cards"] for each in one["cloth"]["hands"]] == [["TH", "7S"], ["6H", "back"]]
    assert one["shown"] is None
    assert "cloth" not in other
