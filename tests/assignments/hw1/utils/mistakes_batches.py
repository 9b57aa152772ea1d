"""Mistakes in batches and element-wise sums of `utils.py`.

failed: utils.create_batches
"""

# %% batches_are_a_zip
"""A zip object is no list: it cannot be asked for its length, and is empty after the first pass."""
def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return zip([data[i : i + batch_size] for i in starts], [labels[i : i + batch_size] for i in starts])

# %% batches_as_many_as_their_size
"""batch_size is taken for the number of batches, so that the network sees few and large ones and hardly learns.

says: create_batches
"""
def create_batches(data, labels, batch_size):
    return list(zip(np.array_split(data, batch_size), np.array_split(labels, batch_size)))

# %% batches_as_two_lists
"""A list of data batches and a list of label batches, instead of one list of pairs."""
def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return [data[i : i + batch_size] for i in starts], [labels[i : i + batch_size] for i in starts]

# %% batches_of_one_sample_too_many
"""The end of each slice is one too far."""
def create_batches(data, labels, batch_size):
    return [(data[i : i + batch_size + 1], labels[i : i + batch_size + 1]) for i in range(0, len(data), batch_size)]

# %% batches_of_single_pairs
"""A batch is a list of pairs, one for each sample."""
def create_batches(data, labels, batch_size):
    pairs = list(zip(data, labels))
    return [pairs[i:i + batch_size] for i in range(0, len(pairs), batch_size)]

# %% batches_overlap
"""Each batch starts with the last sample of the one before."""
def create_batches(data, labels, batch_size):
    starts = range(0, len(data), max(batch_size - 1, 1))
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in starts]

# %% batches_with_a_padded_last
"""The last batch is filled up with samples from the beginning."""
def create_batches(data, labels, batch_size):
    places = [np.arange(i, i + batch_size) % len(data) for i in range(0, len(data), batch_size)]
    return [(data[at], labels[at]) for at in places]

# %% batches_with_shuffled_labels
"""Data and labels are shuffled independently: nothing can be learned."""
def create_batches(data, labels, batch_size):
    data, labels = np.random.permutation(data), np.random.permutation(labels)
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]

# %% batches_without_labels
"""Only the data are cut; every batch carries all labels."""
def create_batches(data, labels, batch_size):
    return [(data[i : i + batch_size], labels) for i in range(0, len(data), batch_size)]

# %% batches_without_the_last
"""The last, shorter batch is dropped.

partly: utils.create_batches
failed:
"""
def create_batches(data, labels, batch_size):
    starts = range(0, len(data) - batch_size + 1, batch_size)
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in starts]
