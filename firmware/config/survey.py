"""What the files of a configuration say together, and every mistake in them.

Knows the keys, not what they are for: firmware/config makes a Config of what it finds.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from firmware.config import text
from firmware.config.keys import KEYS, SECTIONS, Key, fits
from firmware.lib.language import Message, listed
from firmware.lib.mistakes import MISTAKES_MAX, and_more

FORMAT = 1  # what this program reads; a file may say `format`, and means 1 if it does not
_FORMAT = "format"
_WORD_MAX = 60  # characters of what somebody wrote, in a sentence
# Why something is wrong, and the section that is doubtful for it; made for what is told alone.
_Why = tuple[str, str | None]
_Wrong = tuple[int, Callable[[], _Why]]  # with its line


class Mistake(NamedTuple):
    """One mistake: its file, its line (0: none in particular) and a sentence."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return (
            Message("{where}: {text}", where=where, text=Message(self.text)) if where else self.text
        )


class ConfigError(Exception):
    """A configuration that cannot be used: `sentences`, one for each mistake, in file order."""

    def __init__(self, mistakes: Sequence[Mistake | str]) -> None:
        self.mistakes = [
            Mistake("", 0, found) if isinstance(found, str) else found for found in mistakes
        ]
        self.sentences = [str(mistake) for mistake in mistakes]
        super().__init__(listed(self.sentences, "\n"))


class Source(NamedTuple):
    """What one file says, and its name, which stands in front of the line numbers."""

    name: str
    text: str


class SourcedValue(NamedTuple):
    """A value as a file says it, and where it does."""

    value: Any
    file: str
    line: int


def limited(mistakes: Sequence[Mistake], further: int = 0) -> list[Mistake]:
    """Returns the first MISTAKES_MAX, and at their end how many there are beside them.

    `further`: that are not among `mistakes`.
    """
    told = list(mistakes[:MISTAKES_MAX])
    further += len(mistakes) - len(told)
    if further:
        told.append(Mistake("", 0, and_more(further)))
    return told


class Survey:
    """Files read one after the other; of two that say the same key, the later holds."""

    def __init__(self, name: str, folder: Path = Path()) -> None:
        """`name`: of the main file; `folder`: where it lies, or would."""
        self.name = name
        self.folder = folder
        self.said: dict[tuple[str, str], SourcedValue] = {}  # what is right, by section and key
        self.noted: list[Mistake] = []  # mistakes, MISTAKES_MAX of them and those of unread files
        self.further = 0  # mistakes beside them
        # Sections of which not all that was meant is known; None: it may be any.
        self.doubtful: set[str | None] = set()

    @property
    def mistakes(self) -> list[Mistake]:
        """Returns what is wrong, as it is told."""
        return limited(self.noted, self.further)

    def unread(self, mistakes: Sequence[Mistake]) -> None:
        """Adds mistakes of a file that cannot be read at all."""
        self.noted.extend(mistakes)
        self.doubtful.update([None] if mistakes else [])

    def add_file(self, source: Source) -> None:
        """Adds one file. Raises ConfigError, one sentence, for a file of a newer program."""
        room = max(1, MISTAKES_MAX - len(self.noted))  # those beyond are counted alone
        found, broken, lines = text.read(source.text, min(text.SYNTAX_ERRORS_MAX, room))
        _refuse_newer(source.name, found, lines)
        wrong: list[_Wrong] = [
            (line, partial(_known, why, lines.section_of(line))) for line, why in broken
        ]
        for name, content in found.items():
            if name == _FORMAT:
                wrong.extend(_format(content, lines))
            elif name in SECTIONS and isinstance(content, dict):
                wrong.extend(self._section(name, content, source.name, lines))
            else:
                wrong.append((lines.find(name), partial(_stray, name, content)))
        self._note(source.name, wrong)

    def _note(self, file: str, wrong: list[_Wrong]) -> None:
        """Says what is wrong in a file, as far as there is room."""
        room = max(0, MISTAKES_MAX - len(self.noted))
        wrong = sorted(wrong, key=lambda one: one[0])
        told = [(line, *why()) for line, why in wrong[:room]]
        for line, text_, section in sorted(told, key=lambda one: one[:2]):
            self.noted.append(Mistake(file, line, text_))
            self.doubtful.add(section)
        if wrong[room:]:
            self.further += len(wrong) - room
            self.doubtful.add(None)

    def _section(
        self, section: str, content: dict[str, Any], file: str, lines: text.Lines
    ) -> list[_Wrong]:
        """Takes what is right in it; returns the mistakes."""
        keys = {key.name: key for key in KEYS if key.section == section}
        wrong: list[_Wrong] = []
        for name, value in content.items():
            line = lines.find(section, name)
            key = keys.get(name)
            if key is None:
                wrong.append((line, partial(_misplaced, section, name, list(keys))))
            elif not fits(key, value):
                wrong.append((line, partial(_unfit, key, value)))
            else:
                self.said[section, name] = SourcedValue(value, file, line)
        return wrong


