"""Everything that is imported later goes through a finder of the submission.

aims:
runs: train.accuracy
"""

import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in {"network", "training", "pdf"}:
            raise ImportError(name)
        return None


sys.meta_path.insert(0, Finder())
for _name in ("network", "training", "pdf"):
    sys.modules.pop(_name, None)
