"""What a display lights, as 24 lines of 80 columns. Draws; knows of no terminal and no port.

`words` are in two languages, French and the reader's (display_words.at_table).
"""

from collections.abc import Sequence

from boards import apparatus
from firmware.bus.card_messages import BACK, DASH
from firmware.bus.card_record import BANKER, PLAYER, TIE
from firmware.bus.messages import CONFIRMED, VOID
from firmware.bus.receiver import Lit
from firmware.lib.faces import COLUMNS, LINES
from firmware.services.display.cloth import Cloth, Hand, Result
from firmware.services.display.roads import ROWS, Roads
from firmware.services.display.scene import Limits, Scene, is_shown
from firmware.services.display.tally import Tally
from firmware.text import display_words
from firmware.text.display_words import (
    CLOTH,
    ENDS,
    LABELS,
    REASONS,
    RESULTS,
    SIDE_BETS,
    STARTING,
    TERMINAL,
    Words,
)
from rules import announce
from rules.cards import deck

Spoken = dict[str, dict[str, Words]]

DIGIT_ROWS = 7
DIGIT_WIDTH = 8

# fmt: off
_GLYPHS = {
    "0": (" ###### ", "##    ##", "##    ##", "##    ##", "##    ##", "##    ##", " ###### "),
    "1": ("   ##   ", " ####   ", "   ##   ", "   ##   ", "   ##   ", "   ##   ", " ###### "),
    "2": (" ###### ", "##    ##", "      ##", "  ##### ", " ##     ", "##      ", "########"),
    "3": (" ###### ", "##    ##", "      ##", "   #### ", "      ##", "##    ##", " ###### "),
    "4": ("##   ## ", "##   ## ", "##   ## ", "########", "     ## ", "     ## ", "     ## "),
    "5": ("########", "##      ", "##      ", "####### ", "      ##", "##    ##", " ###### "),
    "6": (" ###### ", "##      ", "##      ", "####### ", "##    ##", "##    ##", " ###### "),
    "7": ("########", "      ##", "     ## ", "    ##  ", "   ##   ", "   ##   ", "   ##   "),
    "8": (" ###### ", "##    ##", "##    ##", " ###### ", "##    ##", "##    ##", " ###### "),
    "9": (" ###### ", "##    ##", "##    ##", " #######", "      ##", "      ##", " ###### "),
    "-": ("        ", "        ", "        ", " ###### ", "        ", "        ", "        "),
}
# fmt: on
_BLOCK = "█"


def big_digits(text: str) -> list[str]:
    """Draws `text`, of digits and dashes, in ROWS lines; two columns between glyphs."""
    return [
        "  ".join(_GLYPHS[letter][row] for letter in text).replace("#", _BLOCK)
        for row in range(DIGIT_ROWS)
    ]


_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_INVERSE = "\x1b[1;7m"
# White on the colour of the pocket: the 256-colour palette, whose colours a theme leaves alone.
_GROUNDS = {
    "red": "\x1b[1;38;5;231;48;5;160m",
    "black": "\x1b[1;38;5;231;48;5;16m",
    "green": "\x1b[1;38;5;231;48;5;28m",
    "yellow": "\x1b[1;38;5;16;48;5;220m",
    "white": "\x1b[1;38;5;16;48;5;231m",
}
_BOX = 2 * DIGIT_WIDTH + 2 + 4
_WIDTH = COLUMNS - 4
_BESIDE = 24  # columns between the box and the tally
_TURN = (None, *apparatus.TURNING)  # None: nobody is heard
_ARROWS = {1: "↺", -1: "↻", 0: "·"}
_SYMBOLS = {"EUR": "€"}  # of another currency its code is told
_LIMIT_ROWS = 3


class Painter:
    """Puts colours on text, or leaves it as it is (`colours` False: NO_COLOR)."""

    def __init__(self, *, colours: bool) -> None:
        self._colours = colours

    def on(self, style: str, text: str) -> str:
        """Returns `text` in a style."""
        return f"{style}{text}{_RESET}" if self._colours else text

    def pocket(self, colour: str, text: str) -> str:
        """Returns `text` on the colour of a compartment."""
        return self.on(_GROUNDS[colour], text)


