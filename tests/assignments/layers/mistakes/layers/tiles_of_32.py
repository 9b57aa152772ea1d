"""Blocks have 32 x 32 threads.

failed: linear.launch
"""


TILE = 32
