"""A round of baccarat: which card is due, who wins, and what each stake is paid."""

from rules.cards import deck
from rules.cards.drawing import BANKER, PLAYER, is_natural, next_side, points_of
from rules.cards.due import CARD, DONE, CardPayment, Due, refuse_card
from rules.cards.errors import CardsError
from rules.cards.stakes import CardTable

TIE = "tie"
_DUE = {
    PLAYER: Due(CARD, PLAYER, None, None, ()),
    BANKER: Due(CARD, BANKER, None, None, ()),
    None: Due(DONE, None, None, None, ()),
}
_SIDES = {"player": PLAYER, "banker": BANKER, "dragon_player": PLAYER, "dragon_banker": BANKER}


class BaccaratRound:
    """One round: `due` is the card that comes next; `deal` takes it."""

    def __init__(self, table: CardTable, stakes: "list[dict[str, object]]") -> None:
        """`stakes`: accepted ones."""
        self.table = table
        self.stakes = stakes
        self.cards: list[int] = []
        self.places: list[str] = []
        self.hands: dict[str, list[int]] = {PLAYER: [], BANKER: []}
        self.due: Due = _DUE[PLAYER]

    def deal(self, card: int) -> None:
        """Takes the card that is due. Raises CardsError where none is, or decks have no more."""
        refuse_card(self, card)
        to: str = self.due.to
        self.cards.append(card)
        self.places.append(to)
        self.hands[to].append(card)
        self.due = _DUE[next_side(self.hands[PLAYER], self.hands[BANKER])]

    def decide(
        self,
        seat: int,
        hand: int,
        do: str,
        cents: "int | None" = None,
        funds: "dict[object, int] | None" = None,
    ) -> None:
        """Raises CardsError: nobody decides at baccarat."""
        raise CardsError(
            self.table.rules["articles"]["play"],
            f"nobody decides at {self.table.rules['name']}, so no {do} is taken.",
        )

    def costs(self, number: int) -> "dict[str, tuple[int, int]]":
        """Returns nothing: nobody decides at baccarat."""
        return {}

    def check(self) -> bool:
        """Raises CardsError: no card lies face down."""
        raise CardsError(self.table.rules["articles"]["play"], "no card is looked at here.")

    def turn(self) -> None:
        """Raises CardsError: no card lies face down."""
        raise CardsError(self.table.rules["articles"]["play"], "no card is turned here.")

    def points(self, side: str) -> int:
        """Returns the last digit of a side's sum (s. 3.2)."""
        return points_of(self.hands[side])

    def winner(self) -> str:
        """Returns PLAYER, BANKER or TIE."""
        player, banker = self.points(PLAYER), self.points(BANKER)
        if player == banker:
            return TIE
        return PLAYER if player > banker else BANKER

    def is_natural(self) -> bool:
        """Returns whether the side that wins, or each in a tie, has 8 or 9 with two cards."""
        return is_natural(self.hands[PLAYER], self.hands[BANKER])

    def payments(self) -> "list[CardPayment]":
        """Returns the payments in their order (rules/cards/round.py)."""
        main: list[CardPayment] = []
        dragon: list[CardPayment] = []
        for stake in self.stakes:
            bet: str = stake["bet"]  # type: ignore[assignment]
            cents: int = stake["cents"]  # type: ignore[assignment]
            is_dragon = bet.startswith("dragon_")
            times, of = self._dragon(_SIDES[bet]) if is_dragon else self._gain(bet)
            won = cents * times // of  # exact: stakes are multiples of the grain
            payment = CardPayment(
                stake["player"], bet, stake.get("seat"), None, cents, won, cents + won
            )
            (dragon if is_dragon else main).append(payment)
        return _lost_first(main) + _lost_first(dragon)

    def _gain(self, bet: str) -> "tuple[int, int]":
        """Returns what a stake gains, as a fraction of it (3.3.1, 13.8)."""
        winner = self.winner()
        pays: tuple[int, int] = self.table.bets[bet].pays
        if bet == TIE:
            return pays if winner == TIE else (-1, 1)
        if winner == TIE:
            return (0, 1)
        if _SIDES[bet] != winner:
            return (-1, 1)
        six: tuple[int, int] | None = self.table.rules["banker_six"]
        if winner == BANKER and six is not None and self.points(BANKER) == 6:
            return six
        return pays

    def wins_dragon(self, bet: str) -> bool:
        """Returns whether a Dragon Bonus wins: "dragon_player" or "dragon_banker"."""
        return self._dragon(_SIDES[bet])[0] > 0

    def _dragon(self, side: str) -> "tuple[int, int]":
        """Returns what a Dragon Bonus on a side gains (13.9)."""
        house, winner = self.table.house, self.winner()
        if winner == TIE:
            return (0, 1) if self.is_natural() or not house["dragon_tie_lost"] else (-1, 1)
        if winner != side:
            return (-1, 1)
        if self.is_natural():
            return (1, 1)
        if len(self.hands[side]) == 2 and not house["dragon_two_card"]:
            return (-1, 1)
        margin = abs(self.points(PLAYER) - self.points(BANKER))
        return (dict(house["dragon_odds"]).get(margin, -1), 1)

    def outcome(self) -> "dict[str, object]":
        """Returns what came: the winner, the points, the cards, whether it was a natural."""
        names = {PLAYER: "player", BANKER: "banker", TIE: TIE}
        return {
            "winner": names[self.winner()],
            "player": self.points(PLAYER),
            "banker": self.points(BANKER),
            "natural": self.is_natural(),
            "player_cards": [deck.text_of(card) for card in self.hands[PLAYER]],
            "banker_cards": [deck.text_of(card) for card in self.hands[BANKER]],
        }


def _lost_first(payments: "list[CardPayment]") -> "list[CardPayment]":
    """Losing stakes, then the others, each as they were laid (13.9: "le croupier ramasse les mises
    perdantes et paie les mises gagnantes").
    """
    lost = [payment for payment in payments if payment.won_cents < 0]
    return lost + [payment for payment in payments if payment.won_cents >= 0]
