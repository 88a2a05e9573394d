"""A browser's side of HTTPS, by hand."""

import hashlib
import http.client
import json
import socket
import ssl
from typing import Any


def tls() -> ssl.SSLContext:
    """Takes any certificate: what is tested is what is said over it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Client:
    """Somebody at a browser: keeps the cookie, names the token."""

    def __init__(self, port: int, patience_s: float) -> None:
        self.port = port
        self.patience_s = patience_s
        self.cookie = ""
        self.token = "page"
        self.headers: dict[str, str] = {}

    def ask(
        self, path: str, body: Any = None, *, method: str | None = None, **more: str
    ) -> tuple[int, Any]:
        """Status and what was answered: an object if it is JSON. `more`: headers, by _ for -."""
        line = http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=tls(), timeout=self.patience_s
        )
        own = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if data is not None:
            own |= {"Origin": f"https://127.0.0.1:{self.port}", "X-Cylindre-Token": self.token}
            own["Content-Type"] = "application/json"
        own |= {name.replace("_", "-"): value for name, value in more.items()}
        try:
            line.request(method or ("GET" if data is None else "POST"), path, data, own)
            answer = line.getresponse()
            came = answer.read()
        finally:
            line.close()
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        if "json" in self.headers.get("content-type", ""):
            return answer.status, json.loads(came)
        return answer.status, came

    def log_in(self, name: str, pin: str) -> tuple[int, Any]:
        """As the dialog does."""
        status, told = self.ask("/api/login", {"name": name, "pin": pin})
        if status == 200:
            self.cookie = self.headers["set-cookie"].partition(";")[0]
            self.token = told["token"]
        return status, told

    def stream(self, path: str = "/events") -> ssl.SSLSocket:
        """A stream that is open."""
        link = socket.create_connection(("127.0.0.1", self.port), self.patience_s)
        made = tls().wrap_socket(link)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n"
        made.sendall(f"{head}\r\n".encode())
        return made

    def fingerprint(self) -> str:
        """Of the certificate that is shown."""
        link = socket.create_connection(("127.0.0.1", self.port), self.patience_s)
        with tls().wrap_socket(link) as made:
            found = made.getpeercert(binary_form=True)
        digest = hashlib.sha256(found or b"").hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))
