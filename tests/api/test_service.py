"""The controller's sockets, over real ones."""

import json
import os
import select
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, Waiting, until
from service_bench import Caller, code, signer, taken

import boards
import rules
from firmware.api.connection import OUT_MAX, Client
from firmware.api.requests import LINE_MAX
from firmware.api.server import ASKED_MAX, CLIENTS_MAX, Service, ServiceError
from firmware.core import faults
from firmware.core.controller import Controller
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import (
    CCW,
    CW,
    BallInTrack,
    ClearAsked,
    ConfirmAsked,
    CorrectionAsked,
    Detected,
    Drive,
    EmployeePresent,
    ManualEntered,
    NoMoreBets,
    NumberKeyed,
    Result,
    View,
    VoidAsked,
)
from firmware.lib.places import CONTROL, STATUS_ONLY
from firmware.loop import Loop, Ports
from tools.virtual.memory_store import MemoryStore


@pytest.mark.req("LU-house.computer")
def test_a_status_says_how_the_table_stands_and_nothing_that_predicts(
    service: Service, call: Any
) -> None:
    assert call().ask(do="status") == {
        "ok": True,
        "status": {
            "state": "BALL_IN_TRACK",
            "coup": 3,
            "seq": 2,
            "rotor": "cw",
            "reason": None,
            "last_number": None,
            "last_coup": None,
            "game": None,
            "open": False,
            "number": None,
            "result_age_ms": None,
            "ball": None,
            "faults": [],
            "rotor_rpm": None,
            "loop_age_ms": None,
            "employees": None,
            "call": None,
            "displays": None,
            "displays_heard": None,
            "displays_later": None,
            "clients": 1,
            "clients_dropped": 0,
        },
    }


@pytest.mark.parametrize(
    ("heard_ms", "told"),
    [((), (0, 0)), ((None, None), (2, 0)), ((40, None, 3_000), (3, 1)), ((2_999, 0), (2, 2))],
)
def test_a_status_says_how_many_displays_there_are_and_how_many_answer_now(
    service: Service, call: Any, heard_ms: tuple[int | None, ...], told: tuple[int, int]
) -> None:
    there = [{"address": 1, "heard_ms": each, "faults": []} for each in heard_ms]
    service.technicians.parts = lambda: {"displays": there}
    status = call(STATUS_ONLY).ask(do="status")["status"]
    assert (status["displays"], status["displays_heard"]) == told


def test_a_status_names_the_displays_that_answer_and_know_of_a_later_result(
    service: Service, call: Any
) -> None:
    """Silent since, or of another mind since: no more."""
    told = [(1, 40, ["B14"]), (2, 3_000, ["B11", "B14"]), (3, 5, ["B12"]), (4, None, [])]
    there = [{"address": at, "heard_ms": age, "faults": codes} for at, age, codes in told]
    service.technicians.parts = lambda: {"displays": there}
    assert call(STATUS_ONLY).ask(do="status")["status"]["displays_later"] == [1]


@pytest.mark.parametrize(
    ("request_of", "kind"),
    [
        ({"do": "void"}, VoidAsked),
        ({"do": "confirm"}, ConfirmAsked),
        ({"do": "clear"}, ClearAsked),
        (
            {
                "do": "manual",
                "number": 17,
                "why": "beams dark",
                "croupier": signer("anna"),
                "management": signer("weber"),
            },
            ManualEntered,
        ),
        (
            {
                "do": "correct",
                "coup": 3,
                "number": 17,
                "why": "seen on film",
                "croupier": signer("anna"),
                "management": signer("weber"),
            },
            CorrectionAsked,
        ),
        ({"do": "employee", "present": True, "employee": signer("weber")}, EmployeePresent),
    ],
)
def test_a_request_reaches_the_loop_and_is_answered_when_it_is_decided(
    service: Service, call: Any, people: None, request_of: dict[str, Any], kind: type
) -> None:
    caller = call()
    caller.say(json.dumps(request_of).encode() + b"\n")
    (asked,) = taken(service)
    assert isinstance(asked, kind)
    assert asked.at_us == 0
    assert asked.who
    assert getattr(asked, "number", 17) == 17
    assert service.take_events() == ()
    caller.socket.setblocking(False)
    with pytest.raises(BlockingIOError):  # no word before the core has decided
        caller.socket.recv(1)
    caller.socket.settimeout(LAST_RESORT_S)
    service.decided(None)
    assert caller.hear() == {"ok": True, "do": request_of["do"]}


