"""Steps are closures, made by a function.
"""


def make_step(kernel, side):
    def step(alpha, A, B, beta, C):
        launch(kernel, side, alpha, A, B, beta, C)

    return step


gemm_naive = make_step(naive_kernel, TILE)
gemm_tiled = make_step(tiled_kernel, TILE)
gemm_blocked = make_step(blocked_kernel, WIDE)
