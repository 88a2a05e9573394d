"""The short generated tables of docs/, each from the table in the code that it says again."""

from __future__ import annotations

import functools
import re
from itertools import groupby
from types import ModuleType

from firmware.api import guarded
from firmware.config.keys import KEYS, SECTIONS, Key
from firmware.core.cards import states as card_states
from firmware.core.coup import states
from firmware.core.faults import FAULTS
from firmware.core.health.codes import CODES
from firmware.services.configuring.effective import default, shown
from firmware.store.acts import SERVICE_ACTS
from tools.docs.evidence.marks import Named, in_hil, in_tests
from tools.docs.evidence.requirements import (
    ELSEWHERE,
    HERE,
    LATER,
    UNMET,
    Requirement,
    read,
    requirements,
)
from tools.docs.part import Part
from tools.hil.cards import faults as cards
from tools.hil.catalogue_text import expectation, parameter, where
from tools.hil.faults import catalogue
from tools.hil.faults.entry import EITHER, LAYERS, VOID
from tools.mutants import catalogue as mutants
from tools.technician.doctor.problems import PROBLEMS


def state_diagram(table: ModuleType = states) -> str:
    """Draws a table of states as Mermaid: one arrow for each line of it, in its order."""
    lines = ["```mermaid", "stateDiagram-v2"]
    for start in table.STARTS:
        lines.append(f"    [*] --> {start}")
    for (state, happening), after in table.TRANSITIONS.items():
        lines.append(f"    {state} --> {after}: {happening}")
    return "\n".join([*lines, "```"])


STATE_DIAGRAM = Part(
    "architecture.md", "state diagram", "firmware/core/coup/states.py", state_diagram
)
CARD_STATE_DIAGRAM = Part(
    "architecture.md",
    "states of a round of cards",
    "firmware/core/cards/states.py",
    functools.partial(state_diagram, card_states),
)


def fault_codes() -> str:
    """Lists the codes of faults, each with its sentence, remedy and grade."""
    parts = []
    for kind in FAULTS:
        text = kind.text.replace("{}", "…")
        void = f"; an open coup is void: `{kind.reason}`" if kind.reason else ""
        watched = ", ".join(f"`{each}`" for each, code in CODES.items() if code == kind.code)
        of_health = f"; `kind` of the [health](health.md) watch's notice: {watched}"
        more = void + (of_health if watched else "")
        parts.append(f"## {kind.code}\n\n{text} {kind.remedy}\n\n*{kind.grade}*{more}")
    return "\n\n".join(parts)


FAULT_CODES = Part("faults.md", "faults", "firmware/core/faults.py", fault_codes)


def service_acts() -> str:
    """Tabulates the kinds of work on a wheel that a technician records."""
    rows = [f"| `{act.what}` | {act.meaning} |" for act in SERVICE_ACTS]
    return "\n".join(["| act | meaning |\n|---|---|", *rows])


ACTS = Part("service.md", "acts", "firmware/store/acts.py", service_acts)


def guarded_things() -> str:
    """Tabulates what is guarded, what each surface gives, and what it gives all the same."""
    things = [f"| {thing.what} | {thing.why} |" for thing in guarded.GUARDED]
    surfaces = [
        f"| {each.name} | {each.who} | {'public' if each.is_public else 'guarded'} | {each.gives} |"
        for each in guarded.SURFACES
    ]
    exceptions = [f"| {where} | {what} | {why} |" for where, what, why in guarded.EXCEPTIONS]
    return "\n".join(
        [
            "| guarded | why |\n|---|---|",
            *things,
            "\n| surface | for whom | | gives |\n|---|---|---|---|",
            *surfaces,
            "\n| where | what is told there all the same | why |\n|---|---|---|",
            *exceptions,
        ]
    )


GUARDED = Part("service.md", "guarded", "firmware/api/guarded.py", guarded_things)


def hil_faults() -> str:
    """Tabulates the fault catalogue, layer by layer."""
    parts = []
    for layer in LAYERS:
        rows = [
            f"| `{fault.name}` | {_fault_cell(fault.title, where(fault))} "
            f"| {'<br>'.join(f'`{parameter(each)}`' for each in fault.parameters)} "
            f"| {expectation(fault.expect)} | {' '.join(fault.requires)} |"
            for fault in catalogue.FAULTS
            if fault.layer == layer
        ]
        head = "| fault | what is wrong | parameters | what must follow | requirements |"
        parts.append("\n".join([f"### {layer}", "", head, "|---|---|---|---|---|", *rows]))
    return "\n\n".join(parts)


def _fault_cell(title: str, only: str) -> str:
    return f"{title} *Only {only}.*" if only else title


HIL_FAULTS = Part("hil.md", "catalogue", "tools/hil/faults", hil_faults)


