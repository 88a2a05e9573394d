"""What jobs do, as `cylindre selftest` and `cylindre calibrate` do it."""

from __future__ import annotations

import time
from contextlib import closing
from importlib.metadata import version

from firmware.config import Config
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.run import app
from firmware.services.page.jobs import JobParts
from firmware.store.source_hash import firmware_hash
from tools.technician.calibrate import judge, wizard
from tools.technician.calibrate.notes import LAYS, begun
from tools.technician.calibrate.ring import Unclear
from tools.technician.selftest import certificate, sequence
from tools.technician.selftest.bench import SocketBench
from tools.technician.selftest.part import total
from tools.technician.selftest.person import Nobody, Person

RPM = 20.0


def selftest(job: JobParts) -> str:
    """Every part as it is measured; then the certificate, and the act. Raises Failure."""
    config: Config = job.config
    driven = app.is_driven(job.board, config)
    wheel = sequence.Wheel(job.board, driven, config.level_warn_mdeg, RPM)
    person: Person = job.person if job.options.get("hand") else Nobody(job.person)
    parts = []
    with closing(SocketBench(job.session, job.folder, job.check)) as bench:
        for part in sequence.parts(bench, wheel, person):
            parts.append(part)
            job.say({"kind": "part", **part.as_json()})
    about = certificate.About(
        wheel=config.wheel_id,
        board=job.board["title"],
        who=job.session.name,
        role=job.session.role,
        utc=int(time.time()),
        software=firmware_hash().hex(),
        version=version("cylindre"),
    )
    page = certificate.page(about, parts)
    found = total(parts)
    job.session.act("selftest", found.words, job.keep(page))
    job.say({"kind": "summary", **found._asdict()})
    return found.outcome


def calibrate(job: JobParts) -> str:
    """The wizard, the judgement, the signature. What was measured is kept until it is signed, in
    the page's own folder: on a device it may write nowhere else. Raises Failure."""
    config: Config = job.config
    names = [f"number {number}" for number in job.game.rules["layout"]]
    driven = app.is_driven(job.board, config)
    wheel = wizard.Wheel(job.board, names, driven, LAYS, RPM)
    notes = begun(job.notes, job.board["name"])
    anew = bool(job.options.get("anew"))
    with closing(SocketBench(job.session, job.folder, job.check)) as bench:
        failed = wizard.run(bench, wheel, job.person, notes, anew=anew)
        for each in failed:
            job.say({"kind": "failed", "text": each.words})
        if notes.empty:
            raise Failure(FAILED, wizard.nothing(failed))
        try:
            values, lines = judge.values(notes, wheel.board, len(names), wheel.rpm)
            for line in lines:
                job.say({"kind": "value", **line._asdict()})
            judge.check(lines)
        except Unclear as unclear:
            text = Message("Nothing is signed. {unclear}", unclear=unclear)
            raise Failure(FAILED, wizard.with_failed(text, failed)) from None
        if not job.person.ask("Sign these?"):
            unsigned = "Nothing is signed; begin again to sign what was measured."
            raise Failure(FAILED, wizard.with_failed(unsigned, failed))
        job.say({"kind": "signed", "sha256": bench.calibrate(values)})
        notes.forget()
    return "passed"


RUNS = {"selftest": selftest, "calibrate": calibrate}
