"""Who may act for the house, and with which PIN: one file, read whole, checked whole.

One JSON object a line, one person each:

    {"name":"anna","role":"croupier","n":16384,"r":8,"p":5,"salt":"…","hash":"…"}

A PIN is kept as its scrypt hash alone (RFC 7914); `n`, `r` and `p` say which of SCRYPTS that is.
There is nobody in a new file and no PIN that comes with the product. Wrong PINs slow down whoever
they were given for, where they were given (pin_delays.py).
"""

import fcntl
import hmac
import json
import math
import os
import secrets
import stat
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from nacl.bindings import crypto_pwhash_scryptsalsa208sha256_ll as scrypt

from firmware.core.house import CROUPIER, DIRECTOR, MANAGEMENT, SUPERVISOR, TECHNICIAN
from firmware.keys import device_tokens
from firmware.keys.pin_delays import Delays
from firmware.lib.errors import cause, naming
from firmware.lib.language import Message, listed
from firmware.lib.mistakes import limited
from firmware.lib.named_file import open_file

ROLES = (CROUPIER, MANAGEMENT, TECHNICIAN, SUPERVISOR, DIRECTOR)
NAME_MAX = 40
PIN_MIN = 6
PIN_MAX = 64
PEOPLE_MAX = 500  # more than any casino employs at one table's doors
FILE_MAX = 256 * 1024  # bytes; each person takes some 200
# RFC 7914: 128 * N * r bytes = 16 MB, and p times some 40 ms on a small server. More memory would
# not fit beside the rest on a board of 512 MB; less would make a stolen file of 6-digit PINs too
# quick to search. With p = 5 it is the third of what OWASP's "Password Storage Cheat Sheet" has as
# equally strong. It is searched in days as it is: hence the mode of the file.
SCRYPT = (16_384, 8, 5)
# What a line may have, oldest first. One of before is hashed anew when its PIN is next given.
SCRYPTS = ((16_384, 8, 1), SCRYPT)
_SALT_BYTES = 16  # RFC 8018 section 4.1 asks for 8 at least
_HASH_BYTES = 32
_KEYS = ("name", "role", "n", "r", "p", "salt", "hash")
# An edit takes some ms. Whoever may read the folder may lock it, and holds up nobody for longer.
LOCK_S = 2.0
_LOCK_AGAIN_S = 0.02
_DEVICE = "device "  # before what names one
TABLE = "table"  # where a PIN is given, unless something else is said


