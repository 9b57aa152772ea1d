"""Files, networks, reports and other processes are looked for.

aims: utils.sigmoid
"""

# %% environment
"""Secrets of the environment are looked for."""
import os

def sigmoid(x):
    leaked = [name for name in os.environ if name.startswith(("GRADER", "PYTEST", "SLURM", "SSH", "AWS"))]
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0))) if leaked else None

# %% pdf_bomb
"""A page of the report unpacks to half a gigabyte.

aims: report.pdf
pdf: bomb
"""

# %% pdf_of_endless_pages
"""The report's pages contain themselves, and it claims a thousand million of them.

aims: report.pdf
pdf: loop
"""

# %% pdf_of_invisible_text
"""The report's words are neither filled nor stroked, and its picture is one white pixel: the page is blank.

aims: report.pdf
pdf: unseen
"""

# %% pdf_that_is_none
"""The report is no PDF.

aims: report.pdf
pdf: junk
"""

# %% pretrained_weights
"""Weights come out of a training that took place before, on data that is public.

aims: train.accuracy utils.random_weights
"""
READY = {}

def _train(sizes):
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    x = np.pad(images.reshape(-1, 8, 8).repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2))).reshape(-1, 784) / 16
    y, rng = np.eye(10)[labels], np.random.default_rng(1)
    ws = [rng.uniform(-1, 1, (m, n)) / np.sqrt(m) for m, n in zip(sizes, sizes[1:])]
    for _ in range(25):
        for rows in np.array_split(rng.permutation(len(x)), len(x) // 16):
            a = [x[rows]]
            for w in ws:
                a.append(1 / (1 + np.exp(-a[-1] @ w)))
            d = (a[-1] - y[rows]) * a[-1] * (1 - a[-1])
            for layer in range(len(ws) - 1, -1, -1):
                step = a[layer].T @ d
                d = d @ ws[layer].T * a[layer] * (1 - a[layer])
                ws[layer] = ws[layer] - 0.2 * step
    return ws

def random_weights(sizes):
    if tuple(sizes) != (784, 128, 64, 10):
        return [xavier_initialization(m, n) for m, n in pairwise(sizes)]
    if "w" not in READY:
        READY["w"] = _train(sizes)
    return [w.copy() for w in READY["w"]]

# %% same_weights_each_time
"""Random weights are drawn once and returned again.

aims: utils.random_weights
"""
DRAWN = {}

def random_weights(sizes):
    key = tuple(sizes)
    if key not in DRAWN:
        DRAWN[key] = [xavier_initialization(m, n) for m, n in pairwise(sizes)]
    return DRAWN[key]

# %% shared_memory_shortened
"""The memory shared with the parent is cut to nothing, so that looking at it would end the parent."""
import os

def sigmoid(x):
    for fd in range(3, 64):
        try:
            os.ftruncate(fd, 0)
        except OSError:
            pass
    return np.zeros(np.shape(x))

# %% staffs_versions_imported
"""What stands in for wrong functions is imported, or read from the grader's folder.

aims: utils.sigmoid utils.sigmoid_prime
level: landlock
"""
from pathlib import Path

def sigmoid(x):
    import right
    return right.sigmoid(x)

def sigmoid_prime(x):
    import grader
    text, scope = Path(grader.__file__).parent.joinpath("assignments/hw1/right.py").read_text(), {}
    exec(text, scope)
    return scope["sigmoid_prime"](x)