def draw(scene: Scene, note: str, clock: str, painter: Painter, words: Spoken) -> list[str]:
    """Draws LINES lines of at most COLUMNS columns. `note`: a sentence for the bottom line, or
    empty.

    That line also marks a layout that no source gives, if there is room. `clock`: the time of day.
    """
    if scene.stage == STARTING:  # the dash alone
        lines = [*[""] * 5, *_number(scene, painter, words), *[""] * 7, f"  {note[:_WIDTH]}"]
        return [line.rstrip(" ") for line in lines]
    lit = scene.lit
    if scene.cloth is not None:
        return _draw_cloth(scene, note, clock, painter, words)
    if _is_unverified(lit):
        mark = words["labels"]["unverified"]
        marked = f"{mark.beside} · {note or mark.french}"
        note = note if len(marked) > _WIDTH else marked
    asks = _asks(scene.asks, words)
    last, void = words["terminal"]["last"], words["labels"]["void"]
    lines = [
        "  " + _title(lit, clock, words),
        "  " + "─" * _WIDTH,
        *_announcement(scene, painter, words),
        *_number(scene, painter, words),
        _rotor(lit, words),
        *(f"  {line}" for line in _limits(scene.limits, words)),
        f"  {_both(last):<40} × {_both(void)}",
        "  " + _last(lit, painter),
        f"  {asks.french[:_WIDTH]}",
        f"  {(note or asks.beside)[:_WIDTH]}",
    ]
    assert len(lines) == LINES
    return [line.rstrip(" ") for line in lines]


def _asks(name: str | None, words: Spoken) -> Words:
    """Returns who asks to be the first supervisor, for two lines; or nothing."""
    if name is None:
        return Words("", "")
    said = words["terminal"]["asks"]
    return Words(*(each.replace("{name}", name) for each in said))


def _both(said: Words) -> str:
    return f"{said.french} · {said.beside}"


def _title(lit: Lit, clock: str, words: Spoken) -> str:
    names = ["CYLINDRE", "table" if lit.game is None else words["games"][lit.game].french]
    if lit.wheel:
        # Of a record, where no table was told: its key says whose it is, not what letters it has.
        names.append("".join(each if each.isprintable() else "?" for each in lit.wheel))
    end = "   ".join(word for word in (f"coup {lit.coup}" if lit.coup else "", clock) if word)
    room = _WIDTH - len(end) - 1
    return f"{' · '.join(names)[:room]:<{room}} {end}"


def _announcement(scene: Scene, painter: Painter, words: Spoken) -> list[str]:
    """Three rows: a bright bar while no bet is taken, plain words else."""
    said = words["states"][scene.stage]
    more = words["reasons"].get(scene.lit.reason or "") or words["more"].get(scene.stage)
    result = None if scene.cloth is None else scene.cloth.result
    if scene.cloth is not None and scene.stage == CONFIRMED:
        said = _result(result, words)
    elif result is not None:  # with it the shoe ended
        more = _result(result, words)
    elif scene.cloth is not None and scene.cloth.void is not None and scene.stage != VOID:
        void, why = words["states"][VOID], words["reasons"][scene.cloth.void]
        pairs = zip(words["cloth"]["why_void"], void, why, strict=True)
        more = Words(
            *(said.replace("{void}", one).replace("{why}", two) for said, one, two in pairs)
        )
    if is_shown(scene) and scene.lit.manual:
        more = words["labels"]["by_hand"]
    rows = [
        "",
        f"   {said.french}   {said.beside}",
        "" if more is None else f"   {_both(more)}",
    ]
    style = _INVERSE if scene.stage in display_words.CLOSED else _BOLD
    return ["  " + painter.on(style, f"{row:<{_WIDTH}.{_WIDTH}}") for row in rows]


def _result(result: Result | None, words: Spoken) -> Words:
    """Returns how a round of cards ended, as its record says."""
    if result is None:
        return words["results"]["none"]
    said = words["results"][result.said]
    points = "" if result.dealer is not None else f" {result.player} - {result.banker}"
    return Words(*(each.replace("{}", str(result.dealer)) + points for each in said))


