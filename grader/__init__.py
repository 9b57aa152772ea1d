"""Autograder for GPU-programming homework: reads one zip, writes one report."""

__version__ = "0.1.0"
