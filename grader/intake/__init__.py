"""Reads what was handed in: opens archives safely and chooses files; also loads the data sets of checks."""
