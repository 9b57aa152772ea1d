"""What observes kernels, machine code, loops and likeness is replaced by what reports values of the wrong kinds.

aims: max.gpu.correct max.numba.compiled max.cpu.trivial
"""

import importlib


def _rubbish(*args):
    return {
        "is_dispatcher": None,
        "nopython": 5,
        "object_mode": {"a": []},
        "wrote": "many",
        "before": 7,
        "after": {"a": 1},
        "found": 3,
        "complete": "yes",
        "steps": "x",
        "plain_steps": None,
        "ended": [],
        "mixes": {},
        "raised": 9,
        "value": [[], [1]],
    }


for _name in ("explanation", "sliced.machinecode", "sliced.kernels", "sliced.loops", "sliced.likeness"):
    _module = importlib.import_module(f"grader.worker.{_name}")
    for _function in [name for name in vars(_module) if callable(getattr(_module, name)) and name[0] != "_"]:
        setattr(_module, _function, _rubbish)


def max_gpu(A, B):
    return np.maximum(A, B)


def max_numba(A, B):
    return np.maximum(A, B)


def max_cpu(A, B):
    return np.maximum(A, B)
