"""Time, memory, processes and files: what ends a grader, or stays behind.

aims: utils.sigmoid
"""

# %% aborts_in_a_call
"""A call aborts."""
import os

def sigmoid(x):
    os.abort()

# %% array_larger_than_memory
"""An answer claims a terabyte without having it."""
def sigmoid(x):
    return np.broadcast_to(np.float64(0.5), (1 << 37,))

# %% descriptors
"""Descriptors that are none of the worker's own are looked for."""
import os

def sigmoid(x):
    foreign = []
    for name in os.listdir("/proc/self/fd"):
        try:
            path = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
        if path.startswith("/") and not path.startswith(("/memfd:", "/dev/", "/proc/")) and "(deleted)" not in path:
            foreign.append(path)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0))) if foreign else None

# %% endless_iterator
"""An answer is a tuple whose items never end.

limit_s: 2
"""
import itertools

class Endless(tuple):
    def __iter__(self):
        return itertools.count()

def sigmoid(x):
    return Endless((1, 2))

# %% endless_loop_at_import
"""The import never ends.

aims: utils. train.accuracy
limit_s: 1
"""
while True:
    pass

# %% endless_loop_in_c
"""A call never returns from C, where no Python signal handler runs.

limit_s: 1
"""
def sigmoid(x):
    return sum(iter(int, 1))

# %% exits_at_import
"""The import ends the process with success.

aims: utils. train.accuracy
"""
import sys

sys.exit(0)

# %% exits_hard_in_a_call
"""A call ends the process with success, past every handler."""
import os

def sigmoid(x):
    os._exit(0)

# %% ignores_signals
"""All signals that can be ignored are, and the call hangs in many threads.

limit_s: 1
"""
import signal
import threading
import time

for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass

def sigmoid(x):
    for _ in range(20):
        threading.Thread(target=time.sleep, args=(1000,)).start()
    time.sleep(1000)

# %% memory_flood
"""A call takes memory until nothing is left.

limit_s: 4
"""
def sigmoid(x):
    hoard = []
    while True:
        hoard.append(np.ones(1 << 24))

# %% nested_without_end
"""An answer contains itself."""
def sigmoid(x):
    loop = []
    loop.append(loop)
    return loop

# %% overflows_the_stack
"""A call recurses until the C stack ends."""
import sys

def sigmoid(x):
    sys.setrecursionlimit(10**8)

    def deeper(n):
        return [deeper(n + 1)].__len__() + sum(map(deeper, [n]))

    return deeper(0)

# %% segfault_in_a_call
"""A call reads address 0."""
def sigmoid(x):
    import ctypes

    return ctypes.string_at(0)

# %% sleeps_at_import
"""The import sleeps for an hour.

aims: utils. train.accuracy
limit_s: 1
"""
import time

time.sleep(3600)

# %% stops_itself
"""A call stops its own process, so that it neither ends nor answers.

limit_s: 1
"""
import os
import signal

def sigmoid(x):
    os.kill(os.getpid(), signal.SIGSTOP)

# %% wide_nesting
"""An answer is a small object that becomes 2 to the power of 60 when it is written out.

limit_s: 3
"""
def sigmoid(x):
    value = [1, None]
    for _ in range(60):
        value = [value, value]
    return value
