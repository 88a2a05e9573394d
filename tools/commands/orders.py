"""`cylindre orders`: what supervisors ordered on the service page is carried out, as root."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tools.exits import FAILED, OK

_PATH = click.Path(path_type=Path)


@click.command(
    short_help="Carry out what was ordered on the service page.",
    epilog="""\b
    Examples:
      cylindre orders
      cylindre orders --dry-run
      cylindre orders --folder /var/lib/cylindre/orders --json

    Started by cylindre-orders.path when the page has left an order. An order whose file no
    supervisor's act in the journal names, signed by the wheel, is refused.

    Exit codes: 0 all done, or nothing to do, 1 one was refused or failed.
    """,
)
@click.option(
    "--folder", type=_PATH, default=Path("/var/lib/cylindre/orders"), show_default=True,
    help="Where the page leaves them.",
)  # fmt: skip
@click.option(
    "--journal", type=_PATH, default=Path("/var/lib/cylindre/journal.db"), show_default=True,
    help="What must order them.",
)  # fmt: skip
@click.option(
    "--keys", type=_PATH, default=Path("/var/lib/cylindre/keys"), show_default=True,
    help="The wheel's keys.",
)  # fmt: skip
@click.option(
    "--socket", "sockets", type=_PATH, default=Path("/run/cylindre"), show_default=True,
    help="The controller's sockets.",
)  # fmt: skip
@click.option(
    "--config", "file", type=_PATH, default=Path("/etc/cylindre/wheel.toml"), show_default=True,
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
    """Carry out the orders that wait: apply a configuration, install an update."""
    from tools.configuring.apply import LIMIT_S, How, apply, prepare
    from tools.configuring.restarting import words_of
    from tools.orders import Orders
    from tools.page.orders import CONFIG, UPDATE

    def say(text: str) -> None:
        click.echo(text, err=True)

    def configure(new: Path) -> str:
        how = How(sockets, None, None, True, words_of(restart), LIMIT_S, say, recorded=True)
        return apply(prepare(new, file), how)

    def update(bundle: Path) -> str:
        from tools.update import installing

        root = Path("/")
        with installing.alone(root):
            plan = installing.plan(root, bundle)
            installing.install(root, plan, lambda _, text: say(text))
        version, slot = plan.incoming.version, plan.into.bootname
        return f"{version} is in slot {slot}. The next restart tries it, once."

    orders = Orders(folder, journal, keys, {CONFIG: configure, UPDATE: update})
    done = orders.carry_out(dry_run=dry_run)
    for each in done:
        became = (
            ("not done", "done")[each["ok"]] if not dry_run else ("refused", "waits")[each["ok"]]
        )
        words = f"{each['order']}: {became}. {each['text']}"
        click.echo(json.dumps(each) if as_json else words)
    ctx.exit(OK if all(each["ok"] for each in done) else FAILED)
