"""Alpha and beta become numbers of the type of C, by C.dtype.type, before the launch; sizes are a named tuple.
"""

from collections import namedtuple

Sizes = namedtuple("Sizes", "rows inner columns")


def launch(kernel, side, alpha, A, B, beta, C):
    sizes = Sizes(*A.shape, B.shape[1])
    if B.shape[0] != sizes.inner or C.shape != (sizes.rows, sizes.columns):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    number = C.dtype.type
    if sizes.rows and sizes.columns:
        grid = math.ceil(sizes.columns / side), math.ceil(sizes.rows / side)
        kernel[grid, (TILE, TILE)](number(alpha), A, B, number(beta), C)
