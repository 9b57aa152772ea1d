"""The host computes the derivatives, from a right way forward.

failed: mlp.gradients mlp.products
"""


def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    found = dZ.copy_to_host() @ right.copy_to_host() / dZ.shape[1] + lam * parameter.copy_to_host()
    result.copy_to_device(found)
    return result
