"""The staff module that trains is replaced at import by one that reports values of the wrong kinds.

aims:
runs: train.accuracy
"""

import sys
import types

_fake = types.ModuleType("training")
_fake.train = lambda *args: {"predictions": np.zeros((6, 10)), "control": "x", "replaced": 5, "fit_s": []}
for _name in ("training", "__main__"):
    sys.modules[_name] = _fake
