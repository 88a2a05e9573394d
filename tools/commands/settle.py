"""`cylindre settle`: what the stakes of a coup win, in the regulation's order of payment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from firmware.lib.errors import FAILED, OK, USAGE, Failure
from firmware.lib.language import N_, Message, echo, translated
from firmware.lib.named_file import open_file

if TYPE_CHECKING:
    from tools.journal.settling import Settled


_NO_TOTALS = N_("--totals is for a coup: a round of cards has none.")


@click.command(
    epilog="""\b
    Examples:
      cylindre settle stakes.json
      cylindre settle --json < stakes.json
      cylindre settle --lines < rounds.jsonl
      cylindre settle --journal var/roulette_ref/journal.db --coup 7
      cylindre settle --journal var/roulette_ref/journal.db --day 2026-10-01

    \b
    The input is one JSON object; money is whole cents:
      {"rules": "roulette_lu", "minimum_cents": 500, "number": 17, "compartment": 8,
       "stakes": [{"player": "p1", "bet": "plein", "on": [17], "cents": 500},
                  {"player": "p2", "bet": "rouge", "on": [], "cents": 700}]}
    Announced bets of a roulette are given by the cents of one piece: voisins, tiers,
    orphelins_jeu on [], finale on [4]; each becomes the stakes it is composed of.
    A round of cards has its cards in the order in which they left the shoe, and its decisions:
      {"rules": "blackjack_lu", "decks": 6, "cards": ["KS", "5D", "8S", "TC", "QH"],
       "stakes": [{"player": "p4", "seat": 4, "bet": "main", "cents": 9600}],
       "decisions": [{"seat": 4, "hand": 1, "do": "stand"}]}
    Where the regulation leaves a choice, as at boule: "maximum_multiples": {"plein": 60}, and
    "table_minimum_cents": 1000 for a table opened at twice the minimum.

    Exit codes: 0 all stakes settled, 1 a stake refused (the others are settled) or input that
    cannot be settled, 2 usage, 4 a layout that cannot be used.
    """,
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a payment or refusal.")
@click.option(
    "--totals",
    "with_totals",
    is_flag=True,
    help="With --json: then an object a player, and one of the table.",
)
@click.option(
    "--layout",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The establishment's own order of compartments (TOML).",
)
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settle again what the terminals' players had staked on --coup, as it was sealed.",
)
@click.option(
    "--lines",
    "as_lines",
    is_flag=True,
    help="Rounds of cards: one JSON object a line in, one answer a line out.",
)
@click.option("--coup", type=click.IntRange(min=1), metavar="N", help="The coup in the journal.")
@click.option(
    "--day",
    metavar="DAY",
    help="In place of --coup: the register of a gaming day, as 2026-10-01, with its totals.",
)
@click.pass_context
def command(
    ctx: click.Context,
    file: Path | None,
    as_json: bool,
    with_totals: bool,
    layout: Path | None,
    journal: Path | None,
    coup: int | None,
    day: str | None,
    as_lines: bool,
) -> None:
    """Settle the stakes in FILE, or on standard input, for the number or the cards that came.

    In words the lost stakes come first, as they are collected, then payments player by player in
    the regulation's order, and the totals; with --json all stakes player by player. Stakes that the
    regulation refuses come last, with the article and the reason. Of a journal, what was sealed at
    the call and the coup's end alone are settled. A gaming day begins at 6 in the morning, and a
    coup or a round of cards belongs to the day of its call. A round in a card table's journal is
    settled as any round.
    """
    from rules.cards.errors import CardsError
    from tools.journal import card_settling
    from tools.journal.settling import load_rules, read, settled

    if as_lines and (journal is not None or layout is not None or with_totals):
        raise Failure(USAGE, N_("Give --lines alone, or with a FILE."))
    if journal is not None or coup is not None or day is not None:
        if journal is None or (coup is None) == (day is None) or file or layout:
            text = N_("Give --journal with either --coup or --day, without a file or a layout.")
            raise Failure(USAGE, text)
        lines = _journalled(journal, coup, day or "", as_json=as_json, with_totals=with_totals)
        _say(lines, as_json=as_json)
        return
    name: str = Message("standard input") if file is None or str(file) == "-" else str(file)
    if name != str(file):
        if sys.stdin.isatty():
            echo(N_("Reading stakes from standard input; end them with Ctrl-D."), err=True)
        if as_lines:
            ctx.exit(_say_answers(sys.stdin.buffer))
        stakes = read(sys.stdin.buffer, name)
    else:
        assert file is not None
        with open_file(file, own_handles=True) as opened:
            if as_lines:
                ctx.exit(_say_answers(opened))
            stakes = read(opened, name)
    if card_settling.is_round(stakes):
        load_rules(stakes["rules"], layout, USAGE)
        if with_totals:
            raise Failure(USAGE, _NO_TOTALS)
        try:
            played = card_settling.settled_round(stakes)
        except CardsError as error:
            raise card_settling.refusal_of(error, name) from error
        told = card_settling.json_lines if as_json else card_settling.text_lines
        _say(told(played), as_json=as_json)
        if played.refused:
            ctx.exit(FAILED)
        return
    result = settled(stakes, layout, name)
    if result.unverified:
        echo(
            N_(
                "UNVERIFIED layout: the colour is that of the case in our order, which no"
                " source gives. Give the establishment's own with --layout."
            ),
            err=True,
        )
    _say(_lines(result, as_json=as_json, with_totals=with_totals), as_json=as_json)
    if result.refused:
        ctx.exit(FAILED)


def _say_answers(file: BinaryIO) -> int:
    """Answers each line of a file of rounds; returns the exit status."""
    import gc

    from tools.journal.card_settling import answers

    gc.freeze()  # what is here stays: a round leaves nothing behind that goes in circles
    status = OK
    for answer, is_whole in answers(file):
        click.echo(answer)
        if not is_whole:
            status = FAILED
    return status


def _lines(result: Settled, *, as_json: bool, with_totals: bool) -> Iterator[str]:
    from tools.journal import settling

    if as_json:
        return settling.json_lines(result, with_totals=with_totals)
    return settling.text_lines(result)


def _journalled(
    journal: Path, coup: int | None, day: str, *, as_json: bool, with_totals: bool
) -> Iterator[str]:
    from tools.journal import card_settling, day_register, round_register
    from tools.journal.settling import settled_coup

    if coup is not None:
        played = card_settling.of_journal(journal, coup)
        if played is not None:
            if with_totals:
                raise Failure(USAGE, _NO_TOTALS)
            told = card_settling.json_lines if as_json else card_settling.text_lines
            return told(played)
        card_settling.check_ended(journal, coup)
        return _lines(settled_coup(journal, coup), as_json=as_json, with_totals=with_totals)
    rounds = round_register.read_day(journal, day)
    if rounds is not None:
        if as_json:
            return round_register.json_lines(rounds, with_totals=with_totals)
        return round_register.text_lines(rounds)
    register = day_register.read_day(journal, day)
    if as_json:
        return day_register.json_lines(register, with_totals=with_totals)
    return day_register.text_lines(register)


def _say(lines: Iterator[str], *, as_json: bool) -> None:
    for line in lines:
        click.echo(line if as_json else translated(line))
