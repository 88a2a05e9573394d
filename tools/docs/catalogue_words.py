"""What is said and stands in no Message: of which modules every sentence, and which codes."""

from __future__ import annotations

import re

SPEAKING = """
tools/technician/selftest/sequence.py tools/technician/selftest/bench.py
tools/technician/selftest/optics.py tools/technician/selftest/slow.py
tools/technician/selftest/rotor_run.py tools/technician/selftest/limits.py
tools/technician/calibrate/wizard.py tools/technician/calibrate/ring.py
tools/technician/calibrate/rim.py
tools/technician/calibrate/judge.py tools/technician/calibrate/notes.py
tools/technician/page_jobs.py firmware/services/configuring/cross_checks.py
firmware/services/configuring/named_files.py firmware/config/__init__.py firmware/config/text.py
firmware/config/survey.py firmware/config/game.py
firmware/services/page/actions.py
firmware/services/page/support.py firmware/client/line.py
firmware/services/page/server.py firmware/services/page/jobs.py firmware/services/page/queries.py
firmware/config/keys.py firmware/api/technicians.py firmware/api/sessions.py
firmware/api/request_table.py firmware/api/requests.py firmware/api/server.py
firmware/keys/people.py firmware/keys/pin_entry.py firmware/client/ask.py
firmware/core/coup/maintenance.py firmware/core/call/learned.py
firmware/core/call/change_detection.py firmware/store/journal.py firmware/store/clock.py
firmware/store/database.py rules/limits.py firmware/text/explanation.py
firmware/text/journal_coup.py tools/technician/selftest/quick.py
rules/cards/blackjack.py rules/cards/due.py rules/cards/house.py rules/cards/round.py
rules/cards/stakes.py rules/cards/deck.py rules/cards/baccarat.py rules/cards/hands.py
rules/cards/errors.py rules/blackjack_lu.py rules/blackjack_live.py rules/baccarat_live.py
rules/punto_2000.py tools/journal/card_settling.py
rules/settle.py rules/cloth.py rules/layouts.py rules/minimum.py rules/announced_bets.py
firmware/stakes/book.py firmware/stakes/terminal_book.py firmware/stakes/card_book.py
firmware/stakes/bets_behind.py
firmware/stakes/card_money.py firmware/core/cards/terminals.py
firmware/stakes/answers.py firmware/stakes/orphelins.py firmware/stakes/seal.py
firmware/stakes/accounts.py firmware/bus/terminal_host.py
firmware/bus/follower_desk.py firmware/bus/followers.py
firmware/stakes/card_round.py
firmware/core/cards/keys.py firmware/core/cards/hold.py firmware/core/cards/people.py
firmware/core/cards/shoe.py firmware/core/cards/table.py firmware/core/cards/rescan.py
firmware/core/cards/correction.py
firmware/core/coup/correction.py firmware/core/coup/manual.py firmware/core/controller.py
firmware/shims/edges.py firmware/shims/linux.py firmware/shims/pi.py
firmware/text/trace.py firmware/api/values.py firmware/bus/terminal.py
""".split()
# What else of them has a space: patterns, types, queries, headers, and what is cut off again.
UNSAID = re.compile(
    r"[\\]|^[\w\[\], .|]*(None|\[str, int\]|\.\.\.\])|: done$|filename=|charset=|SameSite="
    r"|maximum_multiples|^(SELECT|WHERE) |^%Y-|^facts\.|^Person\("
    r"|^\{\} is \{\}\.$|^tuple\[|^Sequence\[|^dict\[|^\$comment|^end of cylindre trace|^1 us$"
    r"|^cylindre stakes |^list\[|^BlackjackRound|^banque: |^Perfect Pairs$"
    r"|^(Règles complètes|règlement grand-ducal|arrêté ministériel|Punto 2000, )"
    r"|^(Live (Casino|baccarat|black jack)|Baccarat du Live|Black [Jj]ack(,| du Live)).*$"
    r"|^(Luxembourg, )?art\. [\d-]+( [a-z])?$|^« [^»]*»$|^(Durant|Il est|Jusqu|jusqu|Le maximum)"
    r"|^(service on|service off|service refused|login refused|first supervisor|first refused)$"
)
# Codes and single words that fill a sentence.
WORDS = (
    "withheld",
    "released",
    "barred",
    "admitted",
    "ccw",
    "cw",
    "all",
    "controller",
    "faults",
    "encoder",
    "motor",
    "buttons",
    "cups",
    "lines",
    "level",
    "speeds",
    "clock",
    "displays",
    "edges",
    "pulses",
    "deg",
    "mdeg",
    "trusted",
    "answers",
    "this",
    "seconds",
    "cents",
    "terminals",
    "sensors",
    "degrees",
    "supervisor",
    "technician",
    "director",
    "less",
    "more",
    "faster",
    "slower",
    "{} years",
    "{} days",
    "{} hours",
)
# What stands on a socket as a code: keys and values of status, colours, reasons, acts.
CODES = (
    "state",
    "rotor",
    "reason",
    "last number",
    "last coup",
    "game",
    "open",
    "number",
    "result age ms",
    "displays heard",
    "displays later",
    "ball",
    "rotor rpm",
    "loop age ms",
    "call",
    "coup",
    "seq",
    "True",
    "False",
    "None",
    "unknown",
    "boule",
    "vingt trois",
    "red",
    "black",
    "green",
    "yellow",
    "white",
    "croupier",
    "management",
    "default",
    "turn",
    "stops",
    "harms",
    "warns",
    "missing",
    "added",
    "changed",
    "service on",
    "service off",
    "service refused",
    "login",
    "logout",
    "login refused",
    "first supervisor",
    "first refused",
    "selftest",
    "calibration",
    "config",
    "update",
    "flash",
    "support",
    "note",
    "acknowledged",
    "shift",
    "limits",
    "rotor not reversed",
    "same direction",
    "too few turns",
    "moved before call",
    "foreign object",
    "two balls",
    "ball lost",
    "sensors disagree",
    "timeout",
    "interrupted",
    "other",
    "BETS_OPEN",
    "BALL_IN_TRACK",
    "NO_MORE_BETS",
    "BALL_DROPPED",
    "DETECTED",
    "CONFIRMED",
    "MANUAL",
    "VOID",
    "FAULT",
    "SERVICE",
)
# What the machine says of a file or device, its first letter small.
SYSTEM = (
    "no such file or directory",
    "permission denied",
    "operation not permitted",
    "is a directory",
    "not a directory",
    "file exists",
    "no space left on device",
    "read-only file system",
    "input/output error",
    "connection refused",
    "no such device",
    "no such device or address",
    "device or resource busy",
    "file name too long",
    "too many levels of symbolic links",
    "invalid argument",
    "address already in use",
    "file too large",
    "disk quota exceeded",
    "directory not empty",
    "bad file descriptor",
    "broken pipe",
)
# Sentences that are put together of several texts, as they reach people.
WHOLE = (
    "it speaks and does not answer",  # of drivers/shoe_serial.py
    "something that happened was not said",
    "its numbers went back",
    "it does not answer",  # of firmware/core/cards/shoe.py
    "6 or 8",
    "{} is technician.",
    "{} is supervisor.",
    "The wheel is out of play for service already. Put it back into play, then run this again.",
    "The controller at {} is gone in the middle.",
    "The ball lay in {} compartments: it takes {}, turned both ways. Go on with cylindre "
    "calibrate.",
    "Leave one ball alone in the wheel, or clean the sensor.",
    "Count in layout order, clockwise from 0, and begin anew.",
    "What was measured cannot be kept in {}: {}. Give another --state.",
    "a file's path in quotes",
    "a folder's path in quotes",
    "a layout file's path in quotes",
    "9, 18 or 36",
    '"{}" or "{}"',
    "See cylindre people --help.",
    "rules: {} is not played on {}; use {}.",
    "layout: nobody has verified the order of the cases of {}. Give the establishment's "
    'own as a file: layout = "cases.toml".',
    "{}: {} {}. Leave the key out.",
    "no stake is taken after « rien ne va plus »",
    "{} : the stake lies",
    "{} ({} of them lie there already)",
    "{} is on no numbers: its on is []",
    "{} is on one number, not on {}",
    "{} is on two numbers, not on {}",
    "{} is on three numbers, not on {}",
    "{} is on four numbers, not on {}",
    "{} is on six numbers, not on {}",
    "{} is on one dozen, not on {}",
    "{} is on two dozens, not on {}",
    "{} is on one column, not on {}",
    "{} is on two columns, not on {}",
    "the dozens are 1, 2 and 3, so there is no {}",
    "the columns are 1, 2 and 3, so there is no {}",
    "the dozens {} and {} do not lie side by side",
    "the columns {} and {} do not lie side by side",
    "{} and {} are not neighbours on the cloth",
    "{} and {} are not a row of the cloth",
    "{} and {} do not meet in one corner of the cloth",
    "{} and {} are not two neighbouring rows of the cloth",
    "{} is no boule board",
    'maximum_multiples must be an object, as {"plein": 20}.',
    "there is no bet {} in {}: its bets are {}.",
    "{} must be {} ({}, {}), not {}.",
    "{} would hold a secret of {}, so nothing was written. Take it out there, or leave it"
    " out: --without {}.",
    "A name or an error's text would hold a secret of {}, so nothing was written. Give "
    "--without the part that fails.",
    "Cannot write {}: {}.",
    "{}: the name or the PIN is wrong.",
    "{}: wrong PINs were given, so none is heard for {} s.",
    "{}: nobody has a PIN here, for there is no {}.",
    "P10: What was asked is not done: {}",
    "{} has the wheel in service: take it over first.",
    "the wheel is out of play already, in state {}.",
    "ccw, {} rpm, {} s",
    "cw, {} rpm, {} s",
    "somebody unknown, {} in a row",
    "X {}, Y {} degrees.",
    "{} is gone.",
    "it was set back to {}, and stands {} behind what was recorded.",
    "usual of boule dishes: 1 to 9 in order, each number facing itself",
    "I2C bus {} cannot be opened: {}. Is it enabled (raspi-config)",
)
# What tomllib of Python 3.11 to 3.13 complains of, its first letter small.
TOML = (
    "expected '=' after a key in a key/value pair",
    "expected newline or end of document after a statement",
    "invalid statement",
    "invalid value",
    "invalid date or datetime",
    "invalid initial character for a key part",
    "invalid hex value",
    "cannot overwrite a value",
    "cannot declare {} twice",
    "cannot mutate immutable namespace {}",
    "cannot redefine namespace {}",
    "duplicate inline table key {}",
    "unclosed array",
    "unclosed inline table",
    "unterminated string",
    "unescaped '\\' in a string",
    "illegal character {}",
    "found invalid character {}",
    "expected {}",
    "expected ']' at the end of a table declaration",
    "expected ']]' at the end of an array declaration",
    "escaped character is not a Unicode scalar value",
)
# What click complains of, and what its help says.
CLICK = (
    "Usage:",
    "Options",
    "[OPTIONS] COMMAND [ARGS]...",
    "Show this message and exit.",
    "{}:",
    "No such option '{}'.",
    "No such command '{}'.",
    "Did you mean '{}'?",
    "Did you mean {}?",
    "See {} --help.",
    "Invalid value for {}: {}",
    "Missing argument {}.",
    "Missing option {}.",
    "Missing option {}. Choose from:\n\t{}",
    "Missing command.",
    "Option {} requires an argument.",
    "Option {} does not take a value.",
    "Got unexpected extra argument ({})",
    "Got unexpected extra arguments ({})",
    "'{}' is not one of {}.",
    "Argument '{}' takes {} values.",
    "File '{}' does not exist.",
    "Directory '{}' does not exist.",
    "Path '{}' does not exist.",
    "File '{}' is a directory.",
    "Directory '{}' is a file.",
)
