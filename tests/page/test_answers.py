"""What the page's server answers, and whom: real HTTPS to a real page beside a real controller."""

import io
import json
import re
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, until

from firmware.services.page.logins import ATTEMPTS_MAX
from tools.bench.page.client import tls

ANYBODYS = ("/", "/api/me", "/api/wheel", "/api/coups", "/api/faults", "/api/upkeep", "/words.mjs")
PERSONAL = (
    "/api/history", "/api/log", "/api/parts", "/api/scope.vcd", "/api/config", "/api/orders",
    "/api/config/keys", "/api/update", "/api/verify", "/api/job", "/api/job/certificate.html",
    "/api/health",
)  # fmt: skip
ACTS = (
    "/api/service", "/api/turn", "/api/act", "/api/acknowledge", "/api/alive", "/api/config/check",
    "/api/config/apply", "/api/update", "/api/update/rollback", "/api/job", "/api/job/answer",
    "/api/job/stop", "/api/support", "/api/logout",
)  # fmt: skip


def test_the_certificate_shown_is_the_one_whose_fingerprint_was_printed(
    client: Any, played: Any
) -> None:
    assert client.fingerprint() == played.fingerprint
    assert client.ask("/api/wheel")[1]["fingerprint"] == played.fingerprint


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"\x00" * 64])
def test_plain_http_is_served_nothing(played: Any, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", played.port), LAST_RESORT_S) as link:
        link.sendall(said)
        came = b""
        try:
            while data := link.recv(4096):
                came += data
        except ConnectionResetError:
            pass
    assert b"HTTP" not in came
    assert b"html" not in came.lower()


@pytest.mark.req("IEC-CR-3.1")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_old_tls_is_refused(played: Any, version: ssl.TLSVersion) -> None:
    context = tls()
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    link = socket.create_connection(("127.0.0.1", played.port), LAST_RESORT_S)
    with pytest.raises(ssl.SSLError), context.wrap_socket(link):
        pass


@pytest.mark.parametrize("path", ANYBODYS)
def test_anybody_may_look(client: Any, path: str) -> None:
    assert client.ask(path)[0] == 200


@pytest.mark.parametrize("path", PERSONAL)
def test_who_is_not_logged_in_may_not(client: Any, path: str) -> None:
    status, told = client.ask(path)
    assert (status, told["error"]["code"]) == (401, "no_session")


@pytest.mark.req("IEC-CR-1.1")
@pytest.mark.parametrize("path", ACTS)
def test_who_is_not_logged_in_changes_nothing(client: Any, path: str) -> None:
    status, told = client.ask(path, {"on": True, "why": "x", "text": "", "what": "selftest"})
    assert (status, told["error"]["code"]) == (401, "no_session")


@pytest.mark.parametrize("host", ["casino.example", "127.0.0.1.example", "", "10.9.8.7"])
@pytest.mark.parametrize("path", ["/", "/events", "/api/wheel"])
def test_whoever_asks_by_another_name_is_refused(client: Any, host: str, path: str) -> None:
    status, told = client.ask(path, Host=host)
    assert (status, told) == (403, b"The service page has another name.")


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.0.0.1:8443", "[::1]:8443"])
def test_the_names_of_the_certificate_are_its_names(client: Any, name: str) -> None:
    assert client.ask("/api/me", Host=name)[0] == 200


@pytest.mark.req("IEC-CR-3.8")
def test_the_cookie_is_no_scripts_and_no_other_sites(weber: Any) -> None:
    kept = weber.headers["set-cookie"]
    assert kept.startswith("__Host-cylindre=")
    for word in ("Secure", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=28800"):
        assert word in kept
    assert "Domain" not in kept
    _, told = weber.ask("/api/me")
    assert (told["name"], told["role"]) == ("weber", "supervisor")
    assert weber.cookie.partition("=")[2] not in json.dumps(told)


@pytest.mark.parametrize(
    "wrong",
    [
        {"Origin": "https://casino.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"X_Cylindre_Token": ""},
        {"X_Cylindre_Token": "page"},
    ],
)
def test_another_sites_request_in_somebodys_browser_changes_nothing(
    weber: Any, wrong: dict[str, str]
) -> None:
    """CSRF: the cookie comes along, the token and the origin do not."""
    status, told = weber.ask("/api/act", {"what": "note", "detail": "crossed"}, **wrong)
    assert (status, told["error"]["code"]) == (403, "crossed")
    status, told = weber.ask("/api/log?n=20")
    assert "crossed" not in json.dumps(told)


def test_a_login_is_crossed_as_little(client: Any) -> None:
    body = {"name": "weber", "pin": "831504"}
    assert client.ask("/api/login", body, Origin="https://casino.example")[0] == 403


def test_a_note_is_in_the_journal_under_the_name_of_who_wrote_it(weber: Any, played: Any) -> None:
    assert weber.ask("/api/act", {"what": "note", "detail": "rim beam 1 cleaned"}) == (
        200, {"ok": True, "do": "act"},
    )  # fmt: skip

    def noted() -> list[Any]:
        _, told = weber.ask("/api/log?n=50")
        said = [row["said"] for row in told["rows"] if row["kind"] == "act"]
        return [each for each in said if each["detail"] == "rim beam 1 cleaned"]

    acts = until(noted, "the note in the log")
    assert (acts[0]["who"], acts[0]["role"], acts[0]["what"]) == ("weber", "supervisor", "note")


def test_work_on_the_wheel_needs_no_note_and_is_in_the_journal(weber: Any, played: Any) -> None:
    for body in ({"what": "levelled"}, {"what": "ball", "detail": "19 mm"}):
        assert weber.ask("/api/act", body) == (200, {"ok": True, "do": "act"})

    def done() -> list[Any]:
        _, told = weber.ask("/api/log?n=50")
        said = [row["said"] for row in told["rows"] if row["kind"] == "act"]
        return [(each["what"], each["detail"]) for each in said if each["who"] == "weber"]

    until(lambda: {("levelled", ""), ("ball", "19 mm")} <= set(done()), told=done)


@pytest.mark.req("IEC-CR-2.6")
def test_a_logout_ends_it_here_and_at_the_controller(weber: Any) -> None:
    assert weber.ask("/api/parts")[0] == 200
    assert weber.ask("/api/logout", {})[0] == 200
    assert weber.ask("/api/parts")[0] == 401
    assert weber.ask("/api/me")[1] == {"name": None}


def test_a_logout_at_the_page_is_journalled_as_a_login_is(client: Any) -> None:
    assert client.log_in("anna", "275916")[0] == 200
    assert client.ask("/api/logout", {})[0] == 200
    assert client.log_in("weber", "831504")[0] == 200

    def acts() -> set[Any]:
        _, told = client.ask("/api/log?n=50")
        said = [row["said"] for row in told["rows"] if row["kind"] == "act"]
        return {each["what"] for each in said if each["who"] == "anna"}

    until(lambda: {"login", "logout"} <= acts(), told=acts)


def test_a_technician_moves_nothing_and_installs_nothing(client: Any) -> None:
    assert client.log_in("anna", "275916")[0] == 200
    for path, body in (
        ("/api/service", {"on": True, "why": "check"}),
        ("/api/config/apply", {"text": ""}),
        ("/api/update", b"bundle"),
        ("/api/update/rollback", {"slot": "B", "version": "0.9.0"}),
        ("/api/job", {"what": "selftest"}),
        ("/api/acknowledge", {"code": "H12", "why": "x"}),
    ):
        status, told = client.ask(path, body)
        assert (status, told["error"]["code"]) == (403, "wrong_role"), path


def test_nothing_turns_before_the_wheel_is_out_of_play(weber: Any) -> None:
    status, told = weber.ask("/api/turn", {"way": "ccw", "rpm": 20, "for_s": 5})
    assert (status, told["error"]["code"]) == (409, "not_now")


@pytest.mark.req("EN-5.13-1")
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/turn", {"way": 7, "rpm": 20, "for_s": 5}),
        ("/api/turn", {"way": "ccw", "rpm": "fast", "for_s": 5}),
        ("/api/service", {"on": 1, "why": "x"}),
        ("/api/service", []),
        ("/api/act", b"{"),
        ("/api/act", b"\xff\xfe"),
        ("/api/act", {"what": "note", "detail": "x" * 5000}),
        ("/api/act", {"what": "note", "detail": "\x07"}),
        ("/api/act", {"what": "note"}),
        ("/api/act", {"what": "poetry", "detail": "a sonnet"}),
        ("/api/act", {"detail": "cleaned"}),
        ("/api/acknowledge", {"code": "W21", "why": "x"}),
        ("/api/acknowledge", {"code": "H12"}),
        ("/api/job", {"what": "reboot"}),
        ("/api/job", {"what": None}),
        ("/api/login", {"name": "weber"}),
        ("/api/config/check", {"text": 7}),
    ],
)
def test_what_is_not_as_it_must_be_is_one_sentence(weber: Any, path: str, body: Any) -> None:
    status, told = weber.ask(path, body)
    assert 400 <= status < 500
    assert told["error"]["text"]
    assert "Traceback" not in json.dumps(told)


@pytest.mark.parametrize(
    "path",
    [
        "/api/coups?n=0", "/api/coups?n=9999", "/api/coups?before=x", "/api/coups?n=-1",
        "/api/coup/0", "/api/coup/99999999999999999999", "/api/scope.vcd?from_us=1e9",
        "/api/history?n=%C2%B2",
    ],
)  # fmt: skip
def test_numbers_of_an_address_are_checked(weber: Any, path: str) -> None:
    status, _ = weber.ask(path)
    assert 400 <= status < 500


@pytest.mark.parametrize(
    "path", ["/server.py", "/../main.py", "/..%2fmain.py", "/vendor/../../main.py", "/views/"]
)
def test_nothing_but_the_page_is_served(client: Any, path: str) -> None:
    assert client.ask(path)[0] == 404


def test_every_answer_is_protected(client: Any) -> None:
    for path in ("/", "/app.mjs", "/api/me", "/nothing"):
        client.ask(path)
        policy = client.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert client.headers["x-content-type-options"] == "nosniff"
        assert client.headers["cache-control"] == "no-store"


def test_a_configuration_is_checked_with_its_lines(weber: Any) -> None:
    wrong = '[wheel]\nbord = "pi4"\n[pace]\ncoup_s = "x"'
    _, told = weber.ask("/api/config/check", {"text": wrong})
    assert [mistake["line"] for mistake in told["mistakes"]] == [2, 4]
    assert "board" in told["mistakes"][0]["text"]
    assert told["mistakes"][0]["translations"]["fr"]["text"] == (
        "Il n'y a pas de clé « bord » dans [wheel]. Vouliez-vous dire « board » ?"
    )
    good = {"text": '[wheel]\nboard = "roulette_ref"\n'}
    assert weber.ask("/api/config/check", good)[1] == {"mistakes": [], "limits": None}


def test_a_configuration_with_mistakes_is_not_left_to_be_applied(weber: Any, played: Any) -> None:
    before = _left(played)
    status, told = weber.ask("/api/config/apply", {"text": "[nonsense]"})
    assert (status, told["error"]["code"]) == (409, "mistakes")
    assert _left(played) == before


def test_a_bundle_is_left_whole_with_the_act_of_who_sent_it(weber: Any, played: Any) -> None:
    import hashlib

    bundle = bytes(range(256)) * 2000
    status, told = weber.ask("/api/update", bundle)
    assert status == 200
    assert told["sha256"] == hashlib.sha256(bundle).hexdigest()
    (order,) = [each for each in _orders(weber) if each["name"] == told["order"]]
    assert (order["what"], order["who"], order["sha256"]) == ("update", "weber", told["sha256"])
    folder = Path(played.state) / "orders"
    assert (folder / order["file"]).read_bytes() == bundle
    assert (folder / order["file"]).stat().st_mode & 0o777 == 0o640

    def written() -> bool:
        _, log = weber.ask("/api/log?n=50")
        acts = [row["said"] for row in log["rows"] if row["kind"] == "act"]
        return any(act.get("sha256") == told["sha256"] for act in acts)

    until(written, "the bundle in the log")


def test_a_bundle_that_is_cut_off_is_not_left(weber: Any, played: Any) -> None:
    before = _left(played)
    with tls().wrap_socket(socket.create_connection(("127.0.0.1", played.port))) as link:
        link.sendall(
            f"POST /api/update HTTP/1.1\r\nHost: 127.0.0.1:{played.port}\r\n"
            f"Origin: https://127.0.0.1:{played.port}\r\nCookie: {weber.cookie}\r\n"
            f"X-Cylindre-Token: {weber.token}\r\nContent-Length: 500000\r\n\r\n".encode()
        )
        link.sendall(b"x" * 1000)
        link.shutdown(socket.SHUT_WR)
        answer = io.BytesIO()
        try:
            while data := link.recv(4096):
                answer.write(data)
        except (OSError, ssl.SSLError):
            pass
    assert _left(played) == before


def _left(played: Any) -> set[str]:
    """All that lies in the orders' folder."""
    return {path.name for path in (Path(played.state) / "orders").glob("*")}


def _orders(somebody: Any) -> list[Any]:
    return list(somebody.ask("/api/orders")[1]["orders"])


@pytest.mark.req("IEC-CR-6.1")
def test_the_journal_is_verified_with_the_wheels_key(weber: Any) -> None:
    status, told = weber.ask("/api/verify")
    assert (status, told["intact"]) == (200, True)


def test_a_stream_tells_how_the_wheel_stands_and_goes_on(client: Any) -> None:
    with client.stream() as stream:
        came = b""
        while len(re.findall(rb"event: status\n", came)) < 3:
            data = stream.recv(65536)
            assert data
            came += data
    assert came.index(b"event: hello") < came.index(b"event: status")
    found = re.findall(rb"event: status\ndata: (.*)\n\n", came)
    told = json.loads(found[-1])
    assert told["status"]["game"] == "roulette"
    for secret in (b"event: edges", b"event: lines", b"event: estimate", b'"act"'):
        assert secret not in came


def test_edges_are_for_those_who_are_logged_in_alone(client: Any, weber: Any) -> None:
    stranger = type(client)(client.port, LAST_RESORT_S)
    with weber.stream("/events?edges=1") as own, stranger.stream("/events?edges=1") as other:
        heard, overheard = b"", b""
        while heard.count(b"event: edges") < 4:
            heard += own.recv(65536)
        while overheard.count(b"event: status") < 3:
            overheard += other.recv(65536)
    assert b"event: lines" in heard
    assert b"event: edges" not in overheard
    assert b"event: lines" not in overheard


def test_too_many_attempts_from_one_address_are_not_heard(played: Any, client: Any) -> None:
    """The last test of this page: from here on this address waits."""
    codes = []
    for _ in range(ATTEMPTS_MAX + 1):
        status, told = client.log_in("nobody", "000111")
        codes.append((status, told["error"]["code"]))
    assert codes[0] == (403, "wrong_pin")
    assert codes[-1] == (429, "too_soon")
    assert "this device" in client.log_in("weber", "831504")[1]["error"]["text"]
