"""What tests of batches share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves siblings unimportable
sys.path.insert(0, str(Path(__file__).parents[1] / "reports"))  # for sample_reports
