"""What the page may only ask for is done as root, if the journal orders it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import threading
from pathlib import Path
from typing import Any

import own_journal
import pytest
import rest_files
from click.testing import CliRunner
from order_bench import NEW, Bench

from firmware.lib import private_copy
from firmware.lib.errors import Failure
from firmware.lib.order_folder import CONFIG, UPDATE, Draft, clear, detail, state
from firmware.services.device.order_runner import Orders
from tools.commands import orders as orders_command


def test_what_a_supervisor_ordered_is_done_and_answered(bench: Bench) -> None:
    bench.act(bench.order())
    (found,) = bench.carry_out()
    assert (found["ok"], found["text"]) == (True, "Done.")
    assert bench.done == [("config", NEW)]
    (told,) = state(bench.folder)
    assert (told["ok"], told["text"]) == (True, "Done.")
    assert [path.suffix for path in bench.folder.iterdir()] == [".done"]


def test_a_dry_run_says_what_waits_and_leaves_it_waiting(bench: Bench) -> None:
    ordered = bench.order()
    bench.act(ordered)
    (told,) = bench.carry_out(dry_run=True)
    assert (told["ok"], told["text"]) == (True, "weber ordered it: it would be carried out.")
    assert bench.done == []
    (done,) = bench.carry_out()
    assert done["ok"] and bench.done == [("config", NEW)]
    bench.order()
    (refused,) = bench.carry_out(dry_run=True)
    assert not refused["ok"] and "No supervisor's act" in refused["text"]


def test_what_nobody_ordered_is_not_done(bench: Bench) -> None:
    bench.order()
    (found,) = bench.carry_out()
    assert not found["ok"]
    assert "No supervisor's act" in found["text"]
    assert bench.done == []


@pytest.mark.parametrize(
    "other", [{"role": "technician"}, {"what": "update"}, {"sha256": None}, {"sha256": "0" * 64}]
)
def test_an_act_of_another_role_kind_or_file_orders_nothing(
    bench: Bench, other: dict[str, Any]
) -> None:
    bench.act(bench.order(), **other)
    assert not bench.carry_out()[0]["ok"]
    assert bench.done == []


def test_an_act_orders_once_and_that_file_alone(bench: Bench) -> None:
    first, second = bench.order(), bench.order()
    bench.act(first)
    assert [found["ok"] for found in bench.carry_out()] == [True, False]
    again = bench.order()
    assert [found["ok"] for found in bench.carry_out()] == [False]
    assert not again.exists()
    bench.act(bench.order())
    assert [found["ok"] for found in bench.carry_out()] == [True]
    assert second.stem != first.stem


def test_what_was_applied_at_the_terminal_orders_nothing_on_the_page(bench: Bench) -> None:
    bench.act(bench.order(), detail="/etc/cylindre/wheel.toml is tried: pace")
    assert not bench.carry_out()[0]["ok"]


def test_an_older_act_orders_nothing_after_a_later_one(bench: Bench) -> None:
    older, newer = bench.order(b"older"), bench.order()
    bench.act(older, b"older")
    bench.act(newer)
    kept = older.read_bytes(), older.with_suffix(".wheel.toml").read_bytes()
    older.unlink()
    assert bench.carry_out()[0]["ok"]
    older.write_bytes(kept[0])
    older.with_suffix(".wheel.toml").write_bytes(kept[1])
    assert not bench.carry_out()[0]["ok"]


def test_a_new_journal_orders_anew(bench: Bench) -> None:
    bench.act(bench.order())
    assert bench.carry_out()[0]["ok"]
    bench.store.close()
    bench.journal.unlink()
    bench.store = own_journal.opened(bench.journal)
    bench.store.write(*own_journal.result(1))
    bench.act(bench.order())
    assert bench.carry_out()[0]["ok"]


def test_an_act_that_is_written_late_is_waited_for(bench: Bench) -> None:
    path = bench.order()
    timer = threading.Timer(0.3, bench.act, (path,))
    timer.start()
    deeds = {CONFIG: bench._deed("config")}
    (found,) = Orders(bench.folder, bench.journal, bench.keys, deeds).carry_out()
    timer.join()
    assert found["ok"]


def test_a_disk_that_is_full_is_told_and_the_order_taken_away(bench: Bench) -> None:
    bench.act(bench.order())
    bench.full = True
    (found,) = bench.carry_out()
    assert (found["ok"], found["text"]) == (False, "/etc/cylindre: no space left on device.")
    assert [path.suffix for path in bench.folder.iterdir()] == [".done"]


def test_an_upload_leaves_the_journal_its_room(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_copy, "SMALL", 0)
    draft = Draft(bench.folder, UPDATE)
    draft.write(b"a piece")
    least = private_copy.RESERVE + len(b"another")
    usage = shutil.disk_usage(bench.folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=least))
    draft.write(b"another")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=least - 1))
    with pytest.raises(Failure, match="64 MiB stay free for the journal"):
        draft.write(b"another")
    draft.discard()


def test_the_copy_of_an_order_leaves_the_journal_its_room(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.act(bench.order())
    usage = shutil.disk_usage(bench.folder)._replace(free=private_copy.RESERVE + len(NEW) - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(private_copy, "SMALL", 0)
    (found,) = bench.carry_out()
    assert not found["ok"] and "64 MiB stay free" in found["text"]
    assert bench.done == []


def test_what_is_small_is_carried_out_where_the_storage_is_full(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A configuration, the way back: wanted most just then."""
    bench.act(bench.order())
    usage = shutil.disk_usage(bench.folder)._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    (found,) = bench.carry_out()
    assert found["ok"], found


