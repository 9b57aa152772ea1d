"""Blocks have 8 x 8 threads.

failed: linear.launch
"""


TILE = 8
