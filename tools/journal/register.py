"""What `cylindre orphelins` does: finds register and journal, checks who asks, enters and shows.

Every refusal is a Failure with one sentence before anything is written.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import rules
from firmware.config.choice import load_board, read_config
from firmware.config.this_wheel import config_file, files_of, meant
from firmware.keys.people import People
from firmware.keys.pin_entry import ask_pin
from firmware.lib.errors import CONFIGURATION, FAILED, USAGE, Failure
from firmware.lib.language import N_, Message, translated
from firmware.lib.places import ORPHELINS
from firmware.run.orphelins_service import count_played, today
from firmware.stakes.abandoned import (
    CLAIMED,
    CLOSED,
    COUPS,
    FOUND,
    LOST,
    MARKED,
    PAID_IN,
    RETURNED,
    WITHDRAWN,
    Orphelin,
    closing_notice,
    last_day,
    worth_cents,
)
from firmware.stakes.orphelins import CORRECTED, COUP, RENUMBERED, Orphelins, Refused
from firmware.store.checked_lines import Row
from firmware.store.reader import played, recall
from firmware.store.register import Page, Register, RegisterError
from firmware.store.rows import JournalError
from firmware.text import money as money_text
from firmware.text.money import money
from rules.limits import Table, WrongInput, open_table
from rules.minimum import Opening

# An entry: its number, kind and body.
Entered = tuple[int, str, Any]
NUMBERS_MAX = 24  # the longest stake is on 6


class Places(NamedTuple):
    """The files of one table."""

    journal: Path
    register: Path
    people: Path


def find(
    board: str | None, config_path: Path | None, journal: Path | None, register: Path | None
) -> Places:
    """Those of the wheel that is meant. Raises Failure."""
    config = read_config(config_path)
    name = board or config.board
    if name is not None:
        load_board(name)  # a mistyped one would be a wheel of its own
    sockets = meant(None, name, option="--board")
    if config_path is None:
        config = read_config(config_file(None, sockets))
    files = files_of(name, config, sockets)
    found = journal or files.journal
    beside = Path(config.orphelins) if config.orphelins else found.with_name(ORPHELINS)
    return Places(found, register or beside, files.people)


def numbers(text: str) -> list[int]:
    """The numbers of a stake as people write them: 17, 17-20 or 17,20. Raises Failure."""
    if not re.fullmatch(r"[0-9]{1,2}([-,][0-9]{1,2})*|", text) or len(text) > NUMBERS_MAX:
        raise Failure(USAGE, N_("NUMBERS are whole numbers with - between them, as 17 or 17-20."))
    return [int(number) for number in re.findall(r"\d+", text)]


class Signatory:
    """Who signs an entry, as what."""

    def __init__(self, name: str, role: str, pin_file: Path | None) -> None:
        """`pin_file`: None to have the PIN typed."""
        self.name = unicodedata.normalize("NFC", name.strip())
        self.role = role
        self.pin_file = pin_file


def _sign(places: Places, signer: Signatory) -> None:
    """Asks for his PIN. Raises Failure where it is wrong, or his role another."""
    name, role, pin_file = signer.name, signer.role, signer.pin_file
    checked = People(places.people).check(name, ask_pin(name, pin_file))
    if checked.role is None:
        raise Failure(FAILED, f"{name}: {checked.text} {checked.remedy}")
    if checked.role != role:
        raise Failure(
            FAILED,
            Message(
                "{name} is {role}: this wants the PIN of a {wanted_role}.",
                name=name,
                role=checked.role,
                wanted_role=role,
            ),
        )


def mark(places: Places, stake: dict[str, Any], croupier: Signatory) -> Entered:
    """Enters an abandoned stake. Raises Failure."""

    def enter(page: Page) -> Entered:
        # Read while nobody else can enter: a result is counted here or was there before.
        table, coup = _now(places)
        body = page.said.mark(table, stake, coup=coup, day=today(), who=croupier.name)
        return page.append(MARKED, body), MARKED, body

    return _entered(places, enter, croupier, begins=True)


def find_money(places: Places, cents: int, where: str, croupier: Signatory) -> Entered:
    """Enters money without a bet. Raises Failure."""

    def enter(page: Page) -> Entered:
        table, coup = _now(places)
        who = croupier.name
        body = page.said.find(table, cents, where=where, coup=coup, day=today(), who=who)
        return page.append(FOUND, body), FOUND, body

    return _entered(places, enter, croupier, begins=True)


def give_back(places: Places, n: int, owner: dict[str, str], management: Signatory) -> Entered:
    """Enters that number n goes to its owner. Raises Failure.

    CLAIMED while its three coups are counted, RETURNED after it was paid in.
    """

    def enter(page: Page) -> Entered:
        if page.said.is_counting(n):
            # What was played since, with nobody counting, is part of what it is worth.
            _, coup = _now(places)
            count_played(page, coup, lambda after: played(places.journal, after))
        claimed = page.said.is_counting(n)
        kind = CLAIMED if claimed else RETURNED
        body = (page.said.claim if claimed else page.said.give_back)(
            n, day=today(), who=management.name, **owner
        )
        return page.append(kind, body), kind, body

    return _entered(places, enter, management)


def correct(
    places: Places,
    n: int,
    right: dict[str, Any] | None,
    croupier: Signatory,
    management: Signatory,
    why: str,
) -> Entered:
    """Enters what number n should have been, None for no orphelin at all. Raises Failure."""

    def enter(page: Page) -> Entered:
        who, other = croupier.name, management.name
        kind, body = page.said.correct(n, right, day=today(), who=who, management=other, why=why)
        return page.append(kind, body), kind, body

    return _entered(places, enter, croupier, management)


def close(
    places: Places, exercice: str, commune: str, receipt: str, management: Signatory
) -> Entered:
    """Enters that the account is settled. Raises Failure."""

    def enter(page: Page) -> Entered:
        told = {"exercice": exercice, "commune": commune, "receipt": receipt}
        body = page.said.close(day=today(), who=management.name, **told)
        return page.append(CLOSED, body), CLOSED, body

    return _entered(places, enter, management)


def _entered(
    places: Places, enter: Callable[[Page], Entered], *signers: Signatory, begins: bool = False
) -> Entered:
    """Tries the entry on a copy of the register, has it signed, then enters it.

    `begins`: it may be the first of its register. Raises Failure; before a PIN is asked for where
    the copy refuses the entry.
    """
    if not begins and not places.register.exists():
        raise Failure(FAILED, Message("There is no register {register}.", register=places.register))
    register = Register(places.register)
    with _refusals():
        enter(register.copy())
    for signer in signers:
        _sign(places, signer)
    with _refusals(), register.writing() as page:
        return enter(page)


@contextlib.contextmanager
def _refusals() -> Iterator[None]:
    """Makes a Failure of what register and journal refuse."""
    try:
        yield
    except Refused as refused:
        raise _refusal(refused) from refused
    except (RegisterError, JournalError) as error:
        raise Failure(FAILED, str(error)) from error


def _now(places: Places) -> tuple[Table, int]:
    """The table as it opened last, and its last coup. Raises Failure, JournalError."""
    found = recall(places.journal)
    if not found.openings:
        raise Failure(CONFIGURATION, _no_limits(places.journal))
    return _table(found.openings[-1]), found.restart_state.coup


def read(places: Places) -> tuple[list[Row], Orphelins]:
    """Every entry and what they say. Raises Failure."""
    try:
        return Register(places.register).rows()
    except RegisterError as error:
        raise Failure(FAILED, str(error)) from error


def json_lines(rows: list[Row], said: Orphelins, day: int) -> Iterator[str]:
    """An object an entry, one a stake, one with the balance."""
    for row in rows:
        yield json_entry(row.n, row.kind, row.body)
    for orphelin in said.all():
        told = {
            "orphelin": orphelin.n,
            "state": orphelin.state,
            "coups": len(orphelin.results),
            "cents": worth_cents(orphelin),
        }
        if orphelin.state == PAID_IN:
            told["until"] = _date(last_day(orphelin))
            told["returnable"] = day <= last_day(orphelin)
        yield json.dumps(told)
    yield json.dumps({"balance_cents": said.total_cents})


def json_entry(n: int, kind: str, body: Any) -> str:
    """One entry as a JSON object, with the date of its day."""
    told = {"n": n, "kind": kind, **body}
    if "day" in told:
        told["date"] = _date(told.pop("day"))
    return json.dumps(told, ensure_ascii=False)


def text_lines(rows: list[Row], said: Orphelins, day: int) -> Iterator[str]:
    """The register as a table, the stakes that are still open, the balance."""
    if rows:
        yield f"{'entry':>5}  {'date':<10}  {'amount':>12}  {'total':>12}  "
    for row in rows:
        body = row.body
        date = _date(body["day"]) if "day" in body else ""
        amount = _signed(row.kind, body)
        total = money(body["total_cents"]) if "total_cents" in body else ""
        yield Message(
            "{n:>5}  {date:<10}  {amount:>12}  {total:>12}  {words}",
            n=row.n,
            date=date,
            amount=amount,
            total=total,
            words=_words(row.kind, body),
        )
    if rows:
        yield ""
    for orphelin in said.all():
        standing = _standing(orphelin, day)
        if standing:
            yield Message("Number {n}: {standing}.", n=orphelin.n, standing=standing)
    yield Message("Balance of the account « orphelins »: {money}", money=money(said.total_cents))


def house_lines(found: list[tuple[Path, Orphelins]]) -> Iterator[str]:
    """The balance of each register, and of the house's account.

    Art. 8: « dont le solde créditeur, en fin de saison, représente une somme égale au total général
    donné par le carnet ».
    """
    for path, said in found:
        yield Message("{money:>14}  {path}", money=money(said.total_cents), path=path)
    total = sum(said.total_cents for _, said in found)
    yield Message("{money:>14}  the house's account « orphelins »", money=money(total))


def place(body: Any) -> str:
    """The position of a stake in words."""
    return money_text.place(body["bet"], tuple(body["on"]))


def _words(kind: str, body: Any) -> str:
    if kind == MARKED:
        return Message(
            "found on {place} after coup {coup} by {who}",
            place=place(body),
            coup=body["coup"],
            who=body["who"],
        )
    if kind == FOUND:
        return Message(
            "money found after coup {coup} by {who}: {where}",
            coup=body["coup"],
            who=body["who"],
            where=body["where"],
        )
    if kind == COUP:
        return Message(
            "coup {coup}: {number} {colour}",
            coup=body["coup"],
            number=body["number"],
            colour=Message(str(body["colour"])),
        )
    if kind == RETURNED:
        return Message(
            "number {number}, paid in by entry {entry}, returned by {who} to {name},"
            " {address}; {proof}",
            number=body["of"],
            entry=body["entry"],
            who=body["who"],
            name=body["name"],
            address=body["address"],
            proof=body["proof"],
        )
    if kind == CLAIMED:
        return Message(
            "number {number}, not paid in yet, given by {who} to {name}, {address}; {proof}",
            number=body["of"],
            who=body["who"],
            name=body["name"],
            address=body["address"],
            proof=body["proof"],
        )
    if kind == CORRECTED:
        right = place(body) if "bet" in body else Message("money without a bet")
        return Message(
            "number {number} should have been {right} {money}, {who} and {management}: {why}",
            number=body["of"],
            right=right,
            money=money(body["cents"]),
            who=body["who"],
            management=body["management"],
            why=body["why"],
        )
    if kind == WITHDRAWN:
        return Message(
            "number {number} was no orphelin, {who} and {management}: {why}",
            number=body["of"],
            who=body["who"],
            management=body["management"],
            why=body["why"],
        )
    if kind == CLOSED:
        return closing_notice(body["exercice"], body["cents"], body["commune"], body["receipt"])
    if kind == RENUMBERED:
        return Message("a new journal: coups count from {coup}", coup=body["coup"])
    if kind == PAID_IN:
        return Message("number {number} paid into the cash", number=body["of"])
    return Message("number {number} lost, nothing is left", number=body["of"])


def _standing(orphelin: Orphelin, day: int) -> str:
    """How a stake stands that somebody may still want to do something about; empty for others."""
    if orphelin.state == MARKED:
        worth = money(worth_cents(orphelin))
        return Message(
            "{counted} of {coups} coups counted, {worth} so far",
            counted=len(orphelin.results),
            coups=COUPS,
            worth=worth,
        )
    if orphelin.state != PAID_IN:
        return ""
    until = _date(last_day(orphelin))
    if day <= last_day(orphelin):
        return Message("can be returned to its owner until {until}, that day included", until=until)
    return Message("could be returned until {until}; the seven days are over (art. 8)", until=until)


def _signed(kind: str, body: Any) -> str:
    """What the entry moves, or is about."""
    cents = body.get("cents")
    if kind in (CORRECTED, WITHDRAWN):
        cents = body["total_cents"] - body["before_cents"]
        return money(cents) if cents >= 0 else f"-{money(-cents)}"
    if cents is None or kind == LOST:
        return ""
    return f"-{money(cents)}" if kind in (RETURNED, CLAIMED, CLOSED) else money(cents)


def _date(day: int) -> str:
    return datetime.date.fromordinal(day).isoformat()


def _table(opening: Opening) -> Table:
    """The table as it opened last. Raises Failure."""
    table_minimum = opening.table_minimum_cents
    doubled = table_minimum if table_minimum != opening.minimum_cents else None
    game = rules.load(opening.rules)
    try:
        return open_table(game, opening.minimum_cents, opening.maximum_multiples, doubled)
    except WrongInput as error:
        raise Failure(FAILED, error.sentence) from error


def _refusal(refused: Refused) -> Failure:
    why = Message(refused.why)
    said = translated(Message("{}: {}", Message(refused.rule), why) if refused.rule else why)
    return Failure(FAILED, f"{said[:1].upper()}{said[1:]}.")


def _no_limits(journal: Path) -> str:
    return Message(
        "The table of {journal} was never opened with limits, so its orphelins are"
        " not counted: give [stakes] minimum_cents to cylindre run.",
        journal=journal,
    )
