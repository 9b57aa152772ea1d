"""The kernel forgets to divide by m.

failed: linear.backward.gpu
"""


@cuda.jit
def multiply_transposed_right(dZ, A, dW):
    j, i = cuda.grid(2)
    if i < dW.shape[0] and j < dW.shape[1]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k] * A[j, k]
        dW[i, j] = total
