"""Stakes of every game settled, printed: the same lines on CPython and MicroPython.

Not a test by itself: test_settle_script.py runs it, `make micropython` on both interpreters.
"""

import rules
from rules import announce, cloth
from rules.settle import WrongInput, accept, colour_of, open_table, settle

MINIMUM = 500
# What no table takes; then what a table may take.
BAD = (
    17,
    {"player": "p1", "bet": "plein", "on": [7], "euros": 5},
    {"player": "p1", "bet": "plein", "on": [7]},
    {"player": "", "bet": "plein", "on": [7], "cents": 500},
    {"player": "p1", "bet": "tiers", "on": [7], "cents": 500},
    {"player": "p1", "bet": "plein", "on": [99], "cents": 500},
    {"player": "p1", "bet": "plein", "on": [True], "cents": 500},
    {"player": "p1", "bet": "cheval", "on": [1, 36], "cents": 500},
    {"player": "p1", "bet": "cheval", "on": [2, 1], "cents": 500},
    {"player": "p1", "bet": "cheval", "on": [0, 1], "cents": 500},
    {"player": "p1", "bet": "carre", "on": [0, 1, 2, 3], "cents": 501},
    {"player": "p1", "bet": "deux_douzaines", "on": [1, 3], "cents": 500},
    {"player": "p1", "bet": "rouge", "on": [], "cents": 501},
    {"player": "p1", "bet": "rouge", "on": [], "cents": -500},
    {"player": "p1", "bet": "rouge", "on": [], "cents": 499},
    {"player": "p1", "bet": "plein", "on": [7], "cents": 10**9},
)


def drawn(count, most):
    """Whole numbers from 0 to below `most`, the same on every machine."""
    state = 1
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        yield (state >> 8) % most


def stakes_of(table, count):
    """Bad stakes, then stakes of seven players on any position."""
    places = [(bet.name, on) for bet in table.rules["bets"] for on in cloth.positions(bet)]
    found = list(BAD)
    draws = drawn(3 * count, 10**6)
    for _ in range(count):
        name, on = places[next(draws) % len(places)]
        player = "p" + str(next(draws) % 7)
        cents = (MINIMUM // 2 + next(draws) % (4 * MINIMUM)) // 2 * 2
        found.append({"player": player, "bet": name, "on": list(on), "cents": cents})
    return found


def lines():
    """Refusals, payments, announcements and returns of each game."""
    for game in rules.WHEEL_GAMES:
        table = open_table(rules.load(game), MINIMUM)
        layout = table.rules["layout"]
        accepted, refused = accept(table, stakes_of(table, 60))
        for refusal in refused:
            yield f"{game} refused: {refusal.rule}: {refusal.why}"
        for at in range(len(layout)):
            said = announce.announcement(table.rules, layout[at], table.rules["colours"][at])
            paid = settle(table, accepted, layout[at], at)
            yield f"{game} {at} {said[0]} / {said[1]}: {sum([p.won_cents for p in paid])}"
            if at < 3:
                for payment in paid:
                    yield f"{game} {tuple(payment)}"
        for bet in table.rules["bets"]:
            for on in cloth.positions(bet):
                stake = {"player": "p1", "bet": bet.name, "on": list(on), "cents": 1000}
                back = [settle(table, [stake], layout[at], at)[0] for at in range(len(layout))]
                yield f"{game} {bet.name} {on} {sum([p.returned_cents for p in back])}"
        for number, compartment in ((99, None), (7, 99), (7, 0), (7, None)):
            try:
                yield f"{game} {number} {colour_of(table.rules, number, compartment)}"
            except WrongInput as error:
                yield f"{game} {error.sentence}"


if __name__ == "__main__":
    for line in lines():
        print(line)
