"""In the kit nothing stands in for your own functions: a mistake in one of them shows in other checks, too."""

import importlib


def call(_replaced, module, function, *args):
    """Return what a scenario returns."""
    return getattr(importlib.import_module(module), function)(*args)