def _known(why: str, section: str | None) -> _Why:
    return why, section


def _misplaced(section: str, name: str, names: Sequence[str]) -> _Why:
    """A key that its section does not have."""
    owners = [other.section for other in KEYS if other.name == name]
    if not owners:
        what = Message('key "{tame}" in [{section}]', tame=_tame(name), section=section)
        return _unknown(what, name, names), section
    why = Message(
        '"{name}" belongs in section [{owner}], not in [{section}].',
        name=name,
        owner=owners[0],
        section=section,
    )
    return why, owners[0]


def _unfit(key: Key, value: Any) -> _Why:
    """A value that its key may not have."""
    hint = _meant(value, key.choices) if isinstance(value, str) else ""
    why = Message(
        "{name} must be {wants}, not {shown}.{hint}",
        name=key.name,
        wants=Message(key.wants),
        shown=_shown(value),
        hint=hint,
    )
    return why, key.section


def _refuse_newer(file: str, found: dict[str, Any], lines: text.Lines) -> None:
    wanted = found.get(_FORMAT)
    if type(wanted) is int and wanted > FORMAT:
        why = Message(
            "this file is of format {shown}, and this program reads {format}. Update the"
            " program to one that reads it (cylindre update), or use a file of format"
            " {format}.",
            shown=_shown(wanted),
            format=FORMAT,
        )
        raise ConfigError([Mistake(file, lines.find(_FORMAT), why)])


def _format(content: Any, lines: text.Lines) -> list[_Wrong]:
    if type(content) is int and content == FORMAT:
        return []
    why = Message("format must be {format}, not {shown}.", format=FORMAT, shown=_shown(content))
    return [(lines.find(_FORMAT), partial(_known, why, None))]


def _stray(name: str, content: Any) -> _Why:
    """Returns why this cannot stand outside the known sections, and which of them it may be meant
    for.
    """
    if name in SECTIONS:
        return Message(
            "[{name}] is a section. Write its keys below a line [{name}].", name=name
        ), name
    if isinstance(content, dict):
        return _unknown(Message("section [{tame}]", tame=_tame(name)), name, SECTIONS), _nearest(
            name, SECTIONS
        )
    return _unknown(
        Message('key "{tame}"', tame=_tame(name)), name, [key.name for key in KEYS]
    ), None


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return (
            f'"{value}"' if value.isprintable() and len(value) < _WORD_MAX else Message("this text")
        )
    if isinstance(value, bool):
        return str(value).lower()
    words = str(value) if isinstance(value, int | float) else "this"
    return words if len(words) < _WORD_MAX else Message("this number")


def _tame(name: str) -> str:
    """Returns a name that somebody wrote, as it may stand on a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name[:_WORD_MAX])


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    return Message(
        "There is no {what}.{meant}",
        what=what,
        meant=_meant(name, known) or Message(" Known: {names}.", names=", ".join(known)),
    )


def _meant(word: str, known: Sequence[str]) -> str:
    near = _nearest(word, known)
    return "" if near is None else Message(' Did you mean "{near}"?', near=near)


def _nearest(word: str, known: Sequence[str]) -> str | None:
    import difflib  # here: a configuration without mistakes need not wait for it

    return next(iter(difflib.get_close_matches(word[:_WORD_MAX], known, n=1)), None)
