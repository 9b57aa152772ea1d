"""The sigmoid in single precision; batches by zip.

slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    return (1 / (1 + np.exp(-np.asarray(x, dtype=np.float64)))).astype(np.float32)


def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)


def create_batches(data, labels, batch_size):
    d = [data[k:k + batch_size] for k in range(0, len(data), batch_size)]
    l = [labels[k:k + batch_size] for k in range(0, len(labels), batch_size)]
    return list(zip(d, l))


def add_elementwise(list1, list2):
    result = list1.copy()
    for i in range(len(result)):
        result[i] = result[i] + list2[i]
    return result
