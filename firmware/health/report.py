"""A wheel's health in sentences: what was found, and what would have been (docs/health.md)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from math import log

from firmware.core.health.bank import own_tolerance
from firmware.core.health.codes import CODES
from firmware.core.health.drops import Drops
from firmware.core.health.misses import Misses
from firmware.core.health.streams import Stream
from firmware.core.health.watch import FAIRNESS
from firmware.health import figures
from firmware.health.answer import cannot_be_judged
from firmware.health.items import Recorded
from firmware.health.journal_coups import JournalCoups
from firmware.health.replay import Replay
from firmware.health.words import SOUNDNESS, of_act, of_notice
from firmware.lib.language import Message, listed

_NEIGHBOURS = 9  # of 37
# How much more often a pocket or neighbours come, and a lean: when that will be seen.
POCKETS, SECTORS, LEANS = (0.1, 0.2, 0.3), (0.05, 0.1), (0.1, 0.2)
_NO_MORE = 100_000_000  # coups: more are no plan
_DROPS_MAX = 10_000_000  # where one gap is all but certain, nothing is seen


class Report:
    """What people read of one replay."""

    def __init__(self, recorded: Recorded, replay: Replay, *, verified: bool) -> None:
        """`replay` has ended. `verified`: a journal, from its first row on."""
        self._verified = verified
        self._recorded = recorded
        self._replay = replay

    def lines(
        self, remarks: Sequence[Message], *, since_s: float = 0.0, gaps: bool = False
    ) -> list[Message]:
        """Returns all sentences, a line each.

        `remarks`: why it cannot be judged; `since_s`: notices and acts from then on alone; `gaps`:
        drops by gap as well.
        """
        found = [cannot_be_judged(each) for each in remarks]
        for line, t_s, notice in self._replay.notices:
            if t_s >= since_s:
                words = of_notice(notice, self._recorded.numbers)
                found.append(Message("{}: {}.", self._when(line, t_s), words))
                found += self._acknowledged(CODES[notice.kind], line)
        found.append(self._wheel())
        if self._replay.watch.coups:
            found += [*self._numbers(), self._best_bet(), *self._drops(gaps), *self._scatter()]
            found += [*self._soundness(), *self._since(since_s)]
        text = Message(
            "Looked at as often as one likes, fairness gives a false notice in one year of a"
            " thousand, soundness in one of a hundred. {} things are judged; that is counted in.",
            len(self._replay.watch.streams),
        )
        return [*found, text]

    def _when(self, line: int, t_s: float) -> Message:
        """Returns a day and coup of a journal, or a line of a file."""
        if not isinstance(self._recorded, JournalCoups):
            return Message("line {}", line)
        day = datetime.fromtimestamp(self._recorded.began_s + t_s, UTC).date()
        return Message("{day}, after coup {coup}", day=day, coup=self._recorded.coup_at(line))

    def _acknowledged(self, code: str, line: int) -> list[Message]:
        """Returns who knows of what was told at a line."""
        if not isinstance(self._recorded, JournalCoups):
            return []
        known = self._recorded.knows(code, line)
        if known is None:
            return []
        text = Message("Acknowledged by {who}: {why}", who=known.who, why=known.why)
        return [_labelled(None, text)]

    def _wheel(self) -> Message:
        recorded, coups = self._recorded, self._replay.watch.coups
        said = [Message("Wheel {}, {} coups", recorded.name, _whole(coups))]
        if isinstance(recorded, JournalCoups):
            said.append(Message("{} void", recorded.void))
            if recorded.not_judged:
                text = "{} of before the journal had what is needed are not judged"
                said.append(Message(text, recorded.not_judged))
            if self._verified:
                said.append(Message("journal intact"))
        return Message("{}.", listed(said))

    # --- fairness -------------------------------------------------------------------------------
    def _numbers(self) -> list[Message]:
        stream, m = self._stream("numbers"), self._recorded.wheel.compartments
        bands = [figures.band(count, stream.coups, m) for count in stream.judge.counts]
        told = [each for each in self._replay.watch.streams if each.family == "numbers"]
        is_told = any(each.told for each in told)
        sentence = Message(
            "{sign} In {coups} coups every number between {least:+.1f} % and {most:+.1f} % of its"
            " share (999 in 1000, whenever you look).",
            coups=_whole(stream.coups),
            sign=Message("a bias was found.") if is_told else Message("no sign of bias."),
            least=100.0 * (min(low for low, _ in bands) * m - 1.0),
            most=100.0 * (max(high for _, high in bands) * m - 1.0),
        )
        found = [_labelled(Message("Numbers"), sentence)]
        wide = neighbours(m)
        pocket = figures.seen_by(stream.coups, nats_at_line(stream, figures.POCKET_NATS), 1, m)
        sector = figures.seen_by(stream.coups, nats_at_line(stream, figures.SECTOR_NATS), wide, m)
        if pocket is not None and sector is not None:
            text = Message(
                "A pocket favoured by {pocket:.0f} %, {wide} neighbours by {sector:.1f} %, would"
                " have been seen by now (19 in 20).",
                pocket=100.0 * pocket,
                wide=wide,
                sector=100.0 * sector,
            )
            found.append(_labelled(None, text))
        left = pocket_coups(stream, POCKETS[0], m) - stream.coups
        if left > 0:
            text = Message("A pocket favoured by {:.0f} % would be seen within {} coups more.",
                           100.0 * POCKETS[0], _whole(left))  # fmt: skip
            found.append(_labelled(None, text))
        left = sector_coups(stream, SECTORS[0], m) - stream.coups
        if left > 0:
            text = Message("{wide} neighbours favoured by {more:.0f} % would be seen within {coups}"
                           " coups more.",
                           wide=wide, more=100.0 * SECTORS[0], coups=_whole(left))  # fmt: skip
            found.append(_labelled(None, text))
        text = Message("Odds against an even wheel {odds:.1f} to 1; told at {line} to 1.",
                       odds=stream.judge.total, line=_whole(round(stream.line)))  # fmt: skip
        return [*found, _labelled(None, text)]

    def _best_bet(self) -> Message:
        counts = self._stream("numbers").judge.counts
        place = max(range(len(counts)), key=lambda at: counts[at])
        even, most = _returns(counts)
        text = Message(
            "{number}: {even:+.1f} % expected of an even wheel, at most {most:+.1f} %. {gain}",
            number=self._recorded.numbers[place],
            even=100.0 * even,
            most=100.0 * most,
            gain=self._gain(most),
        )
        return _labelled(Message("Best bet"), text)

    def _gain(self, most: float) -> Message:
        if self._stream("gain").told:
            return Message("A gain is shown.")
        if most <= 0.0:
            return Message("No gain is possible.")
        left = _coups_until_none(self._recorded.wheel.compartments)
        left -= self._stream("numbers").coups
        if left <= 0:
            return Message("No gain is shown.")
        return Message("No gain is shown. {} coups more for none of an even wheel.", _whole(left))

    def _drops(self, gaps: bool) -> list[Message]:
        stream = self._replay.watch.stream("drops")
        if stream is None or not stream.coups:
            return [_labelled(Message("Drops"), Message("not judged: no gap was foretold."))]
        drops: Drops = stream.judge
        ways = [_lean(self._recorded.wheel.beams_deg, drops, way) for way in (0, 1)]
        text = Message(
            "{state}: ccw {ccw:.2f}, cw {cw:.2f} against what the balls' motion foretold."
            " Odds {odds:.1f} to 1; told at {line} to 1.",
            state=Message("it leans") if stream.told else Message("no sign that it leans"),
            ccw=ways[0],
            cw=ways[1],
            odds=stream.judge.total,
            line=_whole(round(stream.line)),
        )
        found = [_labelled(Message("Drops"), text)]
        lean = lean_seen(stream, self._recorded.wheel.beams_deg)
        if lean is not None:
            text = Message("A lean of {:.2f} would have been seen by now (19 in 20).", lean)
            found.append(_labelled(None, text))
        until = lean_drops(stream, LEANS[0], self._recorded.wheel.beams_deg)
        if until is not None and until > stream.coups:
            text = Message("A lean of {:.2f} would be seen within {} drops more.",
                           LEANS[0], _whole(until - stream.coups))  # fmt: skip
            found.append(_labelled(None, text))
        if gaps:
            for way, name in ((0, "ccw"), (1, "cw")):
                for gap, seen in enumerate(drops.seen[way]):
                    text = Message("{way}, gap {gap}: {seen} seen, {foretold} foretold",
                                   way=name, gap=gap, seen=_whole(seen),
                                   foretold=_whole(round(drops.foretold[way][gap])))  # fmt: skip
                    found.append(_labelled(None, text))
        return found

    def _scatter(self) -> list[Message]:
        if not any(self._replay.history.moved):
            return []
        _, most = _returns(self._replay.history.moved)
        said = [Message("who watches the throw: at most {:+.0f} % on any number.", 100.0 * most)]
        croupiers = [each for each in self._replay.watch.streams if each.family == "signature"]
        if croupiers:
            out = sum(each.told for each in croupiers)
            said.append(Message("Croupiers: {} judged, {} stand out.", len(croupiers), out))
        return [_labelled(Message("Scatter"), listed(said, " "))]

    # --- soundness, and what was done -------------------------------------------------------------
    def _soundness(self) -> list[Message]:
        streams = self._replay.watch.streams
        said = []
        for family, sound, told in SOUNDNESS:
            of_it = [each for each in streams if each.family == family and each.coups]
            if of_it:
                said.append(Message(told if any(each.told for each in of_it) else sound))
        judges = [each.judge for each in streams if isinstance(each.judge, Misses)]
        shares = [100.0 * (1.0 - one.missed / one.numbers) for one in judges if one.numbers]
        if shares:
            seen = listed([Message("{:.1f}", share) for share in shares])
            said.append(Message("ring sensors {} %", seen))
        if not said:
            return []
        return [_labelled(Message("Soundness"), Message("{}.", listed(said, "; ")))]

    def _since(self, since_s: float) -> list[Message]:
        acts = [each for each in self._replay.history.acts if each.t_s >= since_s]
        if not acts:
            return []
        said = [Message("{} {}", self._when(one.line, one.t_s), of_act(one.kind)) for one in acts]
        return [_labelled(Message("Since"), Message("{}.", listed(said, " - ")))]

    def _stream(self, name: str) -> Stream:
        found = self._replay.watch.stream(name)
        assert found is not None  # judged from the first coup on
        return found


def _labelled(label: Message | None, text: Message) -> Message:
    return Message("{label:<15}{text}", label=label or "", text=text)


def _whole(count: int) -> str:
    return f"{count:,}".replace(",", " ")


def neighbours(compartments: int) -> int:
    """Returns how many neighbours are judged as a sector is: 9 of 37."""
    return max(round(_NEIGHBOURS * compartments / 37), 2)


def lean_seen(drops: Stream, beams_deg: Sequence[float]) -> float | None:
    """Returns the vector strength by which drops must lean to have been seen by now; None: no
    such lean."""
    if not drops.coups:
        return None
    nats = nats_at_line(drops, figures.DROP_NATS)
    return figures.lean_seen_by(drops.coups, nats, beams_deg, _foretold(drops))


def lean_drops(drops: Stream, lean: float, beams_deg: Sequence[float]) -> int | None:
    """Returns how many drops after an act such a lean will have been seen; None: never."""
    if not drops.coups:
        return None
    nats = nats_at_line(drops, figures.DROP_NATS)
    found = figures.drops_until(lean, nats, beams_deg, _foretold(drops))
    return found if found is not None and found <= _DROPS_MAX else None


def pocket_coups(numbers: Stream, more: float, m: int) -> int:
    """Returns how many coups after an act a pocket that is favoured so much will have been seen.

    `m`: compartments.
    """
    return figures.coups_until(more, nats_at_line(numbers, figures.POCKET_NATS), 1, m)


def sector_coups(numbers: Stream, more: float, m: int) -> int:
    """Returns the same of `neighbours`."""
    nats = nats_at_line(numbers, figures.SECTOR_NATS)
    return figures.coups_until(more, nats, neighbours(m), m)


def _foretold(drops: Stream) -> list[float]:
    """Returns the mean chance of each gap, as foretold."""
    foretold = [ccw + cw for ccw, cw in zip(*drops.judge.foretold, strict=True)]
    return [each / sum(foretold) for each in foretold]


def nats_at_line(stream: Stream, nats: float) -> float:
    """Returns the evidence by which the stream's line is reached in 19 of 20 wheels."""
    return nats + log(stream.line * FAIRNESS)


