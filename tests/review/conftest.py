"""What the tests of the marking view share."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves siblings unimportable

from sample_reviews import make_review


@pytest.fixture
def store(tmp_path):
    """The batch that is marked."""
    return make_review(tmp_path / "batch")
