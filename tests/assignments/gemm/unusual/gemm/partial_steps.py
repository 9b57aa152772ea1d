"""Steps are partial applications of one function that launches.
"""


from functools import partial


gemm_naive = partial(launch, naive_kernel, TILE)
gemm_tiled = partial(launch, tiled_kernel, TILE)
gemm_blocked = partial(launch, blocked_kernel, WIDE)
