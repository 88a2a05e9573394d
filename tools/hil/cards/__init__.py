"""Faults on purpose at a card table: its catalogue, its rounds played, judged and counted.

The words are those of the wheel's room (tools/hil): a fault has an entry, an entry says what must
follow, a rule that is broken is a Broken. A round stands where a coup does.
"""