def test_what_the_core_refuses_is_refused_with_its_own_words(service: Service, call: Any) -> None:
    caller, other = call(), call()
    for asker, refusal in ((caller, faults.sentence("P10", "no ball.")), (other, None)):
        asker.say(b'{"do":"void"}\n')
        taken(service)
        service.decided(refusal)
    assert caller.hear() == {
        "error": {
            "code": "not_now",
            "text": "P10: What was asked is not done: no ball.",
            "remedy": "Look at the state of the coup and ask again.",
        }
    }
    assert other.hear() == {"ok": True, "do": "void"}


def test_answers_come_in_the_order_of_the_requests(service: Service, call: Any) -> None:
    caller = call()
    caller.say(b'{"do":"void"}\n{"do":"status"}\n{"do":"clear"}\n')
    (asked,) = taken(service)
    assert isinstance(asked, VoidAsked)
    service.decided(None)
    assert caller.hear() == {"ok": True, "do": "void"}
    assert "status" in caller.hear()
    (asked,) = taken(service)
    assert isinstance(asked, ClearAsked)
    service.decided("P10: no.")
    assert code(caller.hear()) == "not_now"


def test_who_has_said_all_still_hears_the_answer(service: Service, call: Any) -> None:
    """`echo '{"do":"void"}' | nc -N -U cylindre.sock` closes its side before the core decides."""
    caller = call()
    caller.say(b'{"do":"void"}\n')
    caller.socket.shutdown(socket.SHUT_WR)
    taken(service)
    other = call()
    while other.ask(do="status")["status"]["clients"] > 1:
        pass  # until the server knows that it will say no more
    service.decided(None)
    assert caller.hear() == {"ok": True, "do": "void"}
    assert caller.hear() is None


def test_who_hung_up_before_the_decision_is_no_trouble(service: Service, call: Any) -> None:
    caller = call()
    caller.say(b'{"do":"void"}\n')
    taken(service)
    caller.close()
    while (told := call()).ask(do="status")["status"]["clients"] > 1:
        told.close()
    service.decided(None)
    assert told.ask(do="status")["ok"]


class Still:
    """Edges of a wheel that nobody touches, and a rotor; time jumps."""

    def __init__(self) -> None:
        self.time_us = 0

    def now_us(self) -> int:
        return self.time_us

    def read(self, until_us: int) -> list[tuple[int, int, int]]:
        self.time_us = until_us
        return []

    def drive(self, direction: int, now_us: int, speed_uturn_s: int | None = None) -> None:
        pass

    def poll(self, now_us: int, speed_uturn_s: int) -> None:
        pass

    def stop(self) -> None:
        pass


class SlowDisk(MemoryStore):
    """Nothing is durable yet."""

    def done(self) -> tuple[int, ...]:
        return ()


def test_a_void_is_refused_while_the_coups_end_waits_for_the_disk(
    service: Service, call: Any
) -> None:
    board = boards.load("roulette_ref")
    memory = FRESH._replace(coup=6, seq=6, rotor=CW, open_coup=7)
    wheel = Still()
    ports = Ports(
        edges=wheel,
        rotor=wheel,
        store=SlowDisk(),
        bus=None,
        event_sources=(service,),
        watchdog=None,
        view_listeners=(service,),
        fact_listeners=(),
    )
    loop = Loop(Controller(board, rules.load(board["rules"]), restart_state=memory), ports)
    loop.begin_play()  # ends coup 7, which a restart interrupted; its record waits for the disk
    caller = call()
    caller.say(b'{"do":"void"}\n')
    with Waiting("an answer") as waiting:
        while not select.select([caller.socket], [], [], 0)[0]:
            waiting.on()
            loop.step()
    assert code(caller.hear()) == "not_now"


@pytest.mark.req("GLI-3.4.4.influence")
def test_the_status_socket_gives_status_and_takes_no_command(service: Service, call: Any) -> None:
    caller = call(STATUS_ONLY)
    assert caller.ask(do="status")["ok"]
    assert code(caller.ask(do="void")) == "not_allowed"
    assert service.take_events() == ()