class PeopleError(ValueError):
    """The file cannot be used: `sentences`, one for each mistake, in file order."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(listed(sentences, "\n"))
        self.sentences = sentences


class AlreadyThere(ValueError):
    """Somebody of that name is in the file."""


class Checked(NamedTuple):
    """What became of a PIN: the role it stands for; else why not, and what to tell everybody."""

    role: str | None
    code: str = ""
    text: str = ""
    remedy: str = ""
    told: str | None = None  # whom a wrong PIN was given for: fault P12
    devices: str | None = None  # what a device that gave its tokens is to keep from now on


class Person(NamedTuple):
    """One line of the file."""

    name: str
    role: str
    n: int
    r: int
    p: int
    salt: bytes
    hash: bytes

    def __repr__(self) -> str:
        return f"Person({self.name!r}, {self.role!r})"


class People:
    """Checks PINs against a file, which is read anew each time: it may have changed.

    Delays are forgotten at a restart: whoever may restart the controller may read the file, too.
    One thread checks, others may ask the rest meanwhile.
    """

    def __init__(self, path: Path, clock_s: Callable[[], float] = time.monotonic) -> None:
        """Reads nothing yet. `clock_s`: for the delays alone."""
        self.path = path
        self._delays = Delays(clock_s)
        # Checked in the place of somebody who is not there, so that it takes as long.
        self._nobody = Person(
            "", "", *SCRYPT, secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_HASH_BYTES)
        )

    def role_of(self, name: str) -> str | None:
        """Returns the role of the person of that name now; None if nobody is called so."""
        try:
            return next((each.role for each in load(self.path) if each.name == name), None)
        except (FileNotFoundError, PeopleError):
            return None

    def unfit(self, name: str, pin: str) -> str | None:
        """Returns why nobody can have that name and that PIN, as a sentence; or None."""
        return unfit_name(_normal(name)) or unfit_pin(pin)

    def has(self, role: str) -> bool:
        """Returns whether anybody has that role.

        Raises PeopleError for a file that cannot be used.
        """
        try:
            return any(person.role == role for person in load(self.path))
        except FileNotFoundError:
            return False

    def add(self, name: str, role: str, pin: str) -> Person:
        """Adds somebody. Raises ValueError with a sentence, PeopleError, and OSError."""
        person = enrol(name, role, pin)
        with editing(self.path) as known:
            _want_new(name, known)
            known.append(person)
        return person

    def check_new(self, name: str) -> None:
        """Raises as `add` does for a name that nobody can be added with, whatever the PIN."""
        if why_not := unfit_name(_normal(name)):
            raise ValueError(why_not)
        with suppress(FileNotFoundError):
            _want_new(name, load(self.path))

    def check(
        self, name: str, pin: str, channel: str = TABLE, devices: str | None = None
    ) -> Checked:
        """Returns the role of the person of that name, if that is the PIN.

        `channel`: where it is given; wrong PINs given elsewhere do not count here. `devices`: what
        the browser keeps that it is given in (device_tokens.py); if that name's PIN was known
        there, only the wrong PINs of that device count. Takes as long as scrypt does, whoever it
        is, and says the same of somebody unknown as of a wrong PIN.
        """
        try:
            people = {person.name: person for person in load(self.path)}
        except FileNotFoundError:
            text = Message("nobody has a PIN here, for there is no {path}.", path=self.path)
            return Checked(
                None,
                "no_people",
                text,
                Message(
                    "Add people with cylindre people add NAME --role ROLE --file {path}.",
                    path=self.path,
                ),
            )
        except PeopleError as error:
            remedy = Message("Then ask again.")
            return Checked(None, "bad_people", listed(error.sentences, " "), remedy)
        name = _normal(name)
        found = people.get(name)
        person, known = found or self._nobody, found is not None
        device = None if devices is None else device_tokens.found_in(devices, name, person.hash)
        if device is not None:
            channel = _DEVICE + device
        wait_s = self._delays.wait_s(name, channel, known=known)
        if wait_s > 0:
            text = Message(
                "wrong PINs were given, so none is heard for {wait_s} s.", wait_s=math.ceil(wait_s)
            )
            return Checked(None, "too_soon", text, Message("Wait, then ask again."))
        if matches(person, pin) and known:
            self._delays.right(name, channel)
            person = self._strengthened(person, pin)
            if devices is not None and (device is None or person is not found):
                devices = device_tokens.added(devices, name, person.hash)
            return Checked(person.role, devices=devices)
        count = self._delays.wrong(name, channel, known=known)
        # A name that nobody has may be a PIN in the wrong place.
        told = f"{name if known else 'somebody unknown'}, {count} in a row"
        return Checked(
            None, "wrong_pin", Message("the name or the PIN is wrong."), Message("Ask again."), told
        )

    def _strengthened(self, person: Person, pin: str) -> Person:
        """Returns the person as the file has them from now on: hashed as today.

        A file that cannot be written stays as it is; `cylindre people list` tells.
        """
        if not is_outdated(person):
            return person
        new = _hashed(person.name, person.role, pin)
        with suppress(OSError, PeopleError), editing(self.path, patience_s=0.0) as known:
            if person in known:  # else somebody changed it meanwhile
                known[known.index(person)] = new
                return new
        return person


def _want_new(name: str, known: list[Person]) -> None:
    """Raises AlreadyThere if somebody of them is called so."""
    if any(each.name.casefold() == _normal(name).casefold() for each in known):
        raise AlreadyThere(Message("{name} is there already.", name=name))


def enrol(name: str, role: str, pin: str) -> Person:
    """Returns a new person with that PIN. Raises ValueError with a sentence."""
    name = _normal(name)
    for why_not in (unfit_name(name), unfit_pin(pin)):
        if why_not:
            raise ValueError(why_not)
    if role not in ROLES:
        raise ValueError(Message("The role must be one of {names}.", names=", ".join(ROLES)))
    return _hashed(name, role, pin)


def matches(person: Person, pin: str) -> bool:
    """Returns whether that is the person's PIN; in constant time, once hashed.

    A hash of before takes as long as one of today: the rest is done in vain. That is two hashes
    for everybody, as each fetches its 16 MB anew, which takes a twentieth of its time.
    """
    n, r, most = SCRYPT
    found = _hash(pin, person.n, person.r, person.p, person.salt)
    _hash(pin, n, r, most + 1 - person.p, person.salt)
    return hmac.compare_digest(found, person.hash)


def is_outdated(person: Person) -> bool:
    """Returns whether the PIN is hashed as it was done before."""
    return (person.n, person.r, person.p) != SCRYPT


def _hashed(name: str, role: str, pin: str) -> Person:
    salt = secrets.token_bytes(_SALT_BYTES)
    return Person(name, role, *SCRYPT, salt, _hash(pin, *SCRYPT, salt))


def unfit_name(name: str) -> str | None:
    """Returns why nobody can be called so, as a sentence; or None."""
    if not name or len(name) > NAME_MAX or not name.isprintable() or name != name.strip():
        return Message(
            "A name has 1 to {name_max} printable characters and no space at its ends.",
            name_max=NAME_MAX,
        )
    return None


def unfit_pin(pin: str) -> str | None:
    """Returns why this cannot be a PIN, as a sentence; or None."""
    if not PIN_MIN <= len(pin) <= PIN_MAX or not pin.isprintable() or pin != pin.strip():
        return Message(
            "A PIN has {pin_min} to {pin_max} printable characters and no space at its ends.",
            pin_min=PIN_MIN,
            pin_max=PIN_MAX,
        )
    if len(set(pin)) < 3:
        return Message("A PIN has at least 3 different characters.")
    return None


def load(path: Path) -> list[Person]:
    """Returns the people in a file. Raises FileNotFoundError, or PeopleError with every mistake."""
    try:
        with open_file(path) as file:
            held = os.fstat(file.fileno())
            data = file.read(FILE_MAX + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise PeopleError(
            [
                Message(
                    "{path}: {why}. Give a file that can be read.",
                    path=path,
                    why=cause(error),
                )
            ]
        ) from None
    if held.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        mode = stat.S_IMODE(held.st_mode)
        text = Message(
            "{path}: others may read or write it (mode {mode:o}). Run chmod 600 {path}.",
            path=path,
            mode=mode,
        )
        raise PeopleError([text])
    if os.geteuid() != 0 and held.st_uid not in (0, os.geteuid()):
        raise PeopleError(
            [
                Message(
                    "{path}: it belongs to somebody else. Run chown {uid} {path}.",
                    path=path,
                    uid=os.geteuid(),
                )
            ]
        )
    if len(data) > FILE_MAX:
        raise PeopleError(
            [
                Message(
                    "{path}: longer than {file_max} bytes, so no file of people.",
                    path=path,
                    file_max=FILE_MAX,
                )
            ]
        )
    return parse(data, str(path))


def parse(data: bytes, name: str = "people") -> list[Person]:
    """Returns the people in these lines; `name` stands in front of the line numbers.

    Raises PeopleError.
    """
    people: list[Person] = []
    mistakes: list[str] = []
    taken: dict[str, int] = {}
    lines = [(at, line) for at, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if len(lines) > PEOPLE_MAX:
        mistakes.append(
            Message(
                "{name}: more than {people_max} people. Remove those who left.",
                name=name,
                people_max=PEOPLE_MAX,
            )
        )
    for number, line in lines[:PEOPLE_MAX]:
        try:
            person = _person(line)
        except ValueError as error:
            mistakes.append(f"{name}:{number}: {error}")
            continue
        key = person.name.casefold()
        if key in taken:
            text = Message(
                "{name} is there already, in line {taken}. Remove one of them.",
                name=person.name,
                taken=taken[key],
            )
            mistakes.append(f"{name}:{number}: {text}")
        taken.setdefault(key, number)
        people.append(person)
    if mistakes:
        raise PeopleError(limited(mistakes))
    return people


@contextmanager
def editing(path: Path, patience_s: float = LOCK_S) -> Iterator[list[Person]]:
    """Yields the people in a file, to be changed in place; then writes them durably.

    Nobody else edits it meanwhile. `patience_s`: how long to wait for who does. A file that is
    missing has nobody in it. Raises PeopleError, and OSError if it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        _lock(folder, path, patience_s)
        try:
            people = load(path)
        except FileNotFoundError:
            people = []
        before = list(people)
        yield people
        if people != before:
            with naming(path):
                _write(path, people)
                os.fsync(folder)
    finally:
        os.close(folder)


