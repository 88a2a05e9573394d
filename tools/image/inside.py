"""What a started image says of itself: `python -m tools.image.boot IMAGE --inside`.

The kernel is told to open systemd's debug shell on QEMU's serial port: only who writes the boot
partition can, and no image is shipped so. Each question is a line of shell; its answer comes back
in base64, for the kernel may speak in between.
"""

from __future__ import annotations

import base64
import binascii
import re
import selectors
import subprocess
import time
from typing import IO, NamedTuple

SHELL = "systemd.debug_shell=ttyAMA0"
_PATIENCE_S = 180.0  # an emulated machine verifies 60 MB of software in some 20 s
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # RAUC tells in colours, to whomever
_PAGE = (
    "import ssl, urllib.request as u; c = ssl._create_unverified_context();"
    " print(u.urlopen('https://127.0.0.1:8443/', context=c).status)"
)
_SAFE = (
    "grep -q port /etc/cylindre/wheel.toml || { echo no line; exit; };"
    " cd /var/lib/cylindre/keys; [ -e display-01.key ] ||"
    " runuser -u cylindre -- cylindre provision . --displays 1;"
    " systemctl stop cylindre; systemctl start cylindre-safe;"
    " systemctl is-active cylindre-safe cylindre; journalctl -b -o cat -u cylindre-safe"
)

Question = NamedTuple("Question", [("what", str), ("command", str), ("expected", str)])
Answer = NamedTuple("Answer", [("what", str), ("right", bool), ("said", str)])

# Of the machine, whatever its configuration.
# fmt: off
MACHINE = (
    Question("root is a squashfs, read-only", "grep ' / ' /proc/mounts", r"squashfs ro\b"),
    Question("nothing can be written there", "touch /usr/written", r"Read-only file system"),
    Question("data is mounted", "grep ' /data ' /proc/mounts", r"ext4 rw,noatime"),
    Question("data fills the card", "df -m --output=size /data | tail -1", r"^[67]\d\d$"),
    Question("configuration, journal and log lie on data",
             "grep -cE '^[^ ]+ (/etc/cylindre|/var/lib/cylindre|/var/log) ext4 rw' /proc/mounts",
             r"^3$"),
    Question("no unit failed, none is started again and again",
             "systemctl list-units --plain --no-legend --state=failed,auto-restart", r"^$"),
    Question("no login anywhere",
             "systemctl list-units --plain --no-legend '*getty*.service' ssh.service", r"^$"),
    Question("root has no password", "grep ^root: /etc/shadow", r"^root:[*!]"),
    Question("no Bluetooth", "ls -A /sys/class/bluetooth; grep ^bluetooth /proc/modules",
             r"^(ls: .*No such file or directory)?$"),
    Question("the software is as it was made", "cylindre verify-install; echo code $?", r"code 0$"),
    Question("RAUC sees both slots, A started",
             "rauc status | tr -d '\\n\\t'",
             r"Booted from: rootfs\.0 \(A\).*\[rootfs\.1\].*\[rootfs\.0\].*boot status: good"),
    # Debian's policy would let every user: root/etc/dbus-1/system.d/cylindre-rauc.conf.
    Question("nobody but root commands RAUC",
             "runuser -u cylindre-page -- busctl call de.pengutronix.rauc /"
             " de.pengutronix.rauc.Installer Mark ss good booted",
             r"(?i)denied|not authorized|rejected"),
    Question("updates see both slots", "cylindre update status", r"(?s)\bA\b.*\bB\b"),
    Question("the page's user may read how the slots stand, and not the state itself",
             "runuser -u cylindre-page --"
             " sh -c 'cat /run/cylindre-update.json; ls /data/update' 2>&1",
             r'(?s)"slots".*Permission denied'),
)
# Of a wheel that has a configuration.
WHEEL = (
    Question("the controller runs", "systemctl is-active cylindre", r"^active$"),
    Question("the first configuration is taken, and nothing of it is left half way",
             "ls -d /boot/firmware/taken/wheel.toml /boot/firmware/first /data/.first* 2>/dev/null",
             r"\A/boot/firmware/taken/wheel\.toml\Z"),
    Question("no key, nobody's PIN is left on the FAT",
             "find /boot/firmware -name '*.key' -o -name 'people*' -o -name 'refused*'", r"^$"),
    Question("the wheel has its key", "ls /var/lib/cylindre/keys", r"wheel\.pub"),
    Question("keys and people are the controller's alone",
             "cd /var/lib/cylindre; there=$(ls people.jsonl 2>/dev/null);"
             " stat -c '%U %a' keys/*.key $there | sort -u",
             r"\Acylindre 600\Z"),
    Question("the controller can read who may",
             "cd /var/lib/cylindre; [ ! -e people.jsonl ] && echo nobody ||"
             " runuser -u cylindre -- cylindre people list --file people.jsonl",
             r"^nobody$|^(croupier|management|technician|supervisor|director) "),
    Question("the service page runs", "systemctl is-active cylindre-page", r"^active$"),
    # Emulated, it takes 15 s to begin.
    Question("the service page answers",
             f'for try in $(seq 60); do said=$(python3 -c "{_PAGE}" 2>&1 | tail -1);'
             ' [ "$said" = 200 ] && break; sleep 1; done; echo "$said"', r"^200$"),
    Question("it is told where that is, as the house's DHCP has it",
             "journalctl -b -o cat -u cylindre-where",
             r"Service page: https://10\.0\.2\.15:8443/ .*certificate: (..:){31}..$"),
    Question("by the page's own fingerprint",
             "journalctl -b -o cat -u cylindre-where -u cylindre-page |"
             " grep -o 'certificate: .*' | sort | uniq -c", r"\A *([2-9]|\d\d) certificate: \S+\Z"),
    Question("nothing had to be started again",
             "systemctl show -p NRestarts --value cylindre cylindre-page", r"^0\s+0$"),
    Question("safe mode is there, and not needed",
             "systemctl show -p LoadState,ActiveState cylindre-safe",
             r"LoadState=loaded\nActiveState=inactive"),
    Question("coups are in the journal",
             "cylindre journal verify /var/lib/cylindre/journal.db --keys /var/lib/cylindre/keys;"
             " echo code $?", r"code 0$"),
    Question("its starts came back before the controller",
             "journalctl -b -o cat -u cylindre-update-started", r"has its starts back"),
    Question("the slot is kept", "journalctl -b -o cat -u cylindre-update-commit",
             r"slot A is kept\."),
    # The last: it ends the controller. Without a line to displays there is nobody to tell.
    Question("safe mode comes up in the controller's place", _SAFE,
             r"^no line$|^active\ninactive\n(?s:.*)the displays at \S+ are told"),
)
# fmt: on


