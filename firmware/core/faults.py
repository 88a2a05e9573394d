"""Every operating fault: a code, a class, a sentence with its remedy, and what it does to a coup.

Classes (DESIGN section 1): NOTICE, play goes on; VOID, this coup is void; LOCK, out of play until
someone authorised clears it. docs/faults.md is generated from this table (`make docs`).
"""

from firmware.shims.typed import Any, NamedTuple

NOTICE = "notice"
VOID = "void"
LOCK = "lock"

# reason: the void reason a VOID or LOCK gives the open coup; None for a NOTICE, of which nobody
# reads it.
FaultKind = NamedTuple(
    "FaultKind",
    [("code", str), ("grade", str), ("reason", Any), ("text", str), ("remedy", str)],
)

# {} stands for the detail that comes with the fault.
# fmt: off
FAULTS = (
    FaultKind("W21", NOTICE, None, "Beam {} has been dark for a second with the ball elsewhere.",
              "Clean or replace that track sensor."),
    FaultKind("W22", NOTICE, None, "Beam {} did not see a ball that other sensors saw.",
              "Clean, align or replace that track sensor."),
    FaultKind("W23", NOTICE, None, "Ring sensor {} did not see a ball that the others saw.",
              "Clean, align or replace that ring sensor."),
    FaultKind("W24", VOID, "foreign_object", "Ring sensor {} stays dark while the rotor turns.",
              "Remove what lies in front of it, or replace the sensor."),
    FaultKind("W25", NOTICE, None, "The expander at {} does not answer, or not as it should.",
              "Check its cable and supply; what stands behind it is in doubt until it answers."),
    FaultKind("W26", NOTICE, None, "The expander at {} changed, and its interrupt line did not.",
              "Check that line's cable; until then a change is seen up to 100 ms late."),
    FaultKind("W27", NOTICE, None, "The expander at {} had lost its set-up; it was set up again.",
              "Check its supply and reset line."),
    FaultKind("W31", NOTICE, None, "The rotor's count and its zero mark differ.",
              "Check cable, disc and mark; if it stays, clear it then: no number is given before."),
    FaultKind("W32", NOTICE, None, "The rotor's zero mark was not seen for more than a turn.",
              "Check the index sensor; no number is given without it."),
    FaultKind("W33", NOTICE, None, "Line {} lost an edge, or does not stand as its edges say.",
              "Check that line's cable and the load of the controller."),
    FaultKind("W41", VOID, "foreign_object", "Cup {} holds something while the ball is elsewhere.",
              "Take it out, or replace that cup's sensor, before the ball is thrown again."),
    FaultKind("W42", VOID, "two_balls", "Cups {} hold something at the same time.",
              "Take out the second ball; if there is none, replace the sensor that stays dark."),
    FaultKind("W51", NOTICE, None, "What was learned about the call is not used: {}.",
              "The call starts cautiously and learns anew; nothing is to be done."),
    FaultKind("W52", NOTICE, None, "The ball or the track is not what it was: {}.",
              "Ask which ball is played, look at the track and the level; the call learns anew."),
    FaultKind("W53", NOTICE, None, "Whichever way it runs, the ball often leaves near {} deg.",
              "Look at the track there: a dent, dirt or a joint lets go of it."),
    FaultKind("C10", VOID, "timeout", "No more bets could not be called before the ball dropped.",
              "Check the track sensors; the call starts cautiously again."),
    FaultKind("C11", VOID, "timeout", "No more bets was told {} ms late: the board stood still.",
              "See what else it has to do, and to its storage and supply; play goes on."),
    FaultKind("C12", NOTICE, None, "The machine stood still for {} ms: the rotor's edges are lost.",
              "See what else it has to do, and to its storage and supply. A coup that needed them"
              " is void: timeout."),
    FaultKind("M10", VOID, "rotor_not_reversed", "The rotor is driven but does not turn.",
              "Free the rotor, check the motor's supply, then start the coup again."),
    FaultKind("M11", LOCK, "encoder", "The rotor turns faster than it may, or without command.",
              "The motor is off. Have the drive checked before clearing the fault."),
    FaultKind("M12", LOCK, "croupier", "The emergency stop is pressed.",
              "Release it, then clear the fault."),
    FaultKind("M13", LOCK, "rotor_not_reversed", "The motor draws too much current.",
              "Free the rotor, check the motor, then clear the fault."),
    FaultKind("M14", VOID, "rotor_not_reversed", "The rotor turns against its command.",
              "Check the motor's direction wire and the encoder's channels."),
    FaultKind("B10", NOTICE, None, "The line to the displays is lost: {}",
              "Check the port and its cable; the result is sent when the line is back."),
    FaultKind("B11", NOTICE, None, "Display {} does not answer.",
              "Check its supply, its cable, its address and its key."),
    FaultKind("B12", NOTICE, None, "Display {} does not light what it was told.",
              "Switch it off if it shows a number; then have it, its cable and its keys checked."),
    FaultKind("B13", NOTICE, None, "Two displays answer at address {}.",
              "Switch one of them off, or give it an address and a key of its own."),
    FaultKind("B14", NOTICE, None, "Display {} has believed a later result than the journal holds.",
              "The journal is an old copy, or its end is lost: compare it with the exports; play is"
              " shown there again once it is adopted (cylindre journal adopt FILE --keys DIR)."),
    FaultKind("S10", NOTICE, None, "The record cannot be written: {}",
              "Free or replace the storage; nothing is shown until it is recorded."),
    FaultKind("S11", NOTICE, None, "The register of orphelins cannot be written: {}",
              "Free or replace the storage; coups are counted on as soon as it can be."),
    FaultKind("S12", NOTICE, None, "The FRAM beside the journal fails: {}",
              "Have it looked at tonight; coups are recorded in the journal alone until then."),
    FaultKind("S13", NOTICE, None, "The clock is doubtful: {}",
              "Set it, or mend its network or clock chip; records say how good their time is."),
    FaultKind("S14", NOTICE, None, "The journal's storage is slow: {}",
              "Replace the card before it fails; it may be worn out, or full of other files."),
    FaultKind("S15", NOTICE, None, "The keys of the players are not kept: {}",
              "Free or replace the storage; after a restart who was new needs another PIN."),
    FaultKind("S16", NOTICE, None, "The controller does not come up: the wheel is in safe mode.",
              "Log in at the service page, or read journalctl -u cylindre, for why; mend that, then"
              " start the machine anew."),
    FaultKind("L10", NOTICE, None, "The wheel is not level: {}",
              "Level its feet; if a spirit level says it is, add these to zero_x_deg, zero_y_deg."),
    FaultKind("L11", NOTICE, None, "The level sensor does not answer.",
              "Check the sensor, its cable and its place; nobody watches the wheel's level now."),
    FaultKind("L12", NOTICE, None, "Its drops say: level the wheel: low side near {} deg.",
              "Lay a spirit level across the bowl and raise the feet of that side."),
    FaultKind("H00", NOTICE, None, "The watch over this wheel gives notice.",
              "Have the wheel looked at."),
    FaultKind("H10", NOTICE, None, "Numbers do not come evenly: {}.",
              "Look at frets and pockets there; the wheel plays on."),
    FaultKind("H11", NOTICE, None, "One pocket comes too seldom: {}.",
              "Look for a raised fret or a dead floor."),
    FaultKind("H12", NOTICE, None, "A player could gain: {}.",
              "Have the management decide whether this wheel opens tomorrow."),
    FaultKind("H13", NOTICE, None, "Throws of one croupier lead to like numbers.",
              "Vary the rotor's speed; talk to the management alone."),
    FaultKind("H20", NOTICE, None, "Pocket {} holds the ball.",
              "Look at its frets: one of them is loose, or worn."),
    FaultKind("H21", NOTICE, None, "Track or ball slow the ball otherwise than on {}.",
              "Clean the track, look at the ball, and record what was done."),
    FaultKind("H22", NOTICE, None, "Ring sensor {} sees less than it did.",
              "Clean, align or replace that ring sensor."),
    FaultKind("H23", NOTICE, None, "The motor works otherwise than on {}.",
              "Look at the rotor's bearing and the motor, and record what was done."),
    FaultKind("H30", NOTICE, None, "The wheel's health cannot be judged: {}.",
              "Mend what it names. A supervisor acknowledges what is over: then it is judged."),
    FaultKind("K10", NOTICE, None, "The round is held: {}.",
              "Do one of what the croupier's screen offers; the round goes on, or is void."),
    FaultKind("K11", LOCK, "foreign_card", "A card is none of this shoe's: {}.",
              "Clear the fault with a member of the management; then count its cards and change"
              " them."),
    FaultKind("K12", LOCK, "shoe_exhausted", "The shoe ran out within a round.",
              "Clear the fault; then count it, change it, and put the cut card before more cards."),
    FaultKind("K13", NOTICE, None, "The shoe is in trouble: {}.",
              "Free its card, or check its cable and supply; a round that needs a card waits."),
    FaultKind("K14", NOTICE, None, "A card for place {} is awaited for long.",
              "Draw it, or turn the hole card; or void the round."),
    FaultKind("K15", NOTICE, None, "The shoe {} is not authenticated.",
              "Give it a key; until then each record says so."),
    FaultKind("K16", NOTICE, None, "The count of the shoe does not agree: {}.",
              "Count it again, or have the croupier and the management confirm it."),
    FaultKind("K17", NOTICE, None, "The shoe has {} decks, and this table plays another number.",
              "Load as many as the table plays, or have its configuration changed."),
    FaultKind("K18", NOTICE, None, "A card went back into the shoe before it counted.",
              "Draw it again; nothing is to be entered."),
    FaultKind("K19", NOTICE, None, "A card came out of the shoe between two rounds.",
              "Burn it, face down; it is counted."),
    FaultKind("K20", NOTICE, None, "Keys of the croupier's keyboard act on nothing: {}.",
              "Press one key alone, and let it go."),
    FaultKind("K21", NOTICE, None, "The croupier's keyboard {} is gone.",
              "Plug it in again; until then nobody begins a round, and void, confirm and what two"
              " people say go by the service."),
    FaultKind("K22", NOTICE, None, "The keys for the cards {} are gone.",
              "Plug them in again; until then two people enter a card by the service."),
    FaultKind("K23", NOTICE, None, "A card that counts is in the shoe again.",
              "Change the shoe: take its cards out, count them, and load them shuffled."),
    FaultKind("T10", NOTICE, None, "The clock chip is not set, or it stopped.",
              "Replace its battery and set it with hwclock."),
    FaultKind("T11", NOTICE, None, "The clock chip does not answer.",
              "Check the chip and its cable, and that no kernel driver holds it."),
    FaultKind("T12", NOTICE, None, "Two terminals reply at address {}; both are refused.",
              "Switch one of them off, or give it an address and a key of its own."),
    FaultKind("T13", NOTICE, None, "Terminal {} does not reply, and a player sits there.",
              "Check the terminal, its cable and that it has this version; what it had accepted"
              " still takes part."),
    FaultKind("P10", NOTICE, None, "What was asked is not done: {}",
              "Look at the state of the coup and ask again."),
    FaultKind("P11", NOTICE, None, "The next coup may begin in {} s, not before.",
              "Wait, then start it; the house sets this pace with coup_s in [pace]."),
    FaultKind("P12", NOTICE, None, "A wrong PIN was given for {}.",
              "Ask that person; if nobody mistyped, find out who was at the controller's socket."),
    FaultKind("P14", NOTICE, None, "The number could not be detected: {}.",
              "Enter it with a member of the management (cylindre manual), or void the coup."),
    FaultKind("P15", NOTICE, None, "The correction of coup {} moves no money at the terminals.",
              "It lies too far back: cylindre settle --journal says who gets or owes what."),
)
# fmt: on


# What is told when a fault ends of which one hears that; {} as above.
ENDS = (
    ("B11", "Display {} answers again."),
    ("K13", "The shoe has this trouble no more: {}."),
    ("K21", "The keyboard {} is there again."),
    ("K22", "The keys {} are there again."),
)


def end(code: str, detail: str) -> "str | None":
    """Returns what a person reads when that fault has ended; None where nothing is told."""
    for known, text in ENDS:
        if known == code:
            return "{}: {}".format(code, text.replace("{}", detail))
    return None


def find(code: str) -> FaultKind:
    """Returns the fault of that code. Asserts that it exists: codes come from our own code."""
    for kind in FAULTS:
        if kind.code == code:
            return kind
    raise AssertionError(code)


def sentence(code: str, detail: str) -> str:
    """Returns what a person reads: what is wrong and what to do, and the code to look up."""
    kind = find(code)
    return "{}: {} {}".format(code, kind.text.replace("{}", detail), kind.remedy)
