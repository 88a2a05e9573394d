"""What a shell finds of `cylindre`: Tab completes in a real shell; the manual has every command."""

import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from patience import LAST_RESORT_S, until

import boards
import rules
from firmware.lib.errors import OK
from tools import cli
from tools.commands import group
from tools.commands.completion import SHELLS
from tools.docs import shell_files
from tools.hil import scenario_file

ROOT = Path(__file__).parents[2]


def commands(
    command: click.Command = group.cylindre, name: str = "cylindre"
) -> Iterator[tuple[str, click.Command]]:
    """Every command, and its name in the manual."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            assert below is not None
            if not below.hidden:
                yield from commands(below, f"{name}-{word}")


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed") / "share"
    shell_files.write(folder)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With a `cylindre` on the path, and nothing of the house's own shell."""
    program = tmp_path / "bin" / "cylindre"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m tools.cli "$@"\n')
    program.chmod(0o755)
    return {
        "PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path), "TERM": "dumb", "LANG": "C.UTF-8", "PS1": "> ",
    }  # fmt: skip


class Shell:
    """A shell in a terminal of its own, as people have it."""

    def __init__(self, words: list[str], environment: dict[str, str], folder: Path) -> None:
        self.seen = ""
        self._pid, self._handle = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)

    def type(self, text: str) -> None:
        os.write(self._handle, text.encode())

    def until(self, words: str) -> None:
        def shown() -> bool:
            if select.select([self._handle], [], [], 0.05)[0]:
                self.seen += os.read(self._handle, 65536).decode(errors="replace")
            return words in self.seen

        until(shown, words, told=lambda: self.seen, waits=True)

    def end(self) -> None:
        os.close(self._handle)
        os.waitpid(self._pid, 0)


