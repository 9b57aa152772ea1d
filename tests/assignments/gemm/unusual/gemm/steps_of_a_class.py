"""Steps are objects that can be called.
"""


class Step:
    def __init__(self, kernel, side):
        self.kernel = kernel
        self.side = side

    def __call__(self, alpha, A, B, beta, C):
        launch(self.kernel, self.side, alpha, A, B, beta, C)


gemm_naive = Step(naive_kernel, TILE)
gemm_tiled = Step(tiled_kernel, TILE)
gemm_blocked = Step(blocked_kernel, WIDE)
