"""Autograder for GPU-programming homework: one zip in, one report out."""

__version__ = "0.1.0"
