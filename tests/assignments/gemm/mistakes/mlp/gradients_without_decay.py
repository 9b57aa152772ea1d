"""The derivatives forget lambda.

failed: mlp.gradients
"""


def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    gemm(1.0 / dZ.shape[1], dZ, right, 0.0, result)
    return result
