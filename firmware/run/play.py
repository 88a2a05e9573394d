"""`cylindre run` at work: opens what a wheel needs, plays, and closes it all again.

Whatever cannot be opened is a Failure before anything moves.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from boards.card_tables import is_card_table
from firmware.api.scope import HeardEdges
from firmware.core.facts import CoupStarted, Result, Void
from firmware.keys.folder import ensure_wheel
from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, unwritten_output
from firmware.lib.language import N_, Message, translated
from firmware.ports import Bus, FactListener, Store
from firmware.run import app, gain_hold, journald, sd_notify
from firmware.run.bus_line import (
    open_displays,
    open_line,
    open_terminals,
    receipt_reader,
    receipt_signer,
    way_out,
)
from firmware.run.calibration import calibration_signer, path_beside
from firmware.run.ending import Since, caught_signals, check_recorded
from firmware.run.health_watcher import HealthWatcher, watched
from firmware.run.open_journal import open_journal, state_software
from firmware.run.paced import PromptStore, RealTimeBus
from firmware.run.parts import (
    Opened,
    RunOptions,
    open_hardware,
    open_orphelins_service,
    open_recording,
    open_service,
    open_slow_sensors,
    open_watchdog,
    settle_undetected,
)
from firmware.run.printer import Printer
from firmware.store.journal import Journal

if TYPE_CHECKING:
    from firmware.run.orphelins_service import OrphelinsService


class Counter:
    """Stops the loop after so many coups, however they ended.

    One that a crash left open, and that ends now, was not played now.
    """

    def __init__(self, coups: int) -> None:
        self._left = coups
        self._begun = False
        self.stop: Callable[[], None] = lambda: None

    def take_fact(self, fact: Any) -> None:
        """Counts results and voids."""
        if isinstance(fact, CoupStarted):
            self._begun = True
        elif self._begun and isinstance(fact, Result | Void):
            self._left -= 1
            if self._left == 0:
                self.stop()


def play(options: RunOptions) -> int:
    """Plays until interrupted or done; returns the exit code. Raises Failure."""
    if is_card_table(options.game.board):
        from firmware.run.card_play import play_cards  # a wheel never needs it

        return play_cards(options)
    with contextlib.ExitStack() as stack:
        opened = open_hardware(options, stack)
        hardware = opened.hardware
        recording = open_recording(options, hardware, stack)
        port = recording.listen_on(way_out(options, hardware))
        sensors = open_slow_sensors(options, hardware, stack)
        if options.own_keys:
            ensure_wheel(options.keys)
        journal = open_journal(
            options.game,
            options.config.wheel_id,
            journal=options.journal,
            folder=options.keys,
            fram=options.fram,
            stack=stack,
        )
        gain_hold.check(options.config, journal.path, options.keys)
        displays = open_displays(options, port is not None)
        terminals = open_terminals(options, port is not None, journal, len(displays))
        orphelins = open_orphelins_service(options, journal, stack)
        line = open_line(port, options, journal, stack, displays=displays, terminals=terminals)
        service = open_service(options, hardware, stack)
        opened.reach(stack)
        hardware = hardware._replace(edges=HeardEdges(hardware.edges, service.scope))
        config = settle_undetected(options)
        recording.begin_recording(config)
        service.technicians.calibrate = calibration_signer(
            path_beside(options.journal), options.keys, options.game.board
        )
        if line is not None:
            line.asks = lambda: service.asks_first
        tell_of = (journal, line, sensors, *hardware.event_sources)
        service.technicians.parts = parts_of([each for each in tell_of if each is not None])
        store, bus = _at_pace(opened, journal, line)
        counter = Counter(options.coups or 0)
        printer = Printer(options.line, lambda: loop.stop())
        printed = Since(options.started_us, printer)
        fact_listeners: tuple[FactListener, ...] = (counter, service, printed)
        keeper = None
        if terminals is not None and terminals.book.money is not None:
            from firmware.run.players_keeper import PlayersKeeper

            keeper = PlayersKeeper(options.keys, terminals.book)
            stack.callback(keeper.close)
            fact_listeners = (*fact_listeners, keeper)
            service.sign_receipt = receipt_signer(options, journal)
            service.read_receipt = receipt_reader(options, journal)
        if (log := journald.log(os.environ)) is not None:
            stack.callback(log.close)
            fact_listeners = (*fact_listeners, log)
        health = HealthWatcher(watched(options.game, options.journal, config))
        stack.callback(health.close)
        fact_listeners = (*fact_listeners, health)
        if (manager := sd_notify.manager(os.environ)) is not None:
            stack.callback(manager.close)
        wheel = app.build(
            game=options.game,
            config=config,
            hardware=hardware,
            store=store,
            restart_state=journal.restart_state,
            book=None if terminals is None else terminals.book,
            bus=bus,
            event_sources=[
                source
                for source in (service, sensors, journal, line, orphelins, keeper, health)
                if source is not None
            ],
            watchdog=sd_notify.watch(
                manager, journal, lambda: open_watchdog(config, hardware, journal)
            ),
            view_listeners=(service,) if manager is None else (service, manager),
            fact_listeners=fact_listeners if orphelins is None else (*fact_listeners, orphelins),
            speed_listener=service.turns,
            tap=recording.tap,
        )
        loop = wheel.loop
        counter.stop = loop.stop
        state_software(journal)
        app.freeze_garbage()
        text = Message(
            "Playing on {wheel}; journal {journal}.", wheel=opened.name, journal=options.journal
        )
        click.echo(translated(text), err=True)
        with caught_signals(loop) as caught:
            try:
                loop.begin_play()
                loop.run()
                if opened.slow_down is not None:
                    opened.slow_down()
                if manager is not None:
                    manager.notify("STOPPING=1")
                patience_us = app.FINISH_US if terminals is None else app.FINISH_TERMINALS_US
                # Who interrupts us waits for nobody.
                loop.finish(patience_us, lambda: bool(caught), leaves=bool(caught))
                if orphelins is not None:
                    _emit_last_orphelins(orphelins, wheel, fact_listeners, hardware.edges.now_us())
            finally:
                printer.close()
        check_recorded(loop, journal)
        if printer.broken is not None:
            raise Failure(
                FAILED,
                Message(
                    "{unwritten} The wheel was stopped.",
                    unwritten=unwritten_output(printer.broken),
                ),
            )
        if signal.SIGINT in caught:
            raise Failure(INTERRUPTED, N_("Interrupted: the rotor is off."))
        return OK


def _at_pace(opened: Opened, journal: Journal, line: Bus | None) -> tuple[Store, Bus | None]:
    """Returns what has a time of its own, as the loop of a wheel that is faster than real time has
    it.
    """
    if opened.slow_down is None:
        return journal, line
    return PromptStore(journal), None if line is None else RealTimeBus(line)


def parts_of(tellers: Sequence[Any]) -> Callable[[], dict[str, Any]]:
    """Returns what all of them say of their parts, together.

    Whatever is not fitted is not named.
    """

    def parts() -> dict[str, Any]:
        found: dict[str, Any] = {}
        for teller in tellers:
            found |= teller.parts()
        return found

    return parts


def _emit_last_orphelins(
    orphelins: OrphelinsService,
    wheel: app.Wheel,
    fact_listeners: Sequence[FactListener],
    now_us: int,
) -> None:
    """Tells what the last coup's end brought about, when the loop has ended."""
    orphelins.close()
    for event in orphelins.take_events():
        for fact in wheel.controller.handle(event._replace(at_us=now_us)):
            for listener in fact_listeners:
                listener.take_fact(fact)
