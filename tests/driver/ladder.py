"""A program: `ladder.py gpu|cpu OUT.npz` keeps what each rung of reference/gemm/ladder.py makes of the same numbers."""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "benchmarks")]
CASES = {"edges": ((130, 38, 142), 1.5, -0.5), "whole": ((128, 24, 128), 1.0, 0.0), "small": ((2, 2, 2), 1.0, 0.0)}
"""Name -> m, k and n, alpha and beta."""


def main():
    device, out = sys.argv[1:]
    if device == "cpu":
        import grader.cuda_cpu  # noqa: PLC0415 - this is what is asked for

        grader.cuda_cpu.install()
    import gemm_ladder  # noqa: PLC0415 - after the executor took its place
    import ladder  # noqa: PLC0415 - the same
    from numba import cuda  # noqa: PLC0415 - the same

    kept = {}
    for name, (sizes, alpha, beta) in CASES.items():
        left, right, _ = gemm_ladder.draw(sizes)
        old = np.full((sizes[0], sizes[2]), np.nan if beta == 0 else 2.0, "f4")
        for rung in ladder.RUNGS:
            arrays = [cuda.to_device(one) for one in (left, right, old)]
            gemm_ladder.launch(rung, arrays, sizes, alpha, beta)
            kept[f"{name} {rung[0].__name__}"] = arrays[2].copy_to_host()
        kept[name] = alpha * (left.astype(float) @ right) + (beta * old if beta else 0)
    np.savez(out, **kept)


if __name__ == "__main__":
    main()
