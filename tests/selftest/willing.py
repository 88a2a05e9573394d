"""People at a wheel: what they are asked for, they do with a hand at the virtual wheel."""

from __future__ import annotations

import re

FINGER_S = 0.2
# Of the wheel, at pace 5 one of ours: till all these fingers are asked for, and somebody looks.
ASKED_S = 5.0


class Willing:
    """Does what is asked, through `reach(request)`: hand.sock, or the hand of a JumpingBench."""

    def __init__(self, reach, names, but=lambda text: True):
        """`but`: which prompts are not left out."""
        self.reach, self.names, self.but = reach, names, but
        self.asked, self.told, self.steps = [], [], []

    def inform(self, text):
        self.told.append(text)

    def step(self, progress):
        self.steps.append(progress)

    def again(self, text):
        """Not once more, unless a test says so: what fails fails."""
        self.asked.append(text)
        return False

    def ask(self, text):
        self.asked.append(text)
        if not self.but(text):
            return False
        if found := re.search(r"Lay the ball into (?:any )?compartment ?(\d+)?", text):
            self.reach({"do": "lay", "compartment": int(found[1] or 17)})
        elif text.startswith("Take the ball out"):
            self.reach({"do": "lift"})
        elif found := re.search(r"Throw the ball (ccw|cw)|throw it (ccw|cw)", text):
            self.reach({"do": "throw", "way": found[1] or found[2]})
        elif found := re.search(r"finger through ([a-z]+)\d", text):
            names = [name for name in self.names if name.startswith(found[1])]
            for at, name in enumerate(names):
                after_s = ASKED_S + at * 2 * FINGER_S
                request = {"do": "cover", "line": name, "s": FINGER_S, "after_s": after_s}
                self.reach(request)
        return True


def hand_of(bench):
    """`reach` at a bench in jumping time."""

    def reach(request):
        do, hand = request["do"], bench.hand
        if do == "lay":
            why_not = hand.lay(request["compartment"])
        elif do == "lift":
            why_not = hand.lift()
        elif do == "throw":
            why_not = hand.throw(1 if request["way"] == "ccw" else -1)
        else:
            why_not = hand.cover(request["line"], request["s"], request["after_s"])
        assert why_not is None, why_not

    return reach
