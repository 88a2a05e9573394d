"""A campaign as QA starts it, of every fault that there is."""

import json
from pathlib import Path

import pytest

from tools import cli


@pytest.mark.smoke
def test_in_a_campaign_of_200_coups_no_rule_is_broken(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    assert cli.main(["hil", "campaign", str(folder), "--coups", "200", "--jobs", "1"]) == 0
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert sum(row["coups"] for row in rows) >= 200
    assert [row["broken"] for row in rows if row["broken"]] == []
    assert (folder / "report.html").exists()
