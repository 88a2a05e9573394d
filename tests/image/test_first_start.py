"""What a card does at its first start: the script itself, with its folders elsewhere."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.keys import people
from firmware.keys.folder import provision
from firmware.lib import partitions
from firmware.lib.errors import Failure
from firmware.services.update import release
from tools.image import first_files, first_start

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools/image/root/usr/lib/cylindre-image/data"
GOOD = '[wheel]\nboard = "roulette_ref"\nid = "table-3"\n'

Card = Path


@pytest.fixture
def card(tmp_path: Path) -> Card:
    for name in ("data", "boot/firmware", "etc/cylindre", "bin"):
        (tmp_path / name).mkdir(parents=True)
    getent = tmp_path / "bin/getent"  # no user of ours is on this machine
    getent.write_text("#!/bin/sh\nexit 1\n")
    getent.chmod(0o755)
    return tmp_path


def start(card: Card) -> subprocess.CompletedProcess[str]:
    text = SCRIPT.read_text()
    program = f"{sys.executable} -P -m tools.image.first_start"
    text = text.replace("/usr/lib/cylindre-image/first", program)
    for folder in ("/data", "/boot/firmware", "/etc/cylindre"):
        text = text.replace(f" {folder}", f" {card}{folder}")
    environment = os.environ | {
        "PATH": f"{card / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        ["sh", "-c", text], env=environment, cwd=card, capture_output=True, text=True, check=False
    )


def first_of(card: Card) -> Path:
    return card / "boot/firmware" / partitions.FIRST


def put(card: Card, text: str = GOOD) -> Path:
    """Lays a configuration on the card; its folder."""
    first_of(card).mkdir(exist_ok=True)
    (first_of(card) / "wheel.toml").write_text(text)
    return first_of(card)


def put_all(card: Card) -> dict[str, bytes]:
    """A house's folder with everything in it; its files."""
    first = put(card, GOOD + '[bus]\ndisplays = 2\n[game]\nlayout = "ours.toml"\n')
    (first / "conf.d").mkdir()
    (first / "conf.d/10-house.toml").write_text('[confirm]\nmode = "croupier"\n')
    (first / "ours.toml").write_text(layout_text())
    provision(first / "keys", displays=2, terminals=1)
    (first / "people.jsonl").write_bytes(
        people.encode(people.enrol("anna", "supervisor", "246813"))
    )
    for path in (first / "people.jsonl", *(first / "keys").iterdir()):
        path.chmod(0o644)  # a FAT knows no modes
    return files_below(first)


def layout_text() -> str:
    import rules

    found = rules.load("roulette_lu")
    return (
        'apparatus = "roulette"\nsource = "measured"\n'
        f"numbers = {list(found['layout'])}\ncolours = {list(found['colours'])}\n"
    )


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):o}"


def test_a_new_wheel_takes_what_lies_on_its_card_once(card: Card) -> None:
    first = put(card)
    done = start(card)
    assert (done.returncode, done.stderr) == (0, "")
    assert (card / "data/etc/wheel.toml").read_text() == GOOD
    assert not first.exists()
    assert (card / "boot/firmware/taken/wheel.toml").read_text() == GOOD
    assert not list((card / "data").glob(".first*"))


def test_everything_goes_to_its_place_and_no_secret_stays_on_the_card(card: Card) -> None:
    laid = put_all(card)
    done = start(card)
    assert (done.returncode, done.stderr) == (0, "")
    etc, state = card / "data/etc", card / "data/cylindre"
    secret = {name for name in laid if name.startswith("keys/") or name == "people.jsonl"}
    assert files_below(state) == {name: laid[name] for name in secret}
    assert files_below(etc) == {name: laid[name] for name in laid.keys() - secret}
    for name in secret:
        assert mode(state / name) == ("644" if name == "keys/wheel.pub" else "600"), name
    left = files_below(card / "boot/firmware")
    assert set(left) == {
        "taken/wheel.toml", "taken/conf.d/10-house.toml", "taken/ours.toml", "taken/keys/wheel.pub"
    }  # fmt: skip
    assert people.load(state / "people.jsonl")[0].name == "anna"


