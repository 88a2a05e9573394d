"""A campaign's report in a real browser, from its file: filtered, sorted, its links followed."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from display_page.conftest import Browser
from display_page.contrast import contrast
from feigned_place import PLAN, broken_if

from tools.hil import places
from tools.hil.campaign import report
from tools.hil.campaign.folder import Folder
from tools.hil.campaign.run import Workers, play
from tools.hil.campaign.summary import Total
from tools.hil.places import Ran
from tools.hil.scenario import Scenario
from tools.testing.progress import Progress

Rows = list[dict[str, Any]]
# What is in each row that is shown.
SHOWN = """[...document.querySelectorAll('#jobs tbody tr:not([hidden])')].map(row => ({
    job: Number(row.cells[0].textContent), table: row.cells[1].textContent,
    fault: row.cells[2].textContent, coups: Number(row.cells[3].textContent),
    verdict: row.cells[6].textContent, told: row.cells[7].textContent}))"""


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Rows]:
    """A folder whose name wants escaping, and its rows: some scenarios have broken a rule."""

    def breaks(scenario: Scenario) -> bool:
        blind = any(use.fault == "beam_blind" for use in scenario.faults)
        return blind and scenario.apparatus == "roulette"

    verdict = broken_if(breaks)

    def run(scenario: Scenario, folder: Path | None = None) -> Ran:
        if folder is not None:
            (folder / f"{scenario.name}.vcd").write_text(f"$comment {scenario.name} $end\n")
        found = verdict(scenario)
        rested = found.coups[0]._replace(verified_us=scenario.seed % 9_000_000)
        return Ran(found._replace(coups=(rested,)), 0, 1_000_000, 0.0)

    place = SimpleNamespace(check=lambda: None, run=run)
    monkeypatch.setattr(places, "load", lambda name: place)
    path = tmp_path / 'a "night" & <b>more'
    with Folder(path, PLAN._replace(coups=320)) as folder:
        total = play(folder, Workers(1), Progress("campaign", 1))
    assert 0 < len(total.failed()) < len(total.rows) and len(total.rows) > 20
    return path, total.rows


def opened(browser: Browser, path: Path, *, dark: bool = False) -> None:
    browser.open((path / "report.html").as_uri())
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def shown(browser: Browser) -> Rows:
    found: Rows = browser.run(f"return {SHOWN}")
    return found


def choose(browser: Browser, name: str, value: str) -> None:
    browser.run(
        "const chosen = document.querySelector(`#filters select[name=${arguments[0]}]`);"
        "chosen.value = arguments[1]; chosen.dispatchEvent(new Event('change', {bubbles: true}))",
        name, value,
    )  # fmt: skip


def click(browser: Browser, words: str, table: str = "jobs") -> None:
    """A column's head."""
    for button in browser.driver.find_elements("css selector", f"#{table} thead button"):
        if button.text.startswith(words):
            button.click()
            return
    pytest.fail(f"{words} is no head")


def test_those_that_broke_a_rule_stand_first_and_all_are_there(
    campaign: tuple[Path, Rows], browser: Browser
) -> None:
    path, rows = campaign
    browser.requests()  # of pages before
    opened(browser, path)
    order = sorted(rows, key=lambda row: not row["broken"])
    assert [each["job"] for each in shown(browser)] == [row["job"] for row in order]
    assert browser.requests() == [(path / "report.html").as_uri()]
    assert (
        browser.run("return document.querySelectorAll('#jobs th[scope=col] > button').length") == 8
    )


def test_it_is_filtered_by_table_fault_and_verdict(
    campaign: tuple[Path, Rows], browser: Browser
) -> None:
    path, rows = campaign
    opened(browser, path)

    def left(by: Callable[[dict[str, Any]], object]) -> list[int]:
        found = sorted(row["job"] for row in rows if by(row))
        assert sorted(each["job"] for each in shown(browser)) == found != []
        count = browser.run("return document.querySelector('#filters output').value")
        assert count == f"{len(found)} of {len(rows)} jobs"
        return found

    choose(browser, "verdict", "broken")
    broken = left(lambda row: row["broken"])
    choose(browser, "verdict", "late_call")
    assert left(lambda row: row["broken"]) == broken
    choose(browser, "verdict", "void")
    left(lambda row: not row["broken"] and row["void"])
    choose(browser, "verdict", "")
    choose(browser, "table", "roulette W1, virtual")
    first = left(lambda row: row["wheel"] == "W1")
    choose(browser, "fault", "beam_blind")
    both = left(
        lambda row: row["wheel"] == "W1" and "beam_blind" in {use["fault"] for use in row["uses"]}
    )
    assert len(both) < len(first)
    browser.driver.find_element("css selector", "#filters button").click()
    assert len(left(lambda row: True)) == len(rows)


def test_it_is_sorted_by_a_click_on_a_column_and_the_other_way_by_another(
    campaign: tuple[Path, Rows], browser: Browser
) -> None:
    path, rows = campaign
    opened(browser, path)
    click(browser, "Job")
    assert [each["job"] for each in shown(browser)] == sorted(row["job"] for row in rows)
    click(browser, "Job")
    jobs = sorted((row["job"] for row in rows), reverse=True)
    assert [each["job"] for each in shown(browser)] == jobs
    click(browser, "Table")
    tables = [each["table"] for each in shown(browser)]
    assert tables == sorted(tables) and len({*tables}) > 1
    sorts = "[...document.querySelectorAll('#jobs th')].map(head => head.ariaSort)"
    assert browser.run(f"return {sorts}") == [None, "ascending", *[None] * 6]
    choose(browser, "verdict", "broken")
    click(browser, "Job")
    broken = sorted(row["job"] for row in rows if row["broken"])
    assert [each["job"] for each in shown(browser)] == broken
    click(browser, "Time", "slowest")
    times = browser.run(
        "return [...document.querySelectorAll('#slowest tbody tr td:nth-child(2)')]"
        ".map(cell => cell.textContent)"
    )
    seconds = [float(each.removesuffix(" s")) for each in times]
    assert seconds == sorted(seconds) and seconds[0] < seconds[-1]


