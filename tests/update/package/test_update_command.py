"""`cylindre update`, as it is typed."""

import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from update.slots_here import BOARD, known, runs

from firmware.keys import people
from firmware.lib import private_copy
from firmware.lib.errors import FAILED, NO_DEVICE, OK, USAGE, Failure
from firmware.lib.partitions import DISK_ID, MIB, SLOTS
from firmware.services.update import (
    attribution,
    bootenv,
    bundle,
    installing,
    keys,
    rauc,
    release,
    state,
)
from firmware.services.update.slots import LOCK, RELEASE, STATE, named
from firmware.services.update.state import GOOD, NEW, Known
from tools import cli
from tools.commands import update
from tools.update_rig import card

CHECKOUT = Path(__file__).parents[3]
PIN = "246810"
A, B = named("A"), named("B")


@pytest.fixture
def here(trusting, monkeypatch):
    """The machine that the command runs on."""
    monkeypatch.setattr(update, "_ROOT", trusting)
    return trusting


@pytest.fixture
def run(here, tmp_path, capsys):
    """Runs `cylindre update ...` where no controller runs; gives status, stdout, stderr."""

    def typed(*words, socket=tmp_path / "no-sockets"):
        asked = ["--socket", socket] if words[0] in ("install", "rollback") else []
        status = cli.main(["update", *map(str, (*words, *asked))])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return status, said.out, said.err

    return typed


@pytest.fixture
def proved(here):
    """B has proved itself before: 2.0.0; A runs 1.0.0 again."""
    now = state.load(here).with_slot(B, Known(GOOD, "2.0.0"))
    state.save(here, now._replace(highest="2.0.0"))


def test_a_dry_run_says_what_it_would_do_and_does_nothing(run, here, made):
    before = {path: path.read_bytes() for path in here.rglob("*.*") if path.is_file()}
    status, out, _ = run("install", made(), "--dry-run")
    assert status == OK
    assert out == "Would install 2.0.0 into slot B; 1.0.0 runs.\n"
    status, out, _ = run("install", made(), "--dry-run", "--json")
    told = json.loads(out)
    assert (told["version"], told["running"], told["slot"]) == ("2.0.0", "1.0.0", "B")
    (here / LOCK).unlink()
    assert {path: path.read_bytes() for path in here.rglob("*.*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ({"signer": "theirs"}, "signed by somebody"),
        ({"signer": "expired"}, "had expired"),
        ({"board": "boule_ref"}, "for the board boule_ref"),
        ({"version": "0.9.0"}, "older than 1.0.0"),
    ],
)
def test_a_bad_bundle_is_refused_before_anybody_is_asked(run, made, kind, sentence):
    status, out, err = run("install", made(**kind))
    assert (status, out) == (FAILED, "")
    assert sentence in err and err.count("\n") == 1


def test_the_second_of_two_is_told(run, here, made):
    with (here / LOCK).open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        for words in (("install", made()), ("rollback",)):
            status, _, err = run(*words)
            assert (status, err.count("\n")) == (FAILED, 1)
            assert "Somebody else is updating" in err


def test_how_the_slots_stand(run, here, proved):
    status, out, _ = run("status")
    assert status == OK
    assert out.splitlines() == [
        "roulette_ref, version 1.0.0",
        "  A  1.0.0        good; running; starts next",
        "  B  2.0.0        good",
        "Takes bundles from 2.0.0 on.",
    ]
    _, out, _ = run("status", "--json")
    told = json.loads(out)
    assert told["next"] == "A"
    assert [(slot["slot"], slot["booted"], slot["state"]) for slot in told["slots"]] == [
        ("A", True, "good"), ("B", False, "good"),
    ]  # fmt: skip


def test_a_machine_without_slots_says_so(run, here, made):
    (here / "proc/cmdline").write_text("quiet\n")
    for words in (("status",), ("rollback",), ("install", made())):
        status, _, err = run(*words)
        assert status == FAILED
        assert "takes no updates" in err


@pytest.mark.needs("root")
def test_rollback_without_a_controller_is_roots_and_says_so(run, here, proved):
    status, out, err = run("rollback")
    assert status == OK
    assert out == "The next restart tries slot B, version 2.0.0, once.\n"
    assert "No controller runs" in err
    assert bootenv.choice(bootenv.read(here)) == (("B", "A"), {"A": 3, "B": 1})
    assert "tried at the next start, once" in run("status")[1]


