"""What record_script.py makes of the golden records; MicroPython gives the same lines."""

import runpy
from pathlib import Path

HERE = Path(__file__).parent


def test_the_golden_records_are_these_very_lines() -> None:
    script = runpy.run_path(str(HERE / "record_script.py"))
    lines = list(script["lines"](str(HERE / "golden" / "records.json")))
    assert lines == (HERE / "record_script.txt").read_text(encoding="utf-8").splitlines()


def test_every_golden_record_is_believed_and_no_spoiled_one_is() -> None:
    lines = (HERE / "record_script.txt").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.endswith(" None")]
    spoiled = [line for line in lines if line.startswith("spoiled")]
    assert len(spoiled) == 17
    assert set(spoiled) == {"spoiled: 10, believed: 0"}
