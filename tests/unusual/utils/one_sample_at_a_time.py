"""math.exp number by number; batches are collected sample by sample.

slow: its neighbours of the same kind are in the fast set
"""

import math


def _one(v):
    if v < -700:
        return 0.0
    return 1.0 / (1.0 + math.exp(-v))


def sigmoid(x):
    if np.isscalar(x):
        return _one(x)
    x = np.asarray(x)
    out = np.zeros(x.shape)
    flat_in, flat_out = x.flatten(), out.reshape(-1)
    for i in range(flat_in.size):
        flat_out[i] = _one(flat_in[i])
    return out


def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)


def zeros_biases(list):
    return [np.zeros((s,)) for i, s in enumerate(list) if i > 0]


def create_batches(data, labels, batch_size):
    batches = []
    batch_data, batch_labels = [], []
    for x, y in zip(data, labels):
        batch_data.append(x)
        batch_labels.append(y)
        if len(batch_data) == batch_size:
            batches.append((np.array(batch_data), np.array(batch_labels)))
            batch_data, batch_labels = [], []
    if batch_data:
        batches.append((np.array(batch_data), np.array(batch_labels)))
    return batches


def add_elementwise(list1, list2):
    return [list1[i] + list2[i] for i in range(len(list1))]
