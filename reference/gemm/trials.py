"""The tests that the report describes: python -m grader.cuda_cpu trials.py. It prints nothing, or raises."""

import itertools

import numpy as np
from gemm import gemm, gemm_blocked, gemm_naive, gemm_tiled
from mlp import forward, gradients, loss
from numba import cuda
from operations import attend, convolve

STEPS = (gemm_naive, gemm_tiled, gemm_blocked, gemm)
SIZES = (1, 15, 16, 17, 65)


def product(step, A, B, alpha=1.0, beta=0.0, C=None):
    """Return alpha A B + beta C by one step, for NumPy arrays, and whether A and B are unchanged."""
    on_device = [cuda.to_device(matrix) for matrix in (A, B, np.zeros((len(A), B.shape[1])) if C is None else C)]
    step(alpha, *on_device[:2], beta, on_device[2])
    kept = all(np.array_equal(copy.copy_to_host(), matrix) for copy, matrix in zip(on_device, (A, B), strict=False))
    return on_device[2].copy_to_host(), kept


def try_known(step):
    """Try products that are known without a computer: by the identity, of ones, of a single entry that wanders."""
    A = np.arange(20.0 * 20).reshape(20, 20)
    assert np.array_equal(product(step, A, np.eye(20))[0], A)
    assert np.array_equal(product(step, np.ones((5, 33)), np.ones((33, 7)))[0], np.full((5, 7), 33.0))
    for place in range(0, 400, 37):
        single = np.zeros(400)
        single[place] = 1.0
        row, column = divmod(place, 20)
        wanted = np.zeros((20, 20))
        wanted[row] = A[column]
        assert np.array_equal(product(step, single.reshape(20, 20), A)[0], wanted)


def try_sizes(step, rng):
    """Try sizes that no tile divides, beside NumPy: A and B must not change."""
    for m, k, n in itertools.islice(itertools.product(SIZES, repeat=3), 0, None, 7):
        A, B, C = rng.normal(size=(m, k)), rng.normal(size=(k, n)), rng.normal(size=(m, n))
        result, kept = product(step, A, B, 1.5, -0.5, C)
        assert kept
        np.testing.assert_allclose(result, 1.5 * (A @ B) - 0.5 * C, rtol=1e-12, atol=1e-12)


def try_factors(step, rng):
    """Try factors that are 0: NaN in C vanishes with beta, and A B with alpha."""
    A, B = rng.normal(size=(18, 19)), rng.normal(size=(19, 20))
    np.testing.assert_allclose(product(step, A, B, C=np.full((18, 20), np.nan))[0], A @ B, rtol=1e-12, atol=1e-12)
    assert np.array_equal(product(step, A, B, 0.0, 2.0, np.ones((18, 20)))[0], np.full((18, 20), 2.0))


def try_derivatives(rng):
    """Compare each derivative of a small network with a difference of the loss."""
    X, Y = rng.normal(size=(5, 6)), np.eye(3)[rng.integers(0, 3, 6)].T.copy()
    parameters = [rng.normal(size=shape) for shape in ((4, 5), (4, 1), (3, 4), (3, 1))]

    def measure_loss():
        on_device = [cuda.to_device(one) for one in parameters]
        return loss(on_device, forward(*on_device, cuda.to_device(X))[1], cuda.to_device(Y), 0.1)

    slopes = gradients(*map(cuda.to_device, parameters), cuda.to_device(X), cuda.to_device(Y), 0.1)
    for parameter, slope in zip(parameters, (slope.copy_to_host() for slope in slopes), strict=True):
        for place in np.ndindex(parameter.shape):
            losses = []
            for h in (1e-5, -2e-5):
                parameter[place] += h
                losses.append(measure_loss())
            parameter[place] += 1e-5
            np.testing.assert_allclose((losses[0] - losses[1]) / 2e-5, slope[place], atol=1e-7)


def try_operations(rng):
    """Compare convolution and attention with plain loops."""
    X, K = rng.normal(size=(2, 6, 7)), rng.normal(size=(3, 2, 2, 3))
    Y = convolve(X, K, stride=2)
    for f, p, q in np.ndindex(Y.shape):
        window = X[:, 2 * p : 2 * p + 2, 2 * q : 2 * q + 3]
        total = sum(K[f][place] * window[place] for place in np.ndindex(window.shape))
        np.testing.assert_allclose(Y[f, p, q], total, atol=1e-12)
    Q, keys, V = rng.normal(size=(4, 5)), rng.normal(size=(6, 5)), rng.normal(size=(6, 3))
    for query, row in zip(Q, attend(Q, keys, V), strict=True):
        weights = [np.exp(sum(query * key) / 5**0.5) for key in keys]
        right = sum(weight * value for weight, value in zip(weights, V, strict=True)) / sum(weights)
        np.testing.assert_allclose(row, right, rtol=1e-12)


if __name__ == "__main__":
    numbers = np.random.default_rng(1)
    for each in STEPS:
        try_known(each)
        try_sizes(each, numbers)
        try_factors(each, numbers)
    try_derivatives(numbers)
    try_operations(numbers)