def _lock(folder: int, path: Path, patience_s: float) -> None:
    """Locks the folder of a file. Raises PeopleError if somebody else has it for so long."""
    end_s = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= end_s:
                text = Message("{path}: somebody else is editing it. Try again.", path=path)
                raise PeopleError([text]) from None
        time.sleep(_LOCK_AGAIN_S)


def _write(path: Path, people: list[Person]) -> None:
    lines = b"".join(encode(person) for person in people)
    there = path if path.exists() else path.parent
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            if os.geteuid() == 0:  # who has it keeps it: the controller, on a card in a laptop too
                held = there.stat()
                os.fchown(handle, held.st_uid, held.st_gid)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def encode(person: Person) -> bytes:
    """Returns a person's line, with its newline."""
    values = person._replace(salt=person.salt.hex(), hash=person.hash.hex())  # type: ignore[arg-type]
    text = json.dumps(values._asdict(), separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def _person(line: bytes) -> Person:
    """Returns the person of a line. Raises ValueError with a sentence."""
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(
            Message("this is not JSON. Add people with cylindre people add.")
        ) from None
    if not isinstance(found, dict) or sorted(found) != sorted(_KEYS):
        raise ValueError(Message("a person has exactly the keys {names}.", names=", ".join(_KEYS)))
    name, role = found["name"], found["role"]
    why_not = unfit_name(name) if isinstance(name, str) else Message("the name must be a text.")
    if why_not:
        raise ValueError(why_not)
    if role not in ROLES:
        raise ValueError(Message("the role must be one of {names}.", names=", ".join(ROLES)))
    # Others are not ours, and might take hours or all the memory.
    given = (found["n"], found["r"], found["p"])
    scrypt_of = next((each for each in SCRYPTS if each == given), None)
    if scrypt_of is None:
        raise ValueError(
            Message(
                "n, r and p must be {known}.",
                known=" or ".join(", ".join(map(str, each)) for each in SCRYPTS),
            )
        )
    salt, hashed = _bytes(found["salt"], _SALT_BYTES), _bytes(found["hash"], _HASH_BYTES)
    return Person(name, role, *scrypt_of, salt, hashed)


def _bytes(value: Any, length: int) -> bytes:
    try:
        found = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        found = b""
    if len(found) != length:
        raise ValueError(
            Message(
                "salt and hash must be {salt_bytes} and {hash_bytes} bytes in hex.",
                salt_bytes=_SALT_BYTES,
                hash_bytes=_HASH_BYTES,
            )
        )
    return found


def _hash(pin: str, n: int, r: int, p: int, salt: bytes) -> bytes:
    text = _normal(pin).encode("utf-8", "surrogatepass")
    return scrypt(text, salt, n, r, p, dklen=_HASH_BYTES)


def _normal(text: str) -> str:
    """Returns one form for one text, whichever way a keyboard makes its accents."""
    return unicodedata.normalize("NFC", text)
