"""How every command ends: its exit codes, and the one exception that carries a sentence."""

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


def unwritten(error: OSError) -> str:
    """Returns the sentence for standard output that takes no more."""
    if isinstance(error, BrokenPipeError):
        return N_("Nobody reads the output any more.")
    return Message("Standard output cannot be written: {cause}.", cause=cause(error))


def cause(error: OSError) -> str:
    """Returns what the system says of an error, to stand within a sentence."""
    why = error.strerror or str(error)
    return why if isinstance(why, Message) else Message(why.lower())
