"""Somebody logs in at a running controller, and what was done stands in its journal."""

import json

import pytest
from config_bench import PIN, Wheel

from firmware.client.session import DETAIL_MAX, Session
from firmware.keys.rotation import public_keys
from firmware.lib.errors import FAILED, NO_DEVICE, OK, Failure
from firmware.store import acts
from tools import cli


def test_who_is_logged_in_asks_and_acts_and_after_the_end_no_more(wheel: Wheel) -> None:
    with Session(wheel.sockets, "weber", PIN) as session:
        assert (session.name, session.role) == ("weber", "supervisor")
        assert session.ask({"do": "parts"})["ok"]
        session.act("config", "x" * 1_000, "0" * 64)
    with pytest.raises(Failure, match="Log in again") as caught:
        session.ask({"do": "parts"})
    assert caught.value.exit_code == FAILED
    (act,) = wheel.acts()
    assert (act["who"], act["detail"], act["sha256"]) == ("weber", "x" * DETAIL_MAX, "0" * 64)


def test_refusals_are_failures_with_the_controllers_words(wheel: Wheel) -> None:
    with pytest.raises(Failure, match="the name or the PIN is wrong"):
        Session(wheel.sockets, "weber", "111222").__enter__()
    with pytest.raises(Failure, match="No controller is running") as caught:
        Session(wheel.folder, "weber", PIN).__enter__()
    assert caught.value.exit_code == NO_DEVICE


def test_what_is_no_act_is_refused(wheel: Wheel) -> None:
    with Session(wheel.sockets, "weber", PIN) as session, pytest.raises(Failure, match="what"):
        session.act("poetry", "a sonnet")


def test_work_on_the_wheel_stands_in_its_journal_signed(
    wheel: Wheel, capsys: pytest.CaptureFixture[str]
) -> None:
    (wheel.folder / "pin").write_text(PIN)
    who = ("--as", "weber", "--pin-file", f"{wheel.folder}/pin", "--socket", str(wheel.sockets))
    assert cli.main(["act", "levelled", *who]) == OK
    assert cli.main(["act", "sensor", "--note", "ring sensor 1", "--json", *who]) == OK
    said, answer = capsys.readouterr().out.splitlines()
    assert said == "Recorded: levelled."
    assert json.loads(answer) == {"ok": True, "do": "act"}
    wheel.stop()
    found = {act.what: act for act in acts.last(wheel.folder / "journal.db")}
    assert (found["levelled"].who, found["levelled"].detail) == ("weber", "")
    assert found["sensor"].detail == "ring sensor 1"
    keys = public_keys(next(wheel.folder.rglob("wheel.pub")).parent)
    for what in ("levelled", "sensor"):
        assert acts.vouched(wheel.folder / "journal.db", found[what], keys)
