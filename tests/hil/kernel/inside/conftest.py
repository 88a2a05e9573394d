import os
import sys
from pathlib import Path

# The chip that the benches of the conformance suite have made: a guest has one.
sys.path.insert(0, str(Path(__file__).parents[3] / "shims"))

# Outside the guest there is nothing to play.
collect_ignore_glob = [] if "HIL_OUT" in os.environ else ["test_*.py"]

from shims.conftest import fake_gpio, settings_class  # noqa: E402, F401  # fixtures, for here too
