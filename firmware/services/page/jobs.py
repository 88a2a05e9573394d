"""Self-test and calibration, run for somebody at a browser: the same code as on the command line.

A job is one thread with the session of the person who began it, and ends as theirs does. What it
says goes to everybody who is logged in. Who began it answers, at whichever browser; every
supervisor stops it. One at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from microdot import Response

from firmware.client.ask import ask
from firmware.client.line import Refused
from firmware.config import Config
from firmware.config.game import Game
from firmware.core.house import SUPERVISOR
from firmware.lib import web
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.services.page.logins import Login
from firmware.services.page.server import Question, Server
from firmware.services.page.translation import with_translations
from firmware.services.page.wheel import Wheel

KINDS = ("selftest", "calibrate")
_ACTS = {"selftest": "selftest", "calibrate": "calibration"}  # as the journal names them
STEPS_MAX = 2_000  # a self-test has some hundred
ANSWER_S = 600.0  # somebody goes and fetches a ball
_NO_JOB = {
    "code": "not_now",
    "text": Message("Nothing is running."),
    "remedy": Message("Begin it first."),
}
_ROLE = {
    "code": "wrong_role",
    "text": Message("Only a supervisor may move the rotor."),
    "remedy": Message("Let a supervisor log in."),
}


class Stopped(Failure):
    """Whoever began it wants no more."""

    def __init__(self) -> None:
        super().__init__(FAILED, Message("It was stopped."))


class Session:
    """Somebody who is logged in at a browser: firmware.client.session, by a token."""

    def __init__(self, folder: Path, login: Login) -> None:
        self.token = login.token
        self.name = login.name
        self.role = login.role
        self._folder = folder

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer. Raises Failure."""
        return ask(self._folder, {**request, "session": self.token})

    def act(self, what: str, detail: str, sha256: str | None = None) -> None:
        """Writes down what was done. Raises Failure."""
        request = {"do": "act", "what": what, "detail": detail[:400]}
        self.ask(request if sha256 is None else {**request, "sha256": sha256})


class Person:
    """Whoever stands at the wheel with a tablet: tools.technician.selftest.person.Person."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def inform(self, text: str) -> None:
        """Says what happens now. Raises Stopped."""
        self._job.check()
        self._job.add_step({"kind": "tell", "text": text})

    def step(self, progress: Any) -> None:
        """Says where it is: tools.technician.selftest.person.Progress. Raises Stopped."""
        self._job.check()
        self._job.add_progress(progress._asdict())

    def ask(self, text: str) -> bool:
        """Asks for a hand. Raises Stopped."""
        return self._job.wait(text) is True

    def again(self, text: str) -> bool:
        """Asks whether what failed is to be tried again. Raises Stopped."""
        return self._job.wait(text, again=True) is True


class JobParts(NamedTuple):
    """Names what a job works with."""

    what: str
    session: Session
    person: Person
    game: Game
    config: Config
    folder: Path  # of the controller's sockets: nothing is written there
    notes: Path  # how far a calibration is
    options: dict[str, Any]
    say: Callable[[dict[str, Any]], None]
    check: Callable[[], None]  # raises Stopped
    keep: Callable[[str], str]  # a certificate, for whoever downloads it; its sha256

    @property
    def board(self) -> dict[str, Any]:
        """Returns the wheel's."""
        return self.game.board


class Job:
    """One that runs, or ran last."""

    def __init__(self, what: str, login: Login, tell: Callable[[dict[str, Any]], None]) -> None:
        """`tell` is given each step, on the job's thread."""
        self.what = what
        self.who = login.name
        self.state = "running"
        self.steps: list[dict[str, Any]] = []
        self.certificate: bytes | None = None
        self.stopped = threading.Event()
        self._is_heeded = False
        self._tell = tell
        self._asked: int | None = None
        self._answer: Any = None
        self._answered = threading.Event()
        self._begun_s = 0.0  # the step that runs

    def as_json(self) -> dict[str, Any]:
        """Returns all of it, for a page that is opened now."""
        told = {"what": self.what, "who": self.who, "state": self.state, "steps": self.steps}
        now = {"asked": self._asked, "step_age_s": time.monotonic() - self._begun_s}
        return told | now | {"certificate": self.certificate is not None}

    def add_step(self, step: dict[str, Any]) -> None:
        """Adds one step and tells it."""
        # What is asked, found and how it ended is told always: a page would wait for it for ever.
        if len(self.steps) < STEPS_MAX or step["kind"] != "tell":
            step = with_translations({"n": len(self.steps), **step})
            self.steps.append(step)
            self._tell({"step": step, "asked": self._asked, "state": self.state})

    def add_progress(self, progress: dict[str, Any]) -> None:
        """Adds where it is, and how long it still takes from now on."""
        self._begun_s = time.monotonic()
        self.add_step({"kind": "step", **progress})

    def keep(self, page: str) -> str:
        """Keeps a certificate, until the next job begins; its sha256."""
        self.certificate = page.encode()
        return hashlib.sha256(self.certificate).hexdigest()

    def check(self) -> None:
        """Checks if it is to stop. Raises Stopped once: what follows puts the wheel back."""
        if self.stopped.is_set() and not self._is_heeded:
            self._is_heeded = True
            raise Stopped

    def wait(self, text: str, *, again: bool = False) -> Any:
        """Returns what somebody answers; None if nobody does in time. Raises Stopped. `again`: it
        is asked whether to try again."""
        self._answered.clear()  # first: a stop from here on ends the waiting
        self.check()
        self._answer = None
        self._asked = len(self.steps)
        self.add_step({"kind": "ask", "text": text, "again": again})
        self._answered.wait(ANSWER_S)
        self._asked = None
        self.check()
        return self._answer

    def answer(self, n: int, given: Any) -> None:
        """Takes somebody's answer to the question of step `n`. Raises Refused if that is not asked
        now."""
        if self._asked is None or n != self._asked:
            raise Refused(_NO_JOB)
        self._answer = given
        self._answered.set()

    def stop(self) -> None:
        """Stops it at once, also while it listens; then the wheel is put back into play."""
        self.stopped.set()
        self._answered.set()