def test_a_wheel_that_is_configured_leaves_a_later_one_alone(card: Card) -> None:
    (card / "data/etc").mkdir()
    (card / "data/etc/wheel.toml").write_text(GOOD)
    put(card, GOOD.replace("table-3", "table-4"))
    laid = put_all(card)
    done = start(card)
    assert done.returncode == 0
    assert "The wheel is configured" in done.stderr
    assert files_below(card / "data/etc") == {"wheel.toml": GOOD.encode()}
    assert files_below(card / "data/cylindre") == {}
    assert files_below(first_of(card)) == laid


def test_one_with_a_mistake_is_not_taken_and_the_log_and_the_card_say_why(card: Card) -> None:
    put(card, GOOD + 'idd = "x"\n')
    for _ in range(2):  # it waits, and says so again
        done = start(card)
        assert done.returncode == 0
        assert 'wheel.toml:4: There is no key "idd" in [wheel]. Did you mean "id"?' in done.stderr
        assert files_below(card / "data") == {}
    refused = card / "boot/firmware" / partitions.REFUSED
    assert 'Did you mean "id"?' in refused.read_text()
    put(card)
    assert start(card).stderr == ""
    assert (card / "data/etc/wheel.toml").read_text() == GOOD
    assert not refused.exists()


def test_who_takes_a_refused_one_away_leaves_nothing_behind(card: Card) -> None:
    first = put(card, GOOD + 'idd = "x"\n')
    start(card)
    shutil.rmtree(first)
    (card / "data/.first.part").mkdir()  # of a power cut while it was judged
    assert start(card).stderr == ""
    assert not (card / "boot/firmware" / partitions.REFUSED).exists()
    assert not (card / "data/.first.part").exists()


def test_what_an_editor_left_beside_a_key_does_not_stay_on_the_card(card: Card) -> None:
    put_all(card)
    (first_of(card) / "keys/.wheel.key.swp").write_bytes(b"secret")
    assert start(card).stderr == ""
    assert [path for path in (card / "boot/firmware").rglob("*") if "swp" in path.name] == []


def test_a_card_that_cannot_be_cleared_is_cleared_at_the_next_start(card: Card) -> None:
    put_all(card)
    away = card / "away"
    first_start._stage(
        first_files.read(first_of(card)), first_start.Card(card / "boot/firmware", card / "data")
    )
    (card / "boot/firmware").rename(away)
    (card / "boot/firmware").mkdir()  # it is not mounted
    assert "is not here" in start(card).stderr
    shutil.rmtree(card / "boot/firmware")
    away.rename(card / "boot/firmware")
    assert start(card).stderr == ""
    assert not (card / "boot/firmware/taken/keys/wheel.key").exists()
    assert not first_of(card).exists()


@pytest.mark.parametrize(("board", "taken"), [("zero2w", False), ("vingt_trois_pi4", True)])
def test_a_board_of_another_pi_than_the_image_is_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str, taken: bool
) -> None:
    monkeypatch.setattr(release, "running", lambda: release.Release("1.0.0", "pi4"))
    (tmp_path / "wheel.toml").write_text(f'[wheel]\nboard = "{board}"\n')
    if taken:
        first_start._refuse_model(tmp_path)
        return
    with pytest.raises(Failure, match="this image is for pi4"):
        first_start._refuse_model(tmp_path)


def test_it_is_judged_beside_the_files_that_it_will_have(card: Card) -> None:
    """What the package or a house laid into conf.d counts, for the wheel will read it too."""
    (card / "data/etc/conf.d").mkdir(parents=True)
    (card / "data/etc/conf.d/10-house.toml").write_text("[wheel]\nidd = 1\n")
    put(card)
    done = start(card)
    assert "10-house.toml:2" in done.stderr
    assert not (card / "data/etc/wheel.toml").exists()


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("people.jsonl", b"no json\n", "people.jsonl:1: this is not JSON"),
        ("people.jsonl", b"x" * (people.FILE_MAX + 1), "longer than"),
        ("keys/display-01.key", b"0" * 63, "keys/display-01.key is no key"),
        ("keys/wheel.pub", b"0" * 64, "keys/wheel.pub: it does not belong to keys/wheel.key"),
        ("keys/wheel.key.new", b"0" * 64, "keys/wheel.key.new: a wheel takes"),
        ("authorized_keys", b"ssh-rsa", "authorized_keys: a wheel takes"),
        ("other.toml", b"", "other.toml: [game] layout does not name it"),
        ("wheel.toml", b"\0" * 70_000, "wheel.toml: longer than"),
    ],
)
def test_one_bad_file_and_nothing_at_all_is_taken(
    card: Card, name: str, data: bytes, why: str
) -> None:
    put_all(card)
    (first_of(card) / name).write_bytes(data)
    laid = files_below(first_of(card))
    done = start(card)
    assert done.returncode == 0
    assert why in done.stderr, done.stderr
    assert files_below(card / "data") == {}
    assert files_below(first_of(card)) == laid


