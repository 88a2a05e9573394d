"""How every command ends: its exit codes, and the one exception that carries a sentence."""

import contextlib
import errno
from collections.abc import Iterator

from firmware.lib.language import N_, Message

OK = 0
FAILED = 1
USAGE = 2
NO_DEVICE = 3
CONFIGURATION = 4
SELFTEST = 5  # a part of the wheel is not as it must be
INTERRUPTED = 130


class Failure(Exception):
    """A command that cannot go on: the exit code, and one sentence for the person who ran it."""

    def __init__(self, exit_code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        self.sentence = sentence


# What standard output is called in `OSError.filename`: its own errors come without a name.
OUTPUT = "<stdout>"


@contextlib.contextmanager
def naming(path: object) -> Iterator[None]:
    """Gives what the system refuses the name of the file it is about.

    A write has none of its own, and a file that is made under another name has that.
    """
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def of_file(path: object, error: OSError, exit_code: int = FAILED) -> Failure:
    """Returns the Failure of a file that the system refuses."""
    return Failure(exit_code, Message("{}: {}.", path, cause(error)))


def unwritten(path: object, error: OSError) -> Failure:
    """Returns the Failure of a file that cannot be written."""
    return Failure(FAILED, Message("Cannot write {path}: {cause}.", path=path, cause=cause(error)))


def unwritten_output(error: OSError) -> str:
    """Returns the sentence for standard output that takes no more."""
    if isinstance(error, BrokenPipeError):
        return N_("Nobody reads the output any more.")
    if error.errno == errno.EBADF:
        return N_("Standard output is closed: give it somewhere to go, /dev/null for nowhere.")
    return Message("Standard output cannot be written: {cause}.", cause=cause(error))


def cause(error: OSError) -> str:
    """Returns what the system says of an error, to stand within a sentence."""
    why = sentence(error)
    return why if isinstance(why, Message) else Message(why.lower())


def sentence(error: OSError) -> str:
    """Returns what a port or chip says of an error: a sentence already."""
    return error.strerror or str(error)
