"""What can go wrong with the lines of a wheel or plate, by name: sensors, encoder, buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.places import MARK, PITCH, RING_BALL

if TYPE_CHECKING:
    from harness.turning import TurningSession

# The coup keeps its number.
HARMLESS = (
    "ring_noise rim_noise rim_missed rim_doubled rim_dead pocket_dead start_button_again "
    "start_button_held rim_after_drop doubt_btn_start"
).split()
# Void or a right number, both honest; the coups after are clean again.
HONEST = (
    "pocket_stuck pocket_stuck_from_start pocket_intermittent ring_ghosts rim_stuck "
    "two_pockets_dead two_rims_dead all_rims_dead "
    "encoder_loses_one encoder_loses_pairs encoder_loses_burst encoder_loses_after_rest "
    "encoder_noise index_lost_once index_lost index_lost_in_ring index_extra "
    "index_extra_like_real index_stuck both_buttons "
    "doubt_enc_a doubt_enc_b doubt_enc_z doubt_rim1 doubt_pocket2"
).split()
# Nothing tells how the rotor turned: what follows may be void too, once.
BLIND = "encoder_dead encoder_dead_wholly".split()


def spoil(
    session: TurningSession,
    trouble: str,
    *,
    motion: float,
    launch: float,
    drop: float,
    settle: float,
    lift: float,
) -> None:
    """One trouble in one coup, by name. `lift`: when the ball is taken out, nearly the end."""
    r = session.random
    cut, dark = session.cut, session.dark
    pocket = f"pocket{r.randrange(3)}"
    rim = f"rim{r.randrange(3)}"
    anywhen = r.uniform(motion + 0.5, lift)
    if trouble == "pocket_dead":
        cut[pocket].append((motion, lift))
    elif trouble == "two_pockets_dead":
        cut["pocket0"].append((motion, lift))
        cut["pocket2"].append((motion, lift))
    elif trouble == "pocket_stuck":
        dark[pocket].append((anywhen, lift))
    elif trouble == "pocket_stuck_from_start":
        dark[pocket].append((motion - 0.05, lift))
    elif trouble == "pocket_intermittent":
        at = motion
        while at < lift:
            cut[pocket].append((at, at + r.uniform(0.5, 4)))
            at += r.uniform(1, 8)
    elif trouble in ("pocket_shifted", "pocket_shifted_back"):
        way = 1 if trouble == "pocket_shifted" else -1
        by = way * session.way * PITCH / abs(session.rotor.speed(settle))
        moved = [(a + by, b + by) if settle < a < lift else (a, b) for a, b in dark[pocket]]
        dark[pocket] = moved
    elif trouble == "ring_noise":
        for _ in range(60):
            at = r.uniform(launch, lift)
            dark[f"pocket{r.randrange(3)}"].append((at, at + r.uniform(0.0001, 0.0025)))
    elif trouble == "ring_ghosts":  # as long as a ball's pulse, at no place of the rotor
        for _ in range(12):
            at = r.uniform(drop, lift)
            width = RING_BALL / abs(session.rotor.speed(settle))
            dark[f"pocket{r.randrange(3)}"].append((at, at + width))
    elif trouble == "rim_noise":
        for _ in range(60):
            at = r.uniform(motion, lift)
            dark[f"rim{r.randrange(3)}"].append((at, at + r.uniform(0.0001, 0.0018)))
    elif trouble == "rim_missed":
        pulses = sorted((b, a, n) for n in range(3) for a, b in dark[f"rim{n}"] if a > launch)
        for b, a, n in r.sample(pulses[3:], min(3, max(len(pulses) - 3, 0))):
            cut[f"rim{n}"].append((a - 0.0001, b + 0.0001))
    elif trouble == "rim_doubled":
        for n in range(3):
            for a, b in [span for span in dark[f"rim{n}"] if span[0] > launch][::4]:
                cut[f"rim{n}"].append((a + (b - a) * 0.45, a + (b - a) * 0.55))
    elif trouble == "rim_dead":
        cut[rim].append((motion, lift))
    elif trouble == "two_rims_dead":
        cut["rim0"].append((motion, lift))
        cut["rim1"].append((motion, lift))
    elif trouble == "all_rims_dead":
        for n in range(3):
            cut[f"rim{n}"].append((motion, lift))
    elif trouble == "rim_stuck":
        dark[rim].append((r.uniform(motion, drop), lift))
    elif trouble == "rim_after_drop":  # a hand, a sleeve: wide pulses once the ball has left
        for _ in range(4):
            at = r.uniform(drop + 0.5, lift)
            dark[rim].append((at, at + r.uniform(0.01, 0.05)))
    elif trouble in ("encoder_loses_one", "encoder_loses_pairs", "encoder_loses_burst"):
        many = {"one": (1, 1), "pairs": (4, 2), "burst": (1, r.randrange(6, 60))}[trouble[14:]]
        for _ in range(many[0]):
            at = r.uniform(motion + 0.5, lift)
            session.lost_encoder.append((r.choice(("enc_a", "enc_b")), at, many[1]))
    elif trouble == "encoder_loses_after_rest":
        session.lost_encoder.append((r.choice(("enc_a", "enc_b")), r.uniform(settle, lift), 1))
    elif trouble == "encoder_noise":
        for _ in range(30):
            at = r.uniform(motion, lift)
            session.noise_encoder.append((r.choice(("enc_a", "enc_b")), at, r.uniform(1e-4, 1e-3)))
    elif trouble == "encoder_dead":
        session.dead_encoder.append((r.choice(("enc_a", "enc_b")), anywhen, lift + 0.2))
    elif trouble == "encoder_dead_wholly":
        session.dead_encoder.append(("enc_a", anywhen, lift + 0.2))
        session.dead_encoder.append(("enc_b", anywhen, lift + 0.2))
    elif trouble == "index_lost_once":
        at = r.uniform(drop, settle + 3)
        cut["enc_z"].append((at, at + 60 * abs(1 / (60 * session.rotor.speed(settle)))))
    elif trouble == "index_lost":
        cut["enc_z"].append((motion - 0.05, lift + 0.5))
    elif trouble == "index_lost_in_ring":
        cut["enc_z"].append((drop, lift + 0.5))
    elif trouble == "index_extra":
        for _ in range(12):
            at = r.uniform(motion + 1, lift)
            dark["enc_z"].append((at, at + r.uniform(0.0005, 0.01)))
    elif trouble == "index_extra_like_real":  # one edge of the quadrature inside, at a wrong place
        at = r.uniform(drop, lift)
        width = MARK / abs(session.rotor.speed(settle))
        dark["enc_z"].append((at, at + width))
    elif trouble == "index_stuck":
        dark["enc_z"].append((anywhen, lift))
    elif trouble == "both_buttons":
        dark["btn_start"].append((anywhen, anywhen + 0.2))
        dark["btn_void"].append((anywhen + r.uniform(-0.05, 0.05), anywhen + 0.25))
    elif trouble == "start_button_again":
        dark["btn_start"].append((anywhen, anywhen + 0.2))
    elif trouble == "start_button_held":
        dark["btn_start"].append((anywhen, lift))
    elif trouble.startswith("doubt_"):
        session.doubts.append((anywhen, trouble[6:]))
    else:
        raise ValueError(trouble)
