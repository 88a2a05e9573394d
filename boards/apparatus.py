"""What each apparatus is, one record each: what differs between them stands here and nowhere else.

A table of functions or classes by apparatus stays beside those: the procedures in
firmware/core/controller.py, the simulated ones in tools/sim/table.py, the checks of an order of
compartments in rules/layouts.py.
"""

from collections import namedtuple

# One apparatus. `name`: in files, records and messages. `code`: on the bus and in records.
# `title`: its name for people. `numbers`: its least and its greatest. `compartments`: how many a
# layout may have. `article`: what says so. `rules`: those it is played by unless the house chooses.
# `reference`: its simulated board. `carrier`: its board as wired to a Raspberry Pi 4.
# `rotors`: how its rotor may be turned. `turns`: it has a rotor. `hand_begins`: where a hand turns
# the rotor, that begins the coup. `cups`: the ball lies in cups with a sensor each; else a ring of
# sensors sees it pass. `beams_follow`: the track's beams see the ball at every passing; else they
# often miss it. `inputs`: lines it needs besides sensors by angle. `sensors`: those by angle, their
# key in the geometry and what the lines are called. `lengths`: what of its geometry must be
# positive.
Apparatus = namedtuple(
    "Apparatus",
    (
        "name",
        "code",
        "title",
        "numbers",
        "compartments",
        "article",
        "rules",
        "reference",
        "carrier",
        "rotors",
        "turns",
        "hand_begins",
        "cups",
        "beams_follow",
        "inputs",
        "sensors",
        "lengths",
    ),
)

_BUTTONS = ("btn_start", "btn_void")
_ENCODER = ("enc_a", "enc_b", "enc_z")
_RIM = ("rim_deg", "rim")
_RING = ("pocket_deg", "pocket")
_LENGTHS = ("ball_mm", "track_radius_mm", "ring_radius_mm")
_ROTOR_LENGTHS = ("encoder_cycles", "index_half_width_mdeg")

ROULETTE = Apparatus(
    name="roulette",
    code=1,
    title="roulette",
    numbers=(0, 36),
    compartments=(37,),
    article="art. 37-1: trente-sept compartiments",
    rules="roulette_lu",
    reference="roulette_ref",
    carrier="pi4",
    rotors=("driven", "hand"),
    turns=True,
    hand_begins=True,
    cups=False,
    beams_follow=True,
    inputs=_ENCODER + _BUTTONS,
    sensors=(_RIM, _RING),
    lengths=_LENGTHS + _ROTOR_LENGTHS,
)
VINGT_TROIS = Apparatus(
    name="vingt_trois",
    code=2,
    title="vingt-trois",
    numbers=(1, 14),
    compartments=(27,),
    article="art. 47: quatorze numéros sur vingt-sept cases",
    rules="vingt_trois_fr",
    reference="vingt_trois_ref",
    carrier="vingt_trois_pi4",
    rotors=("driven", "hand"),
    turns=True,
    hand_begins=False,
    cups=False,
    beams_follow=False,
    inputs=_ENCODER + _BUTTONS,
    sensors=(_RIM, _RING),
    lengths=_LENGTHS + _ROTOR_LENGTHS,
)
BOULE = Apparatus(
    name="boule",
    code=3,
    title="boule",
    numbers=(1, 9),
    compartments=(
        9,
        18,
        36,
    ),  # article 47: nine numbers, so a dish has them once, twice, four times
    article="art. 47: neuf numéros",
    rules="boule_fr",
    reference="boule_ref",
    carrier="boule_pi4",
    rotors=("none",),
    turns=False,
    hand_begins=False,
    cups=True,
    beams_follow=True,
    inputs=_BUTTONS,
    sensors=(_RIM,),
    lengths=_LENGTHS,
)

ALL = (ROULETTE, VINGT_TROIS, BOULE)
NAMES = tuple([each.name for each in ALL])
TURNING = tuple([each.name for each in ALL if each.turns])


def of(name: str) -> Apparatus:
    """Returns the apparatus called `name`. Raises KeyError for one that there is not."""
    for each in ALL:
        if each.name == name:
            return each
    raise KeyError(name)


def either(choices: tuple) -> str:  # type: ignore[type-arg]
    """Choices in words: "37", "9, 18 or 36"."""
    words = [str(choice) for choice in choices]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
