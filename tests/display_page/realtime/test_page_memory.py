"""What the bridge costs: 20 MB resident with 10 pages open, and no cryptography loaded."""

import os
import re
import select
import socket
import subprocess
import sys
from pathlib import Path

from bench_controller import Controller, Wire
from patience import Waiting

ROOT = Path(__file__).parents[3]
# Some tenths are pages of libraries, as the machine maps them.
LIMIT_KB = 20 * 1024 + 512


def resident_kb(pid: int) -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1])


def opened(command: list[str], env: dict[str, str]) -> tuple["subprocess.Popen[str]", int]:
    """Returns a bridge whose page can be asked for, and its port."""
    bridge = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    assert bridge.stdout is not None
    found = re.search(r":(\d+)/", bridge.stdout.readline())
    assert found is not None
    return bridge, int(found[1])


def test_a_bridge_with_ten_pages_open_stays_small_and_loads_no_cryptography(
    tmp_path: Path,
) -> None:
    controller, wire = Controller(), Wire(tmp_path / "bus")
    controller.keys(tmp_path / "keys")
    command = [sys.executable, "-P", "-m", "tools.cli", "display", "--port", str(wire.link)]
    command += ["--keys", str(tmp_path / "keys"), "--page-port", "0"]
    # As installed, it finds its byte code: what compiles takes 1 MB more.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(tmp_path / "code")
    first, _ = opened(command, env)
    first.kill()
    first.communicate()
    bridge, port = opened(command, env)
    pages: list[socket.socket] = []
    try:
        for _ in range(10):
            pages.append(socket.create_connection(("127.0.0.1", port)))
            pages[-1].sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        told = dict.fromkeys(pages, 0)
        # Enough for all there is to be used: 20 outcomes are lit, and each page has heard of them.
        with Waiting("the pages' news", told=lambda: told) as waiting:
            while min(told.values()) < 60_000:
                waiting.on()
                if controller.house.coup < 20 or max(told.values()) < 60_000:
                    controller.confirm(17)
                for _ in range(20):
                    controller.talk(wire)
                    for page in select.select(pages, [], [], 0.002)[0]:
                        data = page.recv(65536)
                        told[page] += len(data)
        assert resident_kb(bridge.pid) <= LIMIT_KB
        loaded = Path(f"/proc/{bridge.pid}/maps").read_text()
        assert not re.search(r"libcrypto|libssl|cryptography|cbor2", loaded)
    finally:
        for page in pages:
            page.close()
        bridge.kill()
        bridge.communicate()
        wire.cut()


def test_who_leaves_openssl_out_still_hashes_and_others_keep_it() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys\n"
            "from firmware.lib.lean import without_openssl\n"
            "with without_openssl():\n"
            "    import asyncio, hashlib\n"
            "assert 'ssl' not in sys.modules and '_hashlib' not in sys.modules\n"
            "for hashed in (hashlib.sha512, hashlib.sha256):\n"
            "    print(hashed(b'abc').hexdigest()[:8])\n"
            "import ssl\n"
            "print(ssl.OPENSSL_VERSION_INFO[0] > 0)\n",
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["ddaf35a1", "ba7816bf", "True"]
