"""What click refuses is said in sentences of ours, in both languages, with what is expected."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from firmware.lib import language
from firmware.lib.catalogue import TEXT_MAX
from firmware.lib.errors import CONFIGURATION, USAGE
from firmware.lib.language import translated
from tools import cli
from tools.commands import group

CLICKS = ("valid integer", "valid float", "range", "x>=", "<=x")


def parameters(command: click.Command, words: str = "") -> Iterator[tuple[str, click.Parameter]]:
    """Every parameter of a command and of those below it, with what it is called."""
    for param in command.params:
        yield f"{words} {max(param.opts, key=len)}".strip(), param
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from parameters(below, f"{words} {name}".strip())


PARAMETERS = list(parameters(group.cylindre))
NUMBERS = [
    pytest.param(param, id=name)
    for name, param in PARAMETERS
    if isinstance(param.type, click.types.IntParamType | click.types.FloatParamType)
]
# A line, and what is said of it in English and in French.
# fmt: off
SAID = {
    "sim --coups x": ("'x' is not a whole number from 1 to 1000000.",
                      "« x » n'est pas un nombre entier de 1 à 1000000."),
    "line 99": ("'99' is not a whole number from 2 to 40.",
                "« 99 » n'est pas un nombre entier de 2 à 40."),
    "journal show j.db 0": ("'0' is not a whole number of at least 1.",
                            "« 0 » n'est pas un nombre entier d'au moins 1."),
    "manual x": ("'x' is not a whole number.", "« x » n'est pas un nombre entier."),
    "hand cover rim0 --for 0": ("'0' is not a number above 0, up to 60.",
                                "« 0 » n'est pas un nombre de plus de 0, jusqu'à 60."),
    "calibrate --rpm nan": ("'nan' is not a number from 5 to 28.",
                            "« nan » n'est pas un nombre de 5 à 28."),
}
# fmt: on


@pytest.fixture(autouse=True)
def of_nobody() -> Iterator[None]:
    yield
    language.choose(None)


@pytest.mark.parametrize("param", NUMBERS)
@pytest.mark.parametrize("value", ["abc", "", "-1x", "9" * 100, "9" * 4000])
def test_no_number_is_refused_in_words_of_clicks_own(param: click.Parameter, value: str) -> None:
    try:
        param.type.convert(value, param, None)
    except click.BadParameter as error:
        said = error.format_message()
        assert not [words for words in CLICKS if words in said]
        assert "number" in said
        assert "nombre" in translated(said, "fr") or len(said) > TEXT_MAX
    else:
        assert value.startswith("99")  # where there is no bound


@pytest.mark.parametrize("line", SAID)
def test_a_number_that_is_refused_is_said_with_what_is_expected(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for chosen, sentence in zip(language.LANGUAGES, SAID[line], strict=True):
        assert cli.main([*line.split(), "--lang", chosen]) == USAGE
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "config check FILE", "config show FILE", "config apply FILE --file /dev/null --dry-run",
        "run --config FILE", "table --config FILE", "sim --config FILE",
        "rules roulette_lu --layout FILE",
        "orphelins list --config FILE", "replay t.vcd --board roulette_ref --config FILE",
    ],
)  # fmt: skip
def test_a_configuration_that_may_not_be_read_is_as_one_that_is_missing(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wheel.toml"
    monkeypatch.chdir(tmp_path)
    words = line.replace("FILE", str(path)).split()
    missing = cli.main(words)
    capsys.readouterr()
    path.touch()
    _forbid(path, monkeypatch)
    unreadable = cli.main(words)
    said = capsys.readouterr()
    assert f"{path}: permission denied" in said.out + said.err
    assert (unreadable, missing) == (CONFIGURATION, CONFIGURATION)


def _forbid(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the system refuse that file to us, as it does to all but root."""
    access, open_ = os.access, os.open

    def may(there: Any, mode: int, **more: Any) -> bool:
        return os.fspath(there) != str(path) and access(there, mode, **more)

    def opened(there: Any, *how: Any, **more: Any) -> int:
        if os.fspath(there) == str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return open_(there, *how, **more)

    monkeypatch.setattr(os, "access", may)
    monkeypatch.setattr(os, "open", opened)
