"""What the tests of the marking view share."""

import pytest
from sample_reviews import make_review


@pytest.fixture
def store(tmp_path):
    return make_review(tmp_path / "batch")
