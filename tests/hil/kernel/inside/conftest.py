import sys
from pathlib import Path

# The chip that the benches of the conformance suite have made: a guest has one.
sys.path.insert(0, str(Path(__file__).parents[3] / "shims"))
