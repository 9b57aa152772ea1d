"""Data sets for training checks: MNIST from a folder, else scikit-learn's handwritten digits.

Grading never uses the network; only `grader data` calls `download_mnist`.
"""

import gzip
import hashlib
import struct
import urllib.request
import zlib
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import numpy.typing as npt

from grader.errors import StaffError, UsageError
from grader.intake.disk import expect_writable, write_atomically

MIRRORS = ("https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/")
PARTS = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
"""The four files and the SHA-256 of their uncompressed contents; compressed files differ between mirrors."""
SIDE = 28
_TRAINING_IMAGES = 50_000
_TRAINING_DIGITS = 1397
_DIGITS = "sklearn/datasets/data/digits.csv.gz"
"""Each row has 64 grey levels from 0 to 16, and the label. scikit-learn is not imported: that would take 0.7 s."""
_MAX_FILE_BYTES = 64 << 20
DIGITS = "digits"  # the name of the embedded data set, in reports and in options
HOW_TO_GET_MNIST = "For MNIST, run `make data` once, or add DATA=its-folder."
_WITHOUT_MNIST = "Trained on scikit-learn's handwritten digits, because MNIST was not found."
_ASKED = "Trained on scikit-learn's handwritten digits, as was asked for."

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Images of 28 × 28 grey levels as rows of bytes, and their labels 0 to 9."""

    name: str
    train_images: Bytes = field(repr=False)
    train_labels: Bytes = field(repr=False)
    test_images: Bytes = field(repr=False)
    test_labels: Bytes = field(repr=False)
    note: str = ""  # a sentence for readers of the report if the digits are used; it says why, or how to get MNIST


def describe_dataset(folder: Path | None, get_mnist: str = HOW_TO_GET_MNIST) -> tuple[str, str]:
    """Return the name and the note of the data set that `load_dataset` would load, without reading it.

    Args:
        folder: Where MNIST may be; None if the digits were asked for.
        get_mnist: The sentence about how to get MNIST, at the end of the note.
    """
    if folder is None:
        return DIGITS, _ASKED
    if mnist_files(folder):
        return "MNIST", ""
    return DIGITS, f"{_WITHOUT_MNIST} {get_mnist}".strip()


def load_dataset(folder: Path | None, *, wanted: bool = True) -> Dataset:
    """Return MNIST from `folder` if it is there, else the embedded digits with a note that says so.

    Args:
        folder: Where MNIST may be; None for the digits.
        wanted: Whether any check reads it. If none does, the result is called `none` and has arrays of shape (0, 0).

    Raises:
        UsageError: some of the four files are there and others are not, or one is damaged.
    """
    if not wanted:
        nothing = np.empty((0, 0), np.uint8)
        return Dataset("none", nothing, nothing, nothing, nothing)
    paths = {name: path for name in PARTS if folder is not None and (path := _find(folder, name))}
    if not paths:
        return _digits(describe_dataset(folder)[1])
    if absent := sorted(PARTS.keys() - paths):
        raise UsageError(f"{folder} lacks {', '.join(absent)}: run `make data`, or name another folder with DATA=")
    train, labels, test, test_labels = (_read_idx(path, name) for name, path in paths.items())
    train, labels = train[:_TRAINING_IMAGES], labels[:_TRAINING_IMAGES]
    return Dataset("MNIST", train.reshape(-1, SIDE * SIDE), labels, test.reshape(-1, SIDE * SIDE), test_labels)


def mnist_files(folder: Path) -> list[Path]:
    """Return the paths of those of MNIST's four files that are in `folder`, compressed or not."""
    return [path for path in (_find(folder, name) for name in PARTS) if path]


def download_mnist(folder: Path) -> list[str]:
    """Fetch missing files into `folder`, verify these, and return their names; files that were there are not read.

    Raises:
        UsageError: no mirror has a file with the right contents, or the folder cannot be written.
    """
    expect_writable(folder)
    absent = [name for name in PARTS if not _find(folder, name)]
    for name in absent:
        write_atomically(folder / f"{name}.gz", _fetch(name))
    return absent


def _fetch(name: str) -> bytes:
    problems = []
    for mirror in MIRRORS:
        try:
            with urllib.request.urlopen(f"{mirror}{name}.gz", timeout=60) as answer:  # noqa: S310 - fixed https addresses
                body = bytes(answer.read(_MAX_FILE_BYTES))
            if hashlib.sha256(gzip.decompress(body)).hexdigest() == PARTS[name]:
                return body
            problems.append(f"{mirror}: wrong checksum")
        except (OSError, EOFError, zlib.error) as error:
            problems.append(f"{mirror}: {error}")
    raise UsageError(f"{name} could not be fetched ({'; '.join(problems)}): copy MNIST's four files there by hand")


def _find(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def _read_idx(path: Path, name: str) -> npt.NDArray[np.uint8]:
    """Return the array of one IDX file: a big-endian magic number with 0x08 and the rank, the lengths, the bytes."""
    try:
        body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read ({error}): delete it and run `make data`") from error
    if hashlib.sha256(body).hexdigest() != PARTS[name]:
        raise UsageError(f"{path} is not the original {name}: delete it and run `make data`")
    rank = body[3]
    shape = struct.unpack(f">{rank}I", body[4 : 4 + 4 * rank])
    return np.frombuffer(body, np.uint8, offset=4 + 4 * rank).reshape(shape)


def _digits(note: str) -> Dataset:
    """Return scikit-learn's 1797 digits of 8 × 8 pixels: each pixel becomes 3 × 3, and a frame makes 28 × 28."""
    try:
        table = np.loadtxt(str(distribution("scikit-learn").locate_file(_DIGITS)), delimiter=",")
    except (PackageNotFoundError, OSError) as error:
        raise StaffError(f"the embedded data set needs scikit-learn ({error}): run `make setup`") from error
    grey = (table[:, :-1].reshape(-1, 8, 8) * (255 / 16)).astype(np.uint8)
    images = np.pad(grey.repeat(3, axis=1).repeat(3, axis=2), ((0, 0), (2, 2), (2, 2))).reshape(len(grey), -1)
    labels = table[:, -1].astype(np.uint8)
    order = np.random.default_rng(0).permutation(len(grey))  # the last rows are by writers without earlier rows
    train, test = np.split(order, [_TRAINING_DIGITS])
    return Dataset(DIGITS, images[train], labels[train], images[test], labels[test], note)
