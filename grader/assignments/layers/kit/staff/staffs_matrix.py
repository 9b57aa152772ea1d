"""In the kit your own Matrix is used everywhere: a mistake in it shows in other checks, too."""

import importlib


def call(_replaced, module, function, *args):
    """Return what a scenario returns."""
    return getattr(importlib.import_module(module), function)(*args)
