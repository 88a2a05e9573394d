"""Knows what the controller confirmed and when, and so whether a display may light what it lights.

Lit must be what the controller said within the last second, or the dash, and never what it said
before that. A number must be that of its record, and is never followed by an older one while the
display stays powered.
"""

from __future__ import annotations

from typing import Any

from firmware.bus import frame
from firmware.bus.messages import STALE
from firmware.core.facts import View
from tools.busfaults.house import House

# DESIGN section 4: a liveness under 1 s old, or the dash.
FRESH_US = 1_000_000
HEARTBEAT = 1
_COMPLAINTS_MAX = 5


class Findings:
    """What a row has found so far."""

    def __init__(self) -> None:
        self.wrong = 0
        self.old = 0
        self.blank_us = 0
        self.converge_us = 0
        self.complaints: list[str] = []

    def complain(self, at_us: int, sentence: str) -> None:
        """Something that must not be; the first few are told."""
        if len(self.complaints) < _COMPLAINTS_MAX:
            self.complaints.append(f"at {at_us / 1e6:.3f} s {sentence}")


class Observation:
    """What the oracle has seen of one display since it was switched on."""

    def __init__(self) -> None:
        self.best = (0, 0)  # the newest number it has lit
        self.heard_us = -FRESH_US  # when the newest heartbeat it got whole was said
        # Somebody else has all its keys: what it says beside numbers is theirs to choose.
        self.captive = False
        self.seen = 0  # the earliest view that may be lit: later than all that were
        self.cards = 0  # the newest cards that it has lit: which of those that were told
        # What was lit when it was last found to be what the controller says, and in which view.
        self.right: tuple[Any, int] | None = None


