"""Grades the hand-ins of a class; README.md in this folder lists the modules."""
