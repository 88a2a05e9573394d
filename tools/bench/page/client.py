"""A browser's side of the service page, by hand: for benches and tests."""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
import ssl
from typing import Any

SLOW_MAX = 3  # times; the page allows eight


def tls() -> ssl.SSLContext:
    """Takes any certificate: who uses this looks at a wheel of their own."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Client:
    """Somebody at a browser: keeps the cookie, names the token."""

    def __init__(self, port: int, patience_s: float, host: str = "127.0.0.1") -> None:
        """Nobody is logged in yet."""
        self.host = host
        self.port = port
        self.patience_s = patience_s
        self.cookie = ""
        self.device = ""  # what a browser keeps of having known a PIN
        self.token = "page"
        self.headers: dict[str, str] = {}
        self.set_cookies: list[str] = []

    def ask(
        self, path: str, body: Any = None, *, method: str | None = None, **more: str
    ) -> tuple[int, Any]:
        """Status and what was answered: an object if it is JSON. `more`: headers, by _ for -."""
        line = http.client.HTTPSConnection(
            self.host, self.port, context=tls(), timeout=self.patience_s
        )
        own = {"Host": self._at, "Cookie": "; ".join(filter(None, (self.device, self.cookie)))}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if data is not None:
            own |= {"Origin": f"https://{self._at}", "X-Cylindre-Token": self.token}
            own["Content-Type"] = "application/json"
        own |= {name.replace("_", "-"): value for name, value in more.items()}
        try:
            line.request(method or ("GET" if data is None else "POST"), path, data, own)
            answer = line.getresponse()
            came = answer.read()
        finally:
            line.close()
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self.set_cookies = [
            value for name, value in answer.getheaders() if name.lower() == "set-cookie"
        ]
        if "json" in self.headers.get("content-type", ""):
            return answer.status, json.loads(came)
        return answer.status, came

    def log_in(self, name: str, pin: str) -> tuple[int, Any]:
        """As the dialog does; again, if a busy machine was too slow with the PIN."""
        for _ in range(SLOW_MAX):
            status, told = self.ask("/api/login", {"name": name, "pin": pin})
            if "error" not in told or told["error"]["code"] != "no_controller":
                break
        if status == 200:
            self.device, self.cookie = (each.partition(";")[0] for each in self.set_cookies)
            self.token = told["token"]
        return status, told

    def asks(self, path: str) -> bytes:
        """What is said to open a stream."""
        head = f"GET {path} HTTP/1.1\r\nHost: {self._at}\r\nCookie: {self.cookie}\r\n"
        return f"{head}\r\n".encode()

    def stream(self, path: str = "/events") -> ssl.SSLSocket:
        """A stream that is open."""
        made = self._linked()
        made.sendall(self.asks(path))
        return made

    def fingerprint(self) -> str:
        """Of the certificate that is shown."""
        with self._linked() as made:
            found = made.getpeercert(binary_form=True)
        digest = hashlib.sha256(found or b"").hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))

    @property
    def _at(self) -> str:
        return f"{self.host}:{self.port}"

    def _linked(self) -> ssl.SSLSocket:
        return tls().wrap_socket(socket.create_connection((self.host, self.port), self.patience_s))
