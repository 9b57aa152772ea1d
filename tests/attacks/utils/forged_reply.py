"""Bytes that nobody asked for go to the parent on every socket.

aims: utils.sigmoid
"""

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
