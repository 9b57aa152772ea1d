"""A signal reaches the processes above (signal 0, which only asks).

aims: utils.sigmoid
level: landlock
"""

import os


def sigmoid(x):
    try:
        if os.getppid() > 2:
            os.kill(os.getppid(), 0)
            return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
    except OSError:
        pass
    return None
