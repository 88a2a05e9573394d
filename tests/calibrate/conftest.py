"""Benches and people are those of the self-test."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "selftest"))
sys.path.insert(0, str(Path(__file__).parent))
