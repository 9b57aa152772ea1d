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
