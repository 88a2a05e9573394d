"""A wheel that is fair, gets a loose fret, is told, is mended, and is fair again."""

from firmware.core.health.facts import GAIN, LOOSE, POCKET
from tools.health import story
from tools.testing.sizes import is_soaking, size


def test_a_loose_fret_is_told_and_mended_and_the_wheel_is_fair_again():
    fair = size("coups of a fair wheel")
    told = list(story.chapters(fair, 1, drops=is_soaking()))
    for chapter in told:
        print(chapter)
    before, found, on, mended, after = told
    assert before.coup == fair and not before.notices and before.odds < 1_000
    assert found.coup < fair + 2 * story.LOOSENS
    assert [notice.kind for _, notice in found.notices] in ([POCKET], [LOOSE])
    assert found.notices[0][1].place in (17, 18)
    assert {notice.kind for _, notice in on.notices} <= {POCKET, LOOSE, GAIN}
    assert mended.odds < 1 < on.odds
    assert after.coup == mended.coup + fair and not after.notices and after.odds < 1_000
