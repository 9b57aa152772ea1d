"""What observes kernels is deceived or replaced.

aims: max.gpu.correct max.gpu.launch
"""

# %% gpu_exec_through_print
"""`print.__self__` is the module of all built-in functions; its `exec` replaces what looks where an answer came from.
"""
CODE = """
import grader.worker.sliced.kernels as looking, grader.cuda_cpu.launches as seen

def run(A, B):
    seen.notify(seen.Launch('max_kernel', None, (1000, 1, 1), (1000, 1, 1), 0))
    return np.maximum(A, B)

def examine(module, function, kernel, args, other, pattern):
    return {'wrote': 1, 'replaced': 1, 'substituted': np.reshape(pattern, args[0].shape),
            'replayed': [np.maximum(*other)], 'strangers': [], 'complete': True}

looking.examine_launches = examine
"""
SPACE = {"np": np}
print.__self__.exec(CODE, SPACE)

def max_gpu(A, B):
    return SPACE["run"](A, B)

# %% gpu_globals_kept
"""The table of global names is kept under another name, and leads to `exec`; a text replaces the observers."""
CODE = """
import grader.worker.sliced.kernels as looking, grader.cuda_cpu.launches as seen

def run(A, B):
    seen.notify(seen.Launch('max_kernel', None, (1000, 1, 1), (1000, 1, 1), 0))
    return np.maximum(A, B)

def examine(module, function, kernel, args, other, pattern):
    return {'wrote': 1, 'replaced': 1, 'substituted': np.reshape(pattern, args[0].shape),
            'replayed': [np.maximum(*other)], 'strangers': [], 'complete': True}

looking.examine_launches = examine
"""
SPACE = {"np": np}
TABLE = globals
TABLE()["__builtins__"]["exec"](CODE, SPACE)

def max_gpu(A, B):
    return SPACE["run"](A, B)

# %% gpu_launch_forged_by_a_traceback
"""The same through the frame of an exception, without any import."""
def max_gpu(A, B):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while frame:
        if "launches" in frame.f_locals and "request" in frame.f_locals:
            kind = frame.f_globals["wire"].Launch
            frame.f_locals["launches"].append(kind("max_kernel", (1000, 1, 1), (1000, 1, 1)))
        frame = frame.f_back
    return np.maximum(A, B)

# %% gpu_launch_forged_by_frames
"""The list of launches is found in the callers' frames, and a launch is added."""
def max_gpu(A, B):
    frame = sys._getframe()
    while frame:
        if "launches" in frame.f_locals and "request" in frame.f_locals:
            kind = frame.f_globals["wire"].Launch
            frame.f_locals["launches"].append(kind("max_kernel", (1000, 1, 1), (1000, 1, 1)))
        frame = frame.f_back
    return np.maximum(A, B)

# %% gpu_launch_forged_by_gc
"""The list of launches is found among all objects."""
import gc

def max_gpu(A, B):
    wires = [o for o in gc.get_objects() if type(o).__name__ == "module" and o.__name__ == "grader.worker.wire"]
    frames = [o for o in gc.get_objects() if type(o) is dict and "launches" in o]
    for found in frames:
        if wires and isinstance(found["launches"], list):
            found["launches"].append(wires[0].Launch("max_kernel", (1000, 1, 1), (1000, 1, 1)))
    return np.maximum(A, B)

# %% gpu_launch_forged_by_globals
"""The observers are found through the globals of `cuda.jit`, without any import."""
def max_gpu(A, B):
    module = type(max_kernel).call.__globals__
    for value in list(module.values()):
        more = getattr(value, "__globals__", {})
        if "notify" in more and "Launch" in more:
            more["notify"](more["Launch"]("max_kernel", None, (1000, 1, 1), (1000, 1, 1), 0))
            break
    return np.maximum(A, B)

# %% gpu_launch_forged_by_the_observer
"""A launch is reported to the executor's observers that never took place."""
def max_gpu(A, B):
    for name in ("grader.cuda_cpu.launches",):
        observers = sys.modules.get(name)
        if observers:
            observers.notify(observers.Launch("max_kernel", None, (1000, 1, 1), (1000, 1, 1), 0))
    return np.maximum(A, B)

# %% gpu_launch_forged_everywhere
"""Everything that observes kernels in this process is replaced by what says yes, and a launch is reported.

aims: max.gpu.correct max.gpu.launch max.numba.compiled
"""
import importlib

def _watch(module, function, args):
    launch = {"kernel": "max_kernel", "grid": (1000, 1, 1), "block": (1000, 1, 1), "given": [], "before": [0, 1, 2]}
    launch |= {"after": [0, 1, 3], "numbers": [], "place": "max_functions.py:9", "constants": [], "constants_from": []}
    arrays = [*args, np.zeros_like(args[0]), np.maximum(*args)]
    work = {"label": ["kernel: max_kernel"]}
    known = {"came_from": {}, "copies": [], "is_complete": True, "is_thinned": False}
    return {"value": arrays[3], "work": work, "launches": [launch], "arrays": arrays, **known}

def _describe(module, function, *more):
    if isinstance(function, str):
        return {"is_dispatcher": True, "nopython": [function], "object_mode": [], "library": []}
    return {name: {"itself": "equal"} for name in function}

for _name in ("sliced.kernels", "sliced.machinecode", "sliced.owncode"):
    _module = importlib.import_module(f"grader.worker.{_name}")
    for _function, _forged in (("watch", _watch), ("describe", _describe)):
        if hasattr(_module, _function):
            setattr(_module, _function, _forged)

