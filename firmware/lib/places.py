"""Where things lie unless the command line says otherwise."""

from pathlib import Path

HOST = "127.0.0.1"  # of a display's page: nobody else's business
GUIDE_PORT = 8038  # of the page of the croupier's guide, beside a display's on the same machine
# The two sockets of a controller, in one folder: roles are the permissions of these files.
CONTROL = "cylindre.sock"
STATUS_ONLY = "status.sock"
RUN = "run.json"  # beside them: what the controller that plays there, or played, was started with
STATE_FOLDER = Path("var")  # journal, people and sockets of a board lie in the folder of its name
JOURNAL = "journal.db"
KEYS = "keys"
PEOPLE = "people.jsonl"  # beside the journal, one JSON object a line
CALIBRATION = ".calibration"  # in the place of the journal's suffix: what was measured of the wheel
ORPHELINS = "orphelins.jsonl"  # the register of abandoned stakes, beside the journal
DEMO = "demo.toml"  # in the folder of a demo alone: its configuration
RECORDS = "coups"  # as they were seen: cylindre run --record
CERTIFICATES = "selftest"  # of self-tests, a folder beside the journal
CALIBRATING = "calibrating.json"  # how far a calibration is
ORDERS = "orders"  # what the service page leaves for root

# On a device, as its units have it (tools/image/systemd; a test holds them to it).
CONFIG_FILE = Path("/etc/cylindre/wheel.toml")
DEVICE_SOCKETS = Path("/run/cylindre")
DEVICE_STATE = Path("/var/lib/cylindre")  # the controller's: journal, keys, people
PAGE_STATE = Path("/var/lib/cylindre-page")  # the service page's: all that it may write

_PSEUDO_TERMINALS = "/dev/pts/"


def comes_back(path: str) -> bool:
    """Returns whether a serial port that went away may be opened again by that name.

    Not a pseudo-terminal by the kernel's own name: what has hung up never comes back, and soon
    another program's has its number. A link to one (socat's) is a name that stays.
    """
    return not path.startswith(_PSEUDO_TERMINALS)