def test_a_link_is_not_followed(card: Card) -> None:
    secret = card / "secret"
    secret.write_text(GOOD)
    first_of(card).mkdir()
    (first_of(card) / "wheel.toml").symlink_to(secret)
    assert "it is a link, and links are not followed here" in start(card).stderr
    assert files_below(card / "data") == {}


@pytest.mark.req("IEC-EDR-3.13")
def test_keys_that_the_wheel_has_are_never_overwritten(card: Card) -> None:
    provision(card / "data/cylindre/keys", displays=1)
    before = files_below(card / "data/cylindre")
    put_all(card)
    assert "the wheel has another already, and nothing is overwritten" in start(card).stderr
    assert files_below(card / "data/cylindre") == before
    assert not (card / "data/etc/wheel.toml").exists()


def test_a_wheel_key_may_be_left_out_and_is_not_made_here(card: Card) -> None:
    first = put(card, GOOD + "[bus]\ndisplays = 1\n")
    provision(first / "keys", displays=1)
    for name in ("wheel.key", "wheel.pub"):
        (first / "keys" / name).unlink()
    assert start(card).stderr == ""
    assert set(files_below(card / "data/cylindre")) == {"keys/display-01.key"}


class PowerCutError(BaseException):
    """Nothing is done any more."""


class Power:
    """Counts what is done to a folder, and cuts the power before one of these acts.

    Python tells of each by an audit event; a hook cannot be taken away, so there is one for all.
    """

    acts = ("os.link", "os.rename", "os.mkdir", "os.remove", "os.rmdir")
    folder = ""
    left: int | None = None  # acts until the cut
    hooked = False

    @classmethod
    def heard(cls, event: str, arguments: tuple[object, ...]) -> None:
        if cls.left is None or event not in (*cls.acts, "open"):
            return
        path, last = str(arguments[0]), arguments[-1]
        if event == "open":
            counts = cls.folder in path and bool(int(str(last)) & (os.O_WRONLY | os.O_RDWR))
        else:  # or below a folder that is open, as rmtree does
            counts = cls.folder in path or (isinstance(last, int) and last >= 0)
        if counts and cls.left == 0:
            raise PowerCutError
        cls.left -= counts


@pytest.fixture
def cut_at(card: Card) -> Iterator[Callable[[int], bool]]:
    """Starts, and cuts the power before the act of that number; whether there was one."""
    if not Power.hooked:
        sys.addaudithook(Power.heard)
        Power.hooked = True
    Power.folder = str(card)

    def cut(act: int) -> bool:
        Power.left = act
        try:
            first_start.start(first_start.Card(card / "boot/firmware", card / "data"))
        except PowerCutError:
            return True
        finally:
            Power.left = None
        return False

    yield cut
    Power.left = None


def test_a_power_cut_at_any_moment_loses_nothing_and_the_next_start_goes_on(
    card: Card, cut_at: Callable[[int], bool]
) -> None:
    """Before each act on the file system, one after the other, until none is cut off any more."""
    laid = put_all(card)
    shutil.copytree(card / "boot", card / "master")
    cuts = 0
    while True:
        for name in ("data", "boot"):
            shutil.rmtree(card / name)
        shutil.copytree(card / "master", card / "boot")
        for name in ("data/etc", "data/cylindre"):
            (card / name).mkdir(parents=True)
        if not cut_at(cuts):
            break
        there = files_below(card / "data") | files_below(card / "boot")
        for name, data in laid.items():
            assert data in there.values(), f"{name} is lost by cut {cuts}"
        assert first_start.main(card / "boot/firmware", card / "data") == 0, f"after cut {cuts}"
        assert files_below(card / "data") == {
            ("cylindre/" if name.startswith(("keys/", "people")) else "etc/") + name: data
            for name, data in laid.items()
        }, f"after cut {cuts}"
        assert not first_of(card).exists()
        left = files_below(card / "boot/firmware/taken")
        assert not set(left) & set(first_files.SECRETS), f"after cut {cuts}"
        cuts += 1
    assert cuts > 50
