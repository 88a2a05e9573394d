"""What stands on the screen of a card table's croupier, for who begins to follow it.

Kept as it was told, one object an event: who comes later is told those that still stand, and draws
the same as who was there all the time. At a wheel nothing comes here.
"""

from collections import deque
from typing import Any

from firmware.api.connection import Client

# Bytes that wait for a client of a card table, whatever he asked for: what stands and one round
# more, each as large as it can be, with 140 followers behind seven insured pairs.
OUT_MAX = 1_500_000
ROUND_MAX = 400  # events of one round: more cards and decisions than seven seats ever have
_REFUSED = "P10"  # of a moment: whoever asked hears it
_POSSIBLE = "gold_jack_possible"  # what is announced, and is not what is due
_ENDS = ("round_result", "round_void")
_CORRECTED = "round_correction"  # stands instead of the end
_PAID = "held_paid"
_OF_ROUND = (
    "round_started",
    "card_dealt",
    "hole_turned",
    "hole_checked",
    "engaged",
    "fault",
    "fault_ended",
)


class CardScreen:
    """Of one table. The service's thread alone uses it."""

    def __init__(self) -> None:
        self._guide: list[dict[str, Any]] = []
        self._typed: list[dict[str, Any]] = []
        self._view: list[dict[str, Any]] = []
        self._ended: list[dict[str, Any]] = []  # how the last round stands, and what was paid since
        self._round: deque[dict[str, Any]] = deque(maxlen=ROUND_MAX)
        self._followers: list[Client] = []

    def take_event(self, told: dict[str, Any]) -> None:
        """Takes an event, as everybody is told it."""
        event = told["event"]
        if event == "guide" and told["code"] != _POSSIBLE:
            self._guide = [told]
        elif event == "card_typed":
            self._typed = [told]
        elif event == "card_view":
            self._view = [told]
        elif event in _ENDS or event == _CORRECTED:
            self._ended = [told]
        elif event == _PAID:
            self._ended = [*self._ended[:1], told]
        elif event in _OF_ROUND or event == "guide":
            if event == "round_started":
                self._round.clear()
            if told.get("code") != _REFUSED:
                self._round.append(told)

    def follow(self, client: Client) -> list[dict[str, Any]]:
        """Has a client told of it from now on. Returns the events that still stand, in order."""
        if client not in self._followers:
            self._followers.append(client)
        return [*self._ended, *self._round, *self._view, *self._guide, *self._typed]

    def followers(self) -> tuple[Client, ...]:
        """Returns who follows."""
        return tuple(self._followers)

    def leave(self, client: Client) -> None:
        """Takes that a client is gone."""
        if client in self._followers:
            self._followers.remove(client)
