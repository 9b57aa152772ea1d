"""Reports for the tests of this folder."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves siblings unimportable

from sample_reports import SAMPLES


@pytest.fixture(params=SAMPLES)
def report(request):
    """Each sample report in turn."""
    return SAMPLES[request.param]()