def test_a_try_that_the_boot_words_do_not_say_is_not_told(run, here, proved):
    """The power went between the two writes; or the boot words could not be written."""
    state.save(here, state.load(here)._replace(trial="B"))
    assert "  B  2.0.0        good\n" in run("status")[1]


def test_there_is_no_way_back_to_what_never_proved_itself(run, here):
    state.save(here, state.load(here).with_slot(B, Known(NEW, "2.0.0")))
    status, _, err = run("rollback")
    assert status == FAILED
    assert "nothing that has proved itself (installed, not tried yet)" in err


def test_nobody_but_root_goes_on_without_a_controller(run, here, proved, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    status, _, err = run("rollback")
    assert status == NO_DEVICE
    assert "No controller is running" in err
    assert known(here, "B").kind == GOOD and state.load(here).trial is None


@pytest.fixture
def controller(tmp_path):
    """A controller that plays, with one technician; gives the folder of its sockets."""
    known_people = tmp_path / "people.jsonl"
    with people.editing(known_people) as listed:
        listed.append(people.enrol("weber", "technician", PIN))
    (tmp_path / "wheel.toml").write_text(f'[people]\nfile = "{known_people}"\n')
    lie = {"config": "wheel.toml", "socket": "s", "journal": "journal.db", "keys": "keys"}
    options = [f"--{name}={tmp_path / file}" for name, file in lie.items()]
    assert cli.main(["provision", str(tmp_path / "keys"), "--displays", "0"]) == OK
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.cli", "run", "--board", BOARD, "--json", *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=CHECKOUT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline()  # it plays: its sockets are there
    yield tmp_path
    process.send_signal(signal.SIGTERM)
    process.communicate()


def test_who_goes_back_is_in_the_journal_first(run, here, proved, controller, capsys):
    pin = controller / "pin"
    pin.write_text(PIN + "\n")
    status, _, err = run("rollback", socket=controller / "s")
    assert (status, state.load(here).trial) == (USAGE, None)
    assert "Who are you?" in err
    words = ("rollback", "--as", "weber", "--pin-file", pin)
    status, _, err = run(*words, socket=controller / "s")
    assert status == OK, err
    assert state.load(here).trial == "B"
    assert cli.main(["journal", "tail", str(controller / "journal.db"), "--json"]) == OK
    said = capsys.readouterr().out
    assert "back to 2.0.0, slot B" in said and "weber" in said
    state.save(here, state.load(here)._replace(trial=None))
    pin.write_text("135799\n")
    status, _, err = run(*words, socket=controller / "s")
    assert (status, state.load(here).trial) == (FAILED, None)


def test_rauc_is_answered_in_its_own_words(run, here, monkeypatch, tmp_path):
    assert run("rauc", "bootloader", "get-primary")[:2] == (OK, "A\n")
    assert run("rauc", "bootloader", "get-state", "B")[:2] == (OK, "bad\n")
    assert run("rauc", "bootloader", "set-state", "A", "bad")[0] == FAILED
    assert run("rauc", "pre-install")[0] == USAGE
    monkeypatch.setenv("RAUC_BUNDLE_MOUNT_POINT", str(tmp_path))
    (tmp_path / release.NAME).write_text('{"version": "0.1", "board": "roulette_ref"}')
    status, out, err = run("rauc", "pre-install")
    assert status == FAILED
    assert out == f"<< error {err}" and "older than 1.0.0" in err


def test_the_early_step_tells_what_it_did(run, here):
    assert run("started")[:2] == (OK, "Slot A, version 1.0.0, has its starts back.\n")
    now = state.load(here).with_slot(A, Known(NEW, "1.0.0"))
    state.save(here, now._replace(trial="A"))
    assert run("started", "--json")[:2] == (OK, "null\n")


def test_a_start_that_is_no_trial_is_settled(run, here):
    assert run("settle")[:2] == (OK, "Version 1.0.0 in slot A is kept.\n")


def test_a_trial_that_fails_restarts_the_machine(run, here, tmp_path):
    """No controller, no journal: the real checks fail, and the given command is run."""
    now = state.load(here).with_slot(B, Known(NEW, "2.0.0"))
    state.save(here, now._replace(trial="B"))
    bootenv.choose(here, "B", "A", tries=1)
    runs(here, "B", "2.0.0")
    restarted = tmp_path / "restarted"
    status, out, _ = run("settle", "--limit", "0", "--restart", f"touch {restarted}", "--json")
    assert (status, json.loads(out)["kept"]) == (FAILED, False)
    assert restarted.exists()
    assert bootenv.choice(bootenv.read(here)).order == ("A",)


def test_a_bundle_is_made_and_read_again(run, here, held, tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "noise").write_bytes(os.urandom(50_000))
    out = tmp_path / "wheel.raucb"
    words = ("make", "--root", root, "--boot", root / "noise", "--version", "3.1", "--board", BOARD,
             "--key", held / "ours" / keys.KEY, "--cert", held / "ours" / keys.CERTIFICATE,
             "--authority", held / "ours" / keys.AUTHORITY, "--json", out)  # fmt: skip
    status, said, _ = run(*words, "--dry-run")
    assert (status, json.loads(said)["dry_run"], out.exists()) == (OK, True, False)
    status, said, _ = run(*words)
    assert (status, json.loads(said)["bytes"]) == (OK, out.stat().st_size)
    assert "Would install 3.1" in run("install", out, "--dry-run")[1]


@pytest.mark.needs("sfdisk", "mcopy", "mkfs.fat")
def test_a_bundle_is_made_of_a_cards_image(run, held, tmp_path):
    """Both partitions of slot A, to the byte; the boot partition whole."""
    root, squashed, boot, image = (tmp_path / n for n in ("root", "squashed", "boot", "wheel.img"))
    (root / RELEASE).parent.mkdir(parents=True)
    (root / RELEASE).write_text(release.text(release.Release("3.1", BOARD)))
    (root / "noise").write_bytes(os.urandom(50_000))
    subprocess.run(["mksquashfs", root, squashed, "-quiet"], check=True, capture_output=True)
    card.boot_image(boot, "quiet")
    card.make(image, root=squashed, boot=boot)
    out, inside = tmp_path / "wheel.raucb", tmp_path / "inside"
    ours = ("--key", held / "ours" / keys.KEY, "--cert", held / "ours" / keys.CERTIFICATE)
    words = ("make", "--image", image, "--version", "3.1", "--board", BOARD, *ours, out)
    assert run(*words, "--dry-run")[0] == OK and not out.exists()
    assert run(*words)[0] == OK
    subprocess.run(["unsquashfs", "-q", "-d", inside, out], check=True, capture_output=True)
    taken = (inside / bundle.ROOT).read_bytes()
    assert squashed.read_bytes().startswith(taken) and len(taken) > 96
    assert (inside / bundle.BOOT).read_bytes().rstrip(b"\0") == boot.read_bytes().rstrip(b"\0")
    assert (inside / bundle.BOOT).stat().st_size == SLOTS[0].boot.size_mib * MIB
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("--root", "r"), "a slot is both"),
        (("--boot", "b"), "a slot is both"),
        ((), "a slot is both"),
        (("--image", "i", "--boot", "b"), "a slot is both"),
        (("--image", "absent"), "no such file"),
        (("--image", "i"), "no image of a wheel's card: its partitions are another disk's"),
        (("--image", "torn"), "no image of a wheel's card: root-a holds no squashfs"),
    ],
)
def test_half_a_slot_is_not_made_into_a_bundle(run, held, tmp_path, given, sentence):
    for name in ("r", "b", "i"):
        (tmp_path / name).write_bytes(bytes(700))
    table = DISK_ID.to_bytes(4, "little").rjust(0x1BC, b"\0").ljust(512, b"\0")
    (tmp_path / "torn").write_bytes(table)
    given = [word if word.startswith("-") else tmp_path / word for word in given]
    ours = ("--key", held / "ours" / keys.KEY, "--cert", held / "ours" / keys.CERTIFICATE)
    words = ("make", *given, "--version", "3.1", "--board", BOARD, *ours, tmp_path / "out.raucb")
    status, _, err = run(*words)
    assert status == USAGE and sentence in err and err.count("\n") == 1


