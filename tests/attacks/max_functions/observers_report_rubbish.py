"""What observes launches, machine code and steps is replaced by what reports values of the wrong kinds.

aims: max.gpu.correct max.numba.compiled max.cpu.trivial
"""

import importlib


def _rubbish(*args):
    return {
        "is_dispatcher": None,
        "nopython": 5,
        "object_mode": {"a": []},
        "wrote": "many",
        "replaced": [1],
        "substituted": {"a": 1},
        "replayed": 7,
        "strangers": [None, "x", [[]]],
        "whole": 3,
        "steps": "x",
        "real_steps": None,
        "copies": [],
        "reads": {},
        "raised": 9,
        "value": [[], [1]],
    }


for _name in ("substitution", "inspection", "standin"):
    _module = importlib.import_module(f"grader.worker.{_name}")
    for _function in ("examine_launches", "describe_compiled", "call_without_compiled", "examine_reads"):
        if hasattr(_module, _function):
            setattr(_module, _function, _rubbish)
