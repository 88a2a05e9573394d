"""The installed package under a real systemd: starts, is watched, stops, and gives up safely.

One machine for all of it. A test asks by fixtures how far it is: any of them plays alone, too.
"""

import hashlib
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from device_rig import COMMAND, STOPS_IN_S, TOLD_S, Carried, Lines, Start
from package_rig import Machine
from patience import LAST_RESORT_S, Meter, unless_stalled, until, within

from firmware.keys import folder as keys
from firmware.lib.errors import OK, SELFTEST
from tools.bench.page.client import Client

pytestmark = pytest.mark.needs("systemd", "Debian 12")
PIN = "831504"
# A card's folders as an image mounts them, and what the kernel was started with.
CARD = """
import os, sys
from pathlib import Path
sys.path.insert(0, "/usr/lib/cylindre")
from firmware.lib.partitions import STATE_FILE
from firmware.services.update import bootenv, release
from firmware.services.update.release import Release
from firmware.services.update.slots import FIRMWARE, RELEASE, STATE
os.umask(0o022)
for path in (FIRMWARE, STATE, RELEASE.parent):
    (Path("/") / path).mkdir(parents=True, exist_ok=True)
for path in (FIRMWARE, STATE):
    (Path("/") / path).chmod(0o700)
(Path("/") / FIRMWARE / STATE_FILE).write_bytes(bootenv.flashed())
(Path("/") / RELEASE).write_text(release.text(Release("1.0.0", "boule_ref")))
Path("/run/cmdline").write_text("rauc.slot=A")
"""
READS = """
import json, sys
from pathlib import Path
sys.path.insert(0, "/usr/lib/cylindre")
from firmware.lib.errors import Failure
from firmware.services.update import slot_status
from firmware.services.update import state
try:
    told = str(state.load(Path("/")))
except Failure as failure:
    told = failure.sentence
print(json.dumps([slot_status.ask_status(), told]))
"""
OF_A_CARD = "[Unit]\nConditionKernelCommandLine=\n[Service]\n" \
            "BindReadOnlyPaths=/run/cmdline:/proc/cmdline\n"  # fmt: skip
ASKS = "[Service]\nType=oneshot\nRestart=no\nStandardOutput=truncate:/run/read\n" \
       "ExecStart=\nExecStart=/usr/bin/python3 -ISB /run/reads.py\n"  # fmt: skip
CONFIG = '[wheel]\nboard = "boule_ref"\nid = "table-3"\n[bus]\nport = "{port}"\n'


@pytest.fixture(scope="module")
def line() -> Iterator[Carried]:
    made = Carried(2)
    for end in made.ends:
        Path(end).chmod(0o666)  # udev gives a real port to the group
    yield made
    made.close()


