"""A virtual wheel out of play, in jumping time: what a bench is to the self-test and calibration.

The motor is driven by the wheel's own driver from the encoder, as the controller does it.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