class Oracle:
    """Judges every display of one house."""

    def __init__(self, house: House, findings: Findings) -> None:
        self.findings = findings
        self._house = house
        self._views: list[tuple[int, View]] = [(-(10**12), house.view)]
        self._said: dict[bytes, int] = {}
        # What lay on a card table, and until when.
        self._cards: list[list[Any]] = []
        # By round: the records that stood for it, each until when.
        self._ends: dict[int, list[list[Any]]] = {}

    def set_view(self, view: View, now_us: int) -> None:
        """The controller says this from now on."""
        self._views.append((now_us, view))

    def set_cards(self, cards: Any, now_us: int) -> None:
        """This lies on the table from now on."""
        if self._cards:
            self._cards[-1][1] = now_us
        self._cards.append([cards, None])

    def set_end(self, round_: int, end: Any, now_us: int) -> None:
        """So that round stands from now on."""
        stood = self._ends.setdefault(round_, [])
        if stood and stood[-1][0] == end:
            return
        if stood:
            stood[-1][1] = now_us
        stood.append([end, None])

    def _may_end(self, round_: int, end: Any, now_us: int) -> bool:
        return any(
            stood == end and (until_us is None or now_us - until_us <= FRESH_US)
            for stood, until_us in self._ends.get(round_, ())
        )

    def judge_cards(self, observation: Observation, name: str, display: Any, now_us: int) -> None:
        """Looks at what a display of a card table shows of cards, and of how the round ended."""
        found, lit, end = self.findings, display.lit, display.round_end
        if end is not None and not self._may_end(lit.coup, end, now_us):
            found.wrong += 1
            found.complain(now_us, f"{name} lights the end of {end.seq} for round {lit.coup}")
        cards = display.cards
        if cards is None:
            return
        for at in range(len(self._cards) - 1, -1, -1):
            told, until_us = self._cards[at]
            if until_us is not None and now_us - until_us > FRESH_US:
                break
            if told == cards:
                if at < observation.cards:
                    break  # it has lit newer ones
                observation.cards = at
                return
        known = cards in [told for told, _ in self._cards]
        found.old += known
        found.wrong += not known
        found.complain(
            now_us, f"{name} lights {cards}, which {'are old' if known else 'never lay'}"
        )

    def sent(self, framed: bytes, now_us: int) -> None:
        """The controller has put this frame on the line."""
        payload = frame.decode(framed[1:-1])
        if payload is not None and payload[1] == HEARTBEAT:
            self._said[framed[1:-1]] = now_us

    def hears(self, observation: Observation, data: bytes) -> None:
        """A display is given these bytes: are whole heartbeats among them, and how old?"""
        for body in data.split(b"\0"):
            at_us = self._said.get(body)
            if at_us is not None and at_us > observation.heard_us:
                observation.heard_us = at_us

    def judge(self, observation: Observation, name: str, lit: Any, now_us: int) -> None:
        """Looks at what a display lights now."""
        found = self.findings
        if lit.state == STALE:
            if lit.number is not None or lit.history:
                found.wrong += 1
                found.complain(now_us, f"{name} lights {lit} in the dark")
            return
        if not observation.captive:
            age_us = now_us - observation.heard_us
            found.blank_us = max(found.blank_us, age_us)
            if age_us > FRESH_US:
                found.complain(now_us, f"{name} is lit {age_us} us after the last heartbeat")
        if observation.right is not None and observation.right == (lit, len(self._views)):
            return
        self._judge_number(observation, name, lit, now_us)
        self._judge_history(name, lit, now_us)
        if not observation.captive:
            self._judge_view(observation, name, lit, now_us)
        if _is_of(lit, self._views[-1][1]):
            observation.right = (lit, len(self._views))

    def _judge_number(self, observation: Observation, name: str, lit: Any, now_us: int) -> None:
        if lit.number is None:
            return
        found = self.findings
        truth = self._house.outcomes.get((lit.epoch, lit.seq))
        if truth != (lit.coup, (lit.number, lit.colour)):
            found.wrong += 1
            found.complain(now_us, f"{name} lights {lit.number} for {lit.seq}, which is {truth}")
        if (lit.epoch, lit.seq) < observation.best:
            found.old += 1
            found.complain(now_us, f"{name} lights {lit.seq} after {observation.best}")
        observation.best = max(observation.best, (lit.epoch, lit.seq))

    def _judge_history(self, name: str, lit: Any, now_us: int) -> None:
        """The last outcomes: with the newest record, or while it is on its way, without."""
        if not lit.history:
            return
        for seq in (lit.seq, lit.seq - 1):
            known = self._house.history(seq) if 0 <= seq <= self._house.seq else ()
            if known[-len(lit.history) :] == lit.history:
                return
        self.findings.wrong += 1
        self.findings.complain(now_us, f"{name} lights the outcomes {lit.history}")

    def _judge_view(self, observation: Observation, name: str, lit: Any, now_us: int) -> None:
        """Of several views that lit may be, the earliest that is allowed is taken for it."""
        found = self.findings
        taken: int | None = None
        last: tuple[int, View] | None = None  # the newest that lit may be: when it ended
        ended_us = now_us
        for place in range(len(self._views) - 1, -1, -1):
            if last is not None and (now_us - ended_us > FRESH_US or place < observation.seen):
                break
            begun_us, view = self._views[place]
            if _is_of(lit, view):
                last = last or (ended_us, view)
                if now_us - ended_us <= FRESH_US and place >= observation.seen:
                    taken = place
            ended_us = begun_us
        if taken is not None:
            observation.seen = taken
        elif last is None:
            found.wrong += 1
            found.complain(now_us, f"{name} lights {lit}, which nobody ever said")
        else:
            found.old += 1
            found.complain(now_us, f"{name} lights {last[1]} of {last[0] / 1e6:.3f} s")


def _is_of(lit: Any, view: View) -> bool:
    """Whether lit is that view, or as much of it as the display knows: a dash always may be."""
    if (lit.state, lit.coup, lit.rotor) != (view.state, view.coup, view.rotor):
        return False
    if lit.number is not None and (lit.number, lit.colour) != (view.number, view.colour):
        return False
    return lit.reason is None or bool(lit.reason == view.reason)


def is_shown(lit: Any, view: View) -> bool:
    """Whether a display has all of the view."""
    return _is_of(lit, view) and (lit.number, lit.reason) == (view.number, view.reason)
