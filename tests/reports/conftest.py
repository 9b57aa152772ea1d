"""Reports for the tests of this folder."""

import pytest
from sample_reports import SAMPLES


@pytest.fixture(params=SAMPLES)
def report(request):
    """Each sample report in turn."""
    return SAMPLES[request.param]()