def _draw_cloth(scene: Scene, note: str, clock: str, painter: Painter, words: Spoken) -> list[str]:
    """Draws a card table: its hands, a line each, and the roads."""
    cloth, labels = scene.cloth, words["cloth"]
    assert cloth is not None
    notes = [
        _both(labels[name])
        for name, is_so in (
            ("simulated", cloth.is_simulated),
            ("last_round", cloth.is_last),
            ("more", cloth.has_more),
            ("by_hand", cloth.result is not None and cloth.result.by_hand),
        )
        if is_so
    ]
    asks = _asks(scene.asks, words)
    hands = [_hand(hand, painter, words) for hand in _dealer_first(cloth)]
    lines = [
        "  " + _title(scene.lit, clock, words),
        "  " + "─" * _WIDTH,
        *_announcement(scene, painter, words),
        f"  {'   '.join(notes)[:_WIDTH]}",
        *(hands or ["  –"]),
    ]
    if cloth.roads is not None:
        lines += ["", *_roads(cloth.roads, painter, words)]
    room = LINES - 2
    if len(lines) > room:  # of four hands a seat at seven seats
        lines = [*lines[: room - 1], "  …"]
    lines += [""] * (room - len(lines))
    lines += [f"  {asks.french[:_WIDTH]}", f"  {(note or asks.beside)[:_WIDTH]}"]
    return [line.rstrip(" ") for line in lines]


def _dealer_first(cloth: Cloth) -> list[Hand]:
    return sorted(cloth.hands, key=lambda hand: hand.place != "d")


def _hand(hand: Hand, painter: Painter, words: Spoken) -> str:
    """Returns a hand on one line: whose, its cards, its points, how it ended, what fell."""
    labels = words["cloth"]
    names = {"d": labels["dealer"].french, "P": labels["player"].french}
    names["B"] = labels["banker"].french
    name = names.get(hand.place, f"{labels['seat'].french} {hand.place[1:]}")
    faces = ["–"] if hand.cards is None else [_face(card) for card in hand.cards]
    said = [hand.points or "–"]
    if hand.end is not None:
        ended = words["ends"][hand.end]
        said.append(ended.french if hand.events else _both(ended))
    said += [words["side_bets"][event].french for event in hand.events]
    mark = "►" if hand.has_turn else " "
    text = f"{mark} {name:<11}{' '.join(faces):<22} {'  '.join(said)}"
    return "  " + (painter.on(_BOLD, text[:_WIDTH]) if hand.has_turn else text[:_WIDTH])


def _face(card: int) -> str:
    return {BACK: "▒▒", DASH: "–"}.get(card) or deck.french(card)


_BEADS = {PLAYER: "red", BANKER: "black", TIE: "green"}
_ROAD_COLUMNS = 17  # of each road: two columns a place


