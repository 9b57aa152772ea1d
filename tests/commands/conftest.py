"""What tests of commands share."""

import sys
from pathlib import Path

for folder in ("batch", "reports"):
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))  # sample_batches and sample_reports live there
