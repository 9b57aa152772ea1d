"""All signals that can be ignored are, and the call hangs in many threads.

aims: utils.sigmoid
limit_s: 1
"""

import signal
import threading
import time

for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def sigmoid(x):
    for _ in range(20):
        threading.Thread(target=time.sleep, args=(1000,)).start()
    time.sleep(1000)
