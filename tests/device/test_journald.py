"""Facts as entries of systemd's journal, on a real datagram socket."""

import os
import signal
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from device_rig import COMMAND, Listener, Start
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.cards.facts import CardDealt, Guide, RoundVoid
from firmware.core.facts import (
    Act,
    CallProgress,
    Detected,
    Drive,
    Fault,
    NumberKeyed,
    Result,
    Void,
)
from firmware.run import journald

# Where the socket lies is a constant of systemd; a process of the test has another.
ELSEWHERE = (
    "import sys; from firmware.run import journald; from tools import cli;"
    " journald.JournaldLog.__init__.__defaults__ = (sys.argv.pop(1),); sys.exit(cli.main())"
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


def parsed(data: bytes) -> dict[str, str]:
    """An entry as journald reads it (JOURNAL_NATIVE_PROTOCOL.md)."""
    found = {}
    while data:
        line, _, data = data.partition(b"\n")
        name, equals, value = line.partition(b"=")
        if not equals:
            (size,) = struct.unpack("<Q", data[:8])
            value, end, data = data[8 : 8 + size], data[8 + size : 9 + size], data[9 + size :]
            assert end == b"\n"
        found[name.decode()] = value.decode()
    return found


@pytest.mark.req("IEC-CR-6.2")
@pytest.mark.parametrize(
    ("fact", "wanted"),
    [
        (
            Result(7, 17, 3, 34, 9, "red", True, True),
            {"COUP": "17", "CYLINDRE_EVENT": "result", "PRIORITY": "6"},
        ),
        (Void(7, 18, 4, "two_balls"), {"COUP": "18", "PRIORITY": "5"}),
        (
            CardDealt(7, 18, 4, "d*", None),
            {"ROUND": "18", "CYLINDRE_EVENT": "card_dealt", "PRIORITY": "6"},
        ),
        (RoundVoid(7, 18, 4, "croupier", ()), {"ROUND": "18", "PRIORITY": "5"}),
        (
            Fault(7, "W21", "W21: beam 3 dark."),
            {"FAULT_CODE": "W21", "MESSAGE": "fault W21: beam 3 dark.", "PRIORITY": "4"},
        ),
        (
            Act(7, "selftest", "weber", "supervisor", "passed", "ab" * 32),
            {"TECH_ID": "weber", "MESSAGE": "selftest by weber, supervisor: passed"},
        ),
    ],
)
def test_an_entry_has_the_fields_to_search_by(fact: Any, wanted: dict[str, str]) -> None:
    found = journald.fields(fact)
    assert found is not None
    assert wanted.items() <= found.items()
    assert parsed(journald.entry(found)) == found


def test_what_stands_on_the_croupiers_screen_is_no_entry() -> None:
    assert journald.fields(Guide(7, "next", (), 0, None)) is None


@pytest.mark.parametrize(
    "fact", [NumberKeyed(7, 1, 17, None), Drive(1, None), CallProgress(7, 3, 1, "learned")]
)
def test_what_is_the_croupiers_alone_or_an_order_is_no_entry(fact: Any) -> None:
    assert journald.fields(fact) is None


def test_a_number_that_is_not_yet_official_is_in_no_entry() -> None:
    found = journald.fields(Detected(7, 1, 17, 9))
    assert found is not None
    assert "17" not in "".join(found.values())


@given(st.dictionaries(st.sampled_from(("MESSAGE", "COUP", "TECH_ID")), TEXT))
def test_whatever_a_value_holds_it_is_read_back(found: dict[str, str]) -> None:
    assert parsed(journald.entry(found)) == found


def test_a_journal_that_does_not_read_or_is_gone_is_never_waited_for(
    listener: Callable[[str], Listener],
) -> None:
    systemd = listener("journal")
    log = journald.JournaldLog(str(systemd.path))
    for coup in range(5000):  # far more than the queue holds
        log.take_fact(Void(7, coup, 4, "timeout"))
    first = systemd.next()
    assert first is not None and parsed(first)["COUP"] == "0"
    systemd.close()
    os.unlink(systemd.path)
    log.take_fact(Void(7, 1, 4, "timeout"))
    log.close()


def test_a_controller_under_systemd_writes_its_coups_there(
    listener: Callable[[str], Listener], start: Start, tmp_path: Path
) -> None:
    systemd = listener("journal")
    ours, theirs = socket.socketpair()
    stat = os.fstat(ours.fileno())
    words = [COMMAND[0], "-P", "-c", ELSEWHERE, str(systemd.path)]
    process = start(
        *(*words, "run", "--board", "boule_ref", "--seed", "3"),
        env={"JOURNAL_STREAM": f"{stat.st_dev}:{stat.st_ino}"},
        stderr=ours,
    )
    entry = parsed(systemd.until(lambda told: b"COUP=1\n" in told))
    assert entry["SYSLOG_IDENTIFIER"] == "cylindre"
    assert entry["CYLINDRE_EVENT"] == "coup_started"
    assert entry["MESSAGE"] == "coup 1     bets open"
    process.send_signal(signal.SIGTERM)
    entry = parsed(systemd.until(lambda told: b"=void\n" in told))
    assert (entry["COUP"], entry["PRIORITY"]) == ("1", "5")
    ours.close()
    theirs.close()


def test_who_was_started_by_hand_writes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inherited from a session under systemd, $JOURNAL_STREAM is another's."""
    assert journald.log({}) is None
    assert journald.log({"JOURNAL_STREAM": "1:1", "INVOCATION_ID": "x"}) is None
    assert journald.log({"JOURNAL_STREAM": ""}) is None
