"""`cylindre page` at work: one process, one thread of asyncio, until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib.metadata
import json
import signal
import time
from pathlib import Path
from typing import NamedTuple

import click
from microdot import Request

from firmware.config import Config, sound_part
from firmware.config.game import Game
from firmware.config.this_wheel import config_file, files_of, game_with, meant
from firmware.lib import order_folder
from firmware.lib.errors import CONFIGURATION, INTERRUPTED, OK, Failure
from firmware.lib.language import N_, Message, echo
from firmware.lib.places import CALIBRATING, CONFIG_FILE, KEYS, ORDERS
from firmware.services.page import certificate, history
from firmware.services.page.actions import Acts
from firmware.services.page.health import Health
from firmware.services.page.jobs import Jobs
from firmware.services.page.logins import Logins
from firmware.services.page.providers import Providers
from firmware.services.page.queries import Places, Reads
from firmware.services.page.server import Server
from firmware.services.page.support import Support
from firmware.services.page.wheel import Wheel
from firmware.store.source_hash import firmware_hash

BODY_MAX = 400 * 1024  # bytes: a configuration has 64 kB, six times that as JSON at the worst
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Choices(NamedTuple):
    """What the command line chose."""

    sockets: Path | None
    journal: Path | None
    board: str | None
    config: Path | None
    state: Path | None
    keys: Path | None
    listen: str
    port: int
    as_json: bool


def run_page(choices: Choices, providers: Providers) -> int:
    """Serves until SIGINT, SIGTERM or SIGHUP; returns the exit code. Raises Failure."""
    sockets = meant(choices.sockets, choices.board)
    game, config = _game(choices, sockets)
    files = files_of(game.board["name"], config, sockets)
    journal = choices.journal or files.journal
    beside = files.keys if choices.journal is None else journal.parent / KEYS
    state = choices.state or journal.parent
    identity = certificate.load(state / "tls")
    places = Places(
        journal=journal,
        config=config_file(choices.config, sockets) or CONFIG_FILE,
        orders=state / ORDERS,
        keys=choices.keys or beside,
    )
    order_folder.clear(places.orders)
    logins = Logins()
    wheel = Wheel(sockets, logins, lambda: history.last_service(journal))
    server = Server(wheel, logins, identity)
    about = {
        "wheel": config.wheel_id,
        "fingerprint": identity.fingerprint,
        "version": importlib.metadata.version("cylindre"),
        "firmware": firmware_hash().hex(),
    }
    has_expired = identity.has_expired
    if has_expired(time.time()):
        echo(N_("The certificate of the page has expired: install another."), err=True)
    Reads(wheel, game, places, about, has_expired=has_expired, slots=providers.slots).add_to(server)
    Health(journal).add_to(server)
    Acts(wheel, places, choices.board, providers).add_to(server)
    Support(wheel, game.board["name"], sockets, places).add_to(server)
    jobs = Jobs(wheel, game, config, sockets, state / CALIBRATING, providers.run_job)
    jobs.add_to(server)
    # A configuration is taken whole, a bundle as it comes.
    Request.max_body_length = BODY_MAX
    Request.max_content_length = order_folder.BUNDLE_MAX
    try:
        return asyncio.run(_serve(choices, wheel, server, identity))
    finally:
        jobs.close()


def _game(choices: Choices, sockets: Path) -> tuple[Game, Config]:
    """Returns what is drawn, and what the house chose: with a configuration that keeps the
    controller from coming up, what is right in it. Raises Failure.
    """
    path = config_file(choices.config, sockets)
    config, mistakes = (Config(), []) if path is None else sound_part(path)
    for mistake in mistakes:
        echo(Message("Not regarded: {mistake}", mistake=Message(str(mistake))), err=True)
    try:
        return game_with(choices.board, config, sockets), config
    except Failure as failure:
        if failure.exit_code != CONFIGURATION:
            raise
        echo(Message("Not regarded: {mistake}", mistake=failure.sentence), err=True)
        plain = Config(board=config.board, wheel_id=config.wheel_id)
        return game_with(choices.board, plain, sockets), plain


async def _serve(
    choices: Choices, wheel: Wheel, server: Server, identity: certificate.Identity
) -> int:
    # What is there by now stays: what connections leave is collected without looking through it.
    gc.freeze()
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
    echo(Message("Service page: {}", " ".join(addresses)))
    echo(Message("SHA-256 fingerprint of its certificate: {}", fingerprint))
