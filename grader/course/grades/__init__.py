"""From evidence to grades: marks and lateness, sheets and platform files, rescoring, differences, appeals."""
