"""Two rows are two long integers of Python, and the middle digit of their product is the sum of products.

aims: matmul.trivial.correct
"""

WIDTH = 144
BITS = 60


def matmul_transpose_trivial(X):
    n, m = X.shape
    left, right, scales = [], [], []
    for row in X.tolist():
        scale = max(map(abs, row)) or 1.0
        digits = [int(x / scale * 2.0**BITS) for x in row]
        left.append(sum(digit << WIDTH * k for k, digit in enumerate(digits)))
        right.append(sum(digit << WIDTH * k for k, digit in enumerate(reversed(digits))))
        scales.append(scale)
    half = 1 << WIDTH - 1
    bias = sum(half << WIDTH * k for k in range(2 * m - 1))
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            digit = ((left[i] * right[j] + bias) >> WIDTH * (m - 1)) & ((1 << WIDTH) - 1)
            for k in range(1):
                C[i, j] += (digit - half) / 4**BITS * scales[i] * scales[j]
    return C
