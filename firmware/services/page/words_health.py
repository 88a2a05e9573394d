"""What the service page says of the wheel's health: words.py puts all together."""

# fmt: off
HEALTH = {
    "none": "The wheel has no journal yet.",
    "reading": "Reading the journal…",
    "reading_s": "Reading the journal… {s} s. With a year's coups this takes minutes.",
    "anew": "Read again",
    "age": "As of {minutes} min ago.",
    "age_now": "As of now.",
    "unverified": "That the journal is intact was not asked: Read again asks.",
    # The verdict.
    "well": "No sign of bias, and none of wear.",
    "few": "No coup was judged yet.",
    "noticed": "The watch over this wheel gives notice: {what}.",
    "noticed_more": "The watch over this wheel gives {n} notices.",
    "watching": "Worth watching: {what}. This is no notice.",
    "coups": "{coups} coups judged, {void} void.",
    "coups_before": "{coups} coups judged, {void} void, {before} of before the watch not judged.",
    "since": "Numbers count since {what}, {when}.",
    "promise": (
        "Looked at as often as one likes, fairness gives a false notice in one year of a thousand,"
        " soundness in one of a hundred. What is judged is counted in."
    ),
    "coup": "coup {coup}",
    "at_coup": "told at coup {coup}",
    "acknowledged": "Acknowledged by {who}: {why}",
    # Numbers.
    "numbers": "Numbers",
    "numbers_why": (
        "Each bar begins at the even share and ends at the number's own; the pale field is its"
        " band, which holds in 999 wheels of 1000 for all numbers whenever you look. Thin circles:"
        " {scale} less and more."
    ),
    "numbers_none": "No number was counted yet.",
    "number_read": "{number}: {count} times, {share} of its share; band {low} to {high}",
    "number_choose": "Touch a bar to read it.",
    "named": "Named in a notice: {what}.",
    "named_middle": "The arc marks the middle, not the width.",
    "as_table": "As a table",
    "number": "Number",
    "count": "Times",
    "share": "Share",
    "band": "Band",
    # Drops.
    "drops": "Where balls leave the track",
    "drops_why": (
        "Each sector is a gap between two beams, its area how often balls left there; the thin line"
        " is what the balls' own motion foretold. Dots: beams, as in Live."
    ),
    "drops_none": "No drop was judged yet.",
    "drops_ccw": "Ball counter-clockwise",
    "drops_cw": "Ball clockwise",
    "gap": "Gap",
    "gap_of": "{from} to {to}",
    "seen": "Seen",
    "foretold": "Foretold",
    "low_side": "low side {degrees}°",
    "flaw": "lets balls go {degrees}°",
    # Evidence over time.
    "odds_time": "Evidence since the beginning",
    "odds_why": (
        "Each curve is the strongest of a family, as a part of the odds at which it is told."
        " Triangles: acts. Diamonds: notices."
    ),
    "odds_none": "Nothing to draw yet.",
    "told_line": "told",
    "acts": "Acts",
    "acts_none": "No act is in the journal.",
    "acts_choose": "Choose an act to see before and after.",
    "compare": "{act}, {when}: before and after",
    "compare_none": "This act begins nothing anew: all goes on.",
    "of_coups": "of {coups} coups",
    "before": "Before",
    "after": "Since then",
    "after_until": "After, until {act}, {when}",
    "beside_why": "The largest odds there were, and of how many coups.",
    # What is judged.
    "judged": "What is judged",
    "what": "What",
    "n_coups": "Coups",
    "odds": "Odds",
    "told_at": "Told at",
    "seen_now": "Would have been seen by now",
    "seen_pocket": "one pocket +{more}",
    "seen_lean": "a lean of {lean}",
    "seen_when": "What would be seen when",
    "seen_already": (
        "One pocket that comes {pocket} too often, or {width} neighbours {sector}, would have been"
        " seen by now."
    ),
    "seen_after_pocket": "One pocket that comes {more} too often: {coups} coups after an act.",
    "seen_after_sector": "{width} neighbours that come {more} too often: {coups} coups.",
    "seen_after_lean": "Drops that lean by {more}: {coups} drops after the wheel was levelled.",
    "seen_why": "Of 20 wheels with such a fault 19 are noticed by then.",
    "to_one": "{odds} to 1",
    "is_told": "told",
    "is_watched": "worth watching",
    "fairness": "Fairness",
    "soundness": "Soundness",
    "family_numbers": "numbers",
    "family_gain": "gain of a player",
    "family_drops": "drops",
    "family_signature": "throws",
    "family_loose": "frets",
    "family_slowing": "slowing",
    "family_sensors": "ring sensors",
    "family_motor": "motor",
    "stream_numbers": "Numbers",
    "stream_ccw": "Numbers, ball counter-clockwise",
    "stream_cw": "Numbers, ball clockwise",
    "stream_slow": "Numbers, slow rotor",
    "stream_fast": "Numbers, fast rotor",
    "stream_serial": "One number after the other",
    "stream_ball": "Numbers of ball {which}",
    "stream_gain": "Gain of a player",
    "stream_drops": "Drops against what was foretold",
    "stream_croupier": "Throws of croupier {which}",
    "stream_loose": "Pockets that hold the ball",
    "stream_slowing": "How ball {which} slows",
    "stream_sensor": "Ring sensor {which}",
    "stream_spin_up": "How quickly the rotor spins up",
    "stream_duty": "How hard the motor works",
    "act_calibration": "calibrated",
}
# fmt: on
