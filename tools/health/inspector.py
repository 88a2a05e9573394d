"""Computes E, the odds against an even wheel, from a file of coups (docs/health.md), by itself."""

# python3 inspector.py FILE [EACH]: after acts, corrections, each line that EACH divides, the last
import json
import sys
from itertools import accumulate  # one after the other; of many, `sum` rounds otherwise since 3.12

BEGINS = ("journal", "frets", "cleaned", "rotor")  # where numbers are judged anew
ANY, MOST = 0.1, 1e30  # of what E begins with, for any uneven shape; no sum is ever more
PRIORS = (3_000.0, 30_000.0)  # coups for which any shape is first thought to be even
# Neighbours in a set, on a ring of 37; weight of all such sets; by how much more often they come.
SETS = [(1, 0.35, (0.1, 0.2, 0.4)), (2, 0.1, (0.08, 0.16, 0.32)), (5, 0.15, (0.05, 0.1, 0.2))]
SETS += [(9, 0.2, (0.035, 0.07, 0.14)), (18, 0.12, (0.03, 0.06, 0.12)), (1, 0.08, (-0.15, -0.35))]


def odds(m, year, items):
    """Yields E after each item: the name of an act, a compartment of m, or None for a void."""
    sets = []  # width, more often by, weight
    for width, weight, strengths in SETS:
        width = max((2 * width * m + 37) // 74, 1) if width > 2 else width
        same = [each for each in sets if each[0] == sets[-1][0] >= width and strengths[0] > 0]
        for each in same:  # on a small ring two widths become one
            each[2] += weight / len(same)
        sets += [] if same else [[width, more, weight / len(strengths)] for more in strengths]
    whole = list(accumulate([weight for _, _, weight in sets]))[-1]
    factors = [[1.0 + d] * w + [(m - w * (1.0 + d)) / (m - w)] * (m - w) for w, d, _ in sets]
    played, years = 0, []  # years: of each act
    for item in items:
        if item in BEGINS:
            years.append(played // year)
            grant = 0.5 ** (1 + years.count(years[-1]))  # 1/4 at the first of a year, then 1/8, ...
            rows = [[weight / whole / m * ((1.0 - ANY) * grant)] * m for _, _, weight in sets]
            shapes, counts = [ANY * grant] * 2, [0] * m
        elif isinstance(item, int):
            for row, (_, _, weight), by in zip(rows, sets, factors):  # a set begins at each place
                new = weight / whole / m * ((1.0 - ANY) * (0.5 / year))  # it may begin now
                row[:] = [min((old + new) * by[(item - i) % m], MOST) for i, old in enumerate(row)]
            seen = [(prior + m * counts[item]) / (prior + sum(counts)) for prior in PRIORS]
            shapes = [min(value * by, MOST) for value, by in zip(shapes, seen)]
            counts[item] += 1
            played += 1
        yield list(accumulate([value for row in rows for value in row]))[-1] + sum(shapes)


if __name__ == "__main__":
    lines, each = open(sys.argv[1]).read().splitlines(), int([*sys.argv, 1_000][2])
    wheel, items, done = json.loads(lines[0][1:]), ["journal"], 0  # items: of lines from the second
    place = {number: at for at, number in enumerate(wheel["order"])}
    m, year = len(place), wheel.get("coups_a_year", 150_000)
    judged = odds(m, year, items)
    for at, line in enumerate(lines[2:], 3):
        act = json.loads(line[1:]) if line[0] == "!" else {}
        items.append(act["act"] if act else place[int(line.split(",")[1])])
        if items[-1] == "corrected":  # all coups are judged anew, as they stand now
            items[act["line"] - 2] = place.get(act.get("number"))
            judged, done = odds(m, year, items), 0
        while done < len(items):
            e, done = next(judged), done + 1
        if act or at % each == 0 or at == len(lines):
            print(f"line {at}: E = {e:.6g}, {e.hex()}" + ", uneven" * (e >= 4_000))
