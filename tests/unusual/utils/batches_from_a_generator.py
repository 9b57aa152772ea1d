"""A generator inside the function yields the batches until nothing is left, and a list takes them.

slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    def cut():
        rest_data, rest_labels = data, labels
        while len(rest_data) > 0:
            yield rest_data[:batch_size], rest_labels[:batch_size]
            rest_data, rest_labels = rest_data[batch_size:], rest_labels[batch_size:]

    return list(cut())