def completed(
    environment: dict[str, str], capfd: pytest.CaptureFixture[str], line: str
) -> list[str]:
    """What may stand in the place of the last word of a line, as bash is told."""
    words = line.split(" ")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("_CYLINDRE_COMPLETE", "bash_complete")
        patch.setenv("COMP_WORDS", "\n".join(words))
        patch.setenv("COMP_CWORD", str(len(words) - 1))
        with pytest.raises(SystemExit) as ended:
            cli.main([])
    assert ended.value.code == OK
    return [item.partition(",")[2] for item in capfd.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("shell", "start"),
    [
        ("bash", ["bash", "--norc", "--noprofile", "-i"]),
        pytest.param("zsh", ["zsh", "-f", "-i"], marks=pytest.mark.needs("zsh")),
    ],
)
def test_tab_completes_a_command_and_a_board(
    shell: str, start: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    asked = Shell(start, environment, tmp_path)
    before = "autoload -Uz compinit; compinit -u -D; " if shell == "zsh" else ""
    asked.type(f'{before}eval "$(cylindre completion {shell})"; echo re""ady\n')
    asked.until("ready")
    asked.type("cylindre boar\troulette_\t--json\n")
    asked.until('{"board": "roulette_ref"')
    asked.type("exit\n")
    asked.end()


@pytest.mark.needs("fish")
def test_fish_completes_a_command_and_a_board(environment: dict[str, str], share: Path) -> None:
    script = share / shell_files.COMPLETIONS["fish"]
    asks = 'complete -C "cylindre boar"; complete -C "cylindre boards roulette_"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {script}; {asks}"],
        env=environment, capture_output=True, text=True, timeout=LAST_RESORT_S, check=True,
    )  # fmt: skip
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["boards", "roulette_ref"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("cylindre run --board ", boards.NAMES),
        ("cylindre pinout ", boards.NAMES),
        ("cylindre rules ", rules.NAMES),
        ("cylindre sim --wheel ", ("W1", "W2", "V1", "B1")),
        ("cylindre table --wheel W", ("W1", "W2")),
        ("cylindre hil run ", ("", *scenario_file.shipped())),  # or a file
        ("cylindre hil run beam_dark --place ", ("virtual", "process", "kernel", "rig")),
        ("cylindre journal ", ("adopt", "export", "show", "tail", "verify")),
        ("cylindre --lang ", ("en", "fr")),
        ("cylindre ", tuple(name for name, _ in group.COMMANDS)),
        ("cylindre verify-install --js", ("--json",)),
    ],
)
def test_what_is_known_is_completed(
    line: str,
    names: tuple[str, ...],
    environment: dict[str, str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert sorted(completed(environment, capfd, line)) == sorted(names)


def test_every_option_that_takes_a_board_completes_boards() -> None:
    found = [
        [item.value for item in each.shell_complete(click.Context(group.cylindre), "pi")]
        for _, command in commands()
        for each in command.params
        if "--board" in each.opts or each.metavar == "BOARD"
    ]
    assert len(found) > 15
    assert {tuple(names) for names in found} == {("pi4", "pi5")}


def test_completing_a_command_imports_none(environment: dict[str, str], tmp_path: Path) -> None:
    code = (
        "import sys; from tools import cli\n"
        "try: cli.main([])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith('tools.commands.')])"
    )
    asks = {"_CYLINDRE_COMPLETE": "bash_complete", "COMP_WORDS": "cylindre\nr", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, **asks}, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    *names, imported = done.stdout.splitlines()
    assert names == ["plain,run", "plain,rules", "plain,replay"]
    assert imported == "['tools.commands.group']"


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_installed_is_what_the_command_prints(
    shell: str, share: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["completion", shell]) == OK
    assert capfd.readouterr().out == (share / shell_files.COMPLETIONS[shell]).read_text()


# --- the manual ----------------------------------------------------------------------------------
def test_the_manual_has_a_page_of_every_command_with_what_its_help_says(share: Path) -> None:
    pages = {path.stem: path.read_text() for path in (share / "man" / "man1").iterdir()}
    assert set(pages) == set(dict(commands()))
    for name, text in pages.items():
        titles = [line[5:-1] for line in text.splitlines() if line.startswith(".SH")]
        assert titles[:3] == ["NAME", "SYNOPSIS", "DESCRIPTION"], name
        assert titles[-1] == "SEE ALSO" and len(titles) == len(set(titles)), name
        has_examples = "Examples:" in (dict(commands())[name].epilog or "")
        assert "OPTIONS" in titles and ("EXAMPLES" in titles) == has_examples, name
    assert "Make Tab complete the words of cylindre." in pages["cylindre-completion"]
    assert '.SH "AT THE TABLE"' in pages["cylindre"]
    assert "~/.bashrc" not in pages["cylindre-completion"], "a tilde would be an accent"


def test_every_option_stands_in_its_page(share: Path) -> None:
    for name, command in commands():
        page = (share / "man" / "man1" / f"{name}.1").read_text()
        for each in command.params:
            if isinstance(each, click.Option) and not each.hidden:
                for word in each.opts:
                    assert word.replace("-", "\\-") in page, (name, word)


@pytest.mark.needs("man")
def test_the_manual_is_good_roff(share: Path) -> None:
    pages = sorted((share / "man" / "man1").iterdir())
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z", *pages],
        capture_output=True, text=True, timeout=LAST_RESORT_S, check=True,
    )  # fmt: skip
    assert done.stderr == ""


@pytest.mark.needs("man")
@pytest.mark.parametrize("words", [(), ("journal", "tail"), ("verify-install",)])
def test_man_finds_and_sets_a_page_whose_examples_can_be_copied(
    words: tuple[str, ...], share: Path, environment: dict[str, str]
) -> None:
    name = "-".join(("cylindre", *words))
    done = subprocess.run(
        ["man", "-M", share / "man", name],
        env={**environment, "MANWIDTH": "100"},
        capture_output=True, text=True, timeout=LAST_RESORT_S, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    epilog = dict(commands())[name].epilog
    assert epilog is not None
    examples = [line.strip() for line in epilog.split("\n") if "  cylindre " in line]
    assert examples
    for line in examples:
        assert line in done.stdout


def test_make_setup_installs_it_and_says_how_it_is_turned_on(
    environment: dict[str, str], share: Path, tmp_path: Path
) -> None:
    """Of a checkout that was set up before there was any of it."""
    folder = tmp_path / "checkout"
    for name in ("Makefile", "tools/recipe_shell", "tools/docs/shell_files.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    # The sources are those of this checkout: a folder `tools` of the other would hide them.
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -P "$@"\n')
    python.chmod(0o755)
    for age, name in enumerate(("requirements.lock", "pyproject.toml", ".venv/.locked")):
        (folder / name).touch()
        os.utime(folder / name, (age, age))
    (folder / ".venv" / ".stamp").touch()
    done = subprocess.run(
        ["make", "setup"], cwd=folder, env=environment, check=True,
        capture_output=True, text=True, timeout=LAST_RESORT_S,
    )  # fmt: skip
    assert 'eval "$(.venv/bin/cylindre completion bash)" (or zsh, fish)' in done.stdout
    assert "man -M .venv/share/man cylindre" in done.stdout
    for path in share.rglob("*"):
        if path.is_file():
            made = folder / ".venv" / "share" / path.relative_to(share)
            assert made.read_text() == path.read_text()
