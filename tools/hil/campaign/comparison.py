"""Sets two campaigns side by side: what each counted, and whether that differs more than by chance.

Coups of one job are taken for independent of one another. Where both played the same jobs, as of
one seed, each job that broke a rule in one alone is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tools.hil.campaign import exact_tests
from tools.hil.campaign.failures import command
from tools.hil.campaign.folder import Campaign
from tools.hil.campaign.summary import RULES, Total
from tools.hil.verdict import LATE, LATE_CALL, NEVER, TOLD, WRONG_NUMBER
from tools.virtual.score import VOID

TOLD_MAX = 20  # jobs with their command
CHANCE = 0.05  # less is more than chance, of all tests of a comparison together
ALL, TABLE, CLEAN, FAULT = "all", "table", "clean", "fault"
CLEAN_VOIDS = "clean_voids"  # as a rule: too many clean coups are void


class Group(NamedTuple):
    """Whose coups are counted: of a campaign, of a table, its clean ones, of a fault at a table."""

    kind: str
    name: str = ""  # the wheel, or the fault
    apparatus: str = ""
    place: str = ""


class Counts(NamedTuple):
    """What is counted of a group. Of a fault `coups` are those in which it began."""

    coups: int = 0
    wrong: int = 0
    late: int = 0
    void: int = 0
    told_late: int = 0  # or not
    due: int = 0  # faults that had to be told
    broken: int = 0  # jobs
    jobs: int = 0

    def plus(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(*(one + more for one, more in zip(self, other, strict=True)))


def shares(group: Group, counts: Counts) -> dict[str, tuple[int, int]]:
    """What is compared, and of how many it is a share."""
    void = {"void": (counts.void, counts.coups)}
    if group.kind == CLEAN:
        return void  # what else befell a clean coup is counted with its table
    return {
        "wrong": (counts.wrong, counts.coups),
        "late": (counts.late, counts.coups),
        **void,
        "told_late": (counts.told_late, counts.due),
        "broken": (counts.broken, counts.jobs),
    }


class Chance(NamedTuple):
    """How probable such a difference is by chance: alone, and among all that were tested."""

    p: float
    adjusted: float

    @property
    def differs(self) -> bool:
        """Whether it is more than chance."""
        return self.adjusted < CHANCE


class Compared(NamedTuple):
    """One group in both campaigns; `chances`: of each measure that can be tested."""

    group: Group
    first: Counts
    second: Counts
    chances: dict[str, Chance]


class Comparison(NamedTuple):
    """Two campaigns."""

    groups: list[Compared]
    paired: int  # jobs that both have played; 0 where the campaigns are of different plans
    newly_broken: list[dict[str, Any]]  # rows of the second
    newly_mended: list[dict[str, Any]]  # rows of the first
    new_rules: list[str]  # that the second breaks, and the first did not
    wrong: int  # numbers of the second
    late: int  # calls of the second

    @property
    def p_jobs(self) -> float:
        """How probable it is that the jobs changed so by chance."""
        return exact_tests.sign(len(self.newly_broken), len(self.newly_mended))

    @property
    def worse(self) -> bool:
        """Whether the second must not pass."""
        return bool(self.wrong or self.late or self.new_rules)


def compare(first: Campaign, second: Campaign) -> Comparison:
    """Counts both. The order of rows does not matter."""
    totals = Total(first.rows), Total(second.rows)
    pairs = list(_pairs(first, second, *totals))
    broken = [set(total.broken) for total in totals]
    for total, rules in zip(totals, broken, strict=True):
        if sum(total.clean_voids.values()) > total.clean_voids_allowed:
            rules.add(CLEAN_VOIDS)
    return Comparison(
        _compared(_counted(totals[0]), _counted(totals[1])),
        len(pairs),
        [new for old, new in pairs if new["broken"] and not old["broken"]],
        [old for old, new in pairs if old["broken"] and not new["broken"]],
        [rule for rule in (*dict(RULES), CLEAN_VOIDS) if rule in broken[1] - broken[0]],
        totals[1].broken[WRONG_NUMBER],
        totals[1].broken[LATE_CALL],
    )


def _pairs(
    first: Campaign, second: Campaign, old: Total, new: Total
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The rows of each job that both have played."""
    drawn = ("seed", "faults", "places", "wheels")
    if any(getattr(first.plan, each) != getattr(second.plan, each) for each in drawn):
        return
    before = {row["job"]: row for row in old.rows}
    for row in new.rows:
        if row["job"] in before and _drawn(before[row["job"]]) == _drawn(row):
            yield before[row["job"]], row


