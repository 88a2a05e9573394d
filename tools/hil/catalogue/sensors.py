"""What can go wrong with the sensors of the ball: beams of the track, ring sensors, cups.

Where no code is expected none can be: one sensor that does this cannot be told from a ball that
passed it otherwise, or the fault is over before it shows. A number that is given must be right all
the same. Two cups that changed places are no entry: nothing but a ball laid in by hand tells.
"""

from tools.hil.catalogue import encoder
from tools.hil.catalogue.requires import PARTS, TOLD
from tools.hil.fault import NUMBER, TURNING, VOID, Expect, Fault, Parameter
from tools.hil.faults import sensors as make

_BEAM = Parameter("line", "line", ("rim*",))
_RING = Parameter("line", "line", ("pocket*",))
_CUP = Parameter("line", "line", ("cup*",))
_DARK = Parameter("level", "choice", ("1",), "1")
_BRIGHT = Parameter("level", "choice", ("0",), "0")
_CHANCE = Parameter("chance_percent", "number", (2, 80), 30)
_OFTEN = Parameter("chance_percent", "number", (30, 80), 50)
_BOUNCE = Parameter("bounce_us", "number", (20, 4_000), 1_000)
_JITTER = Parameter("jitter_us", "number", (50, 2_000), 500)
_DIRT = Parameter("grows_us_s", "number", (200, 2_000), 500)
_WAVE = Parameter("wave_hz", "choice", ("100", "120"), "100")
_FOLLOWED = ("roulette", "boule")  # where the beams see the ball at every passing
_PLATE = ("vingt_trois",)  # where they often miss it, so that a silent beam says nothing
_DISH = ("boule",)
_WHILE_S = (10.0, 120.0)
_GLITCH_S = (0.01, 0.9)
_UNSEEN = ("timeout", "ball_lost", "sensors_disagree")  # of a ball that a sensor does not see

