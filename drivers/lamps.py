"""The croupier's lamps: bets open, no more bets, fault."""

from firmware.core.cards import states as card_states
from firmware.core.coup import states
from firmware.shims.typed import Any

# fmt: off
# The state of a facts.View: which lamps it lights (bets open, no more bets, fault). Between a
# result or a void and the next coup the croupier pays: no lamp.
_LIT = {
    states.BETS_OPEN:     (1, 0, 0),
    states.BALL_IN_TRACK: (1, 0, 0),
    states.NO_MORE_BETS:  (0, 1, 0),
    states.BALL_DROPPED:  (0, 1, 0),
    states.DETECTED:      (0, 1, 0),
    states.MANUAL:        (0, 1, 0),
    states.CONFIRMED:     (0, 0, 0),
    states.VOID:          (0, 0, 0),
    # Of a card table: from the call to the end of the round no stake is taken.
    card_states.NO_SHOE:   (0, 0, 0),
    card_states.DEALING:   (0, 1, 0),
    card_states.INSURANCE: (0, 1, 0),
    card_states.PLAYING:   (0, 1, 0),
    card_states.DEALER:    (0, 1, 0),
    card_states.DONE:      (0, 1, 0),
    card_states.HOLD:      (0, 1, 0),
}
# fmt: on
_FAULT = (0, 0, 1)  # out of play; also for a state this table does not know


class Lamps:
    """Three output pins that follow the state of the coup."""

    def __init__(self, *, bets_open: Any, no_more_bets: Any, fault: Any) -> None:
        """Takes three machine Pins; all lamps go out."""
        self._pins = (bets_open, no_more_bets, fault)
        self.off()

    def light(self, state: str) -> None:
        """Lights what belongs to a View's `state`."""
        self._set(_LIT.get(state, _FAULT))

    def off(self) -> None:
        """Puts all out."""
        self._set((0, 0, 0))

    def _set(self, levels: tuple[int, ...]) -> None:
        for i in range(len(self._pins)):
            self._pins[i].value(levels[i])
