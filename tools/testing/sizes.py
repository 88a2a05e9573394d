"""How large the large tests are: in `make test-all`, and in `make soak`, where nothing hurries.

A test of a large number takes it from here, `size("frames of a fault")`. Which promise is shown at
which size stands in docs/testing.md, made from these tables.
"""

from __future__ import annotations

import os
from typing import NamedTuple

SOAKING = "CYLINDRE_SOAK"  # set by make soak: numbers are whole


class Size(NamedTuple):
    """One number. `usual`: in make test-all; `whole`: in make soak."""

    name: str
    usual: int
    whole: int


class Soak(NamedTuple):
    """Tests that make soak plays at whole size. `tests`: as pytest takes them."""

    name: str
    promise: str
    tests: tuple[str, ...]
    sizes: tuple[Size, ...] = ()


# fmt: off
SOAKS = (
    Soak("bus-faults", "No display lights a wrong or old number, whatever a line does to frames.",
         ("tests/busfaults/statistical/test_fault_matrix.py",),
         (Size("frames of a fault", 4_000, 100_000),)),
    Soak("call", "No call is late, and the leads are as promised.",
         ("tests/bench/statistical/test_call_promises.py",),
         (Size("coups of the call", 3_000, 30_000), Size("coups of a steady wheel", 2_000, 8_000))),
    Soak("new-wheels", "No call of a new wheel is late, and the first come soon.",
         ("tests/bench/statistical/test_new_wheels.py",),
         (Size("new wheels", 16, 400),)),
    Soak("drawn-tables",
         "Hardly a clean coup is void, however its ball, sensors and stamps are drawn.",
         ("tests/bench/statistical/test_drawn_tables.py",),
         (Size("coups of drawn tables", 640, 20_000),)),
    Soak("alike", "How long a wrong PIN takes tells nobody who has one.",
         ("tests/api/statistical/test_alike_in_time.py",),
         (Size("wrong PINs of a name", 1_000, 1_000), Size("whole hashes of a name", 15, 1_000))),
    Soak("clean-coups", "No number of a sound wheel is wrong, no call late, hardly a coup void.",
         ("tests/hil/campaign/statistical/test_millions.py::test_clean_coups_of_one_wheel",),
         (Size("clean coups of a wheel", 192, 300_000),)),
    Soak("single-faults",
         "One thing wrong at a wheel: numbers and calls are as right as its sensors can know.",
         ("tests/hil/campaign/statistical/test_millions.py::test_single_faults_of_one_wheel",),
         (Size("coups of a wheel with single faults", 192, 300_000),)),
    Soak("encoder-heals",
         "A coup of lost pulses costs at most the next; a mark that moves alone names none.",
         ("tests/core/statistical/test_spoiled_encoders.py",),
         (Size("coups of a spoilt encoder", 700, 5_000),)),
    Soak("kills", "Killed at any moment, the journal has all that was lit.",
         ("tests/crash/realtime/test_killed.py",),
         (Size("kills of a controller", 12, 24),)),
    Soak("rest-files", "What lies beside a journal deletes nothing, and lets nothing grow.",
         ("tests/store/statistical/test_rest_fuzz.py",),
         (Size("rest files", 10_000, 100_000),)),
    Soak("slots", "No walk of updates and cuts loses a slot that has proved itself.",
         ("tests/update/package/test_walk.py",),
         (Size("states of an update", 60, 2_500),)),
    Soak("bundles", "No bundle that is torn or altered is taken, and nothing is written.",
         ("tests/update/package/test_hostile_bundles.py",),
         (Size("torn bundles", 40, 2_000),)),
    Soak("hostile", "No rightly signed message breaks a display, or lights what no wheel signed.",
         ("tests/bus/statistical/test_hostile_messages.py",),
         (Size("rightly signed hostile messages", 60_000, 1_000_000),)),
    Soak("compiled", "What make fast compiles plays each byte as the sources do.",
         ("tests/fast/statistical/test_alike.py",),
         (Size("coups compiled and interpreted", 2_000, 20_000),
          Size("coups of a campaign, compiled and interpreted", 400, 4_000))),
    Soak("fuzz", "No input that a fuzzer makes breaks what reads it.",
         ("tests/fuzz/statistical/test_fuzzed.py",),
         (Size("seconds of a fuzzer", 60, 600),)),
    Soak("even-launcher", "A level wheel with an even launcher is not told to be tilted.",
         ("tests/call/statistical/test_even_launcher.py",),
         (Size("coups of an even launcher", 2_000, 20_000), Size("tilted even launchers", 1, 4))),
    Soak("health-end-to-end", "A simulated wheel's journal and its export have the same notices.",
         ("tests/health/statistical/test_end_to_end.py",),
         (Size("coups from sensors to notices", 600, 20_000),)),
    Soak("fair-years", "Hardly a year of a fair wheel brings a notice that it is not fair.",
         ("tests/health/statistical/test_fair_years.py",),
         (Size("fair wheel-years", 50, 2_000),)),
    Soak("image", "A whole image is the same twice, and starts.",
         ("tests/image/package/test_image_command.py::"
          "test_a_whole_image_is_the_same_twice_and_starts",)),
    Soak("card-rounds", "Black jack of many rounds wins what others measured, within three sigmas.",
         ("tests/bench/statistical/test_card_rounds.py",),
         (Size("rounds of black jack", 100_000, 10_000_000),)),
    Soak("card-faults",
         "No round of cards is wrong, unpaid or without an end, whatever goes wrong at its table.",
         ("tests/hil/cards/statistical/test_card_thousands.py",),
         (Size("rounds of cards with a fault", 720, 20_000),
          Size("rounds of cards with two faults", 240, 5_000),
          Size("rounds of cards with players' money", 360, 10_000))),
    Soak("causes", "What is wrong with a simulated wheel is told for what it is, and nothing else.",
         ("tests/health/statistical/test_causes.py", "tests/health/statistical/test_story.py"),
         (Size("coups of a cause", 10_000, 100_000), Size("coups of a fair wheel", 3_000, 30_000))),
)
# fmt: on


def is_soaking() -> bool:
    """Whether numbers are whole."""
    return bool(os.environ.get(SOAKING))


def size(name: str) -> int:
    """The number of that name, as large as this run has it. Raises ValueError if there is none."""
    (found,) = (each for soak in SOAKS for each in soak.sizes if each.name == name)
    return found.whole if is_soaking() else found.usual
