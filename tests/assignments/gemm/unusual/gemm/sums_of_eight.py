"""Each thread keeps 8 × 8 sums.
"""


EACH = 8


WIDE = 128


ROW = 129
