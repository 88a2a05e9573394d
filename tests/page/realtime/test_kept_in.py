"""Nobody keeps a technician off the page: neighbours hold all the connections that they can."""

import re
from pathlib import Path
from typing import Any

import pytest
from crowd import BODY, IDLE, LISTENS, READS, SILENT, Crowd, addresses
from page_bench import PINS, Table
from patience import LAST_RESORT_S, until, within

from tools.bench.page.client import Client
from tools.testing.memory_limit import limited

UNIT = Path(__file__).parents[3] / "tools/image/systemd/cylindre-page.service"
ASKED = 20  # questions of a technician, each on a connection of its own
ANSWERED_S = 40.0  # for all of them, on a machine that has the crowd's own work besides
MEGABYTE = 1 << 20
# What else the unit starts at times: a journal that is verified, a support bundle that is packed.
BESIDE_MB = 45 + 72
TURNS = 3  # so often everybody is hung up on and comes again


def memory_max() -> int:
    """Bytes that the page's unit may take, in all."""
    found = re.search(r"^MemoryMax=(\d+)M$", UNIT.read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * MEGABYTE


def logged_in(table: Table) -> Client:
    """A technician."""
    client = Client(table.port, LAST_RESORT_S)
    status, told = client.log_in("anna", PINS["anna"])
    assert status == 200, told
    return client


def answered(client: Client) -> list[Any]:
    """What became of a technician's questions."""
    found: list[Any] = []
    with within(ANSWERED_S, "a technician's questions"):
        for _ in range(ASKED):
            try:
                found.append(client.ask("/api/parts")[0])
            except OSError as error:
                found.append(type(error).__name__)
    return found


def everybody() -> list[tuple[str, str]]:
    """Three hundred, who idle, send slowly and read slowly, from sixty addresses."""
    does = (IDLE, SILENT, BODY, READS, LISTENS)
    return [(address, each) for address in addresses(60) for each in does]


def peak(table: Table) -> int:
    """The most bytes that the page's process had in memory."""
    assert table.page is not None
    told = Path(f"/proc/{table.page.popen.pid}/status").read_text()
    return int(told.partition("VmHWM:")[2].split()[0]) * 1024


def test_ten_addresses_with_160_idle_connections_keep_no_technician_off(table: Table) -> None:
    table.play()
    table.serve()
    anna = logged_in(table)
    idle = [(address, IDLE) for address in addresses(10) for _ in range(16)]
    with Crowd(table.port, idle) as crowd:
        until(lambda: crowd.open[IDLE] >= 150, "the neighbours to be there")
        assert answered(anna) == [200] * ASKED


def test_neighbours_keep_no_technician_off_who_logs_in_while_they_are_there(table: Table) -> None:
    table.play()
    table.serve()
    with Crowd(table.port, everybody()) as crowd:
        until(lambda: crowd.came >= 300, "the neighbours to be there")
        assert answered(logged_in(table)) == [200] * ASKED


def test_who_knocks_without_end_from_220_addresses_keeps_no_technician_from_logging_in(
    table: Table,
) -> None:
    table.play()
    table.serve()
    knocks = [(address, SILENT) for address in addresses(220)]
    with Crowd(table.port, knocks, again_s=0.01) as crowd:
        until(lambda: crowd.came >= 1000, "the neighbours to knock")
        assert answered(logged_in(table)) == [200] * ASKED


def test_three_hundred_who_idle_send_slowly_and_read_slowly_take_no_memory_that_others_need(
    table: Table,
) -> None:
    table.play()
    table.serve()
    anna = logged_in(table)
    with Crowd(table.port, everybody()) as crowd:
        until(lambda: crowd.came >= TURNS * 300, "the neighbours to come again and again")
        assert answered(anna) == [200] * ASKED
    assert peak(table) < memory_max() - BESIDE_MB * MEGABYTE


@pytest.mark.needs("memory limit")
def test_within_the_units_memory_three_hundred_keep_no_technician_off(table: Table) -> None:
    table.play()
    with limited(memory_max()) as group:
        table.serve(within=group.prefix)
        try:
            anna = logged_in(table)
            with Crowd(table.port, everybody()) as crowd:
                until(lambda: crowd.came >= TURNS * 300, "the neighbours to come again and again")
                assert answered(anna) == [200] * ASKED
            assert table.page is not None
            assert not table.page.is_over
            assert 0 < group.peak() <= memory_max()
        finally:
            assert table.page is not None
            table.page.end()
