"""A daemon keeps all descriptors open, the channel among them, and waits.

aims:
"""

import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(600)
