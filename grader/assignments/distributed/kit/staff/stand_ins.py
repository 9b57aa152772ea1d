"""In the kit nothing stands in for your own functions: a mistake in one of them shows in others, too."""

import contextlib


@contextlib.contextmanager
def instead_of(_names, _modules):
    """Leave all functions as they are."""
    yield
