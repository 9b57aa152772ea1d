"""One generator yields all the larger numbers, another cuts its stream into rows by islice."""

from itertools import chain, islice, repeat, starmap


def pairs(A, B):
    yield from zip(chain.from_iterable(A), chain.from_iterable(B))


def larger(a, b):
    return a if a > b else b


def rows_of(stream, width):
    while row := list(islice(stream, width)):
        yield row


def max_cpu(A, B):
    stream = starmap(larger, pairs(A, B))
    C = np.zeros(A.shape, A.dtype)
    for i, row in zip(range(A.shape[0]), rows_of(stream, A.shape[1])):
        for j, value in enumerate(row):
            C[i, j] = value
    return C
