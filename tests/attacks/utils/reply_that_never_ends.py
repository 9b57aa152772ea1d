"""A reply is announced and comes one byte at a time.

aims: utils.sigmoid
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
