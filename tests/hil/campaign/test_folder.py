"""A campaign's folder keeps what was played, whatever stops it, and is of one campaign."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from feigned_place import PLAN, by_job, feign

from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.store.source_hash import firmware_hash
from tools.hil.campaign import folder as campaign_folder
from tools.hil.campaign import work
from tools.hil.campaign.folder import Folder
from tools.hil.campaign.plan import count
from tools.hil.campaign.run import Workers, play
from tools.hil.kernel import build
from tools.testing.progress import Progress

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _feigned(monkeypatch: pytest.MonkeyPatch) -> None:
    feign(monkeypatch)


def _play(path: Path, jobs: int = 2) -> None:
    with Folder(path, PLAN) as folder:
        play(folder, Workers(jobs), Progress("campaign", 1))


def _rows(path: Path) -> list[dict[str, object]]:
    return by_job(json.loads(line) for line in (path / "results.jsonl").read_text().splitlines())


def test_it_goes_on_where_it_was_stopped_and_a_torn_line_is_played_again(tmp_path: Path) -> None:
    _play(tmp_path / "whole")
    results = tmp_path / "part" / "results.jsonl"
    with Folder(tmp_path / "part", PLAN) as folder:
        for index in (4, 1):
            folder.add(work.play(PLAN, index))
    with results.open("a") as file:
        file.write('{"job":2,"coups":')
    with Folder(tmp_path / "part", PLAN) as folder:
        assert sorted(folder.rows) == [1, 4]
    _play(tmp_path / "part", jobs=3)
    assert _rows(tmp_path / "part") == _rows(tmp_path / "whole")


@pytest.mark.parametrize("damage", [b"#######\n", b'{"job":4}\n', b"[]\n", b"[" * 9_999 + b"\n"])
def test_a_damaged_line_amid_the_others_is_told_and_nothing_is_thrown_away(
    tmp_path: Path, damage: bytes
) -> None:
    with Folder(tmp_path, PLAN) as folder:
        folder.add(work.play(PLAN, 1))
    results = tmp_path / "results.jsonl"
    results.write_bytes(damage + results.read_bytes())
    before = results.read_bytes()
    with pytest.raises(Failure, match="jsonl:1: this line is damaged"):
        Folder(tmp_path, PLAN)
    assert results.read_bytes() == before


def test_other_options_are_refused_by_name(tmp_path: Path) -> None:
    Folder(tmp_path, PLAN).__exit__()
    with pytest.raises(Failure, match="another --seed and --pairs") as refused:
        Folder(tmp_path, PLAN._replace(seed=9, pairs=1))
    assert refused.value.exit_code == USAGE


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Folder(tmp_path, PLAN).__exit__()
    monkeypatch.setattr(campaign_folder, "sources", lambda: "other")
    with pytest.raises(Failure, match="another version of Cylindre"):
        Folder(tmp_path, PLAN)


def test_what_a_job_loads_is_part_of_the_version() -> None:
    program = (
        "import sys; from tools.hil import places; from tools.hil.campaign import work\n"
        "for place in ('virtual', 'process', 'kernel'): places.load(place)\n"
        "print(*(each.__file__ for name, each in sys.modules.items() if name[:6] == 'tools.'))"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    built_from = [path for path in build.RECIPE.iterdir() if path.is_file()]
    loaded = {Path(each) for each in ran.stdout.split()}
    assert built_from and loaded | set(built_from) <= set(work.source_files())


def test_it_says_which_firmware_was_tried(tmp_path: Path) -> None:
    Folder(tmp_path, PLAN).__exit__()
    told = json.loads((tmp_path / "campaign.json").read_text())
    assert told["firmware"] == firmware_hash().hex()


@pytest.mark.parametrize("text", ["[]", "[" * 9_999])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "campaign.json").write_text(text)
    with pytest.raises(Failure, match="is of no campaign"):
        Folder(tmp_path, PLAN)


def test_two_campaigns_do_not_share_a_folder(tmp_path: Path) -> None:
    with Folder(tmp_path, PLAN), pytest.raises(Failure, match="Another campaign is at work"):
        Folder(tmp_path, PLAN)


def test_a_full_disk_is_told_and_what_there_is_is_gone_on_with(tmp_path: Path) -> None:
    _play(tmp_path / "whole")
    path = tmp_path / "part"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, hard))
    try:
        with pytest.raises(Failure, match="the same command goes on") as failure:
            _play(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failure.value.exit_code == FAILED
    with Folder(path, PLAN) as folder:
        assert 0 < len(folder.rows) < count(PLAN)
    _play(path)
    assert _rows(path) == _rows(tmp_path / "whole")


def test_a_kernel_that_cannot_be_built_is_one_sentence_and_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CYLINDRE_KERNEL", "/tmp")
    plan = PLAN._replace(places=("kernel",), real_coups=1)
    with (
        Folder(tmp_path, plan) as folder,
        pytest.raises(Failure, match="no kernel of the rig lies there"),
    ):
        play(folder, Workers(2), Progress("campaign", 1))
    assert folder.rows == {} and not _rows(tmp_path)


def test_a_folder_of_before_there_were_kinds_is_of_another_version(tmp_path: Path) -> None:
    with Folder(tmp_path, PLAN):
        pass
    told = json.loads((tmp_path / "campaign.json").read_text())
    del told["played"]
    (tmp_path / "campaign.json").write_text(json.dumps(told | {"sources": "of then"}))
    with pytest.raises(Failure, match="holds a campaign of another version of Cylindre"):
        Folder(tmp_path, PLAN)


@pytest.mark.parametrize(
    ("was", "now", "remedy"),
    [
        ("compiled", "interpreted", "make fast"),
        ("interpreted", "compiled", "CYLINDRE_INTERPRETED=1"),
    ],
)
def test_a_folder_of_the_other_kind_is_not_gone_on_with(
    was: str, now: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = iter((was, now))
    monkeypatch.setattr(campaign_folder.switch, "kind", lambda: next(kinds))
    with Folder(tmp_path, PLAN):
        pass
    with pytest.raises(Failure) as raised:
        Folder(tmp_path, PLAN)
    assert raised.value.sentence == (
        f"{tmp_path} holds a campaign that is played {was}: {remedy} goes on with it,"
        " or name a new folder."
    )
