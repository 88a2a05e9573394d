"""What is made of edges and readings. `i`, `o`: an edge in, out; a letter: that card is read; `?`:
the readers differ; `x`: the cut card; `j`: a jam; a digit: so many seconds; `!`: something is lost.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import card_pull
from drivers.card_pull import CUT, OUT_MS, Pull

BEGIN_MS = 0xFFFFFFFF - 250  # the shoe's clock wraps in the second event


def told(story: str, begin_ms: int = BEGIN_MS) -> str:
    """A card's letter where it is out, `?` unread, `b` pulled back, `B` gone back in."""
    pull, now_ms, said = Pull(), begin_ms, ""
    for each in story:
        now_ms += 200
        at_ms = now_ms & 0xFFFFFFFF
        became = []
        if each == "i":
            became = list(pull.come_in(at_ms))
        elif each == "o":
            became = list(pull.come_out(at_ms))
        elif each == "j":
            pull.spoil()
        elif each == "!":
            pull.lose()
        elif each.isdigit():
            for _ in range(int(each) * 5):
                now_ms += 200
                became += pull.wait(now_ms & 0xFFFFFFFF)
        elif each == "x":
            pull.read(at_ms, CUT)
        else:
            pull.read(at_ms, None if each == "?" else (ord(each), ""))
        for what, read in became:
            said += {
                card_pull.CARD_OUT: lambda read=read: chr(read[0]),
                card_pull.UNREAD: lambda: "?",
                card_pull.PULLED_BACK: lambda: "b",
                card_pull.WENT_BACK: lambda: "B",
            }[what]()
    return said


@pytest.mark.parametrize(
    ("story", "what"),
    [
        ("iAo", "A"),
        ("iAoiBoiAo", "ABA"),
        ("iAoiAo", "AA"),  # two cards of a kind
        ("i2Ao", "A"),
        ("io", "?"),
        ("i?o", "?"),
        ("i?Ao", "?"),
        ("iA?o", "?"),
        ("iABo", "?"),
        ("iAAo", "A"),  # read twice in one pull
        ("iAiAo", "bA"),  # pushed and pulled
        ("iAio", "b?"),  # what is out was not read
        ("iAiiAo", "bbA"),
        ("iAiiBo", "bb?"),
        ("iAiBo", "b?"),  # another one in its place
        ("iAiBoiBo", "b?B"),
        ("i?iAo", "bA"),
        ("iA?iBo", "bB"),
        ("iA4", "b"),
        ("iA4o4", "b?"),  # nothing was out, and now something is
        ("iA4oiAo", "b?A"),  # slow, and read again
        ("iA4oiBo", "b??"),
        ("iA4oBi", "b?B"),  # another one was read as it went back
        ("iA4o4iAo", "b?A"),
        ("iA4oo4", "b??"),
        ("iA44oi", "bB"),  # too late for that one: another went back
        ("ix4oixo", "b"),
        ("ix4oiAo", "bA"),  # a slow cut card
        ("iA4iAo", "bA"),
        ("iA4iBo", "b?"),
        ("i4", "b"),
        ("iA2", ""),
        ("Ao", "?"),  # its edge in was not seen
        ("A4", "?"),  # nor its edge out
        ("AoiAo", "?A"),
        ("iAooi", "AB"),  # out, and back in
        ("iAoAi", "A?"),
        ("iAooAi4", "AB"),
        ("iAooAiiCo", "ABC"),
        ("iAoo4", "A?"),  # nothing comes in behind it: a second one is out
        ("iAooo4", "A??"),
        ("iAoo4iBo", "A?B"),
        ("iAooiiAo", "ABA"),
        ("ijAo", "?"),
        ("iAjo", "?"),
        ("iAjiAo", "bA"),
        ("ixo", ""),
        ("xo", ""),
        ("x4", "?"),
        ("ixAo", "?"),
        ("iAxo", "?"),
        ("ixoiAo", "A"),
        ("iA!o", "?"),
        ("!oiAo", "?A"),
        ("!iAo", "A"),
        ("iA!4", ""),
        ("i!oiAo", "?A"),
    ],
)
def test_a_story_becomes(story: str, what: str) -> None:
    assert told(story) == what
    assert told(story, 0) == what


def test_the_last_moment_still_counts() -> None:
    for late_ms, what in ((0, card_pull.CARD_OUT), (1, card_pull.UNREAD)):
        pull = Pull()
        pull.come_in(100)
        pull.read(200, (1, ""))
        assert [became for became, _ in pull.come_out(100 + OUT_MS + late_ms)] == [what]


@settings(max_examples=1000)
@given(st.text("ioAB?xj!14", max_size=30))
def test_no_card_is_named_that_did_not_come_in_was_read_alone_and_came_out(story: str) -> None:
    """Every named card: since the edge in before its edge out nothing else was read."""
    named = []
    pull, now_ms, since = Pull(), 0, ""
    for each in story:
        now_ms += 200
        became = []
        if each == "i":
            became = list(pull.come_in(now_ms))
            since = "i"
        elif each == "o":
            became = list(pull.come_out(now_ms))
            if any(what == card_pull.CARD_OUT for what, _ in became):
                named.append(since)
            since = ""
        elif each in "14":
            now_ms += int(each) * 1000
            became = list(pull.wait(now_ms))
            since = "" if each == "4" else since
        else:
            since += each
            if each == "j":
                pull.spoil()
            elif each == "!":
                pull.lose()
            else:
                reads = {"?": None, "x": CUT}
                pull.read(now_ms, reads.get(each, (ord(each), "")))
        assert all(each == "o" for what, _ in became if what == card_pull.CARD_OUT)
    assert all(each[0] == "i" and set(each[1:]) in ({"A"}, {"B"}) for each in named)


@settings(max_examples=1000)
@given(st.text("ioAB?x14", max_size=30))
def test_every_edge_out_is_a_card_unless_it_was_the_cut_card_or_went_back(story: str) -> None:
    """None is lost in silence: cards that are out, named or not, are as many as edges out."""
    said = told(story + "4").replace("b", "")
    assert len(said) >= story.count("o") - story.count("x")