@pytest.fixture(scope="module")
def machine(
    package: Path, line: Carried, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    folder = tmp_path_factory.mktemp("machine")
    made = Machine(package, folder / "mount")
    try:
        keys.provision(made.keys, displays=1)
        texts = {path.name: path.read_text() for path in made.keys.iterdir()}
        for name, text in texts.items():
            made.ok(f"umask 077; printf %s '{text}' > /var/lib/cylindre/keys/{name}")
        made.ok("chown cylindre: /var/lib/cylindre/keys/*; chmod 644 /var/lib/cylindre/keys/*.pub")
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def configured(machine: Machine, line: Carried) -> None:
    text = CONFIG.format(port=line.ends[0])
    machine.ok(f"printf %s '{text}' > /etc/cylindre/wheel.toml")


@pytest.fixture
def started(machine: Machine, configured: None) -> None:
    """The controller runs, whatever was before."""
    machine.ok("systemctl start cylindre")  # waits for READY


@pytest.fixture(scope="module")
def weber(machine: Machine) -> None:
    people = "cylindre people add weber --role supervisor --file /var/lib/cylindre/people.jsonl"
    machine.ok(f"echo {PIN} | runuser -u cylindre -- {people}")


@pytest.fixture
def rested(machine: Machine, started: None) -> Iterator[None]:
    """The croupier has the ball, and no coup is open: the wheel may be taken out of play."""
    machine.ok("cylindre hand pause")
    machine.run("cylindre void")
    machine.until("cylindre status --json | grep -q '\"open\": *false'")
    yield
    machine.ok("cylindre hand pause --off")


@pytest.fixture(scope="module")
def tampered(machine: Machine, configured: None) -> None:
    """A file of the software was changed, and then the controller was to start."""
    machine.run("systemctl stop cylindre; systemctl reset-failed cylindre")
    machine.ok("echo '# harmless' >> /usr/lib/cylindre/rules/roulette_lu.py")
    machine.run("systemctl start cylindre")
    machine.until("systemctl is-active cylindre-safe")


def main_pid(machine: Machine, after: int = 0) -> int:
    """Of the controller, once it is ready; another one than that of before."""
    line = f"p=$(systemctl show -P MainPID cylindre); test $p -gt 0 -a $p -ne {after}"
    return int(machine.until(f"{line} && systemctl -q is-active cylindre && echo $p"))


def test_nothing_starts_before_there_is_a_configuration(machine: Machine) -> None:
    machine.run("systemctl start cylindre")
    assert machine.ok("systemctl show -P ActiveState cylindre") == "inactive\n"


@pytest.mark.usefixtures("started")
def test_an_order_is_looked_up_in_the_journal_with_the_rights_of_its_owner(
    machine: Machine,
) -> None:
    """Which the unit's sandbox lets root have: what nobody ordered is refused for that alone."""
    orders = "/var/lib/cylindre-page/orders"
    sha256 = hashlib.sha256(b"x").hexdigest()
    machine.ok(
        f"install -d -o cylindre-page {orders}; printf x > {orders}/1.wheel.toml;"
        f""" printf '{{"what":"config","sha256":"{sha256}"}}' > {orders}/1.order"""
    )
    machine.run("systemctl start cylindre-orders")  # fails, for one is refused
    told = json.loads(machine.ok(f"cat {orders}/1.done"))
    assert "No supervisor's act in the journal orders this file" in told["text"]
    assert machine.ok("stat -c %U /var/lib/cylindre/journal.db") == "cylindre\n"


@pytest.mark.usefixtures("started")
def test_it_starts_ready_as_its_own_user_in_the_places_of_the_standard(machine: Machine) -> None:
    assert machine.ok(f"stat -c %U /proc/{main_pid(machine)}") == "cylindre\n"
    assert machine.until("systemctl show -P StatusText cylindre | grep -E 'coup [1-9]'")
    machine.ok("test -S /run/cylindre/cylindre.sock -a -S /run/cylindre/status.sock")
    machine.ok("test -f /var/lib/cylindre/journal.db -a -d /var/lib/cylindre/coups")
    status = json.loads(machine.ok("cylindre status --socket /run/cylindre --json"))
    assert status["coup"] >= 1


@pytest.mark.usefixtures("started")
def test_the_sandbox_holds_and_leaves_what_the_controller_needs(machine: Machine) -> None:
    pid = main_pid(machine)
    status = machine.ok(f"cat /proc/{pid}/status")
    for name in ("CapEff", "CapBnd", "CapAmb"):
        assert f"{name}:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status
    inside = f"nsenter -t {pid} -m -n --"
    assert machine.run(f"{inside} touch /usr/x").returncode != 0
    devices = machine.ok(f"{inside} cat /proc/net/dev").splitlines()[2:]
    assert [device.split(":")[0].strip() for device in devices] == ["lo"]
    assert machine.ok("cylindre journal verify /var/lib/cylindre/journal.db"
                      " --keys /var/lib/cylindre/keys")  # fmt: skip


@pytest.mark.usefixtures("started")
def test_facts_are_found_in_the_machines_journal_by_their_fields(machine: Machine) -> None:
    found = machine.until("journalctl -o json COUP=1 CYLINDRE_EVENT=coup_started | grep .")
    entry = json.loads(found.splitlines()[0])
    assert entry["SYSLOG_IDENTIFIER"] == "cylindre"
    assert entry["_SYSTEMD_UNIT"] == "cylindre.service"


@pytest.mark.usefixtures("rested", "weber")
def test_a_technician_need_not_say_which_board_it_is(machine: Machine) -> None:
    found = machine.run(f"cd / && echo {PIN} | cylindre selftest --as weber --no-hand --json")
    assert found.returncode in (OK, SELFTEST), found.stderr  # no display answers its line here
    summary = json.loads(found.stdout.splitlines()[-1])
    assert summary["certificate"] == "/var/lib/cylindre/selftest/000001-selftest.html"
    machine.ok(f"grep -q table-3 {summary['certificate']}")
    answers = "\\ns" * 20  # everything is left out
    found = machine.run(f"cd / && printf '{PIN}{answers}\\n' | cylindre calibrate --as weber")
    assert found.stderr.splitlines()[-1] == "Nothing was measured: every step was left out."
    machine.ok("test -f /var/lib/cylindre/calibrating.json")
    machine.ok("test -z \"$(find /run/cylindre -name '*calibrating*')\"")


@pytest.mark.needs("openssl")
@pytest.mark.usefixtures("rested", "weber")
def test_a_calibration_in_a_browser_is_kept_where_the_page_may_write(machine: Machine) -> None:
    machine.ok("systemctl start cylindre-page")
    machine.until("echo | openssl s_client -connect 127.0.0.1:8443")
    client = Client(8443, LAST_RESORT_S)
    assert client.log_in("weber", PIN)[0] == 200

    def job() -> dict[str, Any]:
        found: dict[str, Any] = client.ask("/api/job")[1]["job"]
        return found

    assert client.ask("/api/job", {"what": "calibrate", "options": {}})[0] == 200
    until(lambda: job()["asked"] is not None or job()["state"] != "running", "a question")
    assert job()["state"] == "running"
    notes = "/var/lib/cylindre-page/calibrating.json"
    assert machine.ok(f"stat -c '%U %a' {notes}") == "cylindre-page 600\n"
    assert client.ask("/api/job/stop", {})[0] == 200
    until(lambda: job()["state"] != "running", "the end of the job")
    assert job()["steps"][-1]["text"] == "It was stopped."
    machine.ok("test -z \"$(find /run/cylindre -name '*calibrating*')\"")
    machine.ok("systemctl stop cylindre-page")


@pytest.mark.usefixtures("started")
def test_a_stop_takes_two_seconds_at_most_and_tells_the_display(
    machine: Machine, line: Carried, start: Start
) -> None:
    folder = str(machine.keys)
    display = start(*COMMAND, "display", "--port", line.ends[1], "--keys", folder, "--json")
    lit = Lines(display.stdout)
    while json.loads(lit.next())["state"] in ("STALE", "SERVICE"):
        pass
    with Meter() as meter:
        with within(STOPS_IN_S, "a stop"):
            machine.ok("systemctl stop cylindre")
        while (state := json.loads(lit.next())["state"]) not in ("SERVICE", "STALE"):
            pass
    assert machine.ok("systemctl show -P Result cylindre") == "success\n"
    display.send_signal(signal.SIGTERM)
    with unless_stalled(TOLD_S, "a stop is told to the display", meter):
        assert state == "SERVICE"


@pytest.mark.usefixtures("started")
def test_one_that_dies_is_started_again(machine: Machine) -> None:
    before = main_pid(machine)
    machine.ok(f"kill -9 {before}")
    assert main_pid(machine, after=before) != before


@pytest.mark.usefixtures("started")
def test_one_that_stands_still_is_noticed_and_started_again(machine: Machine) -> None:
    before = main_pid(machine)
    machine.ok(f"kill -STOP {before}")
    assert main_pid(machine, after=before) != before
    assert "Watchdog timeout" in machine.ok("journalctl -u cylindre --no-pager")


@pytest.mark.usefixtures("configured")
def test_the_page_reads_how_the_slots_stand_where_it_may_not_look_itself(machine: Machine) -> None:
    """Each under its own unit's restrictions."""
    for name, text in {"card.py": CARD, "reads.py": READS}.items():
        machine.ok(f"cat > /run/{name} <<'END'\n{text}\nEND")
    machine.ok("/usr/bin/python3 -ISB /run/card.py")
    for unit, text in {"cylindre-update-started": OF_A_CARD, "cylindre-page": ASKS}.items():
        folder = f"/run/systemd/system/{unit}.service.d"
        machine.ok(f"mkdir -p {folder}; cat > {folder}/here.conf <<'END'\n{text}END")
    machine.ok("systemctl daemon-reload; systemctl stop cylindre-page")

    machine.ok("systemctl start cylindre-page")
    look, told = json.loads(machine.ok("cat /run/read"))
    assert look is None
    assert told.startswith("/data/update/state.json: permission denied.")

    machine.ok("systemctl start cylindre-update-started")
    assert machine.ok("stat -c '%U %a' /run/cylindre-update.json") == "root 644\n"
    machine.ok("systemctl start cylindre-page")
    look, _ = json.loads(machine.ok("cat /run/read"))
    slots = [(slot["slot"], slot["booted"], slot["state"]) for slot in look["slots"]]
    assert slots == [("A", True, "good"), ("B", False, "unknown")]
    machine.ok("rm -r /run/systemd/system/cylindre-*.service.d")
    machine.ok("rm /usr/share/cylindre/release.json")  # it is the image's, not the package's
    machine.ok("systemctl daemon-reload")


@pytest.mark.usefixtures("tampered")
@pytest.mark.req("ON-3.1.2.tampered")
def test_software_that_was_changed_does_not_run_and_the_displays_are_told(
    machine: Machine, line: Carried, start: Start
) -> None:
    """Ontario 3.1.2: verified "as part of the boot up process prior to the Critical Software being
    executed"; else "an unplayable state"."""
    assert machine.run("cylindre verify-install").returncode == 1
    assert machine.ok("systemctl show -P Result cylindre").strip() in (
        "exit-code",
        "start-limit-hit",
    )
    assert "roulette_lu.py" in machine.ok("journalctl -u cylindre --no-pager")
    machine.ok("! journalctl -u cylindre --no-pager | grep -q Traceback")
    folder = str(machine.keys)
    display = start(*COMMAND, "display", "--port", line.ends[1], "--keys", folder, "--json")
    lit = Lines(display.stdout)
    while (shown := json.loads(lit.next()))["state"] != "SERVICE":
        pass
    assert shown["shown"] is None
    display.send_signal(signal.SIGTERM)


@pytest.mark.usefixtures("tampered")
def test_safe_mode_ends_where_the_cause_is_mended(machine: Machine) -> None:
    machine.ok("dpkg --install /run/cylindre.deb")
    assert "as they were made" in machine.ok("cylindre verify-install")
    machine.until("systemctl is-active cylindre")
    assert machine.run("systemctl is-active cylindre-safe").stdout != "active\n"
    machine.ok("dpkg --remove cylindre")
    machine.ok("test -f /var/lib/cylindre/journal.db -a -f /etc/cylindre/wheel.toml")
    machine.ok("! test -e /usr/bin/cylindre")
