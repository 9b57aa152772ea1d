"""Turns evidence into grades: marks, lateness, sheets, files for platforms, rescoring, differences, appeals."""
