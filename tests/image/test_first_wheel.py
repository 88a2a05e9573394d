"""docs/first-wheel.md: what it says to write is taken, and what the screen says there is said."""

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.keys import folder
from tools.commands.config import command as config
from tools.image import first_config

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs/first-wheel.md").read_text()


@pytest.mark.needs("mcopy", "mkfs.fat")
def test_the_configuration_of_the_page_has_no_mistake_and_is_taken(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", DOC, re.DOTALL)
    (displays,) = re.findall(r"cylindre provision table-3/keys --displays (\d+)", DOC)
    wheel = tmp_path / "wheel.toml"
    wheel.write_text(text)
    checked = CliRunner().invoke(config, ["check", str(wheel)])
    assert (checked.exit_code, checked.output) == (0, f"{wheel}: no mistakes.\n")
    folder.provision(tmp_path / "keys", displays=int(displays))
    files, notices = first_config.check(tmp_path)
    assert (len(files), notices) == (3 + int(displays), [])


def test_the_screen_tells_the_page_and_the_fingerprint_that_browsers_show(tmp_path: Path) -> None:
    """The script itself, with a certificate of the page and one address."""
    from firmware.services.page import certificate

    made = certificate.load(tmp_path / "tls")
    text = (ROOT / "tools/image/root/usr/lib/cylindre-image/where").read_text()
    text = text.replace("/var/lib/cylindre-page", str(tmp_path))
    for name, said in (("hostname", "echo 192.168.1.40 fd00::1"), ("sleep", "exit 0")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{said}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["sh", "-c", text],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout == (
        "Service page: https://192.168.1.40:8443/ SHA-256 fingerprint of its certificate:"
        f" {made.fingerprint}\n"
    )
