"""What is guarded from the public, and what each surface gives: the one list.

Whoever may not know when the ball will fall may know no more than who stands at the table with a
watch. So a public surface names nobody, tells nothing that the call was learned from, and its times
are tenths of a second. A new fact, key or field is classed here, or
tests/guarded/test_the_list.py fails by its name.
"""

from typing import Any, NamedTuple

from firmware.core.faults import sentence
from firmware.core.health.codes import CODES
from firmware.store.acts import ACKNOWLEDGED, SHIFT

TENTH_US = 100_000
UNTOLD = "…"  # in the place of a detail


class Guarded(NamedTuple):
    """A thing that the public is not told; `why` it is not."""

    name: str
    what: str
    why: str


# fmt: off
LEAD = Guarded("lead", "how long before the drop a call came, finer than a tenth of a second",
               "who knows it of some coups knows how fast the ball is when the next call comes")
LEARNED = Guarded("learned", "coups learned, the lead expected, why; where the ball tends to leave",
                  "it is the margin of the next call")
MOTION = Guarded("motion", "edges, places and exact speeds of rotor and ball before the call; what"
                 " a call went by", "it is what a prediction is made of")
PEOPLE = Guarded("people", "who has a PIN, who is logged in, who signed",
                 "a name is half of what a login takes, and whom to wait for")
COUNTED = Guarded("counted", "what the croupier's key has counted up",
                  "it is no number before it is confirmed")
MONEY = Guarded("money", "what the house has taken, and what a player has",
                "it is the house's own, and the player's")
SCREEN = Guarded("screen", "what stands on the screen of a card table's croupier: what is due, and"
                 " a card that is being typed",
                 "a card is one once it counts; and who is paid a Gold Jack stands there by name")
HEALTH = Guarded("health", "what the watch over the wheel's health found, and where",
                 "who knows which numbers a wheel favours can bet on them")
# fmt: on
GUARDED = (LEAD, LEARNED, MOTION, PEOPLE, COUNTED, MONEY, HEALTH, SCREEN)


class Surface(NamedTuple):
    """Where something of the wheel is told; `is_public`: to whom nobody has let in."""

    name: str
    who: str
    is_public: bool
    gives: str


# fmt: off
SURFACES = (
    Surface("`status.sock`", "every user of the machine", True,
            "the public facts and the public status, in tenths"),
    Surface("the service page, not logged in", "the network", True,
            "the same facts but five times a second; the public status; of coups and faults what is"
            " public of them"),
    Surface("the gateway's line", "who has the other end", True,
            "what the public status says, in a line each .5 s"),
    Surface("the line to the displays, and their page", "the table", True,
            "states as they come, so that the number is not late; signed records; nothing of the"
            " prediction"),
    Surface("`cylindre.sock`", "the group `cylindre`", False,
            "all facts to the microsecond; the whole status; edges and estimates to who is logged"
            " in, from the call on"),
    Surface("the service page, logged in", "technicians and supervisors", False,
            "the same"),
    Surface("the croupier's guide", "the user who started it, on the machine", False,
            "what stands on a card table's croupier's screen; the hole card once it is turned"),
    Surface("standard output of `run` and `replay`", "who started it", False,
            "the facts of the trace contract, to the microsecond"),
    Surface("the journal, a recording, the machine's log", "who may read the file", False,
            "all that is recorded"),
)
# fmt: on

# What becomes of a value on a public surface; else it is one of GUARDED, and not told there.
ANYBODY = "as it is"
TENTHS = "the tenth of a second in which it was"
BY_CODE = "the fault's sentence, without its detail where that is guarded"
CODE = "the fault's code, but one for all of the wheel's health"
BUT_OF_ONE = "such codes, without those for which one of the house is in doubt"
Class = Guarded | str

