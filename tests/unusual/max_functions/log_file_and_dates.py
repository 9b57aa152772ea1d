"""A log file is named by a path, and dates and durations are noted; built-in functions are taken back by their names.

slow: its neighbours of the same kind are in the fast set
"""

import logging
from builtins import max, range
from datetime import datetime, timedelta
from pathlib import Path

LOG = Path("logs") / "max_functions.log"
logging.basicConfig(filename=LOG.name, level=logging.INFO, format="%(asctime)s %(message)s")
logger = logging.getLogger(__name__)
began = datetime.now()
longest = timedelta(seconds=0)


def max_cpu(A, B):
    global longest
    start = datetime.now()
    C = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    longest = max(longest, datetime.now() - start)
    logger.info("%s: %.3f s", start.isoformat(), longest.total_seconds())
    return C
