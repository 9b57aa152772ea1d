"""The name is nearly the template's: a TA decides.

opened: utils.create_batches train.accuracy
removes: create_batches
says: create_batches utils.py
slow: its neighbours of the same kind are in the fast set
"""


def create_batch(data, labels, batch_size):
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]
