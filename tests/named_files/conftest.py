"""For the tests of files that somebody names: what they share is in walking.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
