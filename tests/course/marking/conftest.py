"""What the tests of the marking view share."""

import pytest
from sample_reviews import client_of, make_review


@pytest.fixture
def store(tmp_path):
    return make_review(tmp_path / "batch")


@pytest.fixture
def client(store):
    return client_of(store)