AS_ANOTHER = """
import os, socket, sys
line = socket.socket(socket.AF_UNIX)
os.setuid(int(sys.argv[1]))
line.connect(sys.argv[2])
line.sendall(sys.argv[3].encode() + b"\\n")
print(line.makefile().readline())
"""


@pytest.mark.req("IEC-CR-2.1")
@pytest.mark.needs("root")
@pytest.mark.parametrize(("uid", "may"), [(642, False), (65534, False), (4321, True)])
@pytest.mark.parametrize("do", ["confirm", "clear", "void"])
def test_a_program_of_the_machine_may_not_do_what_takes_a_person(
    service: Service, tmp_path: Path, do: str, uid: int, may: bool
) -> None:
    """The service page and the display have users of their own, in the controller's group."""
    tmp_path.chmod(0o755)
    words = [sys.executable, "-c", AS_ANOTHER, str(uid), CONTROL, json.dumps({"do": do})]
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=tmp_path) as asking:
        if may:
            (event,) = taken(service)
            assert event.who == f"uid {uid}"
            service.decided(None)
        try:
            answer = json.loads(asking.communicate(timeout=LAST_RESORT_S)[0])
        finally:
            asking.kill()
    assert answer == {"ok": True, "do": do} if may else code(answer) == "not_allowed"
    assert service.take_events() == ()


@pytest.mark.req("IEC-CR-2.1")
def test_roles_are_the_permissions_of_the_sockets(service: Service, tmp_path: Path) -> None:
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in (CONTROL, STATUS_ONLY)]
    assert modes == [0o660, 0o666]


@pytest.mark.req("UK-4.1.alerted")
def test_facts_go_to_every_client_and_orders_to_none(service: Service, call: Any) -> None:
    callers = [call(), call(STATUS_ONLY)]
    for caller in callers:
        assert caller.ask(do="status")["ok"]  # it is connected now
    for fact in (Drive(CCW, None), BallInTrack(5, 3, CCW), Detected(7, 3, 17, 8)):
        service.take_fact(fact)
    for caller, thrown_us, seen_us in zip(callers, (5, 0), (7, 0), strict=True):  # in tenths
        thrown = {"t_us": thrown_us, "event": "ball_in_track", "coup": 3, "ball": "ccw"}
        assert caller.hear() == thrown
        assert caller.hear() == {"t_us": seen_us, "event": "detected", "coup": 3}


def test_what_the_croupier_keys_in_goes_to_who_may_command_alone(
    service: Service, call: Any
) -> None:
    """DESIGN section 4: a display shows a number only if it is confirmed."""
    croupier, looker = call(), call(STATUS_ONLY)
    for caller in (croupier, looker):
        assert caller.ask(do="status")["ok"]
    service.take_fact(NumberKeyed(5, 3, 17, "black"))
    service.take_fact(NoMoreBets(6, 3))
    assert croupier.hear() == {
        "t_us": 5,
        "event": "number_keyed",
        "coup": 3,
        "number": 17,
        "colour": "black",
    }
    for caller in (croupier, looker):
        assert caller.hear()["event"] == "no_more_bets"


def test_the_last_number_stays_in_the_status(service: Service, call: Any) -> None:
    caller = call()
    assert caller.ask(do="status")["ok"]
    service.take_fact(Result(9, 3, 3, 17, 8, "black", True, True))
    service.show_view(View("CONFIRMED", 3, 3, CCW, 17, "black", None))
    assert caller.hear()["number"] == 17
    status = caller.ask(do="status")["status"]
    assert (status["last_number"], status["last_coup"]) == (17, 3)


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_that_is_too_long_ends_the_connection(
    service: Service, call: Any, end: bytes
) -> None:
    caller = call()
    caller.say(b"x" * (LINE_MAX + 1) + end)
    assert code(caller.hear()) == "too_long"
    assert caller.hear() is None
    assert call().ask(do="status")["ok"]


def test_a_request_that_comes_byte_by_byte_is_heard(service: Service, call: Any) -> None:
    caller = call()
    for byte in b'{"do":"status"}\n':
        caller.say(bytes([byte]))
    assert caller.hear()["ok"]


