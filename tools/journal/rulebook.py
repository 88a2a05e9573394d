"""A game's rules as a table that a croupier can check, and as one JSON object."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from firmware.lib.language import Message, listed, translated
from firmware.text.money import place
from rules import announce, announced_bets, cloth
from rules.limits import names, open_table
from rules.settle import accept, compose, settle

_UNVERIFIED = Message(
    "UNVERIFIED: no source gives this order; an establishment's own file replaces it"
)
_SPECIAL = {
    "half": Message("the simple chances lose half"),
    "lose": Message("the simple chances lose whole"),
}
# What `on` is, where a table says it better than a list.
_ON = {
    "plein": Message("a number"),
    "cheval": Message("two neighbouring numbers"),
    "transversale": Message("three numbers, a row"),
    "carre": Message("four numbers that meet in a corner"),
    "sixain": Message("six numbers, two neighbouring rows"),
    "douzaine": Message("12 numbers: 1-12, 13-24 or 25-36"),
    "colonne": Message("12 numbers: 1 4 .. 34, 2 5 .. 35 or 3 6 .. 36"),
    "deux_douzaines": Message("24 numbers, two neighbouring dozens"),
    "deux_colonnes": Message("24 numbers, two neighbouring columns"),
}
_COMPARTMENTS_A_LINE = 9  # a roulette in five lines, a vingt-trois in three


def title_line(game: dict[str, Any]) -> str:
    """One game in the list of games."""
    mark = "" if game["layout_verified"] else Message("  (layout UNVERIFIED)")
    return titled(game, mark)


def titled(game: dict[str, Any], mark: Message | str) -> str:
    """One game of any kind in the list of games; `mark` behind it."""
    return Message(
        "{name:<15} {title:<32} {source}{mark}",
        name=game["name"],
        title=game["title"][0],
        source=game["source"],
        mark=mark,
    )


def text_lines(game: dict[str, Any]) -> Iterator[str]:
    """The whole game, line by line."""
    articles = game["articles"]
    yield Message("{}: {}", game["name"], game["title"][0])
    yield f"{game['source']}"
    yield ""
    chosen = any(bet.multiples and bet.multiples[0] < bet.multiples[1] for bet in game["bets"])
    lower = Message(": the lower, unless the house chose within the range") if chosen else ""
    yield Message(
        "Bets ({bets}); maxima in minima ({limits}){lower}",
        bets=articles["bets"],
        limits=articles["limits"],
        lower=lower,
    )
    for bet in game["bets"]:
        yield Message(
            "  {bet:<15} pays {pays:<5} maximum {maximum:<12} {covers}",
            bet=announce.french(bet.name),
            pays=pays(bet),
            maximum=_maximum(bet),
            covers=_covers(game, bet),
        )
    yield ""
    order = Message("Order of payment: {order}", order=_order(game))
    yield from textwrap.wrap(translated(order), 98, subsequent_indent="  ")
    number, then = game["special"]
    if number is not None:
        yield Message(
            "Number {number}: {then} ({article})",
            number=number,
            then=_SPECIAL[then],
            article=articles["special"],
        )
    yield Message("Minimum of a table: {minimum}", minimum=_minimum(game))
    yield ""
    yield from _return_lines(game)
    yield ""
    if game["announced"]:
        yield from _announced_lines(game)
        yield ""
    if articles["announces"]:
        yield Message("Announced ({article})", article=articles["announces"])
    else:
        yield Message("Announced")
    for number, colour in _examples(game):
        french, english = announce.announcement(game, number, colour)
        yield f"  {french:<30} {english}"
    yield ""
    yield from _layout(game)


def as_object(game: dict[str, Any]) -> dict[str, Any]:
    """The game as contracts/commands.md has it, and more."""
    number, then = game["special"]
    places = range(len(game["layout"]))
    return {
        "rules": game["name"],
        "title": {"fr": game["title"][0], "en": game["title"][1]},
        "source": game["source"],
        "apparatus": game["apparatus"],
        "articles": {part: article for part, article in game["articles"].items() if article},
        "bets": {name: _bet_object(game, name) for name in names(game)},
        "order_of_payment": [name for group in game["order"] for name in group],
        "special": {"number": number, "simple_chances": then},
        "announced_bets": {name: _pieces(game, name) for name in game["announced"]},
        # null: whatever the house has raised it to
        "minimum_factors": game["minimum_factors"] and list(game["minimum_factors"]),
        "announcements": [_announcement(game, at) for at in places],
        "layout": [
            {"compartment": at, "number": game["layout"][at], "colour": game["colours"][at]}
            for at in places
        ],
        "layout_source": game["layout_source"],
        "layout_hash": game["layout_hash"],
        "verified": game["layout_verified"],
    }


def pays(bet: cloth.Bet) -> str:
    """What a bet pays: "35:1"."""
    return f"{bet.pays[0]}:{bet.pays[1]}"


def return_rate(game: dict[str, Any], bet: cloth.Bet) -> Fraction:
    """What comes back of a stake in the long run, over all compartments (seeds 000, art. 20-2: « le
    taux de redistribution »)."""
    table = open_table(game, 2)
    on = cloth.positions(bet)[0]
    stake = {"player": "p", "bet": bet.name, "on": list(on), "cents": 2}
    places = enumerate(game["layout"])
    paid = [settle(table, [stake], number, at)[0].returned_cents for at, number in places]
    return Fraction(sum(paid), 2 * len(paid))


def _return_lines(game: dict[str, Any]) -> Iterator[str]:
    """The bets by what they return."""
    rates: dict[Fraction, list[str]] = {}
    for bet in game["bets"]:
        found = rates.setdefault(return_rate(game, bet), [])
        if announce.french(bet.name) not in found:
            found.append(announce.french(bet.name))
    yield Message("Returned of a stake in the long run")
    for rate, bets in rates.items():
        percent = f"{float(100 * rate):.2f}"
        which = ", ".join(bets) if len(rates) > 1 else Message("every bet")
        yield Message("  {} % ({}): {}", percent, str(rate), which)


def _announced_lines(game: dict[str, Any]) -> Iterator[str]:
    """What each announced bet is composed of, or why the game lacks it."""
    yield Message("Announced bets, of pieces on the bets above")
    for name in game["announced"]:
        pieces = _pieces(game, name)
        french = place(name, tuple(pieces["on"]))
        if pieces["refused"]:
            why = Message(pieces["refused"]["why"])
            yield Message("  {} is refused: {} ({})", french, why, pieces["refused"]["rule"])
            continue
        places: dict[str, list[str]] = {}
        for one in pieces["of"]:
            times = f"{one['pieces']} × " if one["pieces"] > 1 else ""
            where = "-".join(str(number) for number in one["on"])
            places.setdefault(times + announce.french(one["bet"]), []).append(where)
        told = ", ".join(" ".join([bet, *where]) for bet, where in places.items())
        count = sum(one["pieces"] for one in pieces["of"])
        yield Message("  {} of {} pieces: {}", french, count, told)


def _pieces(game: dict[str, Any], name: str) -> dict[str, Any]:
    """What an announced bet is composed of (a finale: that of 4), and why it is refused, if so."""
    on = [4] if name == announced_bets.FINALE else []
    table = open_table(game, 2)
    stake = {"player": "p", "bet": name, "on": on, "cents": 2}
    parts: list[Any] = compose(game, stake)
    refused = accept(table, [stake])[1]
    return {
        "on": on,
        "of": [
            {"bet": part["bet"], "on": part["on"], "pieces": part["cents"] // 2} for part in parts
        ],
        "refused": {"rule": refused[0].rule, "why": refused[0].why} if refused else None,
    }


def _bet_object(game: dict[str, Any], name: str) -> dict[str, Any]:
    """One bet; where it pays by number (vingt-trois), every pay in words and by number."""
    rows = [bet for bet in game["bets"] if bet.name == name]
    low, high = rows[0].multiples or (None, None)
    told: dict[str, Any] = {
        "french": announce.french(name),
        "pays": pays(rows[0]),
        "maximum_multiple": low,
        "maximum_multiple_highest": high,
        "simple_chance": rows[0].simple,
        "returns": str(return_rate(game, rows[0])),
        "positions": [list(on) for bet in rows for on in cloth.positions(bet)],
    }
    if len(rows) > 1:
        told["pays"] = ", ".join(f"{pays(bet)} ({_span(bet.among)})" for bet in rows)
        told["pays_by_number"] = {
            str(on[0]): pays(bet) for bet in rows for on in cloth.positions(bet)
        }
    return told


def _announcement(game: dict[str, Any], at: int) -> dict[str, Any]:
    french, english = announce.announcement(game, game["layout"][at], game["colours"][at])
    return {"compartment": at, "fr": french, "en": english}


def _maximum(bet: cloth.Bet) -> str:
    if bet.multiples is None:
        return Message("the table's")
    low, high = bet.multiples
    return f"{low}" if low == high else Message("{low} to {high}", low=low, high=high)


def _covers(game: dict[str, Any], bet: cloth.Bet) -> str:
    """What a bet covers, in words."""
    if bet.name in cloth.COLOURS:
        colour = cloth.COLOURS[bet.name]
        found = [n for n, c in zip(game["layout"], game["colours"], strict=True) if c == colour]
        return " ".join(str(number) for number in sorted(set(found)))
    if bet.name == "plein":
        return Message("{}, {}", _ON["plein"], _span(bet.among))
    if bet.name in _ON:
        # The zero lies on the cloth of some games only.
        zero = [on for on in cloth.positions(bet) if on[0] == 0]
        shown = ", ".join("-".join(str(number) for number in on) for on in zero)
        return _ON[bet.name] + (Message("; with the zero {shown}", shown=shown) if zero else "")
    if bet.name in ("pair", "impair"):
        special = game["special"][0]
        covered = [number for number in cloth.covers(bet, ()) if number != special]
        return " ".join(str(number) for number in covered)
    return _span(bet.among)


def _order(game: dict[str, Any]) -> str:
    if not game["order"]:
        return Message("the text gives none; player by player, as the stakes were placed")
    both = Message(" and ")
    groups = [listed(map(announce.french, group), both) for group in game["order"]]
    return Message(
        "player by player, {names} ({order})",
        names=listed(groups),
        order=game["articles"]["order"],
    )


def _minimum(game: dict[str, Any]) -> str:
    article = game["articles"]["limits"]
    if game["minimum_factors"] is None:
        return Message(
            "the authorisation's, or what the director has raised it to; maxima rise with it"
            " ({article})",
            article=article,
        )
    if game["minimum_factors"] == (1,):
        return Message("the one fixed for it ({article})", article=article)
    return Message(
        "the authorisation's, or twice it; maxima stay multiples of the former ({article})",
        article=article,
    )


def _examples(game: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """A number of each way to announce one: the first of each colour, and the special number."""
    seen = set()
    for number, colour in sorted(zip(game["layout"], game["colours"], strict=True)):
        halves = tuple(word for word, _ in announce.chances(game, number, colour))
        if halves not in seen:
            seen.add(halves)
            yield number, colour


def _layout(game: dict[str, Any]) -> Iterator[str]:
    yield Message("Layout, compartment by compartment, clockwise seen from above")
    yield Message("  source: {layout_source}", layout_source=Message(game["layout_source"]))
    if game["layout_hash"]:
        yield Message("  SHA-256 of the file: {layout_hash}", layout_hash=game["layout_hash"])
    if not game["layout_verified"]:
        yield Message("  {}", _UNVERIFIED)
    pairs = zip(game["layout"], game["colours"], strict=True)
    cells = [f"{number} {translated(colour)}" for number, colour in pairs]
    for first in range(0, len(cells), _COMPARTMENTS_A_LINE):
        line = "".join(f"{cell:<11}" for cell in cells[first : first + _COMPARTMENTS_A_LINE])
        yield f"  {first:>2}  {line}".rstrip()


def _span(among: tuple[int, int]) -> str:
    return f"{among[0]}-{among[1]}"
