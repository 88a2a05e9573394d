"""`cylindre provision` and `cylindre key`, as people run them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.keys import folder, rotation
from firmware.store.fram import Head
from firmware.store.fram_file import FileFram
from firmware.store.identity import Identity
from firmware.store.journal import Journal
from firmware.store.signing import Signer

Cylindre = Callable[..., subprocess.CompletedProcess[str]]


def test_a_bench_is_provisioned_as_the_contract_has_it(cylindre: Cylindre, tmp_path: Path) -> None:
    done = cylindre("provision", "keys", "--displays", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["wheel", "key", "keys/wheel.key"],
        ["wheel", "pub", "keys/wheel.pub"],
        ["display", "1", "keys/display-01.key"],
        ["display", "2", "keys/display-02.key"],
    ]
    assert sorted(folder.read_displays(tmp_path / "keys")) == [1, 2]
    # And the players' terminals later, beside them.
    done = cylindre("provision", "keys", "--terminals", "1", "--json")
    assert json.loads(done.stdout) == {"terminal": 1, "file": "keys/terminal-01.key"}


def test_every_file_is_one_json_object(cylindre: Cylindre) -> None:
    done = cylindre("provision", "keys", "--displays", "1", "--terminals", "1", "--json")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"wheel": "key", "file": "keys/wheel.key"},
        {"wheel": "pub", "file": "keys/wheel.pub"},
        {"display": 1, "file": "keys/display-01.key"},
        {"terminal": 1, "file": "keys/terminal-01.key"},
    ]


def test_no_secret_is_printed(cylindre: Cylindre, tmp_path: Path) -> None:
    done = cylindre("provision", "keys", "--displays", "32", "--terminals", "32")
    shown = cylindre("key", "show", "--keys", "keys")
    assert (done.returncode, shown.returncode) == (0, 0)
    secrets = [path.read_text().strip() for path in (tmp_path / "keys").glob("*.key")]
    assert len(set(secrets)) == 65
    printed = done.stdout + done.stderr + shown.stdout + shown.stderr
    assert not [secret for secret in secrets if secret in printed]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "Give --displays, --terminals or --shoe"),
        (("--displays", "33"), "33"),
        (("--terminals", "-1"), "-1"),
        (("--displays", "many"), "many"),
    ],
)
def test_for_nobody_or_too_many_nothing_is_made(
    cylindre: Cylindre, tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    done = cylindre("provision", "keys", *options)
    assert done.returncode == 2
    assert why in done.stderr
    assert not (tmp_path / "keys").exists()


def test_a_wheel_without_displays_gets_its_own_key_alone(
    cylindre: Cylindre, tmp_path: Path
) -> None:
    assert cylindre("provision", "keys", "--displays", "0").returncode == 0
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == ["wheel.key", "wheel.pub"]


def test_a_second_time_is_refused_in_one_sentence(cylindre: Cylindre) -> None:
    cylindre("provision", "keys", "--displays", "1")
    done = cylindre("provision", "keys", "--displays", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "keys/display-01.key is there already, and a key is never overwritten."
        " Give another folder, or remove the old keys.\n"
    )


def test_a_wheels_key_is_shown(cylindre: Cylindre, tmp_path: Path) -> None:
    cylindre("provision", "keys", "--displays", "2")
    done = cylindre("key", "show", "--keys", "keys", "--json")
    signer = Signer(folder.read_private(tmp_path / "keys"))
    assert json.loads(done.stdout) == {
        "root": signer.public.hex(),
        "current": signer.public.hex(),
        "kid": signer.kid.hex(),
        "signs": signer.public.hex(),
        "rotations": 0,
        "unfinished": False,
        "epoch": 0,
        "displays": [1, 2],
        "terminals": [],
    }
    assert signer.kid.hex() in cylindre("key", "show", "--keys", "keys").stdout


def test_without_keys_or_journal_there_is_a_remedy(cylindre: Cylindre) -> None:
    done = cylindre("key", "show", "--keys", "nowhere")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == (
        "There is no key nowhere/wheel.pub. Make keys with cylindre provision, or give another"
        " --keys.\n"
    )
    cylindre("provision", "keys", "--displays", "1")
    done = cylindre("key", "rotate", "--keys", "keys", "--journal", "nowhere")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "There is no journal nowhere: give that of the wheel.\n"


def test_a_wheel_that_played_gets_a_new_key(cylindre: Cylindre, tmp_path: Path) -> None:
    cylindre("provision", "keys", "--displays", "1")
    memory = FileFram(tmp_path / "fram")
    store = Journal(
        tmp_path / "journal",
        signer=Signer(folder.read_private(tmp_path / "keys")),
        identity=Identity("table-3", "boule", "boule_fr", bytes(8), True, bytes(8), "virtual"),
        head=Head(memory),
    )
    store.close()
    memory.close()
    rotate = ("key", "rotate", "--keys", "keys", "--journal", "journal")
    done = cylindre(*rotate)
    assert done.returncode == 2
    assert done.stderr == ("journal goes with a FRAM: give its --fram, or the --board it is on.\n")
    done = cylindre(*rotate, "--fram", "fram", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    public = [key.hex() for key in rotation.public_keys(tmp_path / "keys")]
    assert public == [told["old"], told["new"]]
    done = cylindre(*rotate, "--fram", "fram")
    assert (
        told["new"] in done.stdout
        and rotation.public_keys(tmp_path / "keys")[-1].hex() in done.stdout
    )
    verified = cylindre("journal", "verify", "journal", "--keys", "keys", "--fram", "fram")
    assert (verified.returncode, verified.stderr) == (0, "")
