"""What reads lines of JSON, files that people write, and traces: a sentence, or what it says."""

from __future__ import annotations

import contextlib
import io
import json
import zlib
from typing import Any

import boards
from firmware.api import requests, values
from firmware.bus import record
from firmware.client import ask
from firmware.config import layout_file
from firmware.config.survey import ConfigError, Source, Survey
from firmware.keys import people
from firmware.lib.errors import Failure
from firmware.lib.language import unpacked
from firmware.services.device import manifest
from firmware.services.update import release, rollback
from firmware.store import checked_lines, rows
from firmware.text.trace import TraceError, TraceReader
from tools.hil import scenario_file

_BOARD = boards.load("roulette_ref")
_KINDS = (*rows.SIGNED, rows.FRAM, rows.ACT, "evidence")


def _request(data: bytes) -> None:
    try:
        asked = requests.parse(data[: requests.LINE_MAX], 36)
    except values.Refused:
        return
    assert asked.do in requests.NAMES


def _people(data: bytes) -> None:
    try:
        found = people.parse(data)
    except people.PeopleError:
        return
    again = people.parse(b"".join(people.encode(person) for person in found))
    assert again == found


def _way_back(data: bytes) -> None:
    try:
        found = rollback.parse(data)
    except Failure:
        return
    assert rollback.parse(rollback.text(found)) == found


def _release(data: bytes) -> None:
    """What a bundle, or a slot, says that it is."""
    try:
        found = release.parse(data)
    except ValueError:
        return
    assert release.parse(release.text(found).encode()) == found
    assert release.parse_version(found.version) > ()


def _manifest(data: bytes) -> None:
    try:
        found = manifest.parse(data)
    except manifest.NoManifestError:
        return
    assert manifest.text_of(found) == data


def _answer(data: bytes) -> None:
    """What a controller has refused with, as a client tells it."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return
    told = unpacked(found, "a sentence")
    assert told == "a sentence"
    assert str(ask.sentences({"text": "no", "remedy": "ask", "said": found})) == "no ask"


def _checked_lines(data: bytes) -> None:
    """Lines with a right checksum, whatever they say; and as they come."""
    text = data.replace(b"\n", b" ")
    closed = b'%s,"crc":"%08x"}\n' % (text[:-1], zlib.crc32(text))
    for line in (closed, data):
        with contextlib.suppress(checked_lines.Damaged):
            checked_lines.fold(io.BytesIO(line + data), lambda row: row.body["kind"])
        row = checked_lines.decode(line)
        if row is not None and _is_plain(row.body):
            assert checked_lines.decode(checked_lines.encode(row)) == row


def _is_plain(value: Any) -> bool:
    """Returns whether JSON writes it as it stands: no number that is none."""
    try:
        json.dumps(value, allow_nan=False).encode()
    except ValueError:
        return False
    return True


def _row(data: bytes) -> None:
    """A row of a journal, decoded as it is for whoever reads it."""
    row = rows.Row(1, "2026-11-25T12:00:00Z", _KINDS[len(data) % len(_KINDS)], data, bytes(32))
    assert not rows.is_whole(row, rows.START)
    try:
        found = rows.decoded(row)
    except (ValueError, RecursionError):
        return
    assert (found.n, found.kind) == (1, row.kind)
    if row.kind in record.OUTCOMES:
        json.dumps(found.body, allow_nan=False)


def _configuration(data: bytes) -> None:
    text = _text(data)
    survey = Survey("cylindre.toml")
    try:
        survey.add_file(Source("cylindre.toml", text))
    except ConfigError as error:
        _check_sentences(error.sentences)
        return
    _check_sentences([str(mistake) for mistake in survey.mistakes])


def _layout(data: bytes) -> None:
    try:
        found = layout_file._parse(_text(data), "layout.toml", None, None)
    except layout_file.LayoutError as error:
        _check_sentences(error.sentences)
        return
    assert len(found["layout"]) == len(found["colours"])


def _scenario(data: bytes) -> None:
    try:
        found = scenario_file.parse(_text(data), name="fuzzed", where="fuzzed.toml")
    except Failure:
        return
    again = scenario_file.parse(scenario_file.write(found), name="fuzzed", where="fuzzed.toml")
    assert again == found


def _trace(data: bytes) -> None:
    try:
        reader = TraceReader("fuzzed.vcd", io.BytesIO(data), _BOARD)
        now_us = 0
        for at_us, line, _ in reader.edges():
            assert at_us >= now_us
            assert line < len(reader.lines)
            now_us = at_us
    except TraceError:
        pass


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _check_sentences(sentences: list[str]) -> None:
    """Whatever somebody wrote, what is said of it can be printed on a terminal."""
    for sentence in sentences:
        assert all(letter.isprintable() or letter == "\n" for letter in sentence), repr(sentence)


# fmt: off
_READERS = (
    _request, _people, _way_back, _answer, _checked_lines, _row, _configuration, _layout, _scenario,
    _trace, _release, _manifest,
)
# fmt: on


def play(data: bytes) -> None:
    """Gives all but the first byte to the reader that it names."""
    if data:
        _READERS[data[0] % len(_READERS)](data[1:])