def questions(*, configured: bool) -> tuple[Question, ...]:
    """What a started image is asked."""
    return MACHINE + WHEEL if configured else MACHINE


def ask(process: subprocess.Popen[bytes], questions: tuple[Question, ...]) -> list[Answer]:
    """The answers of a machine whose shell is at the other end of the process's pipes."""
    assert process.stdin is not None
    assert process.stdout is not None
    answers = []
    for number, question in enumerate(questions):
        # The terminal gives back what it is sent: that is no answer, for it is not in base64.
        line = f'echo "@{number}:$( ({question.command}) 2>&1 | base64 -w 0 )@"\n'
        process.stdin.write(line.encode())
        process.stdin.flush()
        said = _answer(process.stdout, number)
        if said is None:
            answers.append(Answer(question.what, right=False, said="no answer"))
            break
        said = _COLOUR.sub("", said).strip()
        found = re.search(question.expected, said, re.MULTILINE)
        answers.append(Answer(question.what, found is not None, said))
    return answers


def _answer(console: IO[bytes], number: int) -> str | None:
    heard, until_s = b"", time.monotonic() + _PATIENCE_S
    with selectors.DefaultSelector() as selector:
        selector.register(console, selectors.EVENT_READ)
        while (left_s := until_s - time.monotonic()) > 0 and selector.select(left_s):
            data = console.read1(65536)  # type: ignore[attr-defined]
            if not data:
                return None
            heard += data
            found = re.search(rb"@%d:([A-Za-z0-9+/=]*)@" % number, heard)
            if found is not None:
                try:
                    return base64.b64decode(found[1], validate=True).decode("utf-8", "replace")
                except binascii.Error:
                    return None
    return None
