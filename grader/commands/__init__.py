"""The subcommands, one module each: `add` puts its parser among the others, and its function returns an exit code."""

OK, BELOW, USAGE, OURS = 0, 1, 2, 3
"""Exit codes: a report exists, its score is below --fail-under, wrong usage or a refused file, our own error."""