def test_copies_that_a_power_cut_left_go_away_when_orders_begin(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    (own / "cylindre-copy-old").mkdir(parents=True)
    (own / "cylindre-copy-old" / "bundle.raucb").write_bytes(b"half")
    monkeypatch.setenv("STATE_DIRECTORY", str(own))
    bench.act(bench.order())
    assert bench.carry_out()[0]["ok"]
    assert list(own.iterdir()) == []


def test_files_that_were_never_ordered_are_cleared_away(bench: Bench) -> None:
    kept = bench.order()
    draft = Draft(bench.folder, UPDATE)
    draft.write(b"half a bundle")
    draft.finish()
    clear(bench.folder)
    assert {path.name for path in bench.folder.iterdir()} == {
        kept.name,
        kept.with_suffix(".wheel.toml").name,
    }


@pytest.mark.req("EN-5.5-5")
def test_an_act_that_the_wheel_did_not_sign_orders_nothing(bench: Bench) -> None:
    path = bench.order()
    bench.act(path, b"something else")
    bench.store.close()
    with sqlite3.connect(bench.journal) as connection:
        said = json.dumps({"what": "config", "who": "eve", "role": "supervisor",
                           "detail": detail(path.with_suffix(".wheel.toml"), len(NEW)),
                           "sha256": hashlib.sha256(NEW).hexdigest()})  # fmt: skip
        connection.execute("UPDATE journal SET body = ? WHERE kind = 'act'", (said.encode(),))
    connection.close()
    assert not bench.carry_out()[0]["ok"]
    assert bench.done == []


def test_a_file_that_was_exchanged_is_not_carried_out(bench: Bench) -> None:
    path = bench.order()
    bench.act(path)
    path.with_suffix(".wheel.toml").write_bytes(b"something else")
    assert "not the one that was ordered" in bench.carry_out()[0]["text"]
    assert bench.done == []


def test_a_file_that_is_a_link_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    path = bench.order()
    bench.act(path)
    (tmp_path / "secret").write_bytes(NEW)
    path.with_suffix(".wheel.toml").unlink()
    path.with_suffix(".wheel.toml").symlink_to(tmp_path / "secret")
    assert not bench.carry_out()[0]["ok"]
    assert (tmp_path / "secret").exists()
    assert bench.done == []


def test_a_deed_that_fails_is_answered_and_not_done_again(bench: Bench) -> None:
    bench.act(bench.order())
    bench.fails = True
    (found,) = bench.carry_out()
    assert (found["ok"], found["text"]) == (False, "The wheel did not come up.")
    bench.fails = False
    bench.order()
    assert not bench.carry_out()[0]["ok"]


def test_a_mistake_in_a_deed_is_answered_and_keeps_nobody_else_waiting(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.act(bench.order())
    other = bench.order(b"another", UPDATE)
    about = detail(other.with_suffix(".bundle.raucb"), len(b"another"))
    bench.act(other, b"another", what="update", detail=about)

    def mistaken(what: str) -> Any:
        return int if what == "config" else Bench._deed(bench, what)

    monkeypatch.setattr(bench, "_deed", mistaken)
    first, second = bench.carry_out()
    assert not first["ok"] and "a mistake in cylindre itself (TypeError: " in first["text"]
    assert "Traceback" in capsys.readouterr().err
    assert second["ok"]
    assert {path.suffix for path in bench.folder.iterdir()} == {".done"}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"what":"rm","sha256":""}', '{"what":["config"],"sha256":"x"}', "\x00"],
)
def test_what_is_no_order_is_answered_so_and_taken_away(bench: Bench, text: str) -> None:
    bench.folder.mkdir()
    (bench.folder / "1.order").write_text(text)
    (found,) = bench.carry_out()
    assert (found["ok"], found["text"]) == (
        False,
        "That is no order: ask for it again on the page.",
    )
    assert [path.name for path in bench.folder.iterdir()] == ["1.done"]


def test_without_orders_or_a_folder_there_is_nothing_to_do(bench: Bench) -> None:
    assert bench.carry_out() == []


def test_a_journal_that_cannot_be_read_orders_nothing(bench: Bench) -> None:
    bench.act(bench.order())
    bench.store.close()
    bench.journal.unlink()
    (found,) = bench.carry_out()
    assert not found["ok"]
    assert str(bench.journal) in found["text"]


@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=["done", "dry run"])
def test_what_lies_beside_the_journal_has_root_delete_nothing(
    bench: Bench, options: list[str]
) -> None:
    bench.act(bench.order())
    victim = rest_files.put_evil(bench.journal, bench.journal.with_name("victim"))
    places = {"--folder": bench.folder, "--journal": bench.journal, "--keys": bench.keys}
    words = [str(word) for place in places.items() for word in place]
    result = CliRunner().invoke(orders_command.command, [*words, *options])
    assert victim.exists()
    assert "names another file" in result.stdout
    assert bench.done == []


@pytest.mark.needs("root")
def test_root_carries_out_what_another_users_journal_orders(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With that user's rights while the journal is read, with its own for the deed."""
    acted = []
    seteuid = os.seteuid
    monkeypatch.setattr(os, "seteuid", lambda uid: (acted.append(uid), seteuid(uid))[1])
    bench.act(bench.order())
    for path in (bench.journal.parent, *bench.journal.parent.glob("journal.db*")):
        os.chown(path, 65534, 65534)
    (found,) = bench.carry_out()
    assert found["ok"], found
    assert bench.done == [("config", NEW)]
    assert set(acted) == {65534, 0} and acted[-1] == os.geteuid() == 0
