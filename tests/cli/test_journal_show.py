"""`cylindre journal show` explains: why the call came, who voted what, who confirmed."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from journal_bench import EDGES, Recorder, correction, write

from firmware.core import facts
from firmware.core.coup import evidence, states
from firmware.core.faults import FAULTS, FaultKind
from firmware.lib.errors import Failure
from firmware.lib.language import translated
from firmware.store.rows import Row
from firmware.text.journal_coup import Coup, Entry, find, last_rows
from firmware.text.journal_text import explained, row_line


def played(board: str, *asked: Any, **house: Any) -> Recorder:
    recorder = Recorder(board, **house)
    recorder.play()
    for event in asked:
        recorder.ask(event)
    return recorder


def text(path: Path, number: int = 1) -> str:
    return "\n".join(explained(find(path, number)))


@pytest.mark.parametrize("board", EDGES)
def test_a_coup_is_explained_by_what_its_record_and_evidence_say(
    tmp_path: Path, board: str
) -> None:
    recorder = played(board)
    path = write(tmp_path, recorder)
    bodies = [body for kind, body in recorder.records if kind in ("result", "void")]
    notes = [body for kind, body in recorder.records if kind == "evidence"]
    for body, said in zip(bodies, notes, strict=True):
        told = text(path, body["coup"])
        assert f"Coup {body['coup']}: {body['number']} {body['colour']}.\n" in told
        assert f"{said['call']['at_us'] / 1e6:.3f} s: rien ne va plus; " in told
        assert dict(evidence.CALLS)[said["call"]["why"]] in told
        assert dict(evidence.DROPS)[said["drop"]["by"]] in told
        assert "is confirmed automatically." in told
        for sensor, compartment, residual, at_us in said.get("votes", ()):
            off = f"{residual * 360 / 1e6:+.2f} degrees"
            assert f"{at_us / 1e6:.3f} s sensor {sensor}: compartment {compartment}, {off}" in told
        assert find(path, body["coup"]).end.row.body.hex()[:8] not in told  # its digest is enough


def test_a_prediction_is_told_with_its_margin_and_what_stood_by(tmp_path: Path) -> None:
    recorder = played("roulette_ref")
    call = next(body for kind, body in recorder.records if kind == "evidence")["call"]
    call |= {"care": None, "learned": 12}
    call |= {"drop_speed_uturn_s": 500_000, "call_speed_uturn_s": 610_000}
    call["drop_us"] = call["at_us"] + 1_400_000
    told = text(write(tmp_path, recorder))
    assert "12 coups had taught that it leaves at 0.500 turns/s; with a margin of 0.110" in told
    assert "1.40 s after the call." in told
    assert "The threshold stood by at a lap of 1.43 s." in told


def test_the_gap_that_the_ball_left_in_is_told_with_its_chance(tmp_path: Path) -> None:
    recorder = played("roulette_ref")
    said = next(body for kind, body in recorder.records if kind == "evidence")
    said["gap"] = 2
    said.pop("gaps_ppm", None)
    folder = tmp_path / "new"
    folder.mkdir()
    assert "  It left between beams 2 and 0.\n" in text(write(folder, recorder))
    said["gaps_ppm"] = [12_000, 150_500, 837_500]
    told = text(write(tmp_path, recorder))
    assert "  It left between beams 2 and 0; its motion at the call gave that gap 83.8 %.\n" in told
    del said["gap"]
    older = tmp_path / "older"
    older.mkdir()
    assert "It left between" not in text(write(older, recorder))


def test_a_print_is_read_without_the_manual(tmp_path: Path) -> None:
    """What its numbers are times of, whose the compartment is, who vouches for the signature."""
    told = text(write(tmp_path, played("roulette_ref")))
    assert "Times are seconds since the coup began." in told
    assert "name compartment 5, that of 21 red, the worst" in told
    assert "that it signed, journal verify says." in told
    folder = tmp_path / "boule"
    folder.mkdir()
    told = text(write(folder, played("boule_ref")))
    assert "Cup 3, that of 4 red, alone had held the ball for 2.500 s." in told


def test_what_a_button_said_at_the_very_call_is_said_once(tmp_path: Path) -> None:
    told = text(write(tmp_path, played("vingt_trois_ref")))
    assert "0.000 s: rien ne va plus; the croupier pressed the button." in told
    assert "The button was pressed at 0.000 s" not in told


def test_happenings_are_told_in_their_order(tmp_path: Path) -> None:
    told = text(write(tmp_path, played("vingt_trois_ref")))
    places = [told.index(words) for words in ("rien ne va plus", "the rotor turns", "confirmed")]
    assert places == sorted(places)


def test_a_correction_is_told_with_both_people_and_what_it_replaced(tmp_path: Path) -> None:
    recorder = played("roulette_ref", correction(1, None), correction(1, 5))
    path = write(tmp_path, recorder)
    told = text(path)
    first = next(body["number"] for kind, body in recorder.records if kind == "result")
    assert told.startswith(f"Coup 1: 5 red now; first recorded as {first} ")
    assert (
        "seq 2 corrects seq 1 to void (declared at the table) by anna, in the presence of weber"
        in told
    )
    assert "seq 3 corrects seq 2 to 5 red by anna" in told
    assert told.count("seen on the film") == 2


def test_a_number_entered_by_hand_names_who_and_why(tmp_path: Path) -> None:
    recorder = Recorder("roulette_ref", undetected="manual")
    while recorder.core.state != states.BALL_DROPPED:
        recorder.edges, rest = recorder.edges[:500], recorder.edges[500:]
        play_only(recorder)
        recorder.edges = rest
    recorder.core.table.sensors_failed("sensors_disagree")
    recorder.take(recorder.core.table.take_outputs())
    recorder.ask(facts.ManualEntered(0, 7, None, "anna", "weber", "sensor 2 dark"))
    told = text(write(tmp_path, recorder))
    assert "7 red is entered by hand after sensors disagree by anna, in the presence of" in told
    assert "weber: sensor 2 dark." in told
    assert "fault P14: The number could not be detected: sensors disagree." in told


def test_the_end_of_a_fault_is_told_as_it_was_then(tmp_path: Path) -> None:
    recorder = played("roulette_ref")
    notes = next(body for kind, body in recorder.records if kind == "evidence")
    notes["ended"] = [[2_500_000, "B11", "1"], [None, "Z99", "rim 3"]]
    path = write(tmp_path, recorder)
    assert "2.500 s: fault B11 has ended: Display 1 answers again.\n" in text(path)
    assert "\nfault Z99 has ended: rim 3.\n" in text(path)  # of another program
    french = [translated(line, "fr") for line in explained(find(path, 1))]
    assert "2.500 s : le défaut B11 a cessé : L'afficheur 1 répond de nouveau." in french


def play_only(recorder: Recorder) -> None:
    """What is left of its edges, and the wheel goes on."""
    finish, recorder.core.finish = recorder.core.finish, lambda at_us: ()
    recorder.play()
    recorder.core.finish = finish


def test_keys_are_named_as_keys(tmp_path: Path) -> None:
    path = write(tmp_path, played("roulette_ref"))
    found = find(path, 1)
    body = found.end.body | {"manual": ["key_croupier", "key_management"]}
    by_keys = found._replace(entries=(Entry(found.end.row, body),), evidence={})
    told = "\n".join(explained(by_keys))
    assert "entered by hand by the croupier's key, in the presence of the management's key" in told
    assert "Nothing was kept that explains it." in told


def test_a_coup_that_a_restart_interrupted_says_so(tmp_path: Path) -> None:
    recorder = Recorder("roulette_ref")
    recorder.records.append(("begun", {"coup": 1}))
    end = {"coup": 1, "seq": 1, "reason": "interrupted", "rotor": 0, "ball": 0}
    recorder.records.append(("evidence", {"coup": 1, "seq": 1, "layout": None}))
    recorder.records.append(("void", end))
    told = text(write(tmp_path, recorder))
    assert "Coup 1: void (interrupted)." in told
    assert "A restart of the controller interrupted it" in told


def test_an_ended_coup_is_found_among_many_and_none_else(tmp_path: Path) -> None:
    recorder = Recorder("boule_ref")
    for number in range(1, 41):
        recorder.records.append(("begun", {"coup": number}))
        recorder.records.append(("evidence", {"coup": number, "seq": number, "who": f"p{number}"}))
        end = {"coup": number, "seq": number, "reason": "croupier", "rotor": 0, "ball": 0}
        recorder.records.append(("void", end))
    recorder.records.append(("begun", {"coup": 41}))
    path = write(tmp_path, recorder)
    for number in range(1, 41):
        found = find(path, number)
        assert found.end.body["coup"] == number
        assert found.evidence["who"] == f"p{number}", "a checkpoint may lie in between"
        assert [entry.row.kind for entry in found.entries] == ["begun", "void"]
    with pytest.raises(Failure, match="coup 41 has not ended; the last that has ended is 40"):
        find(path, 41)


def test_every_kind_of_row_has_words(tmp_path: Path) -> None:
    recorder = played("roulette_ref", correction(1, None))
    recorder.records += [
        ("employee", {"who": "anna", "present": True}),
        (
            "unseated",
            {
                "coup": 1,
                "who": "anna",
                "why": "has left",
                "terminal": 2,
                "player": "jo",
                "given_back": 1,
                "given_back_cents": 700,
            },
        ),
        ("stakes", {"coup": 1, "seal": "00", "count": 2, "total_cents": 700, "stakes": []}),
        ("something_new", [1]),
    ]
    lines = [row_line(entry) for entry in last_rows(write(tmp_path, recorder), 1000)]
    words = [line[31:] for line in lines]
    assert words[0] == "epoch 1 of the wheel table-3 begins"
    assert words[1] == "coup 1: begun"
    assert any(
        line.startswith("coup 1: corrected to void (declared at the table), seq 2")
        for line in words
    )
    assert words[-4:] == [
        "anna comes to the table",
        "coup 1: anna signs jo off at terminal 2, 700 cents given back: has left",
        "coup 1: 2 stakes of 700 cents sealed",
        "something new",
    ]


def test_what_a_file_says_never_reaches_the_terminal_as_a_command() -> None:
    row = Row(1, "2026-07-14T03:33:20Z", "employee", b"", b"")
    line = row_line(Entry(row, {"who": "\x1b[2Janna", "present": True}))
    assert line.endswith("?[2Janna comes to the table")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("evil\x1b[2J", {}),
        ("void", {"coup": 1, "seq": 1, "reason": "zz\x1b[2J"}),
        ("result", {"coup": 1, "seq": 1, "number": 5, "colour": "red\x1b[2J"}),
        ("act", {"who": "anna", "role": "x\x1b[2J", "what": "turn\x1b[2J", "detail": "y\x1b[2J"}),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_word_of_a_file_reaches_the_terminal_as_a_command(
    kind: str, body: dict[str, Any], language: str
) -> None:
    line = row_line(Entry(Row(1, "2026-07-14T03:33:20Z", kind, b"", b""), body))
    assert "[2J" in line
    assert translated(line, language).isprintable()


def test_a_correction_makes_what_stands_and_leaves_the_end_as_it_was(tmp_path: Path) -> None:
    found = find(write(tmp_path, played("roulette_ref", correction(1, 5))), 1)
    before = copy.deepcopy(found.end.body)
    assert (found.stands["number"], found.stands["seq"]) == (5, 2)
    assert found.end.body == before
    assert isinstance(found, Coup)


@pytest.fixture(scope="module")
def coup(tmp_path_factory: pytest.TempPathFactory) -> Coup:
    """One that was played, with a number."""
    return find(write(tmp_path_factory.mktemp("coup"), played("roulette_ref")), 1)


@pytest.mark.parametrize("kind", FAULTS, ids=[kind.code for kind in FAULTS])
def test_a_fault_is_told_by_its_own_sentence(kind: FaultKind, coup: Coup) -> None:
    found = coup._replace(evidence={"at_us": 9, "faults": [[1_500_000, kind.code, "1"]]})
    (told,) = [line for line in explained(found) if kind.code in line]
    assert told == f"1.500 s: fault {kind.code}: {kind.text.replace('{}', '1')}"
    french = translated(told, "fr")
    assert french.startswith(f"1.500 s : défaut {kind.code} : ")
    assert kind.text.split("{}")[0].strip() not in french


def test_a_fault_of_another_program_is_told_by_its_code(coup: Coup) -> None:
    found = coup._replace(evidence={"at_us": 9, "faults": [[None, "Z99", "1"]]})
    assert "fault Z99, which this program does not know: 1." in list(explained(found))


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("actuation", {"rotor": -1, "by": "encoder"}, "rotor clockwise, set in motion by hand"),
        ("opening", {"minimum_cents": 500}, "the table opens: minimum 500 cents"),
        (
            "act",
            {"what": "ball", "who": "weber", "role": "technician", "detail": "19 mm"},
            "another ball by weber, technician: 19 mm",
        ),
        ("act", {"what": "moved", "who": "x", "role": "supervisor"}, "moved by x, supervisor"),
        ("fram", {"state": "lost", "why": "no answer"}, "goes on without the FRAM: no answer"),
    ],
)
def test_a_row_says_what_it_means(kind: str, body: object, said: str) -> None:
    row = Row(7, "2026-11-27T05:36:24Z", kind, b"", b"")
    assert row_line(Entry(row, body)) == f"      7  2026-11-27T05:36:24Z  {said}"
    assert said not in translated(row_line(Entry(row, body)), "fr")