def _returns(counts: Sequence[int]) -> tuple[float, float]:
    """Returns what a number returns beyond its stake, of an even wheel and at most, of its stake.

    A roulette pays 36 stakes in all.
    """
    m = len(counts)
    pays = m / (1.0 + own_tolerance(m))
    _, high = figures.band(max(counts), sum(counts), m)
    return pays / m - 1.0, pays * high - 1.0


def _coups_until_none(m: int) -> int:
    """Returns after how many coups of an even wheel no number can return a gain any more."""
    low, high = m, _NO_MORE
    while high - low > low // 100:
        coups = (low + high) // 2
        _, most = figures.band(coups // m, coups, m)
        if m / (1.0 + own_tolerance(m)) * most > 1.0:
            low = coups
        else:
            high = coups
    return high


def _lean(beams_deg: Sequence[float], drops: Drops, way: int) -> float:
    """Returns the vector strength that drops have beyond what was foretold of them."""
    seen, foretold = drops.seen[way], drops.foretold[way]
    means = figures.gap_means(beams_deg)
    more = sum((a - b) * mean for a, b, mean in zip(seen, foretold, means, strict=True))
    whole = sum(b * abs(mean) ** 2 for b, mean in zip(foretold, means, strict=True))
    return abs(more) / whole if whole else 0.0
