"""Sums over the samples by a kernel, one thread for each row.
"""


def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    if right.shape[1] == 1:
        sum_rows[blocks(result.size), THREADS](dZ, result, lam)
    else:
        gemm(1.0 / dZ.shape[1], dZ, right, lam, result)
    return result


@cuda.jit
def sum_rows(dZ, b, lam):
    i = cuda.grid(1)
    if i < b.shape[0]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k]
        b[i, 0] = total / dZ.shape[1] + lam * b[i, 0]
