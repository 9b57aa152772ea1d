"""Full batches are the rows of a reshaped array, and what is left makes one more."""


def create_batches(data, labels, batch_size):
    full = len(data) // batch_size
    cut = full * batch_size
    shaped_data = data[:cut].reshape((full, batch_size) + data.shape[1:])
    shaped_labels = labels[:cut].reshape((full, batch_size) + labels.shape[1:])
    batches = list(zip(shaped_data, shaped_labels))
    if cut != len(data):
        batches += [(data[cut:], labels[cut:])]
    return batches