# Of each event of facts.py its keys, or what guards it whole. `t_us` and `event` are every fact's.
# fmt: off
EVERY_FACT: dict[str, Class] = {"t_us": TENTHS, "event": ANYBODY}
FACTS: dict[str, dict[str, Class] | Guarded] = {
    "coup_started": {"coup": ANYBODY, "rotor": ANYBODY},
    "rotor_moving": {"coup": ANYBODY, "rotor": ANYBODY},
    "ball_in_track": {"coup": ANYBODY, "ball": ANYBODY},
    "no_more_bets": {"coup": ANYBODY},
    "ball_dropped": {"coup": ANYBODY},
    "detected": {"coup": ANYBODY},
    "result": dict.fromkeys(
        ("coup", "seq", "number", "compartment", "colour", "verified", "layout_verified"), ANYBODY),
    "void": {"coup": ANYBODY, "seq": ANYBODY, "reason": ANYBODY},
    "correction": dict.fromkeys(
        ("coup", "seq", "corrects", "number", "compartment", "colour", "reason"), ANYBODY),
    "fault": {"code": CODE, "text": BY_CODE},
    "fault_ended": {"code": ANYBODY, "detail": ANYBODY, "text": ANYBODY},  # of faults.ENDS
    "orphelin_paid_in": MONEY,
    "number_keyed": COUNTED,
    "act": PEOPLE,
    "entered": MONEY,
    "employees": PEOPLE,
    # Of a card table, firmware/core/cards/lines.py: what lies on the cloth for all to see. No fact
    # has the hole card before it is turned.
    "round_started": {"round": ANYBODY},
    "bets_closed": {"round": ANYBODY, "count": ANYBODY, "total_cents": MONEY},
    "card_dealt": dict.fromkeys(("round", "k", "to", "card"), ANYBODY),
    "hole_turned": dict.fromkeys(("round", "k", "card"), ANYBODY),
    "hole_checked": {"round": ANYBODY, "is_black_jack": ANYBODY},
    "engaged": dict.fromkeys(("round", "n", "seat", "hand", "do", "by", "seen"), ANYBODY)
    | {"cents": MONEY},
    "round_result": dict.fromkeys(("round", "seq", "outcome", "seal", "verified"), ANYBODY)
    | {"payments": MONEY, "held": MONEY},
    "held_paid": MONEY,
    "round_void": {"round": ANYBODY, "seq": ANYBODY, "reason": ANYBODY, "returned": MONEY},
    "round_correction": dict.fromkeys(("round", "seq", "corrects", "outcome", "reason"), ANYBODY)
    | dict.fromkeys(("payments", "held"), MONEY) | {"cards": ANYBODY} | {"decisions": MONEY},
    "guide": SCREEN,
    "card_typed": SCREEN,
    "card_view": SCREEN,  # to who follows that screen alone
}
# What the control socket tells besides, of nothing that the loop has decided.
OTHER_EVENTS: dict[str, dict[str, Class] | Guarded] = {
    "edges": MOTION,
    "estimate": MOTION,
    "session_ended": PEOPLE,
    # The page's visitor who asked to be the first hears it: there is nobody else yet.
    "first": dict.fromkeys(("ok", "name", "why"), ANYBODY),
}
# Of every fault whose sentence has a detail: a sensor's name and the like, or what is guarded. Of
# the wheel's health the sentence itself is.
FAULT_DETAILS: dict[str, Class] = dict.fromkeys(
    "W21 W22 W23 W24 W25 W26 W27 W33 W41 W42 B10 B11 B12 B13 B14 S10 S11 S12 S13 S14 S15 T12 T13"
    " C12 P11 P14 P15 K10 K11 K13 K14 K15 K16 K17 K20 K21 K22".split(), ANYBODY) | {
    "C11": LEAD, "W51": LEARNED, "W52": LEARNED, "L10": LEARNED,
    "P10": PEOPLE, "P12": PEOPLE,
} | dict.fromkeys(CODES.values(), HEALTH)
# What the public hears of in the place of any such fault.
LOOK = "H00"
# What somebody of the house is in doubt for: the public hears nothing of it, and supervisors alone
# who it is.
OF_ONE = ("H13",)
SIGNATURE = "signature"  # the family of evidence of such
STATUS: dict[str, Class] = {
    "state": ANYBODY, "coup": ANYBODY, "seq": ANYBODY, "rotor": ANYBODY, "reason": ANYBODY,
    "last_number": ANYBODY, "last_coup": ANYBODY, "game": ANYBODY, "open": ANYBODY,
    "number": ANYBODY, "result_age_ms": TENTHS, "ball": ANYBODY, "faults": BUT_OF_ONE,
    "rotor_rpm": ANYBODY,  # before the call no more than a watch tells: tachometer.py
    "loop_age_ms": ANYBODY,  # of the loop's last period, whatever the coup does
    "call": LEARNED, "employees": PEOPLE,
    "displays": ANYBODY, "displays_heard": ANYBODY, "displays_later": ANYBODY,
    "clients": ANYBODY, "clients_dropped": ANYBODY,
}
# The act that took the wheel out of play, as the page tells it with the status.
SERVICE: dict[str, Class] = {
    "t_us": TENTHS, "event": ANYBODY, "what": ANYBODY, "who": PEOPLE, "role": ANYBODY,
    "detail": PEOPLE, "sha256": PEOPLE, "utc": ANYBODY,
}
# Of what stands for a coup: its signed record, firmware/bus/record.py.
RECORD: dict[str, Class] = dict.fromkeys(
    ("kind", "wheel", "epoch", "seq", "coup", "game", "number", "compartment", "colour", "reason",
     "rotor", "ball", "votes", "residual_uturn", "held_us", "stakes", "rules", "rules_hash",
     "layout_verified", "firmware", "utc", "quality", "prev", "corrects", "next_key", "n", "head",
     "board", "fram", "sensors", "after", "seal", "decks", "authenticated", "verified", "cards",
     "winner", "player_points", "banker_points", "dealer_points"), ANYBODY) | {"manual": PEOPLE}
