"""What a command says to people has its French: no line and no word of English is left in it."""

import contextlib
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.lib import language
from tools.cli import main

# Small words of a sentence of ours in English; French has none of them.
ENGLISH = re.compile(
    r"(?<![\w./-])(the|is|are|was|not|and|must|cannot|has|with|this|there|its|it|of|by|from|give)"
    r"(?![\w./-])",
    re.I,
)
WORD = re.compile("[a-zA-Z]{3}")
# Names, keys, hashes and what the law says in French.
ALLOWED = re.compile(
    r"""^\s*[0-9]+\ +[\w./]+$  # a file of a bundle, its size before it
    |^[ \w]+\ +\d+\ \ (in|out|uart|i2c)\b  # a pin
    |│  # pins
    |^\s+([\w./-]+\.key)$
    |^FRAM:\ |^kid\ |^[a-z]+\.\w+\ \ +  # a key of a configuration
    |^\s*[A-Za-z]\w+:\ [\w-]+(,\ \w+)?$
    |^\ \ zéro|^\d+,\ \w+,\ (im)?pair\ et\ (manque|passe)$  # as it is announced in French
    |art\.\ |^(roulette|blackjack|baccarat)_live\ |^\ +\d+,\ \w+  # rules and their announcements
    |^[*\ ]\ \w+\ +\(  # a key of a card game's house
    |^Règles\ complètes\ |^arrêté\ ministériel\ |^\s+«\ [^»]*»$|^banque:\ # texts and cards
    """,
    re.X,
)
# fmt: off
COMMANDS = {
    "doctor": ("doctor", "doctor --board pi4", "doctor --board nothing", "doctor --user nobody9",
               "doctor --config none.toml --board roulette_ref"),
    "support-bundle": ("support-bundle", "support-bundle --board roulette_ref --dry-run",
                       "support-bundle --board roulette_ref --out none/a.tar.gz",
                       "support-bundle --board roulette_ref --keys none",
                       "support-bundle --board roulette_ref --out a.tar.gz"),
    "support": ("support read a.tar.gz", "support read none.tar.gz", "support read bad.toml",
                "support read a.tar.gz --file none", "support read a.tar.gz --dry-run",
                "support read a.tar.gz --extract . --dry-run",
                "support read a.tar.gz --extract new --dry-run"),
    "journal": ("journal tail {journal}", "journal show {journal} 1", "journal show {journal} 99",
                "journal show 3", "journal verify {journal} --keys {keys}",
                "journal verify none.db --keys {keys}", "journal verify {journal} --keys none",
                "journal verify cut.db --keys {keys}", "journal export none.db",
                "journal adopt {journal} --keys {keys}", "journal adopt none.db --keys {keys}",
                "journal adopt {journal} --keys {keys} --gone",
                "journal adopt none.db --keys {keys} --gone"),
    "update": ("update status", "update install none.raucb", "update rollback",
               "update keys . --dry-run",
               "update make a.raucb --version x --board pi4 --key none --cert none",
               "update make a.raucb --image none --version 1 --board pi4 --key none --cert none"),
    "config": ("config check good.toml", "config check bad.toml", "config check none.toml",
               "config show good.toml", "config show bad.toml",
               "config apply good.toml --file good.toml --dry-run",
               "config apply other.toml --file good.toml --dry-run",
               "config apply other.toml --file good.toml",
               "config settle --file good.toml --dry-run"),
    "verify-install": ("verify-install", "verify-install .", "verify-install installed"),
    "people": ("people list --board roulette_ref", "people list --file open.jsonl",
               "people add anna --role croupier", "people list",
               "people add anna --role croupier --file people.jsonl --pin-file none",
               "people add anna --role croupier --file people.jsonl --pin-file short",
               "people remove anna --file people.jsonl"),
    "employee": ("employee on anna --pin-file pin", "employee on", "employee on none"),
    "shift": ("shift 4 --as weber --pin-file pin", "shift 4", "shift x --as weber"),
    "acknowledge": ("acknowledge H12 --why no --as weber --pin-file pin",
                    "acknowledge H12 --as weber", "acknowledge W21 --why no --as weber"),
    "act": ("act ball --as weber --pin-file pin", "act ball", "act poetry --as weber"),
    "unseat": ("unseat 3 --employee anna --why no --pin-file pin", "unseat",
               "unseat x --employee anna --why no", "unseat 3 --employee anna --why no"),
    "orphelins": ("orphelins list --board roulette_ref", "orphelins list",
                  "orphelins list --board nothing",
                  "orphelins mark plein 1x --cents 500 --croupier anna --board roulette_ref",
                  "orphelins mark plein 17 --cents 5 --croupier anna --board roulette_ref"
                  " --pin-file pin"),
    "key": ("key show --keys {keys}", "key show --keys none",
            "key rotate --keys {keys} --journal none.db"),
    "provision": ("provision new", "provision new --displays 1",
                  "provision good.toml --displays 1"),
    "image": ("image build --board pi4 --deb none.deb --out a.img --dry-run",
              "image build --board pi4 --deb good.toml --out a.iso",
              "image build --board roulette_ref --deb none.deb --out a.img",
              "image build --board nothing --deb none.deb --out a.img"),
    "flash": ("flash", "flash none.img /dev/none", "flash bad.toml /dev/none",
              "flash --mcu /dev/none", "flash none.img /dev/none --mcu /dev/none"),
    "settle": ("settle none.json", "settle stakes.json", "settle unknown.json", "settle bad.toml",
               "settle --journal {journal} --coup 1", "settle --journal {journal}",
               "settle round.json", "settle short_round.json", "settle foreign_round.json",
               "settle limits.json", "settle odd_round.json", "settle round.json --lines --totals"),
    "rules": ("rules", "rules roulette_lu", "rules vingt_trois_fr", "rules boule_fr", "rules nope",
              "rules --layout bad.toml", "rules roulette_lu --layout bad.toml",
              "rules blackjack_lu", "rules blackjack_live", "rules baccarat_live",
              "rules punto_2000", "rules blackjack_lu --layout bad.toml"),
    "boards": ("boards", "boards pi4", "boards roulette_ref", "boards nothing", "boards pi4 extra",
               "boards pi4 two more"),
    "pinout": ("pinout pi4", "pinout roulette_ref", "pinout nothing", "pinout pi4 --dry-run",
               "pinout pi4 --svg a.svg --json", "pinout pi4 --svg a.svg --dry-run"),
    "explain": ("explain 1", "explain 99", "explain 1 --journal none.db"),
    "call": ("call status",),
    "safe": ("safe --keys none", "safe --keys none --board pi4", "safe --keys {keys} --board pi4",
             "safe --keys new --board pi4 --port /dev/none"),
    "orders": ("orders --folder orders --dry-run",),
    "void": ("void",), "confirm": ("confirm",), "clear": ("clear",),
    "manual": ("manual 17 --croupier a --management b --why x --croupier-pin-file pin"
               " --management-pin-file pin",),
    "correct": ("correct 1 --croupier a --management b --why x",),
    "replay": ("replay none.vcd --board roulette_ref", "replay bad.toml --board roulette_ref",
               "replay bad.toml", "replay .",
               "replay short.vcd --board roulette_ref --truth short.truth.json",
               "replay short.vcd --board roulette_ref --truth stakes.json",
               "replay short.vcd --board roulette_ref --truth bad.truth.json"),
    "hand": ("hand lift",), "table": ("table --board pi4",), "status": ("status",),
    "watch": ("watch",), "line": ("line 0",), "display": ("display --json --terminal",),
    "calibrate": ("calibrate", "calibrate show none --keys {keys}"),
    "selftest": ("selftest", "selftest --board nothing --quick"),
    "terminal": ("terminal --port /dev/none --keys new --address 1",
                 "terminal --port /dev/none --keys none --address 1",
                 "terminal --port /dev/none --keys seats --address 1 --script bets.txt",
                 "terminal --port /dev/none --keys seats --address 1 --script none.txt",
                 f"terminal --port /dev/none --keys seats --address 1 --player {'x' * 25}"),
    "hil": ("hil run nope", "hil run beam_drak", "hil faults nope",
            "hil run beam_dark --place mars", "hil run beam_dark --place virtuel"),
    "gateway": ("gateway --slow-rpm 30 --fast-rpm 10",),
}
# fmt: on