def test_its_links_lead_to_files_that_are_there(
    campaign: tuple[Path, Rows], browser: Browser
) -> None:
    path, rows = campaign
    opened(browser, path)
    links = browser.run(
        "return [...document.querySelectorAll('#jobs a')]"
        ".map(link => [link.textContent, link.href])"
    )
    failed = [row for row in rows if row["broken"]]
    assert sum(words == "scenario" for words, _ in links) == len(failed)
    assert {words for words, _ in links} == {"scenario", "smallest", "trace"}
    assert sum(words == "trace" for words, _ in links) == len(failed)
    for _, href in links:
        file = Path(unquote(urlsplit(href).path))
        assert file.is_file() and file.parent == path / "failures"
    command = shown(browser)[0]["told"]
    job = f"{path}/failures/job-{failed[0]['job']:06}.toml"
    assert f"cylindre hil run '{job}' --place virtual" in command
    trace = browser.driver.find_element("link text", "trace")
    name = Path(unquote(urlsplit(trace.get_attribute("href") or "").path)).stem
    trace.click()
    browser.until("document.body.textContent.includes(arguments[0])", f"$comment {name} $end")


def test_a_trace_that_is_gone_has_no_link(campaign: tuple[Path, Rows], browser: Browser) -> None:
    path, rows = campaign
    for trace in (path / "failures").glob("*.vcd"):
        trace.unlink()
    page = report.render(Total(rows), plan=PLAN, jobs=1, commit="", folder=path)
    (path / "report.html").write_text(page)
    opened(browser, path)
    assert browser.driver.find_elements("link text", "trace") == []
    assert browser.driver.find_elements("link text", "scenario") != []


def test_a_link_to_a_job_leads_to_it_whatever_is_filtered(
    campaign: tuple[Path, Rows], browser: Browser
) -> None:
    path, rows = campaign
    opened(browser, path)
    job = browser.run("return document.querySelector('#slowest a').hash.slice(5)")
    choose(browser, "verdict", "broken")
    choose(browser, "table", "boule B1, virtual")
    assert shown(browser) == []
    browser.driver.find_element("css selector", f"#slowest a[href='#job-{job}']").click()
    browser.until(f"!document.getElementById('job-{job}').hidden")
    assert len(shown(browser)) == len(rows)


HOSTILE = '<script>window.hit = 1</script><img src=x onerror="window.hit = 1">\'"&|</td></table>'


def test_what_a_row_says_is_shown_and_never_run(
    campaign: tuple[Path, Rows], browser: Browser
) -> None:
    path, rows = campaign
    told = json.loads(json.dumps(rows))
    told[0] |= {"place": HOSTILE, "wheel": HOSTILE, "voids": {HOSTILE: 2}}
    told[0]["broken"] = [{"rule": HOSTILE, "coup": 1, "fault": None, "text": HOSTILE}]
    page = report.render(
        Total(told), plan=PLAN, jobs=1, commit=HOSTILE, folder=path / HOSTILE[8:20]
    )
    (path / "report.html").write_text(page)
    opened(browser, path)
    assert browser.run("return window.hit ?? null") is None
    assert browser.run("return document.querySelectorAll('script, img').length") == 1
    first = next(each for each in shown(browser) if each["job"] == told[0]["job"])
    assert first["verdict"] == HOSTILE and first["told"].startswith(HOSTILE)
    assert first["table"] == f"{first['table'].split()[0]} {HOSTILE}, {HOSTILE}"


def test_no_script_but_its_own_can_run(campaign: tuple[Path, Rows], browser: Browser) -> None:
    """Where something were not escaped after all."""
    path, rows = campaign
    page = (path / "report.html").read_text()
    (path / "report.html").write_text(page.replace("<h1>", "<script>window.hit = 1</script><h1>"))
    opened(browser, path)
    assert browser.run("return window.hit ?? null") is None
    assert len(shown(browser)) == len(rows)
    (refused,) = browser.logged()
    assert "Content Security Policy" in refused["message"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_is_read_well_by_day_and_by_night(
    campaign: tuple[Path, Rows], browser: Browser, dark: bool
) -> None:
    path, _ = campaign
    opened(browser, path, dark=dark)
    found = browser.run(
        """
        const ground = (element) => {
          const colour = getComputedStyle(element).backgroundColor;
          return colour === 'rgba(0, 0, 0, 0)' ? ground(element.parentElement) : colour;
        };
        const parts = '#jobs td, #jobs a, #jobs code, #jobs th, #jobs th button, #filters label,'
          + ' #filters select, #filters button, #filters output, .sentence, .of';
        return [...document.querySelectorAll(parts)].map((each) => ({
          what: each.outerHTML.slice(0, 80), colour: getComputedStyle(each).color,
          ground: ground(each)}));
        """
    )
    assert len({each["ground"] for each in found}) > 1
    for each in found:
        assert contrast(each["colour"], each["ground"]) >= 4.5, each
    photographed = "dark" if dark else "light"
    browser.photograph(f"campaign-report-{photographed}")


def test_it_stands_in_a_narrow_window(campaign: tuple[Path, Rows], browser: Browser) -> None:
    path, _ = campaign
    browser.open((path / "report.html").as_uri(), size=(360, 700))
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
