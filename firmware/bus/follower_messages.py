"""What a host of followers asks for the players who bet behind a seat. Plain values.

Each names the account of its player.
"""

from firmware.shims.typed import NamedTuple

# `key`: of the account, which goes nowhere: it makes the proof that does.
FollowerSignOn = NamedTuple("FollowerSignOn", [("account", int), ("key", bytes)])
FollowerSignOff = NamedTuple("FollowerSignOff", [("account", int)])
# A stake behind a seat. `coup` 0: the one told last; `double`: it follows doubles and splits.
Follow = NamedTuple(
    "Follow", [("account", int), ("coup", int), ("seat", int), ("double", bool), ("cents", int)]
)
TakeBackBehind = NamedTuple("TakeBackBehind", [("account", int), ("seat", int)])
