"""Launches go into a stream of their own; there are prints, warnings and a log.
"""


import warnings


LOG = []


def launch(kernel, side, alpha, A, B, beta, C):
    assert alpha is not None
    shapes = {"A": A.shape, "B": B.shape, "C": C.shape}
    LOG.append(shapes)
    if A.shape[1] != B.shape[0] or (A.shape[0], B.shape[1]) != tuple(C.shape):
        raise ValueError("shapes: " + ", ".join(f"{name} {shape}" for name, shape in shapes.items()))
    if 0 in C.shape:
        warnings.warn("nothing to do", stacklevel=2)
        return
    print("launching", kernel, "for", C.shape)
    stream = cuda.stream()
    blocks = tuple((length + side - 1) // side for length in C.shape[::-1])
    kernel[blocks, (TILE, TILE), stream](alpha, A, B, beta, C)
    stream.synchronize()
