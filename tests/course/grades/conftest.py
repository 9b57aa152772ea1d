import pytest
from sample_batches import RUBRIC_FILE, make_batch


@pytest.fixture
def store(tmp_path):
    return make_batch(tmp_path / "batch")


@pytest.fixture
def stricter(tmp_path):
    (tmp_path / "stricter.toml").write_text(RUBRIC_FILE.read_text().replace("at_least = 40", "at_least = 99"))
    return tmp_path / "stricter.toml"
