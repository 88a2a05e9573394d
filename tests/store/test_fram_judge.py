"""How the FRAM and the journal agree at a start: in step, an outcome to replay, or refused."""

import hashlib

import pytest

from firmware.store import fram
from firmware.store.fram import START, HeadError, Point, Slot, judge


def point(n):
    return START if n == 0 else Point(n, hashlib.sha256(b"row %d" % n).digest())


def hash_at(n, last=12):
    return point(n).hash if n <= last else None


def state(base, following, pending=None):
    return Slot(5, b"theframe", 2, point(base), point(following), pending)


@pytest.mark.parametrize(
    ("known", "n", "verdict"),
    [
        (None, 0, fram.IN_STEP),
        (state(12, 12), 12, fram.IN_STEP),
        (state(10, 12), 12, fram.IN_STEP),
        (state(10, 12, b"x"), 12, fram.IN_STEP),
        (state(12, 14), 12, fram.IN_STEP),
        (state(12, 14, b"x"), 12, fram.REPLAY),
        (state(0, 1), 0, fram.IN_STEP),
        (state(0, 2, b"x"), 0, fram.REPLAY),
    ],
)
def test_a_cut_at_any_step_of_a_commit_is_in_step_or_replayed(known, n, verdict):
    assert judge(known, point(n), lambda at: hash_at(at, n)) == verdict


@pytest.mark.parametrize(
    ("known", "head", "sentence"),
    [
        (None, point(12), "The FRAM is blank, and the journal has 12 rows"),
        (state(14, 14), point(12),
         "Rows 13 to 14 are missing: the FRAM knows the journal up to row 14, which ends at row"
         " 12"),
        (state(13, 14, b"x"), point(12), "Row 13 is missing"),
        (state(10, 10), point(12), "Rows from 11 on came without the FRAM: the FRAM knows"),
        (state(10, 11, b"x"), point(12), "Rows from 12 on came without the FRAM"),
        (state(10, 15, b"x"), point(12), "Rows from 11 on came without the FRAM"),
        (Slot(5, b"theframe", 2, Point(11, b"?" * 32), Point(11, b"?" * 32), None), point(12),
         r"Row 11 is not the one the FRAM knows \(epoch 2\)"),
        (Slot(5, b"theframe", 2, Point(12, b"?" * 32), Point(12, b"?" * 32), None), point(12),
         "Row 12 is not the one the FRAM knows"),
        (state(9, 9), START, "The journal is new or empty, and the FRAM knows one of 9 rows"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_and_names_both_places(known, head, sentence):
    with pytest.raises(
        HeadError, match=f"^{sentence}.*cylindre journal adopt FILE --keys DIR"
    ) as caught:
        judge(known, head, lambda at: hash_at(at, head.n))
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("known", "lost_row"),
    [(state(10, 10), 11), (state(10, 11, b"x"), 11), (state(9, 10), 11), (state(0, 0), 1)],
)
def test_rows_after_a_signed_word_that_the_fram_was_lost_are_explained(known, lost_row):
    assert judge(known, point(12), hash_at, lambda n: n == lost_row) == fram.IN_STEP
    with pytest.raises(HeadError, match="came without the FRAM"):
        judge(known, point(12), hash_at, lambda n: n == lost_row + 2)


def test_a_lost_fram_excuses_no_row_that_is_missing_or_altered():
    with pytest.raises(HeadError, match="missing"):
        judge(state(14, 14), point(12), hash_at, lambda n: True)
    forged = Slot(5, b"theframe", 2, Point(11, b"?" * 32), Point(11, b"?" * 32), None)
    with pytest.raises(HeadError, match="Row 11 is not the one"):
        judge(forged, point(12), hash_at, lambda n: True)
