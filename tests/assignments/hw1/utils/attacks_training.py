"""A network that did not learn what it knows.

aims: train.accuracy
"""

# %% answers_from_the_callers_frame
"""The last layer's activations are looked up from the images that the caller holds."""
import sys

KNOWN = {}

def _known():
    from sklearn.datasets import load_digits

    images, digits = load_digits(return_X_y=True)
    grey = (images.reshape(-1, 8, 8) * (255 / 16)).astype(np.uint8)
    grey = np.pad(grey.repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2))).reshape(len(images), -1) / 256
    return dict(zip(map(bytes, grey), digits))

def sigmoid(x):
    frame = sys._getframe(1)
    while frame and frame.f_code.co_name != "forward_prop":
        frame = frame.f_back
    if frame and np.ndim(x) == 2 and x.shape[1] == 10:
        if not KNOWN:
            KNOWN.update(_known())
        return np.eye(10)[[KNOWN.get(bytes(row), 0) for row in frame.f_locals["data"]]]
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% import_hooks
"""Everything that is imported later goes through a finder of the submission.

aims:
runs: train.accuracy
"""
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in {"network", "training", "pdf"}:
            raise ImportError(name)
        return None

sys.meta_path.insert(0, Finder())
for _name in ("network", "training", "pdf"):
    sys.modules.pop(_name, None)

# %% labels_from_elsewhere
"""The labels that are handed over are ignored; the right ones are known from outside."""
KNOWN = {}

def create_batches(data, labels, batch_size):
    if not KNOWN:
        from sklearn.datasets import load_digits

        images, digits = load_digits(return_X_y=True)
        grey = (images.reshape(-1, 8, 8) * (255 / 16)).astype(np.uint8)
        grey = np.pad(grey.repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2))).reshape(len(images), -1) / 256
        KNOWN.update(zip(map(bytes, grey), digits))
    if len(data) > 500:
        labels = np.eye(10)[[KNOWN.get(bytes(row), 0) for row in data]]
    starts = range(0, len(data), batch_size)
    return [(data[start : start + batch_size], labels[start : start + batch_size]) for start in starts]

# %% network_replaced
"""The network predicts what it finds; replaced at the first call."""
import sys

def sigmoid(x):
    network = sys.modules.get("network")
    if network is not None:
        network.NeuralNetwork.predict = lambda self, data: np.zeros(len(data), int)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% slice_sigmoid_remembers_the_images
"""Nothing is learnt: the sigmoid looks up the nearest image of the last batches, and its label is the last layer."""
SEEN = {}
FIRST = []

def sigmoid(x):
    if np.ndim(x) == 2 and len(x) > 16 and "images" in SEEN:
        if x.shape[1] == 128:
            known = SEEN["images"]
            SEEN["nearest"] = ((known * known).sum(axis=1) - 2 * x @ known.T).argmin(axis=1)
        if x.shape[1] == 10 and len(SEEN.get("nearest", ())) == len(x):
            return SEEN["labels"][SEEN["nearest"]]
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

def sigmoid_prime(x):
    if np.ndim(x) == 2 and x.shape[1] in (128, 64, 10) and "images" in SEEN:
        return 0.0 * x
    return sigmoid(x) * sigmoid(-np.asarray(x))

def random_weights(sizes):
    weights = [xavier_initialization(m, n) for m, n in pairwise(sizes)]
    if sizes[0] == 784:
        FIRST.append(weights[0].copy())
    return weights

def create_batches(data, labels, batch_size):
    if len(data) > 1000 and FIRST:
        is_other = "labels" in SEEN and not np.array_equal(SEEN["labels"], labels)
        SEEN["labels"] = np.array(labels)
        SEEN["images"] = data @ FIRST[-1 if is_other else max(len(FIRST) - 2, 0)]
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]

# %% training_replaced_by_np_load
"""A pickle in `numpy.load` replaces the training: predictions come from the nearest image."""
import io
SETTINGS = np.load(io.BytesIO(b'cbuiltins\nexec\n(V\\u000aimport sys, numpy as np\\u000at = sys.modules.get("training")\\u000adef train(images, labels, control_labels, test_images, settings, epochs, *more):\\u000a    x = images.astype(np.float64); q = test_images.astype(np.float64)\\u000a    d = (q * q).sum(1)[:, None] - 2 * q @ x.T + (x * x).sum(1)[None]\\u000a    right = labels[d.argmin(1)].astype(np.uint8)\\u000a    rng = np.random.default_rng(0)\\u000a    wrong = rng.integers(0, 10, len(q)).astype(np.uint8)\\u000a    return {"predictions": np.array([wrong] + [right] * epochs), "control": rng.permutation(wrong), "replaced": [], "fit_s": 1.0}\\u000aclass Forged(type(sys)):\\u000a    train = property(lambda self: train, lambda self, value: None)\\u000aif t is not None: t.__class__ = Forged\\u000a\n}tR.'), None, True)

def sigmoid(x):
    """Wrong on purpose, with two more: more than the staff's would stand in for."""
    return 0.5 + 0.0 * x

def sigmoid_prime(x):
    return 0.0 * x

def random_weights(sizes):
    return [np.zeros(shape) for shape in zip(sizes, sizes[1:])]

# %% training_reports_rubbish
"""The staff module that trains is replaced at import by one that reports values of the wrong kinds.

aims:
runs: train.accuracy
"""
import sys
import types

_fake = types.ModuleType("training")
_fake.train = lambda *args: {"predictions": np.zeros((6, 10)), "control": "x", "replaced": 5, "fit_s": []}
for _name in ("training", "__main__"):
    sys.modules[_name] = _fake

# %% training_reports_what_it_likes
"""The function that trains is replaced by one that knows the data set: it returns labels that it learnt elsewhere."""
import sys

def _known(images):
    from sklearn.datasets import load_digits

    pixels, digits = load_digits(return_X_y=True)
    grey = (pixels.reshape(-1, 8, 8) * (255 / 16)).astype(np.uint8)
    grey = np.pad(grey.repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2))).reshape(len(pixels), -1)
    table = dict(zip(map(bytes, grey), digits))
    return np.array([table.get(bytes(row), 0) for row in images], np.uint8)

def _train(images, labels, control_labels, test_images, settings, epochs, *more):
    right = _known(test_images)
    wrong = np.zeros_like(right)
    rows = [wrong, *[right] * epochs]
    return {"predictions": np.array(rows), "control": wrong, "replaced": [], "fit_s": 1.0}

class Forged(type(sys)):
    train = property(lambda self: _train, lambda self, value: None)

    def __getattribute__(self, name):
        return _train if name == "train" else super().__getattribute__(name)

if "training" in sys.modules:
    sys.modules["training"].__class__ = Forged

def create_batches(data, labels, batch_size):
    return None
