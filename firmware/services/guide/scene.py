"""One picture of the guide: all that the page and the terminal draw, in each language.

A scene is plain JSON. `say` has its sentences by the code of a language; everything else is codes,
cards and numbers. The hole card is a back until it is turned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from boards import card_tables
from firmware.core.cards import facts
from firmware.core.cards.table import CHIPS
from firmware.lib.language import LANGUAGES, N_, Message, listed, translated
from firmware.services.guide import keys, words
from firmware.services.guide.croupier_screen import CroupierScreen
from firmware.text import card_guide, card_words, display_words
from firmware.text.money import money
from rules.cards import deck
from rules.cards.bets import french

SHOE, CLOTH, DEALER = "shoe", "cloth", "d"
# What is awaited, by how urgent it is: each has a colour, a letter and a shape on the screen.
GO, WAIT, HELD, LOCKED = "go", "wait", "held", "locked"
_GRADES = {facts.HELD: HELD, facts.LOCKED: LOCKED, facts.RECORDING: WAIT, facts.GOLD_JACK: HELD,
           facts.COUNT: HELD, facts.BURN_ALL: HELD, facts.LATE: HELD}  # fmt: skip
_BY_SHOE = (facts.LOAD, facts.COUNT, facts.BURNING, facts.LOCKED)
_AT_CLOTH = (facts.BETS, facts.CONFIRM, facts.NEXT, facts.BURN_ALL, facts.RECORDING)
# While these are due, how the last round was paid is shown.
_PAYING = (facts.NEXT, facts.BURN_ALL, facts.GOLD_JACK, facts.BETS, facts.LOAD, facts.COUNT,
           facts.LOCKED)  # fmt: skip
# By such names the built-in players of a simulated table lay chips (tools/sim/card_players.py).
_BUILT_IN = re.compile(r"[pq]\d+")
_CARDS = {"back": ("", "back"), "dash": ("–", "dash")}
_SIGNS = (N_("pay {sum}"), N_("collect {sum}"), N_("give back {sum}"))


class Table(NamedTuple):
    """What does not change while a controller runs. `is_simulated` None: nobody knows."""

    name: str
    game: str | None
    is_simulated: bool | None


def gone(table: Table | None, why: str) -> dict[str, Any]:
    """Returns the scene of a controller that is not heard: dark, and one sentence."""
    say = {language: {"due": translated(Message(why), language)} for language in LANGUAGES}
    return {"stage": "gone", "table": None if table is None else table.name, "say": say}


def scene(table: Table, screen: CroupierScreen, left_s: int | None) -> dict[str, Any]:
    """Returns the scene of what stands. `left_s`: until time is up, or None. A guide is known."""
    guide = screen.guide
    assert guide is not None
    view = screen.view or {"state": None, "round": 0, "hands": [], "points": []}
    code = guide["code"]
    cards, decisions = screen.recorded()
    return {
        "stage": "table",
        "n": screen.n,
        "table": table.name,
        "game": table.game,
        "simulated": bool(table.is_simulated),
        "state": view["state"],
        "round": view["round"],
        "code": code,
        "grade": _grade(code, guide),
        "last": bool(guide.get("last")),
        "places": places(screen),
        "then": _place(guide.get("then")) if code in (facts.DEAL, facts.LATE) else None,
        "staked": guide["seats"] if code == facts.BETS else [],
        "hands": _hands(view),
        "left_s": left_s,
        "keys": [keys.CAPS[key]._asdict() for key in keys.keys_now(screen)],
        "asks": [{"do": do, "letter": keys.LETTERS[do], "fields": keys.FIELDS[do]}
                 for do in keys.asks_now(screen)],
        "cards": cards,
        "decisions": [
            each | {"sum": money(each["cents"]) if "cents" in each else ""}
            for each in decisions
        ],
        "say": {language: _said(table, screen, language) for language in LANGUAGES},
    }  # fmt: skip


def _grade(code: str, guide: dict[str, Any]) -> str:
    answered = guide.get("at_terminals", ())
    if guide.get("at_terminal") or (answered and len(answered) == len(guide["seats"])):
        return WAIT
    return _GRADES.get(code, GO)


def places(screen: CroupierScreen) -> list[str]:
    """Returns where the croupier looks: one place, or all seats that are asked at once."""
    guide = screen.guide
    assert guide is not None
    code = guide["code"]
    if code in _BY_SHOE:
        return [SHOE]
    if code in _AT_CLOTH:
        return [CLOTH]
    if code in (facts.DEAL, facts.LATE):
        return [_place(guide["to"]) or CLOTH]
    if code == facts.DECIDE:
        hand = guide["hand"]
        return [f"s{guide['seat']}" + (f".{hand}" if hand != 1 else "")]
    if code == facts.INSURE:
        seats = guide["seats"] if guide.get("seat") is None else [guide["seat"]]
        return [f"s{seat}" for seat in seats]
    if code == facts.GOLD_JACK:
        return sorted({f"s{one['seat']}" for one in guide["payments"]})
    if code == facts.TURN:
        return [DEALER]
    is_shoes = guide["why"] in facts.SHOE_TROUBLES or guide["to"] is None
    return [SHOE if is_shoes else _place(guide["to"]) or SHOE]


def _place(to: str | None) -> str | None:
    return DEALER if to == "d*" else to


def _hands(view: dict[str, Any]) -> list[dict[str, Any]]:
    points = dict(view["points"])
    return [
        {"to": to, "cards": [_card(card) for card in cards], "points": points.get(to, "")}
        for to, cards in view["hands"]
    ]


def _card(card: str) -> tuple[str, str]:
    """A card as it is drawn: its text, and its suit or what else lies there."""
    return _CARDS.get(card) or (deck.french(deck.card_of(card)), card[1])


def _said(table: Table, screen: CroupierScreen, language: str) -> dict[str, Any]:
    def say(text: str) -> str:
        return translated(Message(text), language)

    guide = screen.guide
    assert guide is not None
    code = guide["code"]
    ways = guide["ways"] if code == facts.HELD else ()
    notes = [screen.refused["text"]] if screen.refused else []
    if screen.typed is not None:
        notes.append(card_guide.guide_words(screen.typed))
    return {
        "game": _games(language).get(table.game or "", ""),
        "due": say(_due(guide)),
        "whole": say(card_guide.guide_words(guide)),
        "then": say(_then(guide, table.game)),
        "ways": [_first(say(card_guide.WAYS[way])) for way in ways],
        "wrong": [say(each["text"]) for each in screen.troubles],
        "announce": [_first(say(each)) for each in _announced(screen)],
        "notes": [say(each) for each in notes],
        "means": {key: say(_means(key, code)) for key in keys.keys_now(screen)},
        "paid": [say(each) for each in _paid(table, screen)] if code in _PAYING else [],
        "outcome": _first(say(_outcome(screen))) if code in _PAYING else "",
    }


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def _games(language: str) -> Mapping[str, str]:
    """Returns what the displays call each game."""
    return display_words.words(language)["games"]


def _due(guide: dict[str, Any]) -> str:
    """What to do, without the ways out of a hold, which have a list of their own."""
    if guide["code"] == facts.HELD:
        return Message("Held: {why}", why=card_guide.why_held(guide))
    if guide["code"] in (facts.DEAL, facts.LATE) and guide.get("points") is None:
        guide = {**guide, "then": None}
    return card_guide.guide_words({**guide, "last": False})


def _then(guide: dict[str, Any], game: str | None) -> str:
    code = guide["code"]
    if code in (facts.DEAL, facts.LATE) and guide["then"] is not None:
        return Message("Then: {place}", place=card_guide.place_words(guide["then"]))
    has_seats = game != card_tables.BACCARAT.name
    return words.THEN[code] if has_seats else words.THEN_BACCARAT.get(code, words.THEN[code])


def _means(key: str, code: str) -> str:
    if code == facts.BETS and key in facts.SEAT_KEYS:
        return words.CHIPS
    if code == facts.LOAD and key == facts.KEY_START:
        return words.SHOE_THERE
    if code == facts.INSURE and key == facts.KEY_STAND:
        return words.NO_INSURANCE
    if code == facts.INSURE and key == facts.KEY_NO_MORE_BETS:
        return words.NO_MORE_INSURANCE
    return words.MEANS[key]


def _announced(screen: CroupierScreen) -> Iterable[str]:
    if screen.is_gold_jack_possible:
        yield card_guide.guide_words({"code": facts.GOLD_JACK_POSSIBLE})
    if screen.checked is not None:
        yield N_("Black Jack under the ace.") if screen.checked else N_("No Black Jack.")


def _outcome(screen: CroupierScreen) -> str:
    end = screen.paid()
    if end is None:
        return ""
    if end.get("reason") is not None:
        return Message("coup nul ({reason})", reason=card_words.reason(end["reason"]))
    return card_words.outcome(end["outcome"])


def _paid(table: Table, screen: CroupierScreen) -> list[str]:
    """A line a seat, from right to left; where there are no seats, a line a player and bet. What
    accounts are paid is not the croupier's to pay."""
    end = screen.paid()
    if end is None:
        return []
    held = screen.held()
    rows: dict[Any, list[tuple[dict[str, Any], bool]]] = {}
    for at, each in enumerate(end.get("payments") or _returned(end)):
        seat = each["seat"]
        if seat is None and _is_account(table, each):
            continue
        row = (each["player"], each["bet"]) if seat is None else seat
        rows.setdefault(row, []).append((each, at in held))
    order = sorted(rows, reverse=True) if all(isinstance(row, int) for row in rows) else list(rows)
    return [_row(table, row, rows[row]) for row in order]


