"""The names of the hand-out's `collect.py`, so that a file which imports it can be imported where it is graded."""

import numpy as np

CLASSES, PIXELS, TRAINING_SAMPLES = 10, 784, 50_000


def load_data(folder="data", dtype=np.float64):
    """Raise FileNotFoundError: the grader passes the data to the training, and provides no files."""
    raise FileNotFoundError(f"no MNIST of {np.dtype(dtype)} lies in {folder}: the grader trains the network itself")


def encode_one_hot(digits, dtype=np.float64):
    """Turn the digit d into a row of ten numbers: 1 at position d, 0 elsewhere. Shape (samples, 10)."""
    return np.eye(CLASSES, dtype=dtype)[digits]
