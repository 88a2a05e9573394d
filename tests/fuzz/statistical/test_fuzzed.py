"""Each target, fuzzed for a time by what follows its coverage; and how far that led."""

from collections.abc import Callable

import pytest

from tools.fuzz import campaign, targets
from tools.testing.sizes import size


@pytest.mark.needs("atheris")
@pytest.mark.parametrize("name", targets.NAMES)
def test_no_input_that_a_fuzzer_makes_breaks_what_it_is_given_to(
    name: str, counted: Callable[[str, int], None]
) -> None:
    found = campaign.fuzz(targets.find(name), size("seconds of a fuzzer"))
    line = f"{name} {(found.broken or b'').hex()}"
    assert found.broken is None, f"{found.said}\nTo keep it, a line of findings.txt: {line}"
    assert found.runs > 100, "it hardly ran"
    counted("inputs", found.runs)
    counted("new paths", found.new)