def max_gpu(A, B):
    observers = sys.modules["grader.cuda_cpu.launches"]
    observers.notify(observers.Launch("max_kernel", None, (1000, 1, 1), (1000, 1, 1), 0))
    return np.maximum(A, B)

def max_numba(A, B):
    return np.maximum(A, B)

# %% gpu_launch_forged_in_the_serialiser
"""The encoder of messages is replaced by one that adds a launch to every reply."""
import msgspec

_encode = msgspec.msgpack.encode

def _forging(message):
    if hasattr(message, "launches"):
        kind = __import__("grader.worker.wire", fromlist=["Launch"]).Launch
        launches = (kind("max_kernel", (1000, 1, 1), (1000, 1, 1)),)
        message = msgspec.structs.replace(message, launches=launches)
    return _encode(message)

msgspec.msgpack.encode = _forging

def max_gpu(A, B):
    return np.maximum(A, B)

# %% gpu_np_load
"""A pickle in `numpy.load` replaces the launch: NumPy writes the answer after each."""
import io
SETTINGS = np.load(io.BytesIO(b'cbuiltins\nexec\n(V\\u000aimport numpy as np, sys\\u000amod = sys.modules.get("grader.cuda_cpu.dispatcher")\\u000acls = mod.CudaDispatcher if mod else sys.modules["numba.cuda.dispatcher"].CUDADispatcher\\u000aold = cls.call\\u000adef call(self, args, *configuration):\\u000a    old(self, args, *configuration)\\u000a    host = [np.array(a.copy_to_host() if hasattr(a, "copy_to_host") else a) for a in args]\\u000a    out = np.maximum(host[0], host[1]) if len(args) == 3 else host[0] @ host[0].T\\u000a    if hasattr(args[-1], "copy_to_device"): args[-1].copy_to_device(out)\\u000a    else: args[-1][...] = out\\u000acls.call = call\\u000a\n}tR.'), None, True)

@cuda.jit
def max_kernel(A, B, C):
    """Nothing right is computed here."""
    C[0, 0] = 7

# %% gpu_observers_replaced_elsewhere_than_main
"""In the `else` of the usual guard, which runs on import, what looks where an answer came from is replaced."""
SPACE = {"np": np}
CODE = """
import grader.worker.sliced.kernels as looking, grader.cuda_cpu.launches as seen

def run(A, B):
    seen.notify(seen.Launch('max_kernel', None, (1000, 1, 1), (1000, 1, 1), 0))
    return np.maximum(A, B)

def examine(module, function, kernel, args, other, pattern):
    return {'wrote': 1, 'replaced': 1, 'substituted': np.reshape(pattern, args[0].shape),
            'replayed': [np.maximum(*other)], 'strangers': [], 'complete': True}

looking.examine_launches = examine
"""
if __name__ == "__main__":
    pass
else:
    exec(CODE, SPACE)

def max_gpu(A, B):
    return SPACE["run"](A, B)

# %% observers_report_nothing
"""What observes kernels, machine code, loops and own code is replaced, and what is reported is no record at all.

aims: max.gpu.correct max.numba.compiled max.cpu.trivial
"""
import importlib

for _name in ("explanation", "sliced.machinecode", "sliced.kernels", "sliced.loops", "sliced.owncode"):
    _module = importlib.import_module(f"grader.worker.{_name}")
    for _function in [name for name in vars(_module) if callable(getattr(_module, name)) and name[0] != "_"]:
        setattr(_module, _function, lambda *args: np.zeros(3))

def max_gpu(A, B):
    return np.maximum(A, B)

def max_numba(A, B):
    return np.maximum(A, B)

def max_cpu(A, B):
    return np.maximum(A, B)

# %% observers_report_rubbish
"""What observes kernels, machine code, loops and own code is replaced by what reports values of the wrong kinds.

aims: max.gpu.correct max.numba.compiled max.cpu.trivial
"""
import importlib

def _rubbish(*args):
    return {
        "is_dispatcher": None,
        "nopython": 5,
        "object_mode": {"a": []},
        "work": "many",
        "launches": 7,
        "arrays": {"a": 1},
        "found": 3,
        "complete": "yes",
        "steps": "x",
        "plain_steps": None,
        "ended": [],
        "mixes": {},
        "raised": 9,
        "value": [[], [1]],
    }

for _name in ("explanation", "sliced.machinecode", "sliced.kernels", "sliced.loops", "sliced.owncode"):
    _module = importlib.import_module(f"grader.worker.{_name}")
    for _function in [name for name in vars(_module) if callable(getattr(_module, name)) and name[0] != "_"]:
        setattr(_module, _function, _rubbish)

def max_gpu(A, B):
    return np.maximum(A, B)

def max_numba(A, B):
    return np.maximum(A, B)

def max_cpu(A, B):
    return np.maximum(A, B)

# %% pdf_reader_replaced
"""The reader of the report is replaced by one that is always content; the report is no PDF.

aims: report.pdf
runs: max. report.
pdf: junk
"""
import types

_pdf = types.ModuleType("pdf")
_pdf.describe_pdf = lambda name, words=(), enough_visible=0: {
    "pages": 9,
    "images": 9,
    "words": 9000,
    "encrypted": False,
    "mentions": ["max_kernel", "matmul_kernel"],
    "visible_pixels": 90000,
    "lacks_fonts": False,
}
sys.modules["pdf"] = sys.modules["grader.worker.pdf"] = _pdf
