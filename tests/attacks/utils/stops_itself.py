"""A call stops its own process, so that it neither ends nor answers.

aims: utils.sigmoid
limit_s: 1
"""

import os
import signal


def sigmoid(x):
    os.kill(os.getpid(), signal.SIGSTOP)
