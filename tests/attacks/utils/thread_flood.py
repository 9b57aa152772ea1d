"""A call starts threads that never end.

aims:
limit_s: 4
"""

import threading
import time


def sigmoid(x):
    try:
        for _ in range(300):
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    except RuntimeError:
        pass
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
