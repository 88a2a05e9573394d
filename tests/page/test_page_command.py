"""`cylindre page` on the command line: what it says, and how it ends when something is wrong."""

import json
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from page_bench import Program, Table
from patience import LAST_RESORT_S

from tools.bench.page.client import Client


def ended(table: Table, *options: str, at: Path | None = None) -> tuple[int, str]:
    """The exit code and what it said on standard error."""
    program = Program(at or table.folder, "page", *options)
    code = program.popen.wait(LAST_RESORT_S)
    program.end()
    return code, program.log.read_text()


def test_the_only_wheel_here_is_found_and_the_address_is_said(table: Table) -> None:
    table.play()
    program = Program(table.folder, "page", "--port", "0", "--config", str(table.config))
    table.programs.append(program)
    assert program.line().startswith("Service page: https://127.0.0.1:")
    assert program.line().startswith("SHA-256 fingerprint of its certificate: ")
    assert program.end(signal.SIGINT) == 130


def test_it_serves_before_the_controller_is_there(table: Table) -> None:
    table.serve()
    client = Client(table.port, 60.0)
    assert client.ask("/api/wheel")[1]["board"] == "roulette_ref"
    status, told = client.log_in("weber", "831504")
    assert (status, told["error"]["code"]) == (409, "no_controller")
    with client.stream() as stream:
        came = b""
        while b"event: status" not in came:
            came += stream.recv(65536)
    assert json.loads(came.split(b"event: status\ndata: ")[1].split(b"\n")[0])["status"] is None


def test_no_wheel_at_all_is_one_sentence(table: Table) -> None:
    folder = table.folder / "elsewhere"
    folder.mkdir()
    code, said = ended(table, "--port", "0", at=folder)
    assert code == 3
    assert said.count("\n") == 1
    assert "No wheel is here" in said


def test_a_board_that_nobody_names_is_one_sentence(table: Table) -> None:
    folder = table.folder / "elsewhere"
    folder.mkdir()
    code, said = ended(table, "--socket", str(folder), "--port", "0")
    assert (code, said.count("\n")) == (2, 1)
    assert "Which board?" in said


@pytest.mark.parametrize(
    "mistake", ["[bus]\nbauds = 9600\n", '[game]\nlayout = "none.toml"\n', "[wheel\n"]
)
def test_with_a_configuration_that_keeps_the_controller_down_there_is_a_page(
    table: Table, mistake: str
) -> None:
    """Safe mode promises it (docs/device.md)."""
    table.config.write_text(table.config.read_text() + mistake)
    table.serve()
    assert Client(table.port, 60.0).ask("/api/wheel")[1]["board"] == "roulette_ref"
    assert table.page is not None
    said = table.page.log.read_text()
    assert said.startswith("Not regarded: ")
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_one_sentence(table: Table) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, said = ended(
            table, "--socket", str(table.state), "--config", str(table.config), "--port", port
        )
    assert (code, said.count("\n")) == (1, 1)
    assert f"port {port}" in said


@pytest.mark.parametrize("mode", [0o644, 0o660])
def test_a_key_that_others_read_is_not_used(table: Table, mode: int) -> None:
    table.serve()
    assert table.page is not None
    table.page.end()
    (table.state / "tls" / "page.key").chmod(mode)
    options: tuple[Any, ...] = ("--socket", str(table.state), "--config", str(table.config))
    code, said = ended(table, *options, "--port", "0")
    assert (code, said.count("\n")) == (4, 1)
    assert "chmod 600" in said