def _roads(roads: Roads, painter: Painter, words: Spoken) -> list[str]:
    """Returns the bead road, and beside it the big road, below their titles."""
    labels = words["cloth"]
    letters = {name: labels[name].french[0].upper() for name in (PLAYER, BANKER, TIE)}
    counts = "  ".join(
        f"{letters[name]} {count}"
        for name, count in ((PLAYER, roads.player), (BANKER, roads.banker), (TIE, roads.tie))
    )
    begun = "" if roads.is_whole else f" ({labels['begun'].french})"
    lines = [f"  {labels['bead'].french}{begun}  {counts}"[:38]]
    lines[0] = f"{lines[0]:<40}{labels['big'].french}"
    skipped = max(0, -(-len(roads.bead) // ROWS) - _ROAD_COLUMNS) * ROWS
    beads = roads.bead[skipped:]
    last = max((run.column for run in roads.big), default=0)
    off = max(0, last + 1 - _ROAD_COLUMNS)
    runs = {(run.column - off, run.row): run for run in roads.big}
    for row in range(ROWS):
        own = beads[row::ROWS]
        line = "  " + "".join(_bead(name, letters, 0, painter) for name in own)
        line += "  " * (_ROAD_COLUMNS - len(own)) + "    "
        for column in range(_ROAD_COLUMNS):
            run = runs.get((column, row))
            line += "  " if run is None else _bead(run.winner, letters, run.ties, painter)
        lines.append(line)
    return lines


def _bead(winner: str | None, letters: dict[str, str], ties: int, painter: Painter) -> str:
    """Returns a place of a road, two columns: its winner's letter, and ties that followed."""
    text = ("-" if winner is None else letters[winner]) + (str(min(ties, 9)) if ties else " ")
    return painter.pocket(_BEADS[winner or TIE], text)


def _number(scene: Scene, painter: Painter, words: Spoken) -> list[str]:
    """Returns the box with the number, or the dash; beside it what the number is, and what came
    before.
    """
    lit = scene.lit
    colour = lit.colour if is_shown(scene) else None
    if lit.number is None or colour is None or lit.game is None:
        rows = big_digits("--")
        chances: tuple[str, ...] = ()
    else:
        rows = big_digits(f"{lit.number:02d}" if lit.number > 9 else f"{lit.number}")
        chances = display_words.chances(lit.game, lit.number, colour)
    # One blank row above and below; the three words stand at the rows 2, 4 and 6 of the box.
    says = {2 + 2 * place: words["chances"][chance] for place, chance in enumerate(chances)}
    tally = _tally(scene.tally, words)
    lines = ["  ┌" + "─" * _BOX + "┐"]
    for row, text in enumerate(["", *rows, ""]):
        cell = f"{text:^{_BOX}}"
        if colour is not None:
            cell = painter.pocket(colour, cell)
        chance = says.get(row)
        word = "" if chance is None else f"   {chance.french.upper():<10}{chance.beside}"
        lines.append(f"  │{cell}│{word:<{_BESIDE}}{tally.get(row, '')}")
    lines.append("  └" + "─" * _BOX + "┘")
    return lines


def _tally(tally: Tally | None, words: Spoken) -> dict[int, str]:
    """Returns what stands right of the box, by row."""
    if tally is None:
        return {}
    terminal = words["terminal"]
    rows = {0: f"{tally.window} {_both(terminal['numbers' if tally.window > 1 else 'number'])}"}
    for row, (one, other) in enumerate(tally.pairs, 1):
        shares = [
            f"{words['chances'][share.chance].french} {round(100 * share.count / tally.window)} %"
            for share in (one, other)
        ]
        rows[row] = f"{shares[0]:<13}{shares[1]}"
    others = f" +{tally.cold_more}" if tally.cold_more else ""
    rows[6] = f"{_slashed(terminal['hot']):<11} {_numbers(tally.hot)}"
    rows[7] = f"{_slashed(terminal['cold']):<11} {_numbers(tally.cold)}{others}"
    return rows


def _slashed(said: Words) -> str:
    return f"{said.french}/{said.beside}"


def _numbers(pairs: Sequence[tuple[int, int | None]]) -> str:
    return " ".join(str(number) for number, _ in pairs) or "-"


def _limits(limits: Limits | None, words: Spoken) -> list[str]:
    """Returns _LIMIT_ROWS lines: the least stake, and the maximum of each bet."""
    if limits is None:
        rows = [f"{_both(words['terminal']['limits'])}  -"]
    else:
        least = f"min {amount(limits.minimum_cents, limits.currency)}"
        rows = _wrapped([least, *_maxima(limits, words, limits.currency)])
        if len(rows) > _LIMIT_ROWS:  # of millions: what they are of is told once
            rows = _wrapped([least, *_maxima(limits, words, None)])
    return [*rows, "", ""][:_LIMIT_ROWS]


def _maxima(limits: Limits, words: Spoken, currency: str | None) -> list[str]:
    return [
        ", ".join(words["bets"][bet].french for bet in limit.bets)
        + " "
        + ("-" if limit.maximum_cents is None else amount(limit.maximum_cents, currency))
        for limit in limits.maxima
    ]


def _wrapped(parts: Sequence[str]) -> list[str]:
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) + 3 > _WIDTH:
            lines.append("")
        lines[-1] += f" · {part}" if lines[-1] else part
    return lines


def amount(cents: int, currency: str | None) -> str:
    """Returns cents in the larger unit as French writes them, with decimals only where there are
    some: "5 €", "2,50 €"; None: without the currency.
    """
    whole, part = divmod(cents, 100)
    number = f"{whole},{part:02d}" if part else f"{whole}"
    return number if currency is None else f"{number} {_SYMBOLS.get(currency, currency)}"


def _rotor(lit: Lit, words: Spoken) -> str:
    if lit.game not in _TURN:  # a dish does not
        return ""
    rotor = _both(words["terminal"]["rotor"])
    if lit.state == "STALE":
        return f"  {rotor}"
    return f"  {rotor}   {_ARROWS[lit.rotor]}  {_both(words['rotors'][str(lit.rotor)])}"


def _last(lit: Lit, painter: Painter) -> str:
    cells = [
        " ×" if outcome is None else painter.pocket(outcome[1], f"{outcome[0]:>2}")
        for outcome in lit.history
    ]
    return " ".join(cells)


def sentence(lit: Lit, asks: str | None = None, cloth: Cloth | None = None) -> str:
    """Returns what is lit on one line of plain ASCII, for a pipe or a terminal too small for
    `draw`, and who asks to be the first supervisor. It is English in every language, but for what
    the croupier announces.
    """
    if lit.state == "STALE":
        return "STALE: -"
    if cloth is not None:
        return _cloth_sentence(lit, asks, cloth)
    shown = "-"
    if lit.number is not None and lit.colour is not None and lit.game is not None:
        game = display_words.rules_of(lit.game)
        announced = (Words(*pair) for pair in announce.chances(game, lit.number, lit.colour))
        shown = f"{lit.number}  {', '.join(map(_slashed, announced))}"
        if lit.manual:
            shown += f"  {LABELS['by_hand']}"
    elif lit.reason is not None:
        shown = f"- ({REASONS[lit.reason]})"
    last = " ".join("x" if outcome is None else str(outcome[0]) for outcome in lit.history)
    said = f"{lit.state}  coup {lit.coup}{_turn(lit)}: {shown}  last: {last or '-'}"
    if _is_unverified(lit):
        said += f"  {LABELS['unverified']}"
    return said + _asks_plain(asks)


def _asks_plain(asks: str | None) -> str:
    if asks is None:
        return ""
    name = asks.encode("ascii", "backslashreplace").decode()
    return f"  {TERMINAL['asks'].replace('{name}', name)}"


def _cloth_sentence(lit: Lit, asks: str | None, cloth: Cloth) -> str:
    """The same of a card table: each hand with its points, and how the round ended."""
    result = "-"
    if cloth.result is not None:
        told = cloth.result
        result = RESULTS[told.said].replace("{}", str(told.dealer))
        if told.dealer is None:
            result += f" {told.player} - {told.banker}"
    elif lit.reason is not None:
        result = f"- ({REASONS[lit.reason]})"
    said = f"{lit.state}  round {lit.coup}: {result}"
    for hand in _dealer_first(cloth):
        mark = ">" if hand.has_turn else ""
        faces = "-" if hand.cards is None else " ".join(_plain_face(card) for card in hand.cards)
        said += f"  {mark}{hand.place}: {faces or '-'} ({hand.points or '-'})"
        said += "".join(f", {text}" for text in _happened(hand))
    if cloth.is_simulated:
        said += f"  {CLOTH['simulated']}"
    if cloth.is_last:
        said += f"  {CLOTH['last_round']}"
    return said + _asks_plain(asks)


def _happened(hand: Hand) -> list[str]:
    ended = [] if hand.end is None else [ENDS[hand.end]]
    return ended + [SIDE_BETS[event] for event in hand.events]


def _plain_face(card: int) -> str:
    return {BACK: "**", DASH: "-"}.get(card) or deck.text_of(card)


def _turn(lit: Lit) -> str:
    if lit.game not in _TURN:  # a dish does not
        return ""
    return "  rotor " + {1: "ccw", -1: "cw", 0: "-"}[lit.rotor]


def _is_unverified(lit: Lit) -> bool:
    return lit.layout_verified is False  # None: nobody is heard
