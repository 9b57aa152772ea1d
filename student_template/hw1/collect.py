"""Read MNIST from the four IDX files of its authors, as they are or packed with gzip.

IDX is a header of big-endian 32-bit numbers (a magic number, then one length per dimension) followed by one byte per
entry: http://yann.lecun.com/exdb/mnist/.
"""

import gzip
import struct
import zlib
from pathlib import Path

import numpy as np

CLASSES = 10
PIXELS = 784
TRAINING_SAMPLES = 50_000
FILES = {
    "training images": ("train-images-idx3-ubyte", "train-images.idx3-ubyte"),
    "training labels": ("train-labels-idx1-ubyte", "train-labels.idx1-ubyte"),
    "test images": ("t10k-images-idx3-ubyte", "t10k-images.idx3-ubyte"),
    "test labels": ("t10k-labels-idx1-ubyte", "t10k-labels.idx1-ubyte"),
}


def load_data(folder="data", dtype=np.float64):
    """Load MNIST, split as the homework wants it.

    Args:
        folder: where the four files lie.
        dtype: floating-point type of images and labels.

    Returns:
        Three pairs (data, labels): training (50,000 samples), validation (10,000) and test (10,000).
        data has the shape (samples, 784) with pixels / 256, labels is one-hot with the shape (samples, 10).

    Raises:
        FileNotFoundError: a file is missing; the message says which, and what to do.
        ValueError: a file is not what its name promises.
    """
    found = {content: _find_file(Path(folder), names, content) for content, names in FILES.items()}
    images = _scale_images(_read_idx(found["training images"], dimensions=3), dtype)
    labels = encode_one_hot(_read_idx(found["training labels"], dimensions=1), dtype)
    training = images[:TRAINING_SAMPLES], labels[:TRAINING_SAMPLES]
    validation = images[TRAINING_SAMPLES:], labels[TRAINING_SAMPLES:]
    test_images = _scale_images(_read_idx(found["test images"], dimensions=3), dtype)
    test_labels = encode_one_hot(_read_idx(found["test labels"], dimensions=1), dtype)
    return training, validation, (test_images, test_labels)


def encode_one_hot(digits, dtype=np.float64):
    """Turn the digit d into a row of ten numbers: 1 at position d, 0 elsewhere. Shape (samples, 10)."""
    return np.eye(CLASSES, dtype=dtype)[digits]


def _find_file(folder, names, content):
    """Return the path of the first of `names`, plain or with .gz, that lies in `folder`."""
    for name in names:
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return path
    raise FileNotFoundError(
        f"MNIST's {content} are missing: neither {names[0]}.gz nor {names[0]} lies in {folder.resolve()}. "
        f"Put the four MNIST files there (`make data` downloads them), or name another folder: python main.py FOLDER"
    )


def _read_idx(path, dimensions):
    """Read one IDX file of unsigned bytes into an array with that number of dimensions."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as stream:
            header = stream.read(4 + 4 * dimensions)
            magic, *shape = struct.unpack(f">{1 + dimensions}I", header)
            content = np.frombuffer(stream.read(), dtype=np.uint8)
    except (struct.error, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path} is damaged ({error}): get the file again") from error
    if magic != 0x800 + dimensions or content.size != np.prod(shape):
        raise ValueError(
            f"{path} is not an IDX file of bytes with {dimensions} dimension(s), or it is cut off: get it again"
        )
    return content.reshape(shape)


def _scale_images(images, dtype):
    """Lay the pixels of each image in one row and scale them to [0, 1). Shape (samples, 784)."""
    scaled = images.reshape(len(images), PIXELS).astype(dtype)
    scaled /= 256
    return scaled
