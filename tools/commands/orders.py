"""`cylindre orders`: what supervisors ordered on the service page is carried out, as root."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.lib.errors import FAILED, OK
from firmware.lib.language import N_, Message, echo
from firmware.lib.named_file import read_named
from firmware.lib.places import (
    CONFIG_FILE,
    DEVICE_SOCKETS,
    DEVICE_STATE,
    JOURNAL,
    KEYS,
    ORDERS,
    PAGE_STATE,
)

_PATH = click.Path(path_type=Path)
_ROOT = Path("/")


@click.command(
    epilog="""\b
    Examples:
      cylindre orders
      cylindre orders --dry-run
      cylindre orders --folder /var/lib/cylindre-page/orders --json

    Started by cylindre-orders.path when the page has left an order. An order whose file no
    supervisor's act in the journal names, signed by the wheel, is refused.

    Exit codes: 0 all done, or nothing to do, 1 one was refused or failed.
    """,
)
@click.option(
    "--folder", type=_PATH, default=PAGE_STATE / ORDERS, show_default=True,
    help="Where the page leaves them.",
)  # fmt: skip
@click.option(
    "--journal", type=_PATH, default=DEVICE_STATE / JOURNAL, show_default=True,
    help="What must order them.",
)  # fmt: skip
@click.option(
    "--keys", type=_PATH, default=DEVICE_STATE / KEYS, show_default=True,
    help="The wheel's keys.",
)  # fmt: skip
@click.option(
    "--socket", "sockets", type=_PATH, default=DEVICE_SOCKETS, show_default=True,
    help="The controller's sockets.",
)  # fmt: skip
@click.option(
    "--config", "file", type=_PATH, default=CONFIG_FILE, show_default=True,
    help="The configuration that an order changes.",
)  # fmt: skip
@click.option("--restart", metavar="COMMAND", help="What restarts the controller.")
@click.option("--dry-run", is_flag=True, help="Say what would be carried out; do nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an order.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path,
    journal: Path,
    keys: Path,
    sockets: Path,
    file: Path,
    restart: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Carry out the orders that wait: apply a configuration, install an update, or undo one."""
    from firmware.lib.order_folder import CONFIG, ROLLBACK, UPDATE
    from firmware.services.configuring.apply import LIMIT_S, How, apply, prepare
    from firmware.services.configuring.restarting import words_of
    from firmware.services.device.order_runner import Orders

    def say(text: str) -> None:
        echo(text, err=True)

    def configure(new: Path) -> str:
        how = How(sockets, None, None, True, words_of(restart), LIMIT_S, say, recorded=True)
        return apply(prepare(new, file), how)

    def update(bundle: Path) -> str:
        from firmware.services.update import installing, slot_status

        try:
            with installing.alone(_ROOT):
                plan = installing.plan(_ROOT, bundle)
                installing.install(_ROOT, plan, lambda _, text: say(text))
        finally:
            slot_status.publish(_ROOT)
        version, slot = plan.incoming.version, plan.into.bootname
        return Message(
            "{version} is in slot {slot}. The next restart tries it, once.",
            version=version,
            slot=slot,
        )

    def rollback(asked: Path) -> str:
        from firmware.services.update import rollback as rollback_order
        from firmware.services.update import slot_status

        try:
            return rollback_order.carry_out(
                _ROOT, rollback_order.parse(read_named(asked, rollback_order.SIZE_MAX))
            )
        finally:
            slot_status.publish(_ROOT)

    orders = Orders(folder, journal, keys, {CONFIG: configure, UPDATE: update, ROLLBACK: rollback})
    done = orders.carry_out(dry_run=dry_run)
    for each in done:
        if as_json:
            click.echo(json.dumps(each))
            continue
        became = (N_("refused"), N_("waits")) if dry_run else (N_("not done"), N_("done"))
        words = Message(
            "{order}: {became}. {text}",
            order=each["order"],
            became=Message(became[each["ok"]]),
            text=Message(each["text"]),
        )
        echo(words)
    ctx.exit(OK if all(each["ok"] for each in done) else FAILED)
