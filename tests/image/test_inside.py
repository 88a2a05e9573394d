"""Questions to a started machine: here its shell is one of this machine."""

import re
import subprocess
from collections.abc import Iterator

import pytest

from tools.image import inside
from tools.image.inside import Answer, Question


@pytest.fixture
def machine() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_what_a_machine_answers_is_held_against_what_is_expected(
    machine: subprocess.Popen[bytes],
) -> None:
    questions = (
        Question("two lines", "echo one; echo two >&2", r"^two$"),
        Question("in colours", "printf '\\033[1mred\\033[0m'", r"^red$"),
        Question("nothing", "true", r"^$"),
        Question("something else", 'said=$(echo "it is"); echo "$said so"', r"^it is not so$"),
    )
    assert inside.ask(machine, questions) == [
        Answer("two lines", right=True, said="one\ntwo"),
        Answer("in colours", right=True, said="red"),
        Answer("nothing", right=True, said=""),
        Answer("something else", right=False, said="it is so"),
    ]


def test_what_the_kernel_says_in_between_is_no_answer(machine: subprocess.Popen[bytes]) -> None:
    assert machine.stdin is not None
    machine.stdin.write(b"echo '[ 12.3] @0:$( (echo no) )@ and @1:bm8=@'\n")
    assert inside.ask(machine, (Question("asked", "echo yes", "yes"),))[0].said == "yes"


def test_a_machine_that_goes_away_answers_no_more(machine: subprocess.Popen[bytes]) -> None:
    questions = (Question("leaves", "kill -9 $$", ""), Question("never asked", "true", ""))
    assert inside.ask(machine, questions) == [Answer("leaves", right=False, said="no answer")]


def test_a_wheel_is_asked_more_than_a_machine_without_configuration() -> None:
    bare, wheel = (inside.questions(configured=configured) for configured in (False, True))
    assert wheel[: len(bare)] == bare
    assert {"the controller runs", "the service page answers"} <= {each.what for each in wheel}
    for question in wheel:
        re.compile(question.expected)
        subprocess.run(["sh", "-n", "-c", question.command], check=True)
