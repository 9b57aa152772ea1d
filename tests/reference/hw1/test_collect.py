import gzip
import struct

import numpy as np
import pytest


@pytest.fixture
def collect(modules):
    return modules("collect")


def write_idx(path, array, packed):
    content = struct.pack(f">{1 + array.ndim}I", 0x800 + array.ndim, *array.shape) + array.tobytes()
    if packed:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(content, 1))
    else:
        path.write_bytes(content)


@pytest.fixture
def folder(tmp_path, request):
    rng = np.random.default_rng(1)
    for prefix, samples in (("train", 50_003), ("t10k", 5)):
        images = np.zeros((samples, 28, 28), dtype=np.uint8)
        images[-1] = rng.integers(0, 256, (28, 28))
        write_idx(tmp_path / f"{prefix}-images-idx3-ubyte", images, request.param)
        write_idx(tmp_path / f"{prefix}-labels-idx1-ubyte", np.arange(samples, dtype=np.uint8) % 10, request.param)
    return tmp_path


@pytest.mark.parametrize("folder", [True, False], ids=["gzip", "raw"], indirect=True)
def test_mnist_comes_split_scaled_and_one_hot(collect, folder):
    training, validation, test = collect.load_data(folder, dtype=np.float32)
    assert [data.shape for data, _ in (training, validation, test)] == [(50_000, 784), (3, 784), (5, 784)]
    assert [labels.shape for _, labels in (training, validation, test)] == [(50_000, 10), (3, 10), (5, 10)]
    assert validation[0].dtype == np.float32
    assert 0.9 < validation[0][-1].max() < 1
    np.testing.assert_array_equal(np.argmax(test[1], axis=1), [0, 1, 2, 3, 4])


def test_a_missing_file_is_named_with_the_next_step(collect, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"training images are missing.*main.py FOLDER"):
        collect.load_data(tmp_path)


HEAD = struct.pack(">4I", 0x803, 2, 28, 28)
DAMAGED = [(b"", ""), (HEAD[:8], ""), (HEAD, ""), (gzip.compress(HEAD + bytes(2 * 784), 1)[:-10], ".gz is damaged")]


@pytest.mark.parametrize(("content", "ending"), DAMAGED, ids=["empty", "half a head", "no pictures", "torn gzip"])
def test_a_damaged_file_is_named(collect, tmp_path, content, ending):
    for prefix in ("train", "t10k"):
        write_idx(tmp_path / f"{prefix}-labels-idx1-ubyte", np.zeros(2, dtype=np.uint8), packed=False)
        (tmp_path / f"{prefix}-images-idx3-ubyte{ending[:3]}").write_bytes(content)
    with pytest.raises(ValueError, match=f"train-images-idx3-ubyte{ending}"):
        collect.load_data(tmp_path)
