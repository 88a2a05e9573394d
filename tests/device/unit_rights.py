"""What each unit may do, by its own text: the rows of the table in docs/device.md."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "tools" / "image" / "systemd"
OF_THE_IMAGE = ROOT / "tools" / "image" / "root" / "etc" / "systemd" / "system"
SERVICES = sorted(UNITS.glob("*.service"))
IMAGE_SERVICES = sorted(OF_THE_IMAGE.glob("*.service"))
EVERY = [*SERVICES, *IMAGE_SERVICES]

_NOTHING = "nothing"


class Unit:
    """A unit's settings: of a list all that it says, of anything else the last."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.text = path.read_text()
        lines = self.text.replace("\\\n", " ").splitlines()
        self._said = [line.partition("=")[::2] for line in lines if "=" in line and line[0] != "#"]

    def all(self, key: str) -> list[str]:
        """Each word that it says under that key."""
        return [word for name, value in self._said if name == key for word in value.split()]

    def last(self, key: str) -> str:
        """What it says last under that key; empty: nothing."""
        return next((value for name, value in reversed(self._said) if name == key), "")

    @property
    def writes(self) -> list[str]:
        """The folders it may write, but for a folder of its own for what is temporary."""
        return [word.lstrip("-") for word in self.all("ReadWritePaths")] + list(self._own())

    def _own(self) -> Iterator[str]:
        for key, folder in (("StateDirectory", "/var/lib"), ("RuntimeDirectory", "/run")):
            yield from (f"{folder}/{name}" for name in self.all(key))

    @property
    def families(self) -> list[str]:
        """Of the addresses of its sockets."""
        return [name.removeprefix("AF_") for name in self.all("RestrictAddressFamilies")]

    @property
    def network(self) -> str:
        """Whom it may reach over IP."""
        if self.last("PrivateNetwork") == "yes":
            return "nobody"
        return " ".join(self.all("IPAddressAllow")) or "nobody"

    def row(self) -> str:
        """Its line of the table."""
        user, calls = self.last("User") or "root", self.all("SystemCallFilter")
        powers = " ".join(name.removeprefix("CAP_") for name in self.all("CapabilityBoundingSet"))
        devices = [word for word in self.all("DeviceAllow") if word not in ("r", "rw")]
        more = [word for word in calls if word not in _USUAL]
        assert set(_USUAL) <= set(calls), self.name
        words = (
            f"`{self.name.removesuffix('.service')}`",
            f"{user}; {powers}" if powers else user,
            " ".join(self.writes) or _NOTHING,
            " ".join(devices) or _NOTHING,
            f"{' '.join(self.families)}; {self.network}",
            " ".join(more) or "no more",
            self.last("MemoryMax"),
        )
        return f"| {' | '.join(words)} |"


_USUAL = ("@system-service", "~@privileged", "@resources", "@obsolete")
HEAD = "| unit | runs as; capabilities | writes | devices | sockets; reaches | calls | memory |"
