import pytest

from grader.ranks import conductor


@pytest.fixture(autouse=True, scope="module")
def _no_team_is_left():
    yield
    conductor.end_teams()
