"""What a player reads at a terminal is French where he chose French, refusals of the rules too."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from players import key_of, money

import rules
from firmware.bus import messages
from firmware.bus.terminal import (
    TWO_HERE,
    UNHEARD,
    WAITING_MAX,
    Decided,
    NotInPlay,
    NotTold,
    Settled,
    Terminal,
    Unseated,
)
from firmware.bus.terminal_messages import (
    BETS,
    SENTENCE_MAX,
    PutIn,
    SignOff,
    SignOn,
    Stake,
    TakeBack,
)
from firmware.lib.errors import Failure
from firmware.lib.language import translated
from firmware.services.terminal.commands import ORDERS, WrongOrder, parse, read_script
from firmware.services.terminal.player_stakes import StakeSums
from firmware.services.terminal.text import _STANDS, as_json, as_words
from firmware.stakes.answers import Answer
from firmware.stakes.book import Book
from firmware.stakes.terminal_book import STAKES_MAX

# Small words of a sentence of ours in English, and what refusals speak of; no French has them.
ENGLISH = re.compile(
    r"(?<![\w-])(the|is|are|was|not|and|must|has|with|this|there|its|it|of|by|from|lie|lies|back"
    r"|one|two|three|four|number|numbers|dozens?|columns?|cents|stake|stakes|first|no|black)"
    r"(?![\w-])",
    re.I,
)
# What is typed at a terminal is the same word in every language.
KEPT = re.compile(r"\bback (?=\d)")


def english_of(text: str) -> list[str]:
    return ENGLISH.findall(KEPT.sub("", text))


def french(event: Any) -> str:
    return translated(as_words(event, {2: Stake(7, "plein", 500, (17,))}), "fr")


def refused(ask: Any, answer: Any) -> Decided:
    return Decided(9, ask, answer.accepted, answer.rule, answer.why)


def book(game: str, *, minimum_cents: int = 100, seated: bool = True) -> Book:
    multiples = None
    if game == "roulette_live":
        multiples = {bet.name: 360 for bet in rules.load(game)["bets"]}
    opened = Book(
        rules.load(game),
        minimum_cents=minimum_cents,
        maximum_multiples=multiples,
        terminals=(1, 2),
        **money(),
    )
    opened.employee("claire", True)
    if seated:
        opened.sign_on(1, 1)
    return opened


def asks(opened: Book, bet: str, *on: int, cents: int = 200, number: int = 9) -> Answer:
    return opened.stake(1, number, coup=opened.coup, bet=bet, on=on, cents=cents)


def without_employee(opened: Book) -> Answer:
    opened.employee("claire", False)
    return asks(opened, "rouge")


def unseated(opened: Book) -> Answer:
    opened.unseat(1, "Lucie Weber")
    return asks(opened, "rouge")


def suspended(opened: Book) -> Answer:
    opened.suspend(True)
    return asks(opened, "rouge")


def signed_off(opened: Book) -> Answer:
    opened.sign_off(1)
    return asks(opened, "rouge")


def late(opened: Book) -> Answer:
    opened.close(1)
    return asks(opened, "rouge")


def sealed(opened: Book) -> Answer:
    asks(opened, "rouge", number=2)
    opened.close(1)
    return opened.take_back(1, 2)


def too_little_left(opened: Book) -> Answer:
    asks(opened, "rouge", cents=100, number=2)
    asks(opened, "rouge", cents=50, number=3)
    return opened.take_back(1, 2)


def too_much(opened: Book) -> Answer:
    asks(opened, "rouge", cents=1000, number=2)
    return asks(opened, "rouge", cents=10**9)


def too_many(opened: Book) -> Answer:
    for number in range(STAKES_MAX):
        asks(opened, "rouge", number=number + 100)
    return asks(opened, "rouge")


def stays(opened: Book) -> Answer:
    asks(opened, "rouge", number=2)
    return opened.sign_off(1)


def another_stake(opened: Book) -> Answer:
    asks(opened, "rouge", number=2)
    return asks(opened, "noir", number=2)


def no_funds(opened: Book) -> Answer:
    opened.entry("payout", {"account": 1, "cents": 10**9 - 100, "who": "claire"})
    return asks(opened, "rouge")


def barred(opened: Book) -> Answer:
    opened.entry("barred", {"account": 1, "why": "asleep", "who": "weber"})
    return opened.sign_on(1, 1)


def put_in_twice(opened: Book) -> Any:
    opened.sign_on(1, 1)
    opened.put_in(1, 5, 6, 500)
    return opened.put_in(1, 5, 7, 500)


def put_in_too_much(opened: Book) -> Any:
    opened.put_in(1, 5, 6, 2**32 * 1000)
    assert isinstance(opened.entry(*opened.take_asked()[0]), str)
    return opened.put_in(1, 5, 6, 2**32 * 1000)


def at_the_desk(opened: Book) -> Any:
    opened._put_in = False
    return opened.put_in(1, 5, 6, 500)


def no_money(opened: Book) -> Answer:
    opened.money = None
    return opened.sign_on(1, 1)


REFUSALS: dict[str, Callable[[Book], Answer]] = {
    "no employee": without_employee,
    "unseated": unseated,
    "suspended": suspended,
    "signed off": signed_off,
    "late": late,
    "sealed": sealed,
    "too little left": too_little_left,
    "too much": too_much,
    "much at once": lambda opened: asks(opened, "rouge", cents=10**9),
    "too many": too_many,
    "stays": stays,
    "another stake": another_stake,
    "no account": lambda opened: opened.sign_on(2, 99),
    "two terminals": lambda opened: opened.sign_on(2, 1),
    "two players": lambda opened: opened.sign_on(1, 2),
    "no funds": no_funds,
    "barred": barred,
    "put in twice": put_in_twice,
    "put in too much": put_in_too_much,
    "at the desk": at_the_desk,
    "nobody put in": lambda opened: opened.put_in(2, 5, 6, 500),
    "no money": no_money,
    "none lies": lambda opened: opened.take_back(1, 5),
    "too little": lambda opened: asks(opened, "rouge", cents=2),
    "simple on numbers": lambda opened: asks(opened, "rouge", 1),
    "no such number": lambda opened: asks(opened, "plein", 99),
    "plein on two": lambda opened: asks(opened, "plein", 1, 2),
}
# Of roulette's cloth alone.
ROULETTE: dict[str, Callable[[Book], Answer]] = {
    "odd": lambda opened: asks(opened, "rouge", cents=201),
    "no neighbours": lambda opened: asks(opened, "cheval", 1, 5),
    "twice": lambda opened: asks(opened, "cheval", 1, 1),
    "cheval on one": lambda opened: asks(opened, "cheval", 1),
    "no row": lambda opened: asks(opened, "transversale", 1, 2, 5),
    "transversale on one": lambda opened: asks(opened, "transversale", 1),
    "no corner": lambda opened: asks(opened, "carre", 1, 2, 3, 4),
    "carre on one": lambda opened: asks(opened, "carre", 1),
    "no rows": lambda opened: asks(opened, "sixain", 1, 2, 3, 4, 5, 7),
    "sixain on one": lambda opened: asks(opened, "sixain", 1),
    "zero": lambda opened: asks(opened, "sixain", 0, 1, 2, 3, 4, 5),
    "dozen 4": lambda opened: asks(opened, "douzaine", 4),
    "no dozen": lambda opened: asks(opened, "douzaine"),
    "column 4": lambda opened: asks(opened, "colonne", 4),
    "no column": lambda opened: asks(opened, "colonne"),
    "dozens apart": lambda opened: asks(opened, "deux_douzaines", 1, 3),
    "one of two dozens": lambda opened: asks(opened, "deux_douzaines", 1),
    "columns apart": lambda opened: asks(opened, "deux_colonnes", 1, 3),
    "one of two columns": lambda opened: asks(opened, "deux_colonnes", 1),
}
OF_GAMES = [(game, name) for game in rules.WHEEL_GAMES for name in REFUSALS]


@pytest.mark.parametrize(("game", "name"), OF_GAMES)
def test_every_refusal_of_the_controller_is_told_in_french(game: str, name: str) -> None:
    answer = REFUSALS[name](book(game))
    told = refused(Stake(1, "rouge", 200, ()), answer)
    assert not answer.accepted
    assert len(f"{answer.rule}\0{answer.why}".encode()) <= SENTENCE_MAX, "it comes whole"
    assert french(told).startswith("refusé : rouge 2.00 (")
    assert english_of(french(told)) == [], french(told)


@pytest.mark.parametrize("name", ROULETTE)
def test_every_refusal_of_the_cloth_is_told_in_french(name: str) -> None:
    answer = ROULETTE[name](book("roulette_lu"))
    told = refused(Stake(1, "rouge", 200, ()), answer)
    assert not answer.accepted
    assert english_of(french(told)) == [], french(told)


@pytest.mark.parametrize("bet", [name for _, name in BETS])
@pytest.mark.parametrize("game", rules.WHEEL_GAMES)
def test_a_bet_that_the_game_has_not_is_refused_in_french(game: str, bet: str) -> None:
    answer = asks(book(game), bet, *range(9))
    assert not answer.accepted
    assert english_of(french(refused(Stake(1, bet, 200, ()), answer))) == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            late(book("roulette_live")),
            "refusé : rouge 2.00 (rien ne va plus : aucune mise n'est prise après"
            " « rien ne va plus »)",
        ),
        (
            sealed(book("roulette_lu")),
            "refusé : rouge 2.00 (art. 37-1 : « Seules sont considérées comme ayant participé au"
            " jeu les mises effectivement placées […] au moment du « rien ne va plus » » : la mise"
            " est posée)",
        ),
        (
            signed_off(book("roulette_lu")),
            "refusé : rouge 2.00 (art. 20-3 b : « Chaque joueur place ses mises"
            " individuellement » : inscrivez-vous d'abord)",
        ),
        (
            too_much(book("roulette_lu")),
            "refusé : rouge 2.00 (art. 37-3 : 1000001000 centimes dépassent le maximum de 36000,"
            " 360 fois le minimum de 100 (dont 1000 y sont déjà))",
        ),
    ],
)
def test_a_refusal_keeps_the_words_of_its_article(answer: Any, said: str) -> None:
    assert french(refused(Stake(1, "rouge", 200, ()), answer)) == said


def test_every_state_that_comes_over_the_bus_has_words() -> None:
    assert set(_STANDS) == {name for _, name in messages.STATES}


def standings() -> Iterator[Any]:
    yield UNHEARD
    heard = UNHEARD._replace(coup=7, employee=True, seated=True)
    yield heard._replace(state="BETS_OPEN", conflict=True)
    for state in _STANDS:
        for flag in ("open", "employee", "seated"):
            yield heard._replace(state=state, **{flag: flag == "open"})


@pytest.mark.parametrize(
    "event",
    [
        *standings(),
        Decided(2, Stake(7, "plein", 500, (17,)), True, "", ""),
        Decided(2, TakeBack(3), True, "", ""),
        Decided(2, SignOn(1, key_of(1)), True, "", ""),
        Decided(0, SignOff(), False, *TWO_HERE),
        Settled(7, 17, "black", ((2, 500, 17_500), (3, 700, -700), (4, 105, 0))),
        Settled(7, None, None, ((2, 500, 0),)),
        NotInPlay(7, (2, 3)),
        NotTold(7, (2, 3)),
        Unseated(7),
        StakeSums(1205, 7, 500),
        StakeSums(0, 0, 0),
        StakeSums(None, 0, 0),
    ],
)
def test_what_happens_is_told_in_french(event: Any) -> None:
    said = french(event)
    assert said != as_words(event, {2: Stake(7, "plein", 500, (17,))})
    assert english_of(said) == [], said


def test_live_1_2_both_sums_have_their_french_name_alone() -> None:
    """Seeds 003, s. 1.2: « mise actuelle », « Dernière mise »."""
    assert (
        french(StakeSums(1205, 7, 500)) == "mise actuelle : 12.05 ; dernière mise : 5.00 (coup 7)"
    )


@pytest.mark.parametrize(
    "line",
    [
        "rouge",
        "rouge 5.50",
        "plein dix 500",
        "rogue 500",
        "xyzzy",
        "back",
        "on",
        "quit now",
        "at BETS_OPEN rouge 500",
        "at BETS_OPNE: rouge 500",
        "rouge " + "5" * 300,
    ],
)
def test_what_is_no_order_is_refused_in_french(line: str) -> None:
    with pytest.raises(WrongOrder) as caught:
        parse(line)
    said = french(caught.value)
    assert said.startswith("non envoyé : ")
    assert english_of(said) == [], said


@pytest.mark.parametrize(
    "ask",
    [
        SignOn(0, key_of(1)),
        PutIn(0),
        Stake(-1, "rouge", 1, ()),
        Stake(1, "rouge", 0, ()),
        Stake(1, "plein", 1, (100,)),
        TakeBack(0),
    ],
)
def test_what_cannot_be_sent_is_refused_in_french(ask: Any) -> None:
    with pytest.raises(ValueError, match=r"account|money|stake|coup") as caught:
        Terminal(1, b"k" * 32, 1).ask(ask)
    assert english_of(french(caught.value)) == [], french(caught.value)


def test_what_waits_too_long_is_refused_in_french() -> None:
    terminal = Terminal(1, b"k" * 32, 1)
    for _ in range(WAITING_MAX):
        terminal.ask(SignOff())
    with pytest.raises(ValueError, match="waiting") as caught:
        terminal.ask(SignOff())
    assert english_of(french(caught.value)) == [], french(caught.value)


def test_help_is_in_french() -> None:
    for text in ORDERS:
        assert translated(text, "fr") != text
        assert english_of(translated(text, "fr")) == []


def test_the_mistakes_of_a_script_are_named_in_french(tmp_path: Path) -> None:
    script = tmp_path / "bets.txt"
    script.write_text("rouge\nblue 5\n")
    with pytest.raises(Failure) as caught:
        read_script(script)
    lines = translated(caught.value.sentence, "fr").splitlines()
    assert lines[0] == f"{script}:1 : écrivez combien, en centimes entiers : rouge 500."
    assert lines[1].startswith(f"{script}:2 : il n'y a pas d'ordre « blue »")
    script.write_bytes(b"\xff")
    with pytest.raises(Failure) as caught:
        read_script(script)
    assert "Enregistrez-le en UTF-8." in translated(caught.value.sentence, "fr")


def test_json_stays_as_the_controller_said_it() -> None:
    told = refused(Stake(1, "rouge", 200, ()), signed_off(book("roulette_lu")))
    line = json.loads(as_json(told, 0, {}))
    assert line["why"] == "« Chaque joueur place ses mises individuellement » : sign on first"


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (SignOn(1, key_of(1)), "accepté : connexion au compte 1"),
        (TakeBack(3), "accepté : reprise de la mise 3"),
        (SignOff(), "accepté : déconnexion"),
    ],
)
def test_what_was_asked_is_told_in_french(ask: Any, said: str) -> None:
    assert french(Decided(1, ask, True, "", "")) == said
