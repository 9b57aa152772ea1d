"""The import sleeps for an hour.

aims: utils. train.accuracy
limit_s: 1
"""

import time

time.sleep(3600)
