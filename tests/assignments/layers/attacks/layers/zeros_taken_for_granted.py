"""A kernel adds to new memory, which holds zeros here.

failed: 
flagged: linear.forward.gpu
"""


@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] += b[i, 0]
        for k in range(W.shape[1]):
            Z[i, j] += W[i, k] * A[k, j]
