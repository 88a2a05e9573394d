"""`cylindre config check` of any file: 50 MB more than of an empty one, and a second, at most."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from config_bench import environment
from growing_input import SHAPES
from patience import LAST_RESORT_S

MORE_MAX_KB = 50 * 1024
CPU_MAX_S = 1.0

# Says at its end what it took: the kernel's peak is that of this process alone.
_PROGRAM = """
import json, sys, time
from pathlib import Path
from tools.cli import main
code = main(sys.argv[1:])
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
told = {"code": code, "peak_kb": int(peak.split()[1]), "cpu_s": time.process_time()}
print(json.dumps(told), file=sys.stderr)
"""


class Took(NamedTuple):
    """How a check ended, and what it took."""

    code: int
    peak_kb: int
    cpu_s: float


def check(file: Path) -> Took:
    done = subprocess.run(
        [sys.executable, "-P", "-c", _PROGRAM, "config", "check", str(file)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=False,
    )
    return Took(**json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture(scope="module")
def empty_kb(tmp_path_factory: pytest.TempPathFactory) -> int:
    file = tmp_path_factory.mktemp("empty") / "table.toml"
    file.write_text("")
    return check(file).peak_kb


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_of_any_shape_takes_little(shape: str, empty_kb: int, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(SHAPES[shape].encode())
    took = check(file)
    assert took.code == (0 if shape == "comments" else 4)
    assert took.peak_kb < empty_kb + MORE_MAX_KB
    assert took.cpu_s < CPU_MAX_S


def test_a_folder_of_such_files_takes_little(empty_kb: int, tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "wheel.toml").write_text("")
    slow = "a=[" + "1.5,\n" * 1_900 + "]\n" + ("x" * 8_000 + "\n") * 7
    for number in range(64):
        (tmp_path / "conf.d" / f"{number:02}.toml").write_text(slow)
    took = check(tmp_path / "wheel.toml")
    assert took.code == 4
    assert took.peak_kb < empty_kb + MORE_MAX_KB
    assert took.cpu_s < CPU_MAX_S


def test_a_layout_that_a_configuration_names_takes_little(empty_kb: int, tmp_path: Path) -> None:
    (tmp_path / "cases.toml").write_text("\n".join(f"key_{n} = 1" for n in range(1_999)))
    file = tmp_path / "table.toml"
    file.write_text('[wheel]\nboard = "roulette_ref"\n[game]\nlayout = "cases.toml"\n')
    took = check(file)
    assert took.code == 4
    assert took.peak_kb < empty_kb + MORE_MAX_KB
    assert took.cpu_s < CPU_MAX_S


@pytest.mark.parametrize(
    ("shape", "code"),
    [(b"x\n" * 131_000, 4), (b"\n" * 262_000, 0), (b"[" * 262_000, 4), (b"\xff\n" * 131_000, 4),
     (b"[" + b"[]," * 80_000 + b"[]]", 4)],
    ids=["lines", "empty lines", "brackets", "no text", "lists"],
)  # fmt: skip
def test_people_that_a_configuration_names_take_little(
    shape: bytes, code: int, empty_kb: int, tmp_path: Path
) -> None:
    (tmp_path / "people.jsonl").write_bytes(shape)
    (tmp_path / "people.jsonl").chmod(0o600)
    file = tmp_path / "table.toml"
    file.write_text('[wheel]\nboard = "roulette_ref"\n[people]\nfile = "people.jsonl"\n')
    took = check(file)
    assert took.code == code
    assert took.peak_kb < empty_kb + MORE_MAX_KB
    assert took.cpu_s < CPU_MAX_S
