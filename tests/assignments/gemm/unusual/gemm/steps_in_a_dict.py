"""gemm takes its step out of a dictionary, by the size of C.
"""


def gemm(alpha, A, B, beta, C):
    match min(C.shape, default=0) >= WIDE:
        case True:
            size = "large"
        case _:
            size = "small"
    STEPS = {"small": gemm_tiled, "large": gemm_blocked}
    STEPS[size](alpha=alpha, A=A, B=B, beta=beta, C=C)
