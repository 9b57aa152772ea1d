"""The kernel forgets the bias.

failed: linear.forward.gpu
"""


@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = 0.0
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = total
