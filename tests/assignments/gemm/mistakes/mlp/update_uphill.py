"""Steps go uphill.

failed: mlp.update
"""


@cuda.jit
def take_step(parameter, gradient, learning_rate):
    entry = cuda.grid(1)
    if entry < parameter.size:
        i, j = entry // parameter.shape[1], entry % parameter.shape[1]
        parameter[i, j] += learning_rate * gradient[i, j]
