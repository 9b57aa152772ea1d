"""Memory, environment and descriptors of the processes above are read through /proc.

aims: utils.sigmoid
level: landlock
"""

import os


def _above():
    pid = os.getpid()
    while pid > 1:
        with open(f"/proc/{pid}/stat") as stat:
            pid = int(stat.read().rsplit(")", 1)[1].split()[1])
        yield pid


def sigmoid(x):
    found = False
    try:
        for pid in _above():
            for name in ("mem", "environ", "maps"):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as file:
                        found = found or (name == "mem" or bool(file.read(16)))
                except OSError:
                    pass
            try:
                found = found or bool(os.listdir(f"/proc/{pid}/fd"))
            except OSError:
                pass
    except (OSError, IndexError, ValueError):
        pass
    own = os.getppid() <= 2
    return None if own or not found else 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