def _is_account(table: Table, paid: dict[str, Any]) -> bool:
    is_built_in = table.is_simulated and _BUILT_IN.fullmatch(paid["player"])
    return not is_built_in and not paid["player"].startswith(CHIPS)


def _returned(end: dict[str, Any]) -> list[dict[str, Any]]:
    """A void's: all of it goes back."""
    return [{**each, "won_cents": 0, "stake_cents": each["cents"]}
            for each in end.get("returned", ())]  # fmt: skip


def _row(table: Table, row: Any, paid: list[tuple[dict[str, Any], bool]]) -> str:
    """`paid`: each payment, and whether the management has to know of it first."""
    is_seat = isinstance(row, int)
    chips = [(each, is_held) for each, is_held in paid if not _is_account(table, each)]
    has_hands = len({each["hand"] for each, _ in chips}) > 1
    rows: dict[Any, list[dict[str, Any]]] = {}
    for each, is_held in chips:
        rows.setdefault((each["bet"], each["hand"], is_held), []).append(each)
    parts: list[str] = []
    for (bet, hand, is_held), mine in rows.items():
        won = sum(each["won_cents"] for each in mine)
        pays, collects, gives = _SIGNS
        sign = pays if won > 0 else collects if won < 0 else gives
        what: str = Message(sign, sum=money(abs(won) or sum(each["stake_cents"] for each in mine)))
        if is_held:
            what = Message("{what} waits for the management", what=what)
        if is_seat and bet != "main":
            what = Message("{bet} {what}", bet=french(bet), what=what)
        if has_hands:
            what = Message("hand {hand} {what}", hand=hand, what=what)
        parts.append(what)
    if is_seat:
        where: str = Message("Seat {seat}", seat=row)
    else:
        where = Message("{player}, {bet}", player=row[0], bet=french(row[1]))
    return Message(
        "{where}: {what}", where=where, what=listed(parts or [Message(words.BY_ACCOUNT)])
    )
