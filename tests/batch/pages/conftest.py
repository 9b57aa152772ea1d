"""Classes for the tests of this folder."""

import sys
from pathlib import Path

for folder in ("batch/pages", "batch"):
    sys.path.insert(0, str(Path(__file__).parents[2] / folder))  # pytest's importlib mode leaves siblings unimportable
