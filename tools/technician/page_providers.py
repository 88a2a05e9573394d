"""What `cylindre page` hands to the service page: jobs, the check of a configuration, the slots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware import config
from firmware.config import ConfigError, Mistake, made, table_limits
from firmware.config.survey import Survey
from firmware.config.table_limits import LimitsChange
from firmware.services.configuring import cross_checks
from firmware.services.page.jobs import JobParts
from firmware.services.page.providers import Providers, WayBack
from firmware.services.update import rollback, slot_status


def run_job(job: JobParts) -> str:
    """Runs a self-test or a calibration; returns how it ended. Raises Failure."""
    from tools.technician import page_jobs  # here: most pages never run one

    return page_jobs.RUNS[job.what](job)


def mistakes(path: Path, text: str, board: str | None) -> list[Mistake]:
    """Every mistake of a configuration, with those of the files beside it."""
    try:
        return cross_checks.check(_survey(path, text), board).mistakes
    except ConfigError as error:  # of a newer program, too long, no text
        return error.mistakes


def limits(path: Path, text: str, board: str | None) -> LimitsChange | None:
    """How the limits of a configuration without mistakes differ from those of the file there."""
    try:
        before = config.survey(path).said
    except ConfigError:
        before = {}
    return table_limits.change(made(before), made(_survey(path, text).said), board)


def _survey(path: Path, text: str) -> Survey:
    """Raises ConfigError."""
    source = config.decoded(str(path), text.encode(errors="surrogatepass"))
    return config.survey(path, source)


def way_back(look: dict[str, Any]) -> WayBack | None:
    """The slot to go back to, in what `slot_status.ask_status` found; None if there is none now."""
    back = rollback.of(look)
    return None if back is None else WayBack(back.to_slot, back.to_version, rollback.text(back))


PROVIDERS = Providers(run_job, mistakes, limits, slot_status.ask_status, way_back)
