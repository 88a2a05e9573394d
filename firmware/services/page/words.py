"""What the service page says, in English; its other languages are the catalogue "page".

`vocabulary` is served as a module; the page takes everything it says from there. A text with {name}
is filled in by the page. What other programs say: translation.py.
"""

from typing import Any

from firmware.lib.language import LANGUAGES, Tables, tables_in
from firmware.services.page import mends, translation
from firmware.services.page.words_health import HEALTH
from firmware.services.page.words_tools import TOOLS
from firmware.text import display_words

DOMAIN = "page"
# fmt: off
SHELL = {
    "group_wheel": "Wheel",
    "group_care": "Care",
    "group_machine": "Machine",
    "live": "Live",
    "scope": "Oscilloscope",
    "coups": "Last coups",
    "history": "History",
    "faults": "Faults",
    "upkeep": "Upkeep",
    "health": "Health",
    "selftest": "Self-test",
    "calibrate": "Calibration",
    "parts": "Displays and parts",
    "config": "Configuration",
    "update": "Update",
    "log": "Log",
    "about": "About",
    # Of this language itself: its name, and what leads to it.
    "own_name": "English",
    "own_switch": "Switch to English",
    "theme": "Light or dark",
    "login": "Log in",
    "logout": "Log out",
    "read_only": "Read only",
    "role_technician": "technician",
    "role_supervisor": "supervisor",
    "menu": "Menu",
    "more": "More",
    "copy": "Copy: {what}",
    "copied": "copied",
    "not_copied": "not copied: mark it and copy it by hand",
    "skip": "Skip to the content",
    "close": "Close",
    "cancel": "Cancel",
    "loading": "Reading…",
    "unread": "This cannot be read now.",
    "leaves_job": (
        "Your self-test or calibration is running. If you leave, it stops and the wheel stays"
        " out of play."
    ),
    "leaves_wheel": "You have the wheel in service. If you leave, it stays out of play.",
    "login_first": "Log in to see this.",
    "login_first_why": (
        "Without a login this page shows what a table display shows, and the faults."
    ),
    "gone": "The controller does not answer",
    "gone_why": "See that the wheel is switched on. The page comes back by itself.",
    "unheard": "The page does not hear the wheel",
    "unheard_why": (
        "Check the tablet's network and the wheel's supply. The page comes back by itself."
    ),
    "crowded": "Too many pages are open",
    "crowded_why": "Close one, then load this one again.",
    "ended": "Your session has ended. Log in again.",
    "in_service": "{who} has the wheel in service",
    "in_service_of": "A supervisor has the wheel in service",
    "in_service_why": "reason: {why}",
    "shortcuts": "Keyboard shortcuts",
    "key_views": "open a view",
    "key_login": "log in",
    "key_language": "change the language",
    "key_theme": "light or dark",
    "key_help": "these shortcuts",
    "key_scope": "oscilloscope: freeze, zoom, move, cursors A and B",
    "space": "space",
    "supervisor_only": "For a supervisor only.",
    "held_by": "{who} has the wheel: ask them.",
    "coup_open": "A coup is open: wait for its end.",
    "locked": "A fault locks the wheel.",
    "no_wheel": "The controller does not answer.",
    "older": "Older",
}
LOGIN = {
    "title": "Log in",
    "at": "Log in at {wheel}",
    "name": "Name",
    "pin": "PIN",
    "pin_again": "PIN, once more",
    "enter": "Enter",
    "fingerprint": "Fingerprint of the certificate",
    "compare": "Compare it with the one your browser shows and the one printed at the start.",
    "first": "First access",
    "first_at": "First access at {wheel}",
    "first_why": (
        "Nobody is a supervisor here yet? Choose a name and a PIN, then prove that you stand at"
        " the wheel with one of its buttons."
    ),
    "first_begin": "Make the first supervisor",
    "differ": "The two PINs differ.",
    "press": "Press “{button}” on the wheel {presses} times, then wait {pause} s",
    "press_why": (
        "{left} s left to begin. The number is told to you alone: it proves that it is you who"
        " stands at the wheel."
    ),
    "btn_void": "void",
    "btn_start": "start",
    "first_ok": "{name} is a supervisor now.",
    "first_late": "The button was not pressed in time.",
}
LIVE = {
    "coup": "coup {coup}",
    "direction": "Rotor direction",
    "speed": "Speed",
    "speed_held": "in steps of 5; exact after the call",
    "speed_exact": "measured",
    "rpm": "rpm",
    "ball": "Ball",
    "last": "Last numbers",
    "happened": "What happens",
    "none_happened": "Nothing has happened yet.",
    "call": "Call",
    "call_wait": "Before the call nothing that predicts leaves the controller.",
    "call_missed": (
        "The call was made; this page was not there to hear it. See the coup in Last coups once"
        " it has ended."
    ),
    "call_drop": "Drop expected",
    "call_margin": "Margin",
    "call_speed": "Ball's speed",
    "call_dropped": "Drop seen",
    "after_call": "{s} s after the call",
    "turns_s": "turns/s",
    "not_placed": "At the told speed; its place is not shown before the call",
    "not_placed_login": "At the told speed; log in to see its place",
    "placed": "From the encoder",
    "dish": "Cups",
    "service": "Play",
    "in_play": "in play",
    "service_why": "Reason",
    "service_example": "monthly check",
    "take_out": "Take out of play",
    "put_back": "Put back into play",
    "take_over": "Take over from {who}",
    "turn_for": "For",
    "turn_speed": "Speed",
    "let_run": "Let it run out",
    "counts": "Every turn counts for the alternation and is written in the journal.",
    "picture": "The wheel seen from above",
    "unverified": "UNVERIFIED layout",
}
STATES = {
    "SERVICE": "out of play",
    "SERVICE_more": "being looked after",
    "GONE": "no connection",
}
FACTS = {
    "coup_started": "bets open",
    "rotor_moving": "the rotor turns {way}",
    "ball_in_track": "the ball is in the track, {way}",
    "no_more_bets": "rien ne va plus",
    "ball_dropped": "the ball left the track",
    "detected": "number detected",
    "result": "{number} {colour}",
    "void": "void: {reason}",
    "correction": "coup {coup} corrected",
    "fault": "fault {code}",
    "fault_ended": "fault {code} has ended",
    "number_keyed": "{number} entered by hand",
    "orphelin_paid_in": "orphelin {n} paid in",
    "act": "{who}: {what} {detail}",
    "round_started": "round {round}: stakes open",
    "bets_closed": "round {round}: rien ne va plus",
    "card_dealt": "round {round}: card {k}, {card}, to {to}",
    "hole_turned": "round {round}: the hole card is {card}",
    "hole_checked": "round {round}: the hole card was checked",
    "engaged": "round {round}: seat {seat}, hand {hand}: {do}",
    "round_result": "round {round} is official",
    "round_void": "round {round} is void: {reason}",
    "round_correction": "round {round} corrected",
    "held_paid": "round {round}: the Gold Jack is paid",
}
WAYS = {
    "ccw": "counter-clockwise",
    "cw": "clockwise",
    "unknown": "unknown",
}
COLOURS = {
    "red": "red",
    "black": "black",
    "green": "green",
    "yellow": "yellow",
    "white": "white",
}
ACTS = {
    "service on": "took the wheel out of play:",
    "service off": "put the wheel back into play:",
    "service refused": "could not take the wheel out of play:",
    "turn": "turned the rotor:",
    "login": "logged in",
    "logout": "logged out",
    "login refused": "login refused:",
    "first supervisor": "is the first supervisor,",
    "first refused": "first access refused:",
    "selftest": "self-test:",
    "calibration": "calibration:",
    "config": "configuration:",
    "limits": "signed the limits:",
    "update": "update:",
    "flash": "flashed a card:",
    "support": "support bundle:",
    "note": "note:",
    "work": "{done}:",
    "acknowledged": "acknowledged:",
    "shift": "croupier who throws:",
}
# fmt: on


OWN: Tables = {
    "shell": SHELL,
    "login": LOGIN,
    "live": LIVE,
    "states": STATES,
    "facts": FACTS,
    "ways": WAYS,
    "colours": COLOURS,
    "acts": ACTS,
}
TABLES: Tables = {**OWN, **TOOLS, "health": HEALTH}


def vocabulary() -> dict[str, Any]:
    """Returns everything the page says, by the code of its language."""
    return {language: _vocabulary_in(language) for language in LANGUAGES}


def _vocabulary_in(language: str) -> dict[str, Any]:
    shown, own = display_words.words(language), tables_in(language, DOMAIN, TABLES)
    return {
        **own,
        "states": {**shown["states"], **own["states"]},
        "more": shown["more"],
        "reasons": shown["reasons"],
        "fault_texts": translation.faults(language),
        "service_acts": translation.service_acts(language),
        "health_kinds": translation.health_kinds(language),
        "fault_mends": mends.targets(language, own["parts"]),
    }
