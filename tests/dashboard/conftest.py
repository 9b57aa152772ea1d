"""Classes for the tests of this folder."""

import sys
from pathlib import Path

for folder in ("dashboard", "batch"):
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))  # pytest's importlib mode leaves siblings unimportable