# Of the messages on the line to the displays, firmware/bus/messages.py.
HEARTBEAT: dict[str, Class] = dict.fromkeys(
    ("version", "kind", "session", "counter", "game", "state", "coup", "epoch", "seq", "digest",
     "past", "kid", "rotor", "flags", "table"), ANYBODY)
TABLE: dict[str, Class] = dict.fromkeys(
    ("version", "kind", "minimum_cents", "table_minimum_cents", "rules", "wheel", "maxima"),
    ANYBODY) | {"call": LEARNED, "call_coups": LEARNED, "call_lead_ms": LEARNED}
# Of cards (firmware/bus/card_messages.py): what lies on the cloth for all to see. The hole card is
# a back in it until it is turned, and a side bet is told where it falls, without who staked what.
CARDS: dict[str, Class] = dict.fromkeys(
    ("version", "kind", "session", "counter", "round", "first", "flags", "turn", "hands", "events",
     "place", "ends", "cards", "event"), ANYBODY)
# The messages of that line (messages.KINDS). A player's terminal hears of its own stakes besides.
MESSAGES: dict[str, dict[str, Class] | Class] = {
    "heartbeat": HEARTBEAT, "record": RECORD, "table": TABLE, "ask": ANYBODY, "answer": ANYBODY,
    "poll": ANYBODY, "reply": ANYBODY, "notice": ANYBODY, "follower poll": ANYBODY,
    "follower reply": ANYBODY,
    "cards": CARDS,
}
# fmt: on

# What a public surface tells all the same: the surface, what, why.
EXCEPTIONS = (
    (
        SURFACES[1].name,
        "who asks to be the first supervisor (`first`)",
        "nobody else has a PIN then, and who stands at the wheel is to see whom he proves",
    ),
    (
        SURFACES[3].name,
        "who entered or corrected a number by hand (`manual` of a record)",
        "the record is signed whole, and a display that verifies it needs all of it; none shows it",
    ),
    (
        SURFACES[3].name,
        "when call and drop are, as they come",
        "a table sees and hears both; a call that is lit later than it is made takes late bets",
    ),
)


def tenth(at_us: int) -> int:
    """Returns the beginning of the tenth of a second in which a time lies."""
    return at_us // TENTH_US * TENTH_US


