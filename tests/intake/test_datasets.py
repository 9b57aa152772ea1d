"""MNIST as it is or a sentence; without it, the embedded digits."""

import gzip
import hashlib
import io
import struct
from pathlib import Path

import numpy as np
import pytest
from rows import each

from grader.errors import UsageError
from grader.intake import datasets


def idx(array: np.ndarray) -> bytes:
    return bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


@pytest.fixture
def small_mnist(tmp_path, monkeypatch):
    """A folder with the four files, 60 and 10 images long, whose checksums are made known."""
    rng, kinds = np.random.default_rng(1), ((256, (60, 28, 28)), (10, 60), (256, (10, 28, 28)), (10, 10))
    arrays = [rng.integers(0, most, shape, np.uint8) for most, shape in kinds]
    bodies = {name: idx(array) for name, array in zip(datasets.PARTS, arrays, strict=True)}
    monkeypatch.setattr(datasets, "PARTS", {name: hashlib.sha256(body).hexdigest() for name, body in bodies.items()})
    for name, body in bodies.items():
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(body))
    return tmp_path, arrays


def test_mnist_is_read_from_gzipped_and_plain_files(small_mnist):
    folder, arrays = small_mnist
    first = next(iter(datasets.PARTS))
    (folder / first).write_bytes(idx(arrays[0]))
    (folder / f"{first}.gz").unlink()
    data = datasets.load_dataset(folder)
    assert (data.name, data.note) == ("MNIST", "")
    assert np.array_equal(data.train_images, arrays[0].reshape(60, 784))
    assert np.array_equal(data.test_labels, arrays[3])
    assert datasets.describe_dataset(folder) == (data.name, data.note)


PACKED = gzip.compress(b"x" * 99, mtime=0)
DAMAGED = {"cut off": PACKED[:-9], "no block of gzip's": PACKED[:10] + b"\xff" + PACKED[11:]}


@each("damage", {"empty": b"", "not gzip": b"not gzip", "other contents": PACKED, **DAMAGED})
def test_a_damaged_file_is_named_with_the_next_step_and_so_is_a_missing_one_among_the_four(small_mnist, damage):
    folder, _ = small_mnist
    name = list(datasets.PARTS)[2]
    (folder / f"{name}.gz").write_bytes(damage)
    with pytest.raises(UsageError, match=f"{name}.*make data"):
        datasets.load_dataset(folder)
    (folder / f"{name}.gz").unlink()
    with pytest.raises(UsageError, match=f"lacks {name}"):
        datasets.load_dataset(folder)


@pytest.mark.parametrize("folder", [None, "no-such-folder"])
def test_without_mnist_the_embedded_digits_are_used_and_the_note_says_so(tmp_path, folder):
    data = datasets.load_dataset(folder and tmp_path / folder)
    assert datasets.describe_dataset(folder and tmp_path / folder) == (data.name, data.note)
    assert (data.name, data.train_images.shape) == ("digits", (1397, 784))
    assert data.test_images.shape == (400, 784)
    assert (data.train_images.max(), set(data.test_labels)) == (255, set(range(10)))
    assert ("make data" if folder else "as was asked for") in data.note


@each("body, why", (PACKED, "wrong checksum"), *((body, "could not be fetched") for body in DAMAGED.values()))
def test_a_download_with_the_wrong_checksum_or_damaged_is_refused(tmp_path, monkeypatch, body, why):
    monkeypatch.setattr(datasets.urllib.request, "urlopen", lambda *_args, **_options: io.BytesIO(body))
    with pytest.raises(UsageError, match=why):
        datasets.download_mnist(tmp_path / "data")
    assert not (tmp_path / "data").exists(), "nothing half-fetched stays"
    with pytest.raises(UsageError, match="cannot be written"):
        datasets.download_mnist(Path("/proc/nowhere"))
