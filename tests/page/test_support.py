"""A support bundle from the page: what the command packs, for who is logged in, with their act."""

import asyncio
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any, cast

import pytest
from page_bench import PINS, Page, Table
from patience import LAST_RESORT_S, until

from firmware.client.line import Refused
from firmware.lib.errors import Failure
from firmware.services.page import subprocesses
from firmware.services.page.logins import Login, Logins
from firmware.services.page.queries import Places
from firmware.services.page.server import Question
from firmware.services.page.support import MOST_MB, Support
from tools.bench.page.client import Client
from tools.technician.support import bundle

PLACES = Places(Path("journal.db"), Path("/nowhere/wheel.toml"), Path("orders"), Path("keys"))


def acts(client: Client, sha256: str) -> list[dict[str, Any]]:
    rows = client.ask("/api/log?n=100")[1]["rows"]
    return [row["said"] for row in rows if row["said"].get("sha256") == sha256]


def test_a_technician_downloads_it_and_the_reader_opens_it(played: Table, tmp_path: Path) -> None:
    anna = Client(played.port, LAST_RESORT_S)
    anna.log_in("anna", PINS["anna"])
    status, data = anna.ask("/api/support", {})
    assert status == 200, data
    assert anna.headers["content-length"] == str(len(data))
    name = anna.headers["content-disposition"].split('"')[1]
    assert name.startswith("cylindre-support-2") and name.endswith("Z.tar.gz")
    path = tmp_path / name
    path.write_bytes(data)
    found = bundle.read(path)
    assert json.loads(found.files["config.json"])["values"]["wheel_id"] == "table-3"
    assert json.loads(found.files["journal/verify.json"])["intact"] is True
    assert json.loads(found.files["status.json"])["state"]
    assert "versions.json" in found.files
    assert found.manifest["missing"]["doctor"]

    (act,) = until(lambda: acts(anna, hashlib.sha256(data).hexdigest()))
    assert (act["what"], act["who"], act["role"]) == ("support", "anna", "technician")
    assert act["detail"] == name

    everything = data + gzip.decompress(data)
    people = [json.loads(line) for line in played.people.read_text().splitlines()]
    secrets = [each[key] for each in people for key in ("salt", "hash")]
    secrets += [file.read_text().strip() for file in (played.state / "keys").glob("*.key")]
    secrets += [*PINS.values(), anna.cookie.partition("=")[2], anna.token]
    secrets += (played.state / "tls" / "page.key").read_text().splitlines()[1:-1]
    assert len(secrets) > 10
    for secret in secrets:
        assert secret.encode() not in everything


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_who_is_not_logged_in_gets_none(client: Client, method: str) -> None:
    status, told = client.ask("/api/support", {}, method=method)
    assert status in (401, 404, 405), told
    assert not isinstance(told, bytes) or not told.startswith(b"\x1f\x8b")


@pytest.mark.parametrize("wrong", [{"Origin": "https://casino.example"}, {"X_Cylindre_Token": "x"}])
def test_no_other_site_has_one_packed(weber: Client, wrong: dict[str, str]) -> None:
    status, told = weber.ask("/api/support", {}, **wrong)
    assert (status, told["error"]["code"]) == (403, "crossed")


# --- one at a time --------------------------------------------------------------------------------
class Answering:
    """A wheel that takes acts, or does not."""

    def __init__(self, *, takes: bool = True) -> None:
        self.takes = takes
        self.asked: list[dict[str, Any]] = []

    async def ask(self, _: Login, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(request)
        if not self.takes:
            raise Refused({"code": "no_controller", "text": "", "remedy": ""})
        return {"ok": True}


class Packing:
    """`cylindre support-bundle`, which packs when it is let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may = asyncio.Event()
        self.words: list[list[str]] = []
        monkeypatch.setattr(subprocesses, "cylindre", self)

    async def __call__(self, *words: str | Path, limit_s: float, beyond: str) -> bytes:
        self.words.append([*map(str, words)])
        await self.may.wait()
        path = Path(words[words.index("--out") + 1])
        path.write_bytes(b"bundle")
        return json.dumps({"sha256": "5" * 64, "bytes": 6, "missing": {}}).encode()


def asked(name: str = "anna") -> Question:
    answer = {"session": "t", "name": name, "role": "technician", "idle_s": 900, "most_s": 28_800}
    return Question(cast(Any, None), Logins().open(answer))


async def read(response: Any) -> bytes:
    return b"".join([piece async for piece in response.body])


def test_two_are_never_packed_at_once_and_who_is_at_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        packing = Packing(monkeypatch)
        found = Support(cast(Any, Answering()), "roulette_ref", Path("sockets"), PLACES)
        first = asyncio.create_task(found._pack(asked()))
        while not packing.words:
            await asyncio.sleep(0)
        with pytest.raises(Refused, match="anna is at it already"):
            await found._pack(asked("weber"))
        packing.may.set()
        response = await first
        with pytest.raises(Refused):  # it is still on its way
            await found._pack(asked("weber"))
        assert await read(response) == b"bundle"
        del response, first
        unread = await found._pack(asked("weber"))  # the tablet goes before a byte is sent
        del unread
        assert await read(await found._pack(asked("weber"))) == b"bundle"
        assert len(packing.words) == 3
        words = packing.words[0]
        assert words[words.index("--at-most") + 1] == str(MOST_MB)
        assert not Path(words[words.index("--out") + 1]).parent.exists()

    asyncio.run(asyncio.wait_for(play(), LAST_RESORT_S))


def test_nothing_leaves_that_is_not_in_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        packing = Packing(monkeypatch)
        packing.may.set()
        wheel = Answering(takes=False)
        found = Support(cast(Any, wheel), "roulette_ref", Path("sockets"), PLACES)
        for _ in range(2):  # nor does it keep others out
            with pytest.raises(Refused):
                await found._pack(asked())
        assert [each["what"] for each in wheel.asked] == ["support", "support"]

    asyncio.run(asyncio.wait_for(play(), LAST_RESORT_S))


def test_a_process_that_takes_too_long_is_ended_and_told() -> None:
    async def play() -> None:
        words = ("replay", "/dev/stdin", "--help")
        with pytest.raises(Failure, match="too long"):
            await subprocesses.cylindre(*words, limit_s=0.0, beyond="It takes too long.")

    asyncio.run(asyncio.wait_for(play(), LAST_RESORT_S))


def test_what_the_command_refuses_is_said_as_it_is() -> None:
    async def play() -> None:
        words = ("support-bundle", "--board", "no_such_board", "--json")
        with pytest.raises(Failure, match="no_such_board"):
            await subprocesses.cylindre(*words, limit_s=LAST_RESORT_S, beyond="")

    asyncio.run(asyncio.wait_for(play(), LAST_RESORT_S))


# --- in the browser -------------------------------------------------------------------------------
def test_it_is_a_button_in_the_log(page: Page, tmp_path: Path) -> None:
    allow = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", allow)
    page.open("log", language="fr")
    page.logged_in("anna")
    page.until(
        "document.querySelector('#support')?.innerText === arguments[0]",
        "Préparer et télécharger",
    )
    page.run("document.getElementById('support').focus()")
    assert page.run("return document.activeElement.id") == "support"
    page.click("#support")
    name = page.until(
        "/^cylindre-support-.*gz$/.test(document.getElementById('packed').innerText)"
        " && document.getElementById('packed').innerText"
    )
    page.photograph("support-fr")
    until((tmp_path / name).exists)
    assert bundle.read(tmp_path / name).manifest["wheel"] == "table-3"
