"""The loss is added up on the device, by atomics.
"""


@cuda.jit
def add_logarithms(P, Y, total):
    j = cuda.grid(1)
    if j < P.shape[1]:
        for i in range(P.shape[0]):
            if Y[i, j] > 0:
                cuda.atomic.add(total, 0, -math.log(max(P[i, j], 1e-300)) / P.shape[1])


@cuda.jit
def add_squares(parameter, factor, total):
    entry = cuda.grid(1)
    if entry < parameter.size:
        i, j = entry // parameter.shape[1], entry % parameter.shape[1]
        cuda.atomic.add(total, 0, factor * parameter[i, j] ** 2)


def loss(parameters, P, Y, lam):
    total = cuda.to_device(np.zeros(1))
    add_logarithms[blocks(P.shape[1]), THREADS](P, Y, total)
    for one in parameters:
        add_squares[blocks(one.size), THREADS](one, lam / 2, total)
    return total.copy_to_host()[0]
