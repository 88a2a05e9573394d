"""`cylindre page`: the service page, for the browsers of those who look after a wheel."""

from __future__ import annotations

from pathlib import Path

import click

from firmware.lib.places import CONFIG_FILE

PORT = 8443  # above 1024: no rights needed
LISTEN = "127.0.0.1"


@click.command(
    epilog="""\b
    Examples:
      cylindre page
      cylindre page --socket var/roulette_ref --listen 0.0.0.0
      cylindre page --socket /run/cylindre --journal /var/lib/cylindre/journal.db \\
        --config /etc/cylindre/wheel.toml --state /var/lib/cylindre-page --listen 0.0.0.0

    The certificate is the wheel's own, made at the first start. A browser does not know it: compare
    the fingerprint that it shows with the one printed here, then go on.

    Exit codes: 0 stopped by SIGTERM, 1 failed, 2 usage, 4 configuration, 130 interrupted.
    """,
)
@click.option(
    "--socket",
    "sockets",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the controller's sockets  [default: the one below var/, or a device's]",
)
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where coups are recorded  [default: beside the sockets, or a device's]",
)
@click.option("--board", metavar="BOARD", help="The board  [default: as configured, or of var/]")
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"The wheel's configuration  [default: {CONFIG_FILE}, where the sockets are a device's]",
)
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="All that it writes: its certificate, made there once; orders for root; how far a"
    " calibration is  [default: beside the journal]",
)
@click.option(
    "--keys",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Of the wheel, for its public key  [default: beside the journal]",
)
@click.option(
    "--listen",
    default=LISTEN,
    show_default=True,
    metavar="ADDRESS",
    help="0.0.0.0: every address of this machine.",
)
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="0: any that is free.",
)
@click.option("--json", "as_json", is_flag=True, help="Address and fingerprint as one JSON object.")
def command(
    sockets: Path | None,
    journal: Path | None,
    board: str | None,
    config_path: Path | None,
    state: Path | None,
    keys: Path | None,
    listen: str,
    port: int,
    as_json: bool,
) -> int:
    """Serve the service page of one wheel over HTTPS, until it is stopped.

    Everybody who reaches it sees what a table display shows, and the faults. Technicians and
    supervisors log in with their PINs, and see and do more. All that changes something goes through
    the controller, in their name.
    """
    from firmware.services.page.main import Choices, run_page
    from tools.technician.page_providers import PROVIDERS

    return run_page(
        Choices(
            sockets=sockets,
            journal=journal,
            board=board,
            config=config_path,
            state=state,
            keys=keys,
            listen=listen,
            port=port,
            as_json=as_json,
        ),
        PROVIDERS,
    )
