"""What `grader bench` compares the submission with. Runs as a script folder of the staff's own worker."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def self_product(matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return X·Xᵀ as NumPy's BLAS computes it, shape (n, n)."""
    product: npt.NDArray[Any] = np.matmul(matrix, matrix.T)
    return product
