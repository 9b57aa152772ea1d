"""Data and labels are joined side by side, cut together, and taken apart again.

slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    width = data.shape[1]
    joined = np.hstack((data, labels.reshape(len(labels), -1)))
    batches = []
    for start in range(0, len(joined), batch_size):
        part = joined[start : start + batch_size]
        batches.append((part[:, :width], part[:, width:].reshape(len(part), *labels.shape[1:])))
    return batches
