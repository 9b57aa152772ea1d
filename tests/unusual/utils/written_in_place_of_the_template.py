"""Loops with indices, a list made beforehand, and results put into their places, as in C.

slow: its neighbours of the same kind are in the fast set
"""


def random_weights(sizes):
    weights = [None] * (len(sizes) - 1)
    i = 0
    while i < len(weights):
        weights[i] = xavier_initialization(sizes[i], sizes[i + 1])
        i += 1
    return weights


def add_elementwise(list1, list2):
    list3 = []
    for i in range(0, len(list1), 1):
        a = list1[i]
        b = list2[i]
        if isinstance(a, np.ndarray):
            c = np.empty(a.shape, dtype=np.result_type(a, b))
            for index, _ in np.ndenumerate(a):
                c[index] = a[index] + b[index]
        else:
            c = a + b
        list3.append(c)
    return list3


def create_batches(data, labels, batch_size):
    count = len(data) // batch_size + (len(data) % batch_size > 0)
    batches = [None for _ in range(count)]
    for b in range(count):
        first = b * batch_size
        last = first + batch_size if first + batch_size < len(data) else len(data)
        batches[b] = (data[first:last], labels[first:last])
    return batches