@pytest.mark.req("IEC-CR-7.1")
def test_more_requests_than_the_loop_takes_are_refused(service: Service, call: Any) -> None:
    caller = call()
    caller.say(b'{"do":"void"}\n' * (ASKED_MAX + 2))  # the first is under way
    assert code(caller.hear()) == "busy"
    assert caller.hear() is None
    assert len(taken(service)) == 1


def test_who_does_not_read_is_dropped_and_counted_and_holds_nobody_up(
    service: Service, call: Any
) -> None:
    slow, other = call(), call()
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    for caller in (slow, other):
        assert caller.ask(do="status")["ok"]
    heard = threading.Event()
    stop = threading.Event()

    def listen() -> None:
        while not stop.is_set():
            told = other.hear()
            if told and told.get("coup") == -1:
                heard.set()
                return

    listener = threading.Thread(target=listen)
    listener.start()
    fact = NoMoreBets(1, 3)
    # Far more than the kernel and our own limit hold for one who does not read.
    rounds = 0
    while service._slow == 0 and rounds < 200:
        rounds += 1
        for _ in range(OUT_MAX // 1000):
            service.take_fact(fact)
        answer = call()
        assert answer.ask(do="status") is not None
        answer.close()
    service.take_fact(NoMoreBets(2, -1))
    assert heard.wait(LAST_RESORT_S)
    stop.set()
    listener.join()
    assert call().ask(do="status")["status"]["clients_dropped"] == 1


def test_those_who_only_look_cannot_keep_out_who_commands(service: Service, call: Any) -> None:
    lookers = [call(STATUS_ONLY) for _ in range(CLIENTS_MAX)]
    assert all(looker.ask(do="status")["ok"] for looker in lookers)
    assert call(STATUS_ONLY).hear() is None
    assert call().ask(do="status")["ok"]


def test_a_caller_who_hangs_up_is_forgotten(service: Service, call: Any) -> None:
    for _ in range(3 * CLIENTS_MAX):
        caller = call()
        assert caller.ask(do="status")["ok"]
        caller.close()
    assert call().ask(do="status")["status"]["clients_dropped"] == 0


def test_who_hung_up_before_the_news_was_not_slow(
    service: Service, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = call()
    assert caller.ask(do="status")["ok"]
    with monkeypatch.context() as patched:
        patched.setattr(Client, "receive", lambda _: True)  # that he has gone is not yet seen
        caller.close()
        service.take_fact(NoMoreBets(1, 3))
        until(lambda: not service._clients)
    assert call().ask(do="status")["status"]["clients_dropped"] == 0


def test_the_socket_of_a_controller_that_died_is_taken_over(tmp_path: Path) -> None:
    for name in (CONTROL, STATUS_ONLY):
        dead = socket.socket(socket.AF_UNIX)
        dead.bind(str(tmp_path / name))
        dead.close()
    Service(tmp_path, number_max=36).close()
    assert list(tmp_path.iterdir()) == []


def test_a_second_controller_is_refused_and_the_first_goes_on(
    service: Service, call: Any, tmp_path: Path
) -> None:
    with pytest.raises(ServiceError, match="address already in use"):
        Service(tmp_path, number_max=36)
    assert call().ask(do="status")["ok"]


def test_a_folder_whose_name_is_too_long_for_a_socket_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match=r"path too long\. .* short folder"):
        Service(tmp_path / ("x" * 100), number_max=36)


def test_a_file_that_is_no_socket_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / CONTROL).write_text("precious")
    with pytest.raises(ServiceError):
        Service(tmp_path, number_max=36)
    assert (tmp_path / CONTROL).read_text() == "precious"


def test_closing_leaves_no_socket_and_no_open_file(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    service = Service(tmp_path, number_max=36)
    caller = Caller(tmp_path)
    assert caller.ask(do="status")["ok"]
    service.take_fact(NoMoreBets(1, 3))
    service.close()
    service.close()
    assert caller.hear() is not None
    assert caller.hear() is None
    caller.close()
    assert list(tmp_path.iterdir()) == []
    assert len(os.listdir("/proc/self/fd")) == before
