"""What the book answers to a terminal: yes, or the rule that refuses and its words; and what it
tells the players of a card table."""

from firmware.shims.typed import Any, NamedTuple, Sequence

# `rule`: the article that refuses; `why`: a sentence. Both empty for what is accepted.
Answer = NamedTuple("Answer", [("accepted", bool), ("rule", str), ("why", str)])
YES = Answer(True, "", "")

FOLLOWERS_MAX = 140  # players that bet behind a hand at once, over one host

# What a player must decide now. `kind`: "decision" or "insurance"; `choices`: what the rules and
# his funds allow; `cents`: what double, split or insure costs at most; `seen`: cards of the round
# so far; `until_us`: when it is decided for him; `points`: of the hand, as "7/17".
CardDue = NamedTuple(
    "CardDue",
    [
        ("kind", str),
        ("seat", int),
        ("hand", int),
        ("choices", "tuple[str, ...]"),
        ("cents", int),
        ("seen", int),
        ("until_us", "int | None"),
        ("points", str),
    ],
)
# One stake that was settled. `id`: that of its terminal; 0: it was laid at another; `won_cents`:
# negative for what is lost.
CardPaid = NamedTuple(
    "CardPaid",
    [
        ("id", int),
        ("bet", str),
        ("seat", int),
        ("hand", int),
        ("cents", int),
        ("won_cents", int),
    ],
)
# A round that ended. `outcome`: {"dealer": points}, or {"winner", "player", "banker"}; None for a
# void. `paid`: of one player.
CardSettled = NamedTuple(
    "CardSettled", [("coup", int), ("outcome", Any), ("paid", "Sequence[CardPaid]")]
)

# What is asked of a terminal's players stands in Luxembourg's text alone, whatever is played.
REGULATION = "Luxembourg"
EMPLOYEE = (
    "art. 20-1",
    "« nécessitant l'intervention d'au moins un employé » : no employee has signed on at the table",
)
ONE_TERMINAL = (
    "art. 20-3 a",
    "« Les joueurs ne sont pas autorisés à placer des mises simultanément sur plusieurs"
    " terminaux »",
)
CASH_ONLY = ("art. 62", "« argent comptant : tout enjeu sur parole est interdit »")
BARRED = (
    "art. 20-3 c",
    "« interdire de jeu les joueurs concernés » : a member of the management has barred you",
)
ONE_PLAYER = ("art. 20-3 b", "« Chaque joueur place ses mises individuellement »")


def named(article: str, regulation: str) -> str:
    """Names an article of Luxembourg's text, with its country where another's game is played."""
    return article if regulation == REGULATION else f"{REGULATION}, {article}"