def public_fact(told: dict[str, Any]) -> dict[str, Any] | None:
    """Returns what the public may know of a fact's JSON object; None: nothing.

    A fact that is not in the list is not public.
    """
    keys = (FACTS | OTHER_EVENTS).get(told["event"])
    if keys is None or isinstance(keys, Guarded) or told.get("code") in OF_ONE:
        return None
    return _public(told, EVERY_FACT | keys)


def public_status(status: dict[str, Any]) -> dict[str, Any]:
    """Returns what the public may know of an answer of `status`."""
    return _public(status, STATUS)


def public_service(act: dict[str, Any] | None) -> dict[str, Any] | None:
    """Returns the same of the act that took the wheel out of play."""
    return None if act is None else _public(act, SERVICE)


def public_record(body: dict[str, Any]) -> dict[str, Any]:
    """Returns the same of what stands for a coup."""
    return _public(body, RECORD)


def public_sentence(code: str) -> str:
    """Returns a fault's sentence, without what of it is guarded."""
    return sentence(public_code(code), UNTOLD)


def public_code(code: str) -> str:
    """Returns the code of which the public hears in the place of another."""
    return LOOK if FAULT_DETAILS.get(code) == HEALTH else code


def technicians_told(fault: dict[str, Any]) -> dict[str, Any]:
    """Returns what a technician may know of a fault that the journal has."""
    return fault | {"detail": UNTOLD} if fault["code"] in OF_ONE else fault


def house_act(told: dict[str, Any]) -> dict[str, Any]:
    """Returns what the house's people read of an act: not who throws, nor why somebody in doubt
    plays on. The journal has it."""
    detail = told.get("detail")
    if told.get("what") == SHIFT:
        return told | {"detail": UNTOLD}
    code = str(detail).split(":")[0]
    if told.get("what") == ACKNOWLEDGED and code in OF_ONE:
        return told | {"detail": f"{code}: {UNTOLD}"}
    return told


def technicians_health(told: dict[str, Any]) -> dict[str, Any]:
    """Returns what a technician may know of `cylindre health --json --charts`: of croupiers
    nothing."""
    found = told | {"notices": _of_none(told["notices"])}
    if "charts" not in told:  # of a journal that is not intact
        return found
    charts = told["charts"]
    ended = [each | {"epochs": _of_none(each["epochs"])} for each in charts["ended"]]
    timeline = []
    for sample in charts["timeline"]:
        parts = {family: part for family, part in sample["parts"].items() if family != SIGNATURE}
        timeline.append(sample | {"parts": parts})
    of_all = {"ended": ended, "timeline": timeline}
    return found | {"streams": _of_none(told["streams"]), "charts": charts | of_all}


def _of_none(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns those of streams that judge nobody of the house."""
    return [each for each in rows if not each["stream"].startswith("croupier")]


def public_told(fault: dict[str, Any]) -> dict[str, Any] | None:
    """Returns the same for the public: its code, its detail, `at_s` of a coup; None: nothing."""
    if fault["code"] in OF_ONE:
        return None
    detail, at_s = fault["detail"], fault["at_s"]
    if FAULT_DETAILS.get(fault["code"]) != ANYBODY:
        detail = UNTOLD
    at_s = None if at_s is None else int(at_s * 10) / 10
    return fault | {"code": public_code(fault["code"]), "detail": detail, "at_s": at_s}


def _public(told: dict[str, Any], classes: dict[str, Class]) -> dict[str, Any]:
    found = {}
    for key, value in told.items():
        kind = classes.get(key)
        if kind is None or isinstance(kind, Guarded):  # what nobody has classed is nobody's
            continue
        if kind == TENTHS and value is not None:
            value = tenth(value) if key.endswith("_us") else value // 100 * 100
        elif kind == BY_CODE and isinstance(FAULT_DETAILS.get(told["code"]), Guarded):
            value = public_sentence(told["code"])
        elif kind == CODE:
            value = public_code(value)
        elif kind == BUT_OF_ONE:
            codes = [public_code(code) for code in value if code not in OF_ONE]
            value = sorted(set(codes), key=codes.index)
        found[key] = value
    return found
