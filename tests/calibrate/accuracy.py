"""How far a calibration is from the wheel that it measured, over many wheels in jumping time.

python tests/calibrate/accuracy.py 200

Each wheel is built off its drawing by chance: every ring sensor and beam by up to 1.5 deg either
way, one ring sensor answers up to 5 ms late. The ball lies anywhere in its compartment.
"""

import sys
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1] / "selftest"))

from jumping import JumpingBench
from willing import Willing, hand_of

import boards
import rules
from firmware.run.calibration_effect import apart_deg
from tools.technician.calibrate import judge, wizard
from tools.technician.calibrate.notes import LAYS, Notes

BOARD = "roulette_ref"
RPM = 20.0
OFF_MAX_DEG = 1.5
LATE_MAX_US = 5_000


def measured(seed):
    """Errors in degrees of sensors, mark and beams, what was told of each, and how long it took."""
    chance = Random(seed)
    drawn = boards.load(BOARD)
    built = {
        name: tuple(
            deg + chance.uniform(-OFF_MAX_DEG, OFF_MAX_DEG) for deg in drawn["geometry"][name]
        )
        for name in ("pocket_deg", "rim_deg")
    }
    late, late_us = chance.randrange(3), chance.randrange(LATE_MAX_US)
    line = [name for name, *_ in drawn["inputs"]].index(f"pocket{late}")

    def spoil(edges):
        return [(at + late_us if each == line else at, each, level) for at, each, level in edges]

    wheel = {**drawn, "geometry": {**drawn["geometry"], **built}}
    bench = JumpingBench(wheel, seed=seed, preset=("W1", "W2")[seed % 2], spoil=spoil)
    names = [str(number) for number in rules.load(drawn["rules"])["layout"]]
    notes = Notes(None, BOARD)
    person = Willing(hand_of(bench), bench.names)
    wizard.run(bench, wizard.Wheel(drawn, names, True, LAYS, RPM), person, notes)
    values, _ = judge.values(notes, drawn, len(names), RPM)
    found = {}
    for name in ("pocket", "rim"):
        offs = [
            a - b
            for a, b in zip(built[f"{name}_deg"], drawn["geometry"][f"{name}_deg"], strict=True)
        ]
        errors = [
            apart_deg(mdeg / 1000, deg - fmean(offs))
            for mdeg, deg in zip(values[f"{name}_mdeg"], built[f"{name}_deg"], strict=True)
        ]
        found[name] = (errors, values[f"{name}_sd_mdeg"] / 1000)
        if name == "pocket":
            found["mark"] = (
                [values["index_mdeg"] / 1000 - fmean(offs)],
                values["index_sd_mdeg"] / 1000,
            )
    found["low"], found["high"] = notes.speeds or (0, 0)
    found["s"] = bench.now_us / 1e6
    found["again"] = sum("Again?" in text for text in person.asked)
    return found


def main():
    every = [measured(seed) for seed in range(int(sys.argv[1]))]
    for name in ("pocket", "mark", "rim"):
        errors = [(error, each[name][1]) for each in every for error in each[name][0]]
        rms = sqrt(fmean(error * error for error, _ in errors))
        told = [sd for _, sd in errors]
        beyond = fmean(abs(error) > 2 * sd for error, sd in errors)
        print(f"{name:7}error rms {rms:.4f}, most {max(abs(error) for error, _ in errors):.4f} deg")
        print(f"       told sd {fmean(told):.4f}, most {max(told):.4f}; beyond 2 sd: {beyond:.1%}")
    for name in ("s", "low", "high", "again"):
        values = [each[name] for each in every]
        print(f"{name:7}mean {fmean(values):.1f}, from {min(values):.0f} to {max(values):.0f}")


if __name__ == "__main__":
    main()
