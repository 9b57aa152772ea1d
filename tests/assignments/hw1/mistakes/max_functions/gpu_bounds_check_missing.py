"""Every thread writes, whether there is an element or not: right where there are as many threads as elements.

failed:
warned: max.shapes
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])
