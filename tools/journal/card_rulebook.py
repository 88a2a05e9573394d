"""A card game's rules as a table that a croupier can check, and as one JSON object."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from firmware.lib.language import Message, listed, translated
from rules.cards.bets import CardBet, french
from rules.cards.house import ANY_COUNT, CENTS, ODDS, HouseKey, defaults
from tools.journal import rulebook

_UNVERIFIED = Message(
    "UNVERIFIED: our text lacks the odds of the Dragon Bonus; a table opens with the house's own"
)
# In the order of work, by what a game has.
_ORDER = (
    ("perfect_pairs", Message("Perfect Pairs by seat")),
    ("main", Message("hands over 21 as they fall")),
    ("main", Message("insurances, where the dealer has no Black Jack")),
    ("main", Message("hands from the last seat's last to the first")),
    ("behind", Message("stakes behind a hand right after it")),
    ("main", Message("insurances, where he has one")),
    ("super_black", Message("Super-Jack, losing then winning")),
    ("banker", Message("losing stakes, then winning ones")),
    ("dragon_player", Message("the Dragon Bonus, losing then winning")),
)


def _order(game: dict[str, Any]) -> Message:
    names = {bet.name for bet in game["bets"]}
    return listed([said for bet, said in _ORDER if bet in names], "; ")


def title_line(game: dict[str, Any]) -> str:
    """One game in the list of games."""
    mark = "" if game.get("odds_verified", True) else Message("  (odds UNVERIFIED)")
    return rulebook.titled(game, mark)


def text_lines(game: dict[str, Any]) -> Iterator[str]:
    """The whole game, line by line."""
    yield Message("{}: {}", game["name"], game["title"][0])
    yield f"{game['source']}"
    yield ""
    default, allowed, article = game["decks"]
    others = ", ".join(str(each) for each in allowed)
    yield Message(
        "Decks: {default} of {others} ({article})",
        default=default,
        others=others,
        article=article or Message("our decision"),
    )
    yield Message("Bets")
    for bet in game["bets"]:
        side = (
            Message(", where the house names it ({article})", article=bet.side) if bet.side else ""
        )
        yield Message(
            "  {bet:<25} pays {pays:<22} {grain} ({article}){side}",
            bet=french(bet.name),
            pays=pays(game, bet),
            grain=_grain(bet),
            article=bet.article,
            side=side if bet.side else "",
        )
    yield Message("Maximum of a table: {maximum}", maximum=_maximum(game))
    yield ""
    order = Message("Order of payment: {order}", order=_order(game))
    yield from textwrap.wrap(translated(order), 98, subsequent_indent="  ")
    yield ""
    may = [key for key in game["house"] if _turns(key)]
    fixed = [key for key in game["house"] if not _turns(key)]
    if may:
        yield Message(
            "What the house may choose; * where the text is silent, and the default is ours"
        )
        for key in may:
            yield Message(
                "{mark} {name:<27} {default:<13} of {choices} ({article})",
                mark=_mark(key),
                name=key.name,
                default=_word(key.default),
                choices=_choices(key),
                article=Message(key.article),
            )
            yield from _says(key)
        yield ""
    yield Message(
        "What is played in one way alone; * where the text is silent, and it is our decision"
    )
    for key in fixed:
        yield Message(
            "{mark} {name:<27} ({article})",
            mark=_mark(key),
            name=key.name,
            article=Message(key.article),
        )
        yield from _says(key)
    if not game.get("odds_verified", True):
        yield ""
        yield _UNVERIFIED


def as_object(game: dict[str, Any]) -> dict[str, Any]:
    """The game as contracts/commands.md has it for a wheel, without a layout, and more."""
    default, allowed, article = game["decks"]
    multiples = game["multiples"]
    return {
        "rules": game["name"],
        "title": {"fr": game["title"][0], "en": game["title"][1]},
        "source": game["source"],
        "family": game["family"],
        "articles": dict(sorted(game["articles"].items())),
        "decks": {"default": default, "allowed": list(allowed), "article": article},
        "bets": {bet.name: _bet_object(game, bet) for bet in game["bets"]},
        "maximum_multiples": None if multiples is None else list(multiples),
        "order_of_payment": str(_order(game)),
        "house": {key.name: _key_object(key) for key in game["house"] if _turns(key)},
        "fixed": {key.name: _key_object(key) for key in game["house"] if not _turns(key)},
        "verified": game.get("odds_verified", True),
    }


def pays(game: dict[str, Any], bet: CardBet) -> str:
    """What a bet pays: "19:20"; of Perfect Pairs each kind: "25:1, 12:1, 6:1"."""
    if bet.name == "perfect_pairs":
        return ", ".join(f"{times}:1" for times in bet.pays)
    if bet.name == "main":
        return "1:1, 3:2"  # a Black Jack
    six = game.get("banker_six")
    if bet.name == "banker" and six:
        return f"1:1, {six[0]}:{six[1]}"  # with 6
    if bet.name.startswith("dragon_"):
        odds = dict(defaults(game)["dragon_odds"])
        return "1:1, " + "-".join(str(odds[margin]) for margin in sorted(odds, reverse=True))
    return f"{bet.pays[0]}:{bet.pays[1]}"


def _grain(bet: CardBet) -> str:
    """What its stakes are multiples of."""
    if bet.grain_cents == 1:
        return Message("whole cents")
    return Message("multiples of {n} cents", n=bet.grain_cents)


def _bet_object(game: dict[str, Any], bet: CardBet) -> dict[str, Any]:
    limits = {name: (least, most) for name, least, most in game["own_limits"]}
    least, most = limits.get(bet.name, (None, None))
    multiples = game["multiples"]
    return {
        "french": french(bet.name),
        "pays": pays(game, bet),
        "grain_cents": bet.grain_cents,
        "side_bet": bet.side is not None,
        "with": bet.on,
        "article": bet.article,
        "minimum_cents": least,
        "maximum_cents": most,
        "maximum_multiple": None if multiples is None or most else multiples[0],
    }


def _key_object(key: HouseKey) -> dict[str, Any]:
    values: Any = key.values
    return {
        "default": key.default if key.values != ODDS else [n for _, n in key.default],
        "values": list(values) if isinstance(values, tuple) else values,
        "article": key.article,
        "ours": key.ours,
        "says": key.says,
    }


def _turns(key: HouseKey) -> bool:
    """Whether a house may choose another value."""
    return not isinstance(key.values, tuple) or len(key.values) > 1


def _mark(key: HouseKey) -> str:
    return "*" if key.ours else " "


def _says(key: HouseKey) -> list[str]:
    said = translated(Message(key.says))
    return textwrap.wrap(said, 98, initial_indent="    ", subsequent_indent="    ")


def _maximum(game: dict[str, Any]) -> str:
    article = game["articles"]["limits"]
    if game["multiples"] is None:
        return Message("the table's own ({article})", article=article)
    multiples = listed(map(str, game["multiples"]), Message(" or "))
    return Message(
        "{multiples} times its minimum ({article})", multiples=multiples, article=article
    )


def _word(value: object) -> str:
    if isinstance(value, bool):
        return Message("yes") if value else Message("no")
    if isinstance(value, tuple):
        return "-".join(str(n) for _, n in value)
    return str(value)


def _choices(key: HouseKey) -> str:
    if key.values in (ANY_COUNT, CENTS, ODDS):
        return {ANY_COUNT: "0, 1, 2 ...", CENTS: Message("cents"), ODDS: Message("odds")}[
            key.values
        ]
    return listed(_word(value) for value in key.values)
