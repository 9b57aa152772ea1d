"""What these tests share with those of reports."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "reports"))  # pytest's importlib mode leaves siblings unimportable