# A rotor that begins to turn, and what happened then.
_SHORT = "\n".join([
    "$timescale 1 us $end", "$scope module wheel $end",
    "$var wire 1 a enc_a $end", "$var wire 1 b enc_b $end",
    "$upscope $end", "$enddefinitions $end", "$dumpvars", "0a", "0b", "$end",
    *(f"#{2_000_000 + 20_000 * at}\n{int(at % 4 < 2)}{'ab'[at % 2]}" for at in range(200)),
    "#9000000", "",
])  # fmt: skip
_COUP = {"kind": "clean", "expect": "result", "number": 17, "compartment": 8, "t_start": 2.0}
_WRONG = (
    {"t_drop": 0.5}, {"t_drop": "x"}, {"t_dorp": 1}, {"compartment": 99}, {"compartment": 9},
    {"compartment": None}, {"compartment": None, "number": None}, {"hop_t": 3.0}, {"kind": 1},
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A coup that was played, and files with mistakes."""
    folder = tmp_path_factory.mktemp("french")
    files = {
        "good.toml": '[wheel]\nboard = "roulette_ref"\n',
        "other.toml": '[wheel]\nboard = "roulette_ref"\n[rotor]\nrpm = 20\n',
        "bad.toml": "[wheel]\nnope = 1\n[table]\nx = 2\n[stakes]\nminimum_cents = -3\n",
        "open.jsonl": "x\n",
        "pin": "2468\n",
        "short": "1\n",
        "stakes.json": json.dumps(
            {
                "rules": "roulette_lu",
                "minimum_cents": 100,
                "number": 17,
                "stakes": [
                    {"player": "p1", "bet": "plein", "on": [17], "cents": 500},
                    {"player": "p1", "bet": "plein", "on": [99], "cents": 500},
                    {"player": "p2", "bet": "rouge", "on": [], "cents": 50},
                    {"player": "p3", "bet": "chevall", "on": [1, 9], "cents": 200},
                ],
            }
        ),
        "unknown.json": '{"rules": "roulette_l", "minimum_cents": 100}',
        "round.json": json.dumps(_ROUND),
        "short_round.json": json.dumps(_ROUND | {"cards": _ROUND["cards"][:2]}),
        "foreign_round.json": json.dumps(_ROUND | {"house": {"h17": True}}),
        "odd_round.json": json.dumps(_ROUND | {"stakes": [_ROUND["stakes"][0] | {"cents": 9601}]}),
        "limits.json": json.dumps(
            {"rules": "blackjack_lu", "minimum_cents": 20_000, "stakes": _ROUND["stakes"]}
        ),
        # It ends in the middle of its coup: void, though a number was expected.
        "short.vcd": _SHORT,
        "short.truth.json": json.dumps([_COUP]),
        "bad.truth.json": json.dumps([_COUP | wrong for wrong in _WRONG] + [{}, 3]),
        "orders/a.order": "x\n",
        "bets.txt": "rouge\nblue 5\nplein x 5\nback\nrepeat 2\n",
        "installed/usr/share/cylindre/manifest": "short\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
    (folder / "open.jsonl").chmod(0o644)
    with contextlib.chdir(folder):
        play = "run --board roulette_ref --coups 1 --pace 20 --seed 3 --json"
        assert main(play.split()) == 0
        assert main("provision new --displays 1".split()) == 0
        assert main("provision seats --terminals 1".split()) == 0
    journal = folder / "var/roulette_ref/journal.db"
    data = bytearray(journal.read_bytes())
    data[-200:-190] = b"0123456789"
    (folder / "cut.db").write_bytes(data)
    return folder


_ROUND: dict[str, Any] = {
    "rules": "blackjack_lu",
    "stakes": [
        {"player": "p4", "seat": 4, "bet": "main", "cents": 9600},
        {"player": "p4", "seat": 4, "bet": "perfect_pairs", "cents": 1000},
    ],
    "cards": ["3S", "5D", "KS", "6C", "8S", "6D"],
    "decisions": [{"seat": 4, "do": "hit"}, {"seat": 4, "do": "stand"}],
}


@pytest.fixture(autouse=True)
def of_nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (*language.VARIABLES, "CYLINDRE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    yield
    language.choose(None)


def english_left(english: list[str], french: list[str]) -> list[str]:
    """The lines of the French that are English, whole or in part."""
    return [
        line
        for line in french
        if WORD.search(line)
        and not ALLOWED.search(line)
        and (line in english or ENGLISH.search(line))
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_leaves_no_english_in_its_french(
    command: str,
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    journal, keys = "var/roulette_ref/journal.db", "var/roulette_ref/keys"
    left = {}
    for line in COMMANDS[command]:
        words = shlex.split(line.format(journal=journal, keys=keys))
        said = {}
        for chosen in language.LANGUAGES:
            monkeypatch.setenv("CYLINDRE_LANG", chosen)
            with contextlib.suppress(FileNotFoundError):
                os.remove("a.tar.gz") if command == "support-bundle" else None
            main(words)
            out, err = capfd.readouterr()
            said[chosen] = [*out.splitlines(), *err.splitlines()]
        assert any(map(WORD.search, said["en"])), line
        if found := english_left(said["en"], said["fr"]):
            left[line] = found
    assert left == {}


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("No problem was found.", "No problem was found."),
        ("none.toml: There is no such file.", "none.toml : There is no such file."),
        ("a: it does not end", "a : it does not end"),
    ],
)
def test_a_line_that_stays_english_is_found(english: str, french: str) -> None:
    assert english_left([english], [french]) == [french]
    assert english_left([english], ["Aucun problème n'a été trouvé."]) == []
