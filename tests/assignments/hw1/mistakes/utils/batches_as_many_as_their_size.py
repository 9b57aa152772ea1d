"""batch_size is taken for the number of batches, so that the network sees few and large ones and hardly learns.

failed: utils.create_batches
says: create_batches
slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    return list(zip(np.array_split(data, batch_size), np.array_split(labels, batch_size)))
