"""A bundle by somebody who may not read the keys (the service page): it says so, without logs."""

from __future__ import annotations

from pathlib import Path

import pytest
from a_wheel import AWheel, read, refused

from tools.technician.support import bundle, secret

KEPT_BACK = ("wheel.key", "people.jsonl")


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AWheel:
    """Of its secrets two are another user's."""
    made = AWheel(tmp_path)
    whole = secret._read

    def own(path: Path) -> bytes:
        if path.name in KEPT_BACK:
            raise PermissionError(13, "Permission denied", str(path))
        return whole(path)

    monkeypatch.setattr(secret, "_read", own)
    return made


def test_it_names_what_it_was_not_searched_for_and_has_no_logs(
    wheel: AWheel, tmp_path: Path
) -> None:
    path = tmp_path / "out.tar.gz"
    assert "nobody could tell whether it leaks" in refused(wheel.pack("--out", path)).sentence
    assert not path.exists()
    assert wheel.pack("--out", path, "--unsearched").exit_code == 0
    found = bundle.read(path)
    hidden = [str(wheel.keys / KEPT_BACK[0]), str(wheel.people)]
    assert found.manifest["unsearched"] == hidden
    assert "secrets" in found.manifest["missing"]["logs"]
    assert not [name for name in found.files if name.startswith("logs/")]
    assert "journal/rows.jsonl" in found.files
    for name in hidden:
        assert f"not searched for the secret in {name}" in read(path).stdout


def test_what_the_doctor_did_not_see_is_no_health(wheel: AWheel, tmp_path: Path) -> None:
    path = tmp_path / "out.tar.gz"
    options = ("--unsearched", "--without", "doctor", "--without", "coups")
    assert wheel.pack("--out", path, *options).exit_code == 0
    assert "problems  not looked for" in read(path).stdout


def test_what_may_be_read_is_searched_for_all_the_same(wheel: AWheel, tmp_path: Path) -> None:
    own = sorted(path for path in wheel.keys.glob("*.key") if path.name not in KEPT_BACK)
    wheel.coup(2, own[0].read_text())
    failure = refused(wheel.pack("--out", tmp_path / "out.tar.gz", "--unsearched"))
    assert str(own[0]) in failure.sentence


def test_who_may_read_all_has_the_logs_too(tmp_path: Path) -> None:
    path = tmp_path / "out.tar.gz"
    assert AWheel(tmp_path).pack("--out", path, "--unsearched").exit_code == 0
    found = bundle.read(path)
    assert "unsearched" not in found.manifest
    assert "logs/cylindre.log" in found.files


def test_it_is_as_large_as_was_said_and_the_newest_coups_stay(tmp_path: Path) -> None:
    wheel = AWheel(tmp_path)
    for number in range(2, 6):
        wheel.coup(number, "x" * 400_000)
    path = tmp_path / "out.tar.gz"
    assert wheel.pack("--out", path, "--at-most", 1).exit_code == 0
    found = bundle.read(path)
    assert sum(map(len, found.files.values())) <= 1_000_000
    traces = [name for name in found.files if name.endswith("trace.vcd")]
    assert traces == ["coups/000004-coup-4/trace.vcd", "coups/000005-coup-5/trace.vcd"]
    assert "too large" in found.manifest["missing"]["coups"]