def _drawn(row: dict[str, Any]) -> tuple[Any, ...]:
    """What tells two jobs apart: one of other sizes, or of another catalogue, may be another."""
    keys = ("place", "kind", "apparatus", "wheel", "hand", "learned")
    return (*(row[key] for key in keys), *(use["fault"] for use in row["uses"]))


def _counted(total: Total) -> dict[Group, Counts]:
    found: dict[Group, Counts] = {Group(ALL): Counts()}
    for row in total.rows:
        for group, counts in _of_row(row):
            found[group] = found.get(group, Counts()).plus(counts)
    return found


def _of_row(row: dict[str, Any]) -> Iterator[tuple[Group, Counts]]:
    where = {"apparatus": row["apparatus"], "place": row["place"]}
    rules = [each["rule"] for each in row["broken"]]
    whole = Counts(
        coups=row["coups"],
        wrong=rules.count(WRONG_NUMBER),
        late=rules.count(LATE_CALL),
        void=row["void"],
        broken=bool(rules),
        jobs=1,
    ).plus(_told(row["uses"]))
    yield Group(ALL), whole
    yield Group(TABLE, row["wheel"], **where), whole
    clean = Counts(coups=row["clean"], void=sum(row["clean_voids"].values()))
    yield Group(CLEAN, row["wheel"], **where), clean
    for fault in dict.fromkeys(use["fault"] for use in row["uses"]):
        uses = [use for use in row["uses"] if use["fault"] == fault]
        mine = [each["rule"] for each in row["broken"] if each["fault"] == fault]
        yield (
            Group(FAULT, fault, **where),
            Counts(
                coups=sum(use["verdict"] is not None for use in uses),
                wrong=mine.count(WRONG_NUMBER),
                late=mine.count(LATE_CALL),
                void=sum(use["verdict"] == VOID for use in uses),
                broken=bool(mine),
                jobs=1,
            ).plus(_told(uses)),
        )


def _told(uses: list[dict[str, Any]]) -> Counts:
    return Counts(
        told_late=sum(use["how"] in (LATE, NEVER) for use in uses),
        due=sum(use["how"] in (TOLD, LATE, NEVER) for use in uses),
    )


def _compared(first: dict[Group, Counts], second: dict[Group, Counts]) -> list[Compared]:
    kinds = (ALL, TABLE, CLEAN, FAULT)
    groups = sorted({*first, *second}, key=lambda group: (kinds.index(group.kind), group[1:]))
    tested: list[tuple[Group, str, float]] = []
    for group in groups:
        others = shares(group, second.get(group, Counts()))
        for name, (one, of) in shares(group, first.get(group, Counts())).items():
            other, of_other = others[name]
            if of and of_other and one + other:
                # One use of a fault may spoil several coups: more than all is no share.
                p = exact_tests.fisher(min(one, of), of, min(other, of_other), of_other)
                tested.append((group, name, p))
    adjusted = exact_tests.holm([p for *_, p in tested])
    chances: dict[Group, dict[str, Chance]] = {group: {} for group in groups}
    for (group, name, p), together in zip(tested, adjusted, strict=True):
        chances[group][name] = Chance(p, together)
    return [
        Compared(group, first.get(group, Counts()), second.get(group, Counts()), chances[group])
        for group in groups
    ]


_COLUMNS = {
    "wrong": "wrong",
    "late": "late",
    "void": "void",
    "told_late": "told late, or not",
    "broken": "broken jobs",
}


