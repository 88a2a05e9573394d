"""Which polls whoever is polled believes: newer ones of a session that has shown to be alive."""

from firmware.bus.messages import Envelope


class PollSession:
    """Judges poll by poll. Another session (the controller was started again) is believed only once
    it has echoed a reply made to it, so that no poll of the past is believed."""

    def __init__(self) -> None:
        self.session: int | None = None  # that is believed
        self._courting: int | None = None  # one that has yet to show that it is alive
        self._counter = 0  # of the session's last poll

    def is_old(self, envelope: Envelope) -> bool:
        """Tells whether a poll came before, or a later one did: it is not replied to."""
        return envelope.session == self.session and envelope.counter <= self._counter

    def believes(self, envelope: Envelope, is_echo: bool) -> bool:
        """Takes a poll that is not old. Tells whether it is believed. `is_echo`: it names our last
        reply.
        """
        if envelope.session != self.session:
            if envelope.session != self._courting or not is_echo:
                self._courting = envelope.session
                return False
            self.session = envelope.session
        self._counter = envelope.counter
        return True
