import pytest
from sample_batches import make_batch


@pytest.fixture
def store(tmp_path):
    return make_batch(tmp_path / "batch")