def lines(comparison: Comparison, *, quiet: bool) -> Iterator[str]:
    """The table, a line a campaign; `quiet`: only of groups that differ by more than chance."""
    yield f"{'':<10}{'coups':>9}" + "".join(f"{each:>23}" for each in _COLUMNS.values())
    for each in comparison.groups:
        differing = {name: chance for name, chance in each.chances.items() if chance.differs}
        if quiet and not differing:
            continue
        yield title(each.group)
        for name, counts in (("first", each.first), ("second", each.second)):
            told = shares(each.group, counts)
            cells = "".join(f"{_share(*told.get(column, (0, 0))):>23}" for column in _COLUMNS)
            yield f"  {name:<8}{counts.coups:>9}{cells}"
        for name, chance in differing.items():
            yield f"  {_COLUMNS[name]}: that differs by more than chance (p {chance.adjusted:.2g})"


def title(group: Group) -> str:
    """A group as people read it."""
    if group.kind == ALL:
        return "all"
    at = "" if group.place == "virtual" else f" at {group.place}"
    if group.kind == FAULT:
        return f"{group.name} [{group.apparatus}]{at}"
    return f"{group.name}{at}" + ", clean coups" * (group.kind == CLEAN)


def _share(count: int, of: int) -> str:
    return f"{count} of {of} {100 * count / of:.3g} %" if of else "-"


def as_json(compared: Compared) -> dict[str, Any]:
    """One group, for programs."""
    return {
        "event": "compared",
        **compared.group._asdict(),
        "first": compared.first._asdict(),
        "second": compared.second._asdict(),
        "chances": {
            name: chance._asdict() | {"differs": chance.differs}
            for name, chance in compared.chances.items()
        },
    }


def of_line(campaign: Campaign) -> str:
    """Which campaign that is."""
    total = Total(campaign.rows)
    return (
        f"{campaign.path}: commit {campaign.commit}, seed {campaign.plan.seed},"
        f" {len(total.rows)} jobs. {total.sentence()}"
    )


def sum_lines(comparison: Comparison, first: Campaign, second: Campaign) -> Iterator[str]:
    """What changed from job to job, and whether the second may pass."""
    if comparison.paired:
        yield (
            f"Of {comparison.paired} jobs that both played, {len(comparison.newly_broken)} break a"
            f" rule now and did not, {len(comparison.newly_mended)} did and do not"
            f" (p {comparison.p_jobs:.2g})."
        )
        for word, campaign, rows in (
            ("Newly broken", second, comparison.newly_broken),
            ("Newly mended", first, comparison.newly_mended),
        ):
            for row in rows[:TOLD_MAX]:
                rules = ", ".join(dict.fromkeys(each["rule"] for each in row["broken"]))
                yield f"{word}: job {row['job']}, {rules}: {command(campaign.path, row)}"
            if len(rows) > TOLD_MAX:
                yield f"{word}: {len(rows) - TOLD_MAX} more; --json has all."
    else:
        yield "They are of different seeds or faults: no job of one is a job of the other."
    if not comparison.worse:
        yield "The second has no wrong number and no late call, and breaks no rule anew."
        return
    anew = f"; rules broken anew: {', '.join(comparison.new_rules)}" if comparison.new_rules else ""
    yield (
        f"The second must not pass: wrong numbers {comparison.wrong},"
        f" late calls {comparison.late}{anew}."
    )


def sum_json(comparison: Comparison, first: Campaign, second: Campaign) -> dict[str, Any]:
    """The same, for programs."""

    def of(campaign: Campaign) -> dict[str, Any]:
        told = {"folder": str(campaign.path), "commit": campaign.commit}
        return told | {"seed": campaign.plan.seed, "jobs": len(campaign.rows)}

    return {
        "event": "comparison",
        "first": of(first),
        "second": of(second),
        "paired": comparison.paired,
        "newly_broken": [row["job"] for row in comparison.newly_broken],
        "newly_mended": [row["job"] for row in comparison.newly_mended],
        "p_jobs": comparison.p_jobs,
        "new_rules": comparison.new_rules,
        "wrong": comparison.wrong,
        "late": comparison.late,
        "worse": comparison.worse,
    }