@pytest.mark.smoke
def test_what_is_recorded_is_what_rauc_opens(run, here, made, monkeypatch, tmp_path):
    """Another signed bundle put in its place meanwhile is neither."""
    given, opened = tmp_path / "wheel.raucb", []
    shutil.copyfile(made(), given)
    recorded = []

    def record(folder, who, pin_file, detail, sha256):
        recorded.append(sha256)
        shutil.copyfile(made("3.0.0"), given)

    monkeypatch.setattr(attribution, "record", record)
    monkeypatch.setattr(
        installing, "install", lambda root, plan, told: opened.append(plan.bundle.read_bytes())
    )
    assert run("install", given)[0] == OK
    assert opened == [made().read_bytes()]
    assert recorded == [hashlib.sha256(opened[0]).hexdigest()]
    assert list((here / STATE).iterdir()) == [here / STATE / state.NAME]  # no copy stays


def test_why_the_wheel_refused_what_rauc_asked_reaches_whoever_installs(
    run, here, made, bundle, monkeypatch
):
    """RAUC hands on that its handler failed, and not what that said."""
    error = "LastError: Pre-install handler error: Child process exited with code 1"

    def asks(*_):
        assert cli.main(["update", "rauc", "pre-install"]) == FAILED
        fails()

    def fails(*_):
        raise Failure(FAILED, rauc.meaning(error))

    monkeypatch.setattr(attribution, "record", lambda *_: None)
    monkeypatch.setenv("RAUC_BUNDLE_MOUNT_POINT", str(bundle("2.0.0")))
    (here / STATE / f"{state.NAME}.part").mkdir()
    monkeypatch.setattr(rauc, "install", asks)
    status, _, err = run("install", made())
    last = err.splitlines()[-1]
    assert status == FAILED and "state.json cannot be written: is a directory" in last
    monkeypatch.setattr(rauc, "install", fails)  # and what was said then is over
    assert "journalctl -u rauc" in run("install", made())[2]


