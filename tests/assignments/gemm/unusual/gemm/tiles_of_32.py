"""Tiles of 32 × 32 numbers.
"""


TILE = 32


DEPTH = 32


EACH = 2
