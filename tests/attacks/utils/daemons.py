"""Processes leave their session and their parent, and live on.

aims:
"""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(600)
    os._exit(0)