@pytest.mark.req("IEC-CR-2.9")
def test_an_installation_leaves_the_journal_its_room(run, here, made, monkeypatch):
    least = made().stat().st_size + private_copy.RESERVE
    full = shutil.disk_usage(here)._replace(free=least - 1)
    monkeypatch.setattr(private_copy, "SMALL", 0)
    monkeypatch.setattr(private_copy.shutil, "disk_usage", lambda _: full)
    status, _, err = run("install", made())
    assert (status, err.count("\n")) == (FAILED, 1)
    assert "no room for it: 64 MiB stay free" in err
    assert state.load(here).trial is None


def test_a_copy_that_a_power_cut_left_goes_away(run, here, made, monkeypatch):
    left = here / STATE / "cylindre-copy-x"
    left.mkdir()
    (left / "bundle.raucb").write_bytes(b"half")
    monkeypatch.setattr(attribution, "record", lambda *_: None)
    monkeypatch.setattr(installing, "install", lambda *_: None)
    assert run("install", made())[0] == OK
    assert not left.exists()


def test_a_board_that_there_is_not_is_refused(run, tmp_path):
    words = ("--root", tmp_path, "--version", "1", "--key", "k", "--cert", "c", tmp_path / "out")
    status, _, err = run("make", "--board", "roulete_ref", *words)
    assert status != OK and "roulette_ref" in err


def test_keys_for_development_are_made(run, tmp_path):
    status, said, _ = run("keys", tmp_path / "k", "--json")
    told = [json.loads(line) for line in said.splitlines()]
    assert status == OK
    assert sorted(Path(each["file"]).name for each in told if each["secret"]) == [
        keys.AUTHORITY_KEY, keys.KEY,
    ]  # fmt: skip


def test_a_release_that_is_broken_is_told(run, here, made):
    (here / RELEASE).write_text("{}")
    status, _, err = run("install", made())
    assert status == FAILED and "does not say what software this is" in err


def test_help_has_examples_and_hides_what_rauc_calls(run):
    _, out, _ = run("--help")
    assert "Examples:" in out and "rollback" in out
    assert "settle" not in out and "answers" not in out