class Jobs:
    """Begins them, and tells the pages."""

    def __init__(
        self,
        wheel: Wheel,
        game: Game,
        config: Config,
        folder: Path,
        notes: Path,
        run: Callable[[JobParts], str],
    ) -> None:
        """`folder`: of the controller's sockets; `notes`: the file of a calibration's.

        `run`: does what a job is to do; returns how it ended, raises Failure.
        """
        self._run = run
        self._wheel = wheel
        self._game = game
        self._config = config
        self._folder = folder
        self._notes = notes
        self._job: Job | None = None
        self._thread: threading.Thread | None = None

    def add_to(self, server: Server) -> None:
        """Adds what may be asked of them."""
        server.question("/api/job", self._show)
        server.question("/api/job/certificate.html", self._certificate)
        server.question("/api/job", self._begin, post=True)
        server.question("/api/job/answer", self._answered, post=True)
        server.question("/api/job/stop", self._stop, post=True)

    def close(self, patience_s: float = 4.0) -> None:
        """Stops what runs; its last requests put the wheel back, once its rotor rests.

        A rotor takes longer that turned: then the wheel stays out of play, for its holder.
        """
        if self._job is not None and self._thread is not None:
            self._job.stop()
            self._thread.join(patience_s)

    async def _show(self, asked: Question) -> Any:
        return {"job": None if self._job is None else self._job.as_json()}

    async def _certificate(self, asked: Question) -> Any:
        if self._job is None or self._job.certificate is None:
            raise Refused(_NO_JOB)
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Disposition": 'attachment; filename="certificate.html"',
        }
        return Response(self._job.certificate, 200, headers)

    async def _begin(self, asked: Question) -> Any:
        what, options = asked.body(what=str, options=dict)
        login = asked.person
        if login.role != SUPERVISOR:
            raise Refused(_ROLE)
        if self._job is not None and self._job.state == "running":
            text = Message("{who} is at it already.", who=self._job.who)
            raise Refused(
                {"code": "busy", "text": text, "remedy": Message("Wait, or ask them to stop.")}
            )
        if what not in KINDS:
            raise Refused(
                {"code": "no_such", "text": Message("There is no such job."), "remedy": ""}
            )
        loop = asyncio.get_running_loop()

        def tell(told: dict[str, Any]) -> None:
            with contextlib.suppress(RuntimeError):  # the page stops
                loop.call_soon_threadsafe(self._pass_on, told)

        job = self._job = Job(what, login, tell)
        session = Session(self._folder, login)
        person = Person(job)
        parts = JobParts(
            what=what,
            session=session,
            person=person,
            game=self._game,
            config=self._config,
            folder=self._folder,
            notes=self._notes,
            options=options or {},
            say=job.add_step,
            check=job.check,
            keep=job.keep,
        )
        self._thread = threading.Thread(target=_work, args=(job, parts, self._run), daemon=True)
        self._thread.start()
        return {"job": job.as_json()}

    async def _answered(self, asked: Question) -> Any:
        n, yes = asked.body(n=int, yes=bool)
        job = self._running()
        if job.who != asked.person.name:
            text = Message("{who} began this.", who=job.who)
            raise Refused(
                {"code": "held", "text": text, "remedy": Message("Ask {who}.", who=job.who)}
            )
        job.answer(n, yes)
        return {"ok": True}

    async def _stop(self, asked: Question) -> Any:
        if asked.person.role != SUPERVISOR:
            raise Refused(_ROLE)
        job = self._running()
        job.stop()
        if job.who != asked.person.name:  # what follows stands in the journal under who began it
            act = {
                "do": "act",
                "what": _ACTS[job.what],
                "detail": f"stopped that of {job.who}",
            }
            with contextlib.suppress(Refused):  # it is stopped all the same
                await self._wheel.ask(asked.person, act)
        return {"ok": True}

    def _running(self) -> Job:
        job = self._job
        if job is None or job.state != "running":
            raise Refused(_NO_JOB)
        return job

    def _pass_on(self, told: dict[str, Any]) -> None:
        self._wheel.viewers.tell_those(web.event("job", web.compact(told)))


def _work(job: Job, parts: JobParts, run: Callable[[JobParts], str]) -> None:
    """The thread: whatever ends it is told."""
    try:
        state, text = run(parts), ""
    except Stopped as stopped:
        state, text = "stopped", stopped.sentence
    except Failure as failure:
        state, text = "failed", failure.sentence
    except Exception as error:  # a mistake of ours must not look like a job that goes on
        state, text = (
            "failed",
            Message("This is a mistake in cylindre itself ({error}).", error=str(error)),
        )
    job.state = state
    job.add_step({"kind": "end", "state": state, "text": text})
