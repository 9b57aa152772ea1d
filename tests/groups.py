"""Changes that can be graded together: at most one for each file."""

from collections.abc import Sequence
from itertools import zip_longest

from grader.trial.changes import Change


def one_per_file(some: Sequence[Change]) -> list[list[Change]]:
    """Return groups of at most one change per file; those that hang come together, because they wait."""
    targets = dict.fromkeys(change.target for change in some)
    columns = [
        sorted((change for change in some if change.target == name), key=lambda change: change.limit_s)
        for name in targets
    ]
    return [[change for change in row if change] for row in zip_longest(*columns)]
