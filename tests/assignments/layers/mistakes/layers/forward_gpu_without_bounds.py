"""Threads beyond the edge write, too.

failed: linear.forward.gpu
"""


@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    total = b[i, 0]
    for k in range(W.shape[1]):
        total += W[i, k] * A[k, j]
    Z[i, j] = total