def card_faults() -> str:
    """Tabulates the fault catalogue of a card table."""
    words = {EITHER: "either", VOID: "void"}
    rows = [
        f"| `{fault.name}` | {fault.layer} | {fault.title} | {', '.join(fault.moments)} "
        f"| {' or '.join(fault.expect.codes)} | {words.get(fault.expect.outcome, 'confirmed')} |"
        for fault in cards.FAULTS
    ]
    head = "| fault | layer | what is wrong | begins at | told as | the round is |"
    return "\n".join([head, "|---|---|---|---|---|---|", *rows])


CARD_FAULTS = Part("hil.md", "card catalogue", "tools/hil/cards/faults.py", card_faults)


SECURITY = ("IEC-", "EN-")  # the clauses that are the checklist of docs/security.md
_INSTEAD = {LATER: "Not yet", ELSEWHERE: "Not ours", UNMET: "Fails"}


def security_checklist() -> str:
    """Tabulates the clauses about security, each with who shows it."""
    return "\n\n".join(_clause_tables(security=True))


def requirement_tables() -> str:
    """Tabulates the other requirements, each clause with who shows it."""
    parts = _clause_tables(security=False)
    rows = [f"| {each.articles} | {each.why} |" for each in read()]
    parts.append(
        "## Read, and no matter of the apparatus\n\n| articles | what they are about |\n|---|---|\n"
        + "\n".join(rows)
    )
    return "\n\n".join(parts)


def _clause_tables(*, security: bool) -> list[str]:
    """Tabulates the clauses about security, or all others: a table for each source."""
    shown: dict[str, list[Named]] = {}
    for named in (*in_tests(), *in_hil()):
        shown.setdefault(named.requirement, []).append(named)
    wanted = [each for each in requirements().values() if each.id.startswith(SECURITY) == security]
    parts = []
    for source, clauses in groupby(wanted, key=lambda each: each.source):
        rows = [_requirement_row(each, shown.get(each.id, [])) for each in clauses]
        parts.append(f"## {source}\n\n| clause | asks | here | shown by |\n|---|---|---|---|\n")
        parts[-1] += "\n".join(rows)
    return parts


def _requirement_row(requirement: Requirement, shown: list[Named]) -> str:
    if requirement.status != HERE:
        evidence = f"**{_INSTEAD[requirement.status]}**: {requirement.why}"
    else:
        evidence = "<br>".join(_named_words(named) for named in shown)
    return f"| `{requirement.id}` | {requirement.text} | {requirement.means} | {evidence} |"


def _named_words(named: Named) -> str:
    if named.kind == "test":
        return f"`{named.name.removeprefix('tests/')}`"
    return f"{named.kind} `{named.name}`"


REQUIREMENTS = Part(
    "requirements.md", "requirements", "tools/docs/evidence and the tests", requirement_tables
)
CHECKLIST = Part(
    "security.md", "checklist", "tools/docs/evidence and the tests", security_checklist
)


def configuration_keys() -> str:
    """Tabulates the keys of the configuration; the maxima, which are alike, in one row."""
    parts = []
    for section in SECTIONS:
        keys = [key for key in KEYS if key.section == section]
        names = " ".join(f"`{key.name}`" for key in keys)
        rows = (
            [_key_row(names, keys[0], "")]
            if section == "maxima"
            else [_own_row(key) for key in keys]
        )
        head = ["| key | is | default | decides | read by |", "|---|---|---|---|---|"]
        parts.append(f"### [{section}]\n\n" + "\n".join(head + rows))
    return "\n\n".join(parts)


def _own_row(key: Key) -> str:
    held = default(key)
    return _key_row(f"`{key.name}`", key, "" if held is None else f"`{shown(held)}`")


def _key_row(name: str, key: Key, held: str) -> str:
    return f"| {name} | {key.wants} | {held} | {key.means} | `{key.used_by}` |"


CONFIGURATION_KEYS = Part("configuration.md", "keys", "firmware/config/keys.py", configuration_keys)


def doctor_problems() -> str:
    """Lists the problems that `cylindre doctor` finds, a heading a code."""
    parts = []
    for each in PROBLEMS:
        told = (each.what, each.cause, each.remedy, each.on_image)
        what, cause, remedy, on_image = [re.sub(r"\{\w+\}", "…", said) for said in told]
        part = f"## {each.code}\n\n{what} *{each.grade}*\n\n- Cause: {cause}\n- Remedy: {remedy}"
        parts.append(f"{part}\n- On our image: {on_image}" if on_image else part)
    return "\n\n".join(parts)


DOCTOR_PROBLEMS = Part(
    "doctor.md", "problems", "tools/technician/doctor/problems.py", doctor_problems
)


def regulations() -> str:
    """Lists what each text asks, a table a part."""
    parts: dict[str, list[str]] = {}
    for row in mutants.regulations():
        code = ", ".join(f"`{each}`" for each in row.code)
        line = f"| {row.text} | {row.asks} | {code} | `{row.test}` |"
        parts.setdefault(row.part, []).append(line)
    head = ["| text | asks | code | test |", "|---|---|---|---|"]
    return "\n\n".join(f"## {part}\n\n" + "\n".join(head + lines) for part, lines in parts.items())


REGULATIONS = Part("regulations.md", "articles", "tools/mutants/regulations.toml", regulations)
