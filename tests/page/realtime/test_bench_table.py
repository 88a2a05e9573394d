"""A table of the page's bench is really played, with viewers logged in at its page."""

from patience import Meter, unless_stalled

from tools.bench.page.table import Table

STILL_S = 0.1  # an edge that is missed makes the coup void: what is held back is told after it


def test_a_coup_is_played_while_two_look(tmp_path):
    table = Table(tmp_path, coups=1, seed=1, viewers=2)
    with Meter() as meter:
        try:
            found = table.play()
        finally:
            table.close()
    assert (found.coups, found.wrong) == (1, 0)
    assert found.edges > 500, "of the rotor alone there are more in a coup"
    assert found.looked["broken"] == []
    assert len(found.looked["frames_s"]) == 2
    with unless_stalled(STILL_S, "what viewers are told of a coup in real time", meter):
        assert found.page.made > 500, "a viewer that is logged in is told of edges"
