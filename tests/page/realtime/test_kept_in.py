"""Nobody keeps a technician off the page: neighbours hold all the connections that they can."""

import time
from typing import Any

import pytest
from crowd import BODY, IDLE, LISTENS, READS, SILENT, Crowd, addresses
from page_bench import PINS, Table
from patience import LAST_RESORT_S, until, within

from tools.bench.page.client import Client

ASKED = 20  # questions of a technician, each on a connection of its own
ANSWERED_S = 40.0  # for all of them, on a machine that has the crowd's own work besides


@pytest.fixture
def anna(table: Table) -> Client:
    """A technician who is logged in, at a wheel whose page is served."""
    table.play()
    table.serve()
    client = Client(table.port, LAST_RESORT_S)
    status, told = client.log_in("anna", PINS["anna"])
    assert status == 200, told
    return client


def answered(client: Client) -> list[Any]:
    """What became of a technician's questions."""
    found: list[Any] = []
    for _ in range(ASKED):
        try:
            found.append(client.ask("/api/parts")[0])
        except OSError as error:
            found.append(type(error).__name__)
    return found


def test_ten_addresses_with_160_idle_connections_keep_no_technician_off(
    anna: Client, table: Table
) -> None:
    idle = [(address, IDLE) for address in addresses(10) for _ in range(16)]
    with Crowd(table.port, idle) as crowd:
        until(lambda: crowd.came >= 160)
        time.sleep(1.0)
        assert answered(anna) == [200] * ASKED


def test_three_hundred_who_idle_send_slowly_and_read_slowly_keep_no_technician_off(
    anna: Client, table: Table
) -> None:
    does = (IDLE, SILENT, BODY, READS, LISTENS)
    wants = [(address, each) for address in addresses(60) for each in does]
    with Crowd(table.port, wants) as crowd:
        until(lambda: crowd.came >= len(wants))
        with within(ANSWERED_S, "a technician's questions"):
            assert answered(anna) == [200] * ASKED
        page = table.page
        assert page is not None
        print(open(f"/proc/{page.popen.pid}/status").read().split("VmHWM:")[1].split("\n")[0])
