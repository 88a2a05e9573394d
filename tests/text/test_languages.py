"""Commands speak the language of --lang, else of the environment; JSON is never translated."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.keys import pin_entry
from firmware.lib import language
from firmware.lib.catalogue import catalogue
from firmware.lib.language import Message, listed, translated
from firmware.text.event_text import words_of
from tools.technician.selftest.part import Limit, judged, part_line, total
from tools.technician.selftest.person import AtTerminal

FACTS = {
    "coup_started": {"rotor": "ccw"},
    "rotor_moving": {"rotor": "cw"},
    "ball_in_track": {"ball": "ccw"},
    "no_more_bets": {},
    "ball_dropped": {},
    "detected": {},
    "void": {"reason": "two_balls"},
}


def cylindre(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: text for name, text in os.environ.items() if name not in language.VARIABLES}
    kept["PYTHONPATH"] = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-m", "tools.cli", *words],
        env=kept | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.fixture(autouse=True)
def of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in language.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(language, "_chosen", None)


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (("status", "--lang", "fr"), {}),
        (("--lang", "fr", "status"), {}),
        (("status",), {"LANG": "fr_FR.UTF-8"}),
        (("status",), {"LANG": "en_GB.UTF-8", "LC_ALL": "fr_BE"}),
        (("watch",), {"LC_ALL": "C.UTF-8", "CYLINDRE_LANG": "fr"}),
        (("watch", "--lang", "fr"), {"LANG": "en_US.UTF-8"}),
    ],
)
def test_a_refusal_is_in_the_language_asked_for(
    words: tuple[str, ...], environment: dict[str, str], tmp_path: Path
) -> None:
    ended = cylindre(*words, folder=tmp_path, **environment)
    assert ended.stderr == (
        "Aucun cylindre n'est ici. Démarrez-en un par cylindre run, ou dites par --socket lequel"
        " est visé.\n"
    )


@pytest.mark.parametrize("lang", ["", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "xx_XX.UTF-8"])
def test_any_other_language_is_english(lang: str, tmp_path: Path) -> None:
    ended = cylindre("selftest", folder=tmp_path, LANG=lang)
    assert ended.stderr == "Who tests? Give --as NAME; --quick needs nobody.\n"


def test_a_command_that_is_given_wrongly_says_so_in_french(tmp_path: Path) -> None:
    ended = cylindre("run", "--nothing", "--lang", "fr", folder=tmp_path, LANG="fr_FR.UTF-8")
    assert ended.stderr == "L'option '--nothing' n'existe pas. Voir cylindre run --help.\n"
    assert cylindre("run", folder=tmp_path, LANG="fr").stderr.startswith("Quelle carte ?")


def test_a_word_too_many_is_a_sentence_before_the_next_in_both_languages(tmp_path: Path) -> None:
    words = ("boards", "pi4", "nothing")
    assert cylindre(*words, folder=tmp_path).stderr == (
        "Got unexpected extra argument (nothing). See cylindre boards --help.\n"
    )
    assert cylindre(*words, "--lang", "fr", folder=tmp_path).stderr == (
        "Un argument de trop (nothing). Voir cylindre boards --help.\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--lang", "fr", "config", "check", "none.toml"),
        ("config", "--lang", "fr", "check", "none.toml"),
        ("config", "check", "none.toml", "--lang", "fr"),
    ],
)
def test_the_language_stands_behind_a_subcommand_too(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    ended = cylindre(*words, folder=tmp_path)
    assert ended.stderr == (
        "none.toml : aucun fichier ou dossier de ce nom. Donnez un fichier lisible.\n"
    )


def test_a_whole_coup_is_told_in_french(tmp_path: Path) -> None:
    words = ("run", "--board", "roulette_ref", "--coups", "1", "--pace", "20", "--seed", "3")
    ended = cylindre(*words, "--lang", "fr", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "On joue sur le cylindre virtuel W1" in ended.stderr
    for said in ("faites vos jeux", "bille en piste, sens ", "numéro détecté", ", case "):
        assert said in ended.stdout
    ended = cylindre(*words, "--json", folder=tmp_path, LANG="fr_FR.UTF-8")
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    assert {"coup_started", "ball_in_track", "result"} <= {each["event"] for each in events}
    assert {each["rotor"] for each in events if "rotor" in each} <= {"ccw", "cw", None}


@pytest.mark.parametrize("event", FACTS)
def test_what_happens_has_its_words(event: str) -> None:
    fact = {"event": event, "t_us": 1_500_000, "coup": 7, **FACTS[event]}
    english = words_of(fact)
    french = translated(english, "fr")
    assert french.startswith("       1.500 s  coup 7     ")
    assert french != english or event == "no_more_bets"
    assert translated(english) is english


def test_a_fault_is_told_with_its_detail_and_remedy() -> None:
    text = "W21: Beam 2 has been dark for a second with the ball elsewhere. Clean or replace that"
    fact = {"event": "fault", "t_us": 0, "code": "W21", "text": f"{text} track sensor."}
    assert words_of(fact) == f"       0.000 s  fault {text} track sensor."
    assert translated(words_of(fact), "fr") == (
        "       0.000 s  défaut W21 : La barrière 2 est coupée depuis une seconde, la bille étant"
        " ailleurs. Nettoyez ou remplacez ce capteur de piste."
    )


def test_a_selftest_is_told_in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    part = judged("rim beams", "rim1 lit, at rest", 4.0, Limit(0, 1, "% dark", "dirt"), "nothing")
    assert part_line(part).startswith("failed     rim1 lit, at rest")
    language.choose("fr")
    assert part_line(part).startswith("mauvais    rim1 libre, à l'arrêt")
    assert "4 % coupé" in part_line(part)
    assert "0 à 1" in part_line(part)
    assert translated(total([part]).words) == "mauvais, 0 bons sur 1"
    assert part.as_json()["outcome"] == "failed"


def test_what_is_asked_of_people_is_in_french(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    language.choose("fr")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert AtTerminal().ask("Take the ball out.")
    said = capsys.readouterr().err
    assert said.startswith("\n> Retirez la bille. Entrée quand c'est prêt, s pour passer : ")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n2468\n2469\n2468\n2468\n"))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert pin_entry.ask_pin("weber", None, twice=True) == "2468"
    pin, again = "Code PIN de weber : ", "Répétez pour confirmer : "
    unlike = "Les deux ne sont pas les mêmes. Tapez-le à nouveau."
    asked = [pin, pin, again, unlike, pin, again]
    assert capsys.readouterr().err.splitlines() == asked


def test_a_message_is_its_english() -> None:
    said = Message("{who} has {n:03d} of {}", "many", who=Message("technician"), n=7)
    assert said == "technician has 007 of many"
    assert json.dumps(said) == '"technician has 007 of many"'
    assert Message("a {brace} alone") == "a {brace} alone"


def test_an_error_gives_its_message_back() -> None:
    said = str(ValueError(Message("{file}: no mistakes.", file="red")))
    assert translated(said, "fr") == "red : pas d'erreur."
    assert translated(Message("{}: {}.", "a.db", Message("red")), "fr") == "a.db : rouge."


def test_texts_in_a_row_keep_their_templates() -> None:
    both = listed(["red", "black"], Message(" and ")) + "."
    assert both == "red and black."
    assert translated(both, "fr") == "rouge et noir."


def test_english_opens_no_catalogue(tmp_path: Path) -> None:
    code = (
        "import sys; from firmware.lib.language import translated; translated('Interrupted.');"
        " sys.exit('firmware.lib.catalogue' in sys.modules or 'gettext' in sys.modules)"
    )
    environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "LANG": "C"}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, check=True)


def test_what_came_as_text_is_recognised_sentence_by_sentence() -> None:
    recognised = catalogue("fr").recognised
    assert recognised("weber is technician. Let a supervisor do that.") == (
        "weber est technicien. Demandez-le à un responsable."
    )
    assert recognised("The moon is made of cheese.") is None


def test_what_follows_a_quotation_of_the_law_is_translated_and_the_quotation_is_not() -> None:
    recognised = catalogue("fr").recognised
    quoted = "« Chaque joueur place ses mises individuellement » : "
    assert recognised(f"{quoted}sign on first") == f"{quoted}inscrivez-vous d'abord"
    assert recognised(f"{quoted}the moon is made of cheese") is None
    assert recognised(quoted) is None
