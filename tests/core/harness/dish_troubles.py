"""What can happen in a coup of a DishSession, by kind: what is played, and what spoils the lines.

A kind's comment says why its coup must be a result, must be void, or may honestly be either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from harness.dish import DishPlan, DishSession, Moments

# fmt: off
KINDS = (
    # the ball, all of it clean
    "clean", "rolls", "pause", "hop",
    # the ball, otherwise
    "late_hop", "between_turns", "between_both", "between_neither", "two_balls", "two_balls_late",
    "ball_lost", "weak_launch",
    # the cup sensors
    "stuck_before", "stuck_before_final", "stuck_from_pass", "dead_passed", "dead_final",
    "cup_noise", "cup_dropouts",
    # the beams
    "beam_noise", "beams_missed", "beams_doubled", "beam_dead", "beam_stuck",
    # the croupier
    "no_press", "pressed_again", "lifted_early", "lifted_in_play", "void_pressed", "void_late",
    "bounced_press", "double_press", "press_in_play", "press_held", "hand_at_lift",
)
# fmt: on
NOISE_S = (0.0001, 0.0028)  # shorter than a ball can make


def prepare(plan: DishPlan, r: random.Random, cups: int) -> None:
    """Turns the knobs of a clean plan to its kind. Raises ValueError for an unknown kind."""
    kind = plan.kind
    if kind not in KINDS:
        raise ValueError(kind)
    launch = plan.launch_s
    if kind == "rolls":  # contract: it rolls over many
        short = [(r.randrange(cups), r.uniform(0.03, 0.09)) for _ in range(r.randrange(20, 45))]
        plan.visits = short
        plan.gap_s = (0.02, 0.12)
    elif kind == "pause":  # contract: up to a second
        for _ in range(r.randrange(1, 5)):
            pause = (r.randrange(cups), r.choice((0.25, 0.7, 1.0, r.uniform(0.2, 1.0))))
            plan.visits.insert(r.randrange(len(plan.visits) + 1), pause)
    elif kind == "hop":  # the last thing it does is to leave a cup after a second
        plan.visits.append((r.randrange(cups), r.uniform(0.9, 1.0)))
        plan.gap_s = (0.02, r.choice((0.05, 0.4, 1.5)))
    elif kind == "late_hop":  # a number decided before is the truth of then
        plan.expect = "any"
        plan.late = (r.uniform(1.05, 6.0), _another(r, cups, plan.final))
    elif kind.startswith("between_"):  # DESIGN 3: never guessed
        plan.expect, plan.flicker, plan.final = "void", kind[8:], None
    elif kind == "two_balls":
        plan.expect = "void"
        plan.other_ball = (r.uniform(-1.0, 0.3), _another(r, cups, plan.final))
    elif kind == "two_balls_late":  # decided before, the number was right
        plan.expect = "any"
        plan.other_ball = (r.uniform(0.9, 6.0), _another(r, cups, plan.final))
    elif kind == "ball_lost":  # out of the dish
        plan.expect, plan.final = "void", None
    elif kind == "weak_launch":  # article 47 asks no turns, a house may
        plan.expect, plan.laps = "any", r.uniform(0.5, 2.4)
    elif kind == "stuck_before":  # another cup speaks alone, but something is wrong in the dish
        plan.expect = "any"
    elif kind in ("stuck_before_final", "stuck_from_pass", "dead_final"):
        plan.expect = "void"
    elif kind == "dead_passed":  # nobody can know
        _let_pass_another(plan, r, cups)
    elif kind in ("beam_dead", "beam_stuck", "cup_dropouts"):
        plan.expect = "any"
    elif kind == "no_press":  # a coup starts at btn_start: none, or a void one
        plan.expect, plan.coups, plan.presses = "any", (0, 1), []
    elif kind == "pressed_again":  # nobody threw: the same coup, or the next
        plan.expect, plan.coups = "any", (1, 2)
        at = r.uniform(3.0, 60.0)
        plan.presses.append((at, at + 0.15))
        plan.launch_s = at + launch
    elif kind == "lifted_early":  # before a pause can be told from rest
        plan.expect, plan.lift_s = "void", r.uniform(0.05, 0.95)
        plan.settles_s = 0.0
    elif kind == "lifted_in_play":  # taken out of the air
        plan.expect, plan.final, plan.lift_s = "void", None, r.uniform(0.1, 3.0)
    elif kind == "void_pressed":
        plan.expect = "void"
        at = r.uniform(0.4, launch + 5.0)  # the ball is not yet at rest then
        plan.laps = max(plan.laps, 6.0)
        plan.voids = [(at, at + 0.2)]
    elif kind == "void_late":  # it may have been decided
        plan.expect = "any"
    elif kind == "bounced_press":  # one press, and its contact's bounce
        plan.presses = [(0.0, 0.004), (0.006, 0.009), (0.011, 0.2)]
    elif kind == "double_press":  # the same coup, or the next
        plan.expect, plan.coups = "any", (1, 2)
        at = r.uniform(0.4, max(0.5, launch - 0.2))
        plan.presses.append((at, at + 0.15))
    elif kind == "press_in_play":
        plan.expect, plan.coups = "any", (1, 2)
        at = launch + r.uniform(0.3, 8.0)
        plan.presses.append((at, at + 0.15))
    elif kind == "press_held":
        plan.presses = [(0.0, launch + 10.0)]
    elif kind == "hand_at_lift":
        plan.hand = True


def spoil(session: DishSession, plan: DishPlan, at: Moments) -> None:
    """What goes wrong with the lines in one coup."""
    r, dark, cut, kind = session.random, session.dark, session.cut, plan.kind
    whole = (at.begin - 0.3, at.lift + 0.5)
    if kind == "stuck_before":
        cup = _another(r, session.cups, plan.final)
        dark[session.cup_line(cup)].append((at.launch - r.uniform(0.1, 1.5), whole[1]))
    elif kind == "stuck_before_final":
        assert plan.final is not None
        dark[session.cup_line(plan.final)].append((at.launch - r.uniform(0.1, 1.5), whole[1]))
    elif kind == "stuck_from_pass":
        passed = [cup for cup, _ in plan.visits if cup != plan.final]
        name = session.cup_line(r.choice(passed or [_another(r, session.cups, plan.final)]))
        since = min([a for a, _ in dark[name] if a > at.drop] or [at.drop])
        dark[name].append((since, whole[1]))
    elif kind == "dead_passed":
        name = session.cup_line(plan.visits[0][0])
        cut[name].append(whole)
    elif kind == "dead_final":
        assert plan.final is not None
        cut[session.cup_line(plan.final)].append(whole)
    elif kind == "cup_noise":
        for _ in range(40):
            _noise(session, session.cup_line(r.randrange(session.cups)), at.begin, at.lift)
    elif kind == "cup_dropouts":
        assert plan.final is not None
        for _ in range(8):
            since = r.uniform(at.settle, at.lift)
            cut[session.cup_line(plan.final)].append((since, since + r.uniform(*NOISE_S)))
    elif kind == "beam_noise":
        for _ in range(40):
            _noise(session, f"rim{r.randrange(3)}", at.begin, at.lift)
    elif kind in ("beams_missed", "beams_doubled"):
        _spoil_beams(session, at, doubled=kind == "beams_doubled")
    elif kind == "beam_dead":
        cut[f"rim{r.randrange(3)}"].append(whole)
    elif kind == "void_late":
        since = at.settle + r.uniform(0.9, 5.0)
        dark["btn_void"].append((since, since + 0.2))
    elif kind == "beam_stuck":
        dark[f"rim{r.randrange(3)}"].append((r.uniform(at.begin, at.drop), whole[1]))


def _another(r: random.Random, cups: int, cup: int | None) -> int:
    return ((cup or 0) + r.randrange(1, cups)) % cups


def _let_pass_another(plan: DishPlan, r: random.Random, cups: int) -> None:
    plan.visits[0] = (_another(r, cups, plan.final), 0.05)


def _noise(session: DishSession, name: str, since: float, until: float) -> None:
    at = session.random.uniform(since, until)
    session.dark[name].append((at, at + session.random.uniform(*NOISE_S)))


def _spoil_beams(session: DishSession, at: Moments, *, doubled: bool) -> None:
    """A beam misses the ball, up to three in a coup; or it sees it twice, a third of them."""
    spans = sorted(
        (a, b, f"rim{beam}")
        for beam in range(3)
        for a, b in session.dark[f"rim{beam}"]
        if at.launch <= a < at.drop
    )
    few = len(spans) // 3 if doubled else min(3, len(spans) - 1)
    for a, b, name in session.random.sample(spans, few):
        hole = (a + 0.4 * (b - a), a + 0.6 * (b - a)) if doubled else (a - 1e-4, b + 1e-4)
        session.cut[name].append(hole)
