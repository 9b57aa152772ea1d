"""Programs that tests start, and wait for."""

import subprocess


def ended(command, **options):
    """Run a command to its end, well or not; return its exit code and, as texts, what it printed."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)
