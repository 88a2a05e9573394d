"""A rest file beside a journal, mutated in every field: it deletes, hangs and grows nothing."""

import faulthandler
import tempfile

import pytest
from patience import LAST_RESORT_S
from rest_fuzz import IGNORED, REFUSED, ROLLED_BACK, Bench, folder, remove

from tools.testing.sizes import size

TOGETHER = 1_000


def test_no_rest_file_deletes_hangs_or_grows_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    made = folder()
    try:
        bench = Bench(made)
        monkeypatch.setattr(tempfile, "tempdir", str(bench.temporary))
        for first in range(0, size("rest files"), TOGETHER):
            faulthandler.dump_traceback_later(LAST_RESORT_S, exit=True)
            for case in range(first, first + TOGETHER):
                bench.play(case)
        print(dict(bench.told))
        assert min(bench.told[became] for became in (REFUSED, IGNORED, ROLLED_BACK)) > TOGETHER
    finally:
        faulthandler.cancel_dump_traceback_later()
        remove(made)
