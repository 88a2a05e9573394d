"""What a card game refuses: the rule that says so, and why."""

FORM = "form of a round"  # the rule that a round breaks before any regulation sees it


class CardsError(Exception):
    """A round, a card or a decision that cannot be: `rule` the article, `sentence` why.

    `key`: of the house's choices that one which cannot be; "" where it is none.
    """

    def __init__(self, rule: str, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.rule = rule
        self.sentence = sentence
        self.key = key
