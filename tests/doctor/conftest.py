import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from laid_out import LaidOut, lay_out


@pytest.fixture
def sound(tmp_path: Path) -> LaidOut:
    """A wheel on which there is nothing to be found."""
    return lay_out(tmp_path)
