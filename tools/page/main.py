"""`cylindre page` at work: one process, one thread of asyncio, until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import json
import signal
from pathlib import Path
from typing import NamedTuple

import click
from microdot import Request

import boards
from firmware.config import Config
from firmware.game import Game
from firmware.service.requests import CONTROL
from tools.ask import path_of
from tools.exits import INTERRUPTED, OK, USAGE, Failure
from tools.games import choose_game, read_config
from tools.page import certificate, orders, past
from tools.page.acts import Acts
from tools.page.jobs import Jobs
from tools.page.logins import Logins
from tools.page.reads import Places, Reads
from tools.page.server import Server
from tools.page.wheel import Wheel
from tools.places import JOURNAL, KEYS

BODY_MAX = 400 * 1024  # bytes: a configuration has 64 kB, six times that as JSON at the worst
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Choices(NamedTuple):
    """What the command line chose."""

    sockets: Path | None
    journal: Path | None
    board: str | None
    config: Path
    tls: Path | None
    orders: Path | None
    keys: Path | None
    listen: str
    port: int
    as_json: bool


def run_page(choices: Choices) -> int:
    """Serves until SIGINT, SIGTERM or SIGHUP; returns the exit code. Raises Failure."""
    sockets = choices.sockets or path_of(None, CONTROL).parent
    journal = choices.journal or sockets / JOURNAL
    beside = journal.parent
    config = read_config(choices.config if choices.config.exists() else None)
    game = _game(choices.board, config, sockets)
    identity = certificate.load(choices.tls or beside / "tls")
    places = Places(
        journal=journal,
        config=choices.config,
        orders=choices.orders or beside / "orders",
        keys=choices.keys or beside / KEYS,
    )
    orders.clear(places.orders)
    logins = Logins()
    wheel = Wheel(sockets, logins, lambda: past.last_service(journal))
    server = Server(wheel, logins, identity)
    version = importlib.metadata.version("cylindre")
    Reads(wheel, game, places, identity.fingerprint, version).add_to(server)
    Acts(wheel, places, choices.board).add_to(server)
    jobs = Jobs(wheel, game, config, sockets)
    jobs.add_to(server)
    server.add_files()
    # A configuration is taken whole, a bundle as it comes.
    Request.max_body_length = BODY_MAX
    Request.max_content_length = orders.BUNDLE_MAX
    try:
        return asyncio.run(_serve(choices, wheel, server, identity))
    finally:
        jobs.close()


async def _serve(
    choices: Choices, wheel: Wheel, server: Server, identity: certificate.Identity
) -> int:
    await server.listen(choices.listen, choices.port, "--port", identity.tls)
    _announce(choices, server.port, identity.fingerprint)
    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def stop(number: int) -> None:
        if not stopped.done():
            stopped.set_result(number)

    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
    working = asyncio.create_task(wheel.run())
    working.add_done_callback(lambda _: stop(0))
    try:
        caught = await stopped
    finally:
        working.cancel()
        await server.close()
        with contextlib.suppress(asyncio.CancelledError):
            await working  # raises what ended it, if that was a mistake of ours
    return INTERRUPTED if caught == signal.SIGINT else OK


def _announce(choices: Choices, port: int, fingerprint: str) -> None:
    hosts = [choices.listen]
    if choices.listen in ("0.0.0.0", "::"):
        hosts = [each for each in certificate.addresses() if not each.startswith("127.")]
    addresses = [f"https://{f'[{host}]' if ':' in host else host}:{port}/" for host in hosts]
    if choices.as_json:
        click.echo(json.dumps({"addresses": addresses, "fingerprint": fingerprint}))
        return
    click.echo(f"Service page: {' '.join(addresses)}")
    click.echo(f"SHA-256 fingerprint of its certificate: {fingerprint}")


def _game(name: str | None, config: Config, sockets: Path) -> Game:
    """The game that the page draws: its board and its rules. Raises Failure."""
    found = name or config.board or (sockets.name if sockets.name in boards.NAMES else None)
    if found is None:
        text = "Which board? Give --board, or --config with one; cylindre boards lists them."
        raise Failure(USAGE, text)
    return choose_game(found, config)
