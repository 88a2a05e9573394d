"""wheel.toml and conf.d beside it: one configuration, and every mistake in any file at once."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.config import FORMAT, Config, ConfigError, Survey, load, made, parse, survey
from firmware.config.survey import Source


def laid(folder: Path, **files: str) -> Path:
    """A main file, and in conf.d what is named otherwise."""
    (folder / "conf.d").mkdir()
    for name, text in files.items():
        path = folder / "wheel.toml" if name == "main" else folder / "conf.d" / f"{name}.toml"
        path.write_text(text)
    return folder / "wheel.toml"


def refused(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(path)
    return [said.replace(str(path.parent) + "/", "") for said in caught.value.sentences]


def test_a_later_file_wins_key_by_key(tmp_path: Path) -> None:
    path = laid(
        tmp_path,
        main="[call]\ncall_s = 1\n[maxima]\nplein = 20\nrouge = 300\n",
        b="[call]\ncall_s = 2\n[maxima]\nplein = 30\n",
        a="[call]\ncall_s = 3\nlate_per_million = 2\n",
    )
    config = load(path)
    assert (config.call_us, config.late_ppb) == (2_000_000, 2_000)
    assert config.maxima == {"plein": 30, "rouge": 300}
    said = survey(path).said["call", "call_s"]
    assert (said.value, Path(said.file).name, said.line) == (2, "b.toml", 2)


def test_beside_a_file_of_another_name_nothing_else_is_read(tmp_path: Path) -> None:
    path = laid(tmp_path, main="", a="[call]\ncall_s = 3\n")
    other = path.rename(tmp_path / "table-3.toml")
    assert load(other) == Config()


def test_editors_files_and_notes_are_not_read(tmp_path: Path) -> None:
    path = laid(tmp_path, main="")
    for name in (".#a.toml", "a.toml~", "README", "a.toml.bak"):
        (path.parent / "conf.d" / name).write_text("no toml at all")
    assert load(path) == Config()


def test_mistakes_of_all_files_come_together(tmp_path: Path) -> None:
    path = laid(
        tmp_path, main="[wheel]\nidd = 1\n", a="[bus]\nbaud = 1\n", c="[rotr]\n", b="mode = auto"
    )
    (path.parent / "conf.d" / "d.toml").write_bytes(b"\xff")
    (path.parent / "conf.d" / "e.toml").symlink_to("nowhere")
    (path.parent / "conf.d" / "f.toml").mkdir()
    places = [said.split(": ")[0] for said in refused(path)]
    assert sorted(places) == [
        "conf.d/a.toml:2",
        "conf.d/b.toml:1",
        "conf.d/c.toml:1",
        "conf.d/d.toml:1",
        "conf.d/e.toml",
        "conf.d/f.toml",
        "wheel.toml:2",
    ]


def test_a_pipe_in_the_folder_is_not_waited_for(tmp_path: Path) -> None:
    path = laid(tmp_path, main="")
    os.mkfifo(tmp_path / "conf.d" / "a.toml")
    assert refused(path) == ["conf.d/a.toml: it is no regular file. Give a file that can be read."]


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "wheel.toml").touch()
    (tmp_path / "conf.d").touch()
    assert refused(tmp_path / "wheel.toml")[0].startswith("conf.d: not a directory. Make it a")


def test_too_many_files_are_no_configuration(tmp_path: Path) -> None:
    path = laid(tmp_path, main="", **{f"f{at}": "" for at in range(65)})
    assert refused(path) == ["conf.d: there are 65 files; 64 at most are read. Join some of them."]


def test_a_file_too_long_is_none(tmp_path: Path) -> None:
    path = laid(tmp_path, main="", a="#" * 70_000)
    assert refused(path) == ["conf.d/a.toml: longer than 65536 bytes, so not a configuration."]


@pytest.mark.parametrize("text", ["format = 1\n", "", "# format = 2\n"])
def test_files_of_this_format_and_those_that_do_not_say_are_read(text: str) -> None:
    assert parse(text) == Config()


def test_a_configuration_from_a_newer_version_is_one_sentence(tmp_path: Path) -> None:
    """The issue: "configuration from a newer version, [...]: one sentence, [...] a way back"."""
    new = f"format = {FORMAT + 1}\n[weather]\nwind = 1\n[bus]\nbaud = 'fast'\n"
    path = laid(tmp_path, main="[wheel]\nidd = 1\n", a=new)
    (told,) = refused(path)
    assert told.startswith("conf.d/a.toml:1: this file is of format 2, and this program reads 1.")
    assert "Update the program" in told


@pytest.mark.parametrize("value", ["0", "-1", "true", "1.0", '"1"', "[1]", "9" * 5000])
def test_a_format_that_is_none_is_a_mistake(value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(f"format = {value}\n", "wheel.toml")
    assert len(caught.value.sentences) == 1
    assert len(caught.value.sentences[0]) < 300


@given(st.lists(st.text(alphabet='[]="\n.# abcwhel1', max_size=40), max_size=4))
def test_any_texts_together_are_surveyed(texts: list[str]) -> None:
    found = Survey("a")
    for at, text in enumerate(texts):
        found.add_file(Source(str(at), text))
    for mistake in found.mistakes:
        assert 1 <= mistake.line <= texts[int(mistake.file)].count("\n") + 2
    assert bool(found.doubtful) == bool(found.mistakes)


@pytest.mark.parametrize("starts_in", ["etc", "."])
def test_a_relative_path_begins_in_the_configurations_folder_wherever_the_wheel_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, starts_in: str
) -> None:
    folder = tmp_path / "etc"
    folder.mkdir()
    path = laid(
        folder,
        main='[people]\nfile = "people.jsonl"\n[store]\njournal = "/var/lib/coups.db"\n',
        more='[game]\nlayout = "../cases.toml"\n[bus]\nport = "ttyUSB0"\n',
    )
    monkeypatch.chdir(tmp_path / starts_in)
    config = load(path)
    assert config.people == f"{folder}/people.jsonl"
    assert config.journal == "/var/lib/coups.db"
    assert config.layout == f"{folder}/../cases.toml", "of conf.d too: one configuration"
    assert config.port == "ttyUSB0", "a device's name is no path"


def test_what_is_to_be_applied_is_judged_where_it_will_lie(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    text = '[people]\nfile = "people.jsonl"\n'
    found = survey(tmp_path / "etc" / "wheel.toml", Source("/stick/new.toml", text))
    assert made(found.said, found.folder).people == f"{tmp_path}/etc/people.jsonl"


def test_a_file_that_windows_notepad_saved_is_read(tmp_path: Path) -> None:
    """It puts the three bytes of a byte order mark before the first key."""
    file = tmp_path / "wheel.toml"
    file.write_bytes(b"\xef\xbb\xbf" + b'[wheel]\nid = "table-3"\n')
    assert load(file).wheel_id == "table-3"