# fmt: off
_OF_THE_BALL: tuple[Fault, ...] = (
    # --- beams of the track ---------------------------------------------------------------------
    Fault("beam_stuck_dark", "sensors", "A beam of the track reports a ball all the time.",
          make.Stuck, Expect(codes=("W21",), by_coups=1),
          parameters=(_BEAM, _DARK), requires=TOLD),
    Fault("beam_glitches", "sensors", "A beam of the track reports a ball for a moment.",
          make.Stuck, Expect(NUMBER),
          parameters=(_BEAM, _DARK), lasts_s=_GLITCH_S, requires=PARTS),
    Fault("beam_blind", "sensors", "A beam of the track sees nothing any more.",
          make.Stuck, Expect(codes=("W22",), by_coups=1),
          parameters=(_BEAM, _BRIGHT), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_blind_plate", "sensors", "A beam of the plate's track sees nothing any more.",
          make.Stuck, Expect(NUMBER),
          parameters=(_BEAM, _BRIGHT), apparatus=_PLATE, requires=PARTS),
    # A ball whose last beam missed it may seem struck beside the call: that is C10.
    Fault("beam_blinks", "sensors", "A beam of the track sees nothing for a while.",
          make.Stuck, Expect(reasons=("timeout",)),
          parameters=(_BEAM, _BRIGHT), lasts_s=(0.5, 30.0), requires=PARTS),
    Fault("beam_misses", "sensors", "A beam of the track misses the ball now and again.",
          make.Missed, Expect(reasons=("timeout",)),
          parameters=(_BEAM, _CHANCE), lasts_s=_WHILE_S, requires=PARTS),
    Fault("beam_bounces", "sensors", "A beam of the track doubles its edges: a loose contact.",
          make.Bounced, Expect(NUMBER),
          parameters=(_BEAM, _CHANCE, _BOUNCE), lasts_s=_WHILE_S, requires=PARTS),
    Fault("beam_jitters", "sensors", "The edges of a beam come late, each by another time.",
          make.Jittered, Expect(NUMBER),
          parameters=(_BEAM, _JITTER), lasts_s=_WHILE_S, requires=PARTS),
    Fault("beam_narrows", "sensors", "Dirt: a beam sees less and less of the ball.",
          make.Narrowed, Expect(codes=("W22",), by_coups=6),
          parameters=(_BEAM, _DIRT), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_widens", "sensors", "Dirt: a beam stays dark longer and longer after the ball.",
          make.Widened, Expect(codes=("W21", "W22", "two_balls"), by_coups=6),
          parameters=(_BEAM, _DIRT), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_dirt_plate", "sensors",
          "Dirt: a beam of the plate's track stays dark longer and longer.",
          make.Widened, Expect(),
          parameters=(_BEAM, _DIRT), apparatus=_PLATE, requires=PARTS),
    Fault("beam_flickers", "sensors", "Lamps shine into a beam of the track, more and more.",
          make.Ambient, Expect(codes=("W21", "W22", "two_balls", "too_few_turns"), by_coups=4),
          parameters=(_BEAM, _DIRT, _WAVE), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_flickers_plate", "sensors",
          "Lamps shine into a beam of the plate's track, more and more.",
          make.Ambient, Expect(),
          parameters=(_BEAM, _DIRT, _WAVE), apparatus=_PLATE, requires=PARTS),
    Fault("beams_crossed", "sensors",
          "Two beams have changed places: the ball seems to run the other way.",
          make.Crossed, Expect(VOID, ("same_direction", "two_balls", "too_few_turns"), by_coups=1),
          # No crossed wires in pairs: the sensor that is broken would be told as the other.
          parameters=(_BEAM,), apparatus=("roulette",), requires=TOLD, pairs=False),
    Fault("beams_crossed_unseen", "sensors",
          "Two beams have changed places where any way of the ball is right.",
          make.Crossed, Expect(), parameters=(_BEAM,), apparatus=("vingt_trois", "boule"),
          requires=PARTS, pairs=False),
    Fault("beam_doubted", "sensors", "Edges of a beam are lost, and the controller is told.",
          make.Doubted, Expect(codes=("W33",), by_coups=1),
          parameters=(_BEAM, _OFTEN), places=("virtual",), requires=TOLD),
    # --- ring sensors ---------------------------------------------------------------------------
    Fault("ring_stuck_dark", "sensors", "A ring sensor reports a ball all the time.",
          make.Stuck, Expect(codes=("W24",), by_coups=1),
          parameters=(_RING, _DARK), apparatus=TURNING, requires=TOLD),
    Fault("ring_glitches", "sensors", "A ring sensor reports a ball for a moment.",
          make.Stuck, Expect(NUMBER),
          parameters=(_RING, _DARK), apparatus=TURNING, lasts_s=_GLITCH_S, requires=PARTS),
    Fault("ring_blind", "sensors", "A ring sensor sees nothing any more.",
          make.Stuck, Expect(codes=("W23",), by_coups=1),
          parameters=(_RING, _BRIGHT), apparatus=TURNING, requires=TOLD),
    Fault("ring_blinks", "sensors", "A ring sensor sees nothing for a while.",
          make.Stuck, Expect(reasons=_UNSEEN),
          parameters=(_RING, _BRIGHT), apparatus=TURNING, lasts_s=(0.5, 30.0), requires=PARTS),
    Fault("ring_misses", "sensors", "A ring sensor misses the ball now and again.",
          # A slow rotor may not pass it often enough before the croupier takes the ball.
          make.Missed, Expect(reasons=_UNSEEN),
          parameters=(_RING, _CHANCE), apparatus=TURNING, lasts_s=_WHILE_S, requires=PARTS),
    Fault("ring_bounces", "sensors", "A ring sensor doubles its edges: a loose contact.",
          make.Bounced, Expect(NUMBER),
          parameters=(_RING, _CHANCE, _BOUNCE), apparatus=TURNING, lasts_s=_WHILE_S,
          requires=PARTS),
    Fault("ring_jitters", "sensors", "The edges of a ring sensor come late, each by another time.",
          make.Jittered, Expect(NUMBER),
          parameters=(_RING, _JITTER), apparatus=TURNING, lasts_s=_WHILE_S, requires=PARTS),
    Fault("ring_narrows", "sensors", "Dirt: a ring sensor sees less and less of the ball.",
          make.Narrowed,
          Expect(codes=("W23", "ball_lost", "timeout", "sensors_disagree"), by_coups=6),
          parameters=(_RING, _DIRT), apparatus=TURNING, requires=TOLD),
    Fault("ring_widens", "sensors", "Dirt: a ring sensor stays dark longer and longer.",
          make.Widened,
          Expect(codes=("W23", "W24", "ball_lost", "timeout", "sensors_disagree"), by_coups=6),
          parameters=(_RING, _DIRT), apparatus=TURNING, requires=TOLD),
    Fault("ring_flickers", "sensors", "Lamps shine into a ring sensor, more and more.",
          make.Ambient, Expect(),
          parameters=(_RING, _DIRT, _WAVE), apparatus=TURNING, requires=PARTS),
    Fault("ring_crossed", "sensors", "Two ring sensors have changed places in their connector.",
          make.Crossed, Expect(VOID, ("sensors_disagree", "ball_lost", "timeout"), by_coups=1),
          parameters=(_RING,), apparatus=TURNING, requires=TOLD, pairs=False),
    Fault("ring_doubted", "sensors", "Edges of a ring sensor are lost, and the controller is told.",
          # The ball of one coup passes it twice before its number is known, and none may be lost.
          make.Doubted, Expect(codes=("W33",), by_coups=2),
          parameters=(_RING, _OFTEN), apparatus=TURNING, places=("virtual",), requires=TOLD),
    # --- cups -----------------------------------------------------------------------------------
    Fault("cup_stuck_dark", "sensors", "A cup reports a ball all the time.",
          make.Stuck, Expect(codes=("W41", "W42", "foreign_object", "two_balls"), by_coups=2),
          parameters=(_CUP, _DARK), apparatus=_DISH, requires=TOLD),
    Fault("cup_glitches", "sensors", "A cup reports a ball for a moment.",
          make.Stuck, Expect(),
          parameters=(_CUP, _DARK), apparatus=_DISH, lasts_s=_GLITCH_S, requires=PARTS),
    Fault("cup_blind", "sensors", "A cup's sensor sees nothing any more.",
          make.Stuck, Expect(),
          parameters=(_CUP, _BRIGHT), apparatus=_DISH, requires=PARTS),
    Fault("cup_misses", "sensors", "A cup's sensor misses the ball now and again.",
          make.Missed, Expect(),
          parameters=(_CUP, _CHANCE), apparatus=_DISH, lasts_s=_WHILE_S, requires=PARTS),
    Fault("cup_bounces", "sensors", "A cup's sensor doubles its edges: a loose contact.",
          make.Bounced, Expect(NUMBER),
          parameters=(_CUP, _CHANCE, _BOUNCE), apparatus=_DISH, lasts_s=_WHILE_S, requires=PARTS),
    Fault("cup_jitters", "sensors", "The edges of a cup come late, each by another time.",
          make.Jittered, Expect(NUMBER),
          parameters=(_CUP, _JITTER), apparatus=_DISH, lasts_s=_WHILE_S, requires=PARTS),
    Fault("cup_narrows", "sensors", "Dirt: a cup's sensor answers later and later.",
          make.Narrowed, Expect(),
          parameters=(_CUP, _DIRT), apparatus=_DISH, requires=PARTS),
    Fault("cup_widens", "sensors", "Dirt: a cup's sensor stays dark longer and longer.",
          make.Widened, Expect(),
          parameters=(_CUP, _DIRT), apparatus=_DISH, requires=PARTS),
    Fault("cup_flickers", "sensors", "Lamps shine into a cup, more and more.",
          make.Ambient, Expect(codes=("W41", "W42", "foreign_object", "two_balls"), by_coups=4),
          parameters=(_CUP, _DIRT, _WAVE), apparatus=_DISH, requires=TOLD),
)
# fmt: on

FAULTS = (*_OF_THE_BALL, *encoder.FAULTS)
