"""What a slice may read, which texts are signatures, and the own code of functions and classes."""

import json
import subprocess
import sys
import textwrap

import pytest
from rows import each

from grader.slices import policy
from grader.worker.sliced import calllog, signatures
from grader.worker.sliced.owncode import describe

PROGRAM = """
import functools, json, types
import grader.cuda_cpu
grader.cuda_cpu.install()
import numpy as np
from numba import cuda, njit
from numba.core.registry import CPUDispatcher
from numba.np.ufunc.dufunc import DUFunc
from grader.cuda_cpu import hostapi
from grader.cuda_cpu.devicearray import DeviceNDArray
from grader.cuda_cpu.dispatcher import CudaDispatcher, LaunchConfiguration
from grader.slices import policy
from grader.worker.sliced.arrays import Flat, Observed, Watched
from grader.worker.sliced.compiled import Compiled
from grader.worker.sliced.facade import Facade, Function
from grader.worker.sliced.objects import Generator, Iteration
from grader.worker.sliced.signatures import NumbaType

@njit
def function(x):
    return x

@cuda.jit
def kernel(x):
    x[0] = 1

held = [function, kernel, kernel[1, 1], CudaDispatcher, CPUDispatcher, LaunchConfiguration, DeviceNDArray, DUFunc]
held += [hostapi.Stream, hostapi.Event, cuda.In, np.ndarray, np.ufunc]
held += [Function, Compiled, NumbaType, Generator, Iteration, Flat, Observed, Watched]
held += [types.GeneratorType, types.FunctionType, types.MethodType, functools.partial]
names = {name for one in held for name in dir(one) if not name.startswith("_")}
print(json.dumps(list(names - policy.FORBIDDEN_ATTRIBUTES - policy.WITHHELD_ATTRIBUTES)))
"""
HARMLESS = """
    T accumulate add all alloc_size any argmax argmin argpartition args argsort astype at auto_synchronize bind blockdim
    byteswap choose clip close compress configure conj conjugate copy copy_to_device copy_to_host cumprod cumsum data
    device diagonal dot dtype elapsed_time fill finished flags flat flatten forall func getitem griddim identity imag
    index is_c_contiguous is_f_contiguous item itemsize iterindex iternext keywords mT max mean min multi_index nbytes
    ndim nonzero operands outer partition prod put query ravel real recompile record reduce reduceat repeat reshape
    resize round searchsorted send setitem shape signature size sort spawn specialize split squeeze std stream strides
    sum swapaxes synchronize take throw to_device tolist trace transpose types value var view wait
"""


def test_every_attribute_of_what_slices_hold_is_known():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert sorted(json.loads(done.stdout.splitlines()[-1])) == HARMLESS.split(), "who adds one says that it is harmless"


@each("name", ["_host", "__host", "_dW", "_log", "_made_from", "_W"])
def test_private_names_are_free_and_others_while_a_slice_runs(name):
    assert policy.in_slice(name) == policy.in_slice(policy.in_slice(name)) != name
    assert policy.as_written(policy.in_slice(name)) == name
    others = "_Matrix__host", "_numba_type_", "__init__", "host", "_", "_replace", "_x_in_slice"
    assert others == tuple(map(policy.in_slice, others))


RIGHT = (
    *("float64(float64)", "void(float64[:, ::1], int64[:])", "(int64[:], f8)", "float64[:](float64[:], int64)"),
    *("UniTuple(float64, 2)(List(int64), boolean)", "Tuple((int64, Array(float64, 2, 'C')))(i8)", "(m,n),(n)->(m)"),
    "(),()->()",
    """
    void(
        float64[:])
    """,
)
WRONG = (
    *("__import__('os')", "(print(1), float64(float64))[1]", "float64.__class__(float64)", "float64(lambda: 1)"),
    *("[float64 for _ in 'a']", "float64(exec)", "float64(f'{1}')", "np.float64(np.float64)"),
    *("float64(float64) if True else 1", "not a signature", "(__import__('os'))->("),
)


@each("text", [*RIGHT, *WRONG])
def test_types_are_a_signature_and_what_is_executed_is_none(text):
    assert signatures.is_signature(text) == (text in RIGHT)


@pytest.mark.parametrize("args", [("print(1)",), (["float64(float64)", "print(1)"],), ((["print(1)"],),)])
def test_a_text_of_another_form_is_kept(args):
    calllog.current.log = calllog.CallLog()
    with pytest.raises(TypeError, match="a graded function cannot compile for the signature"):
        signatures.expect_signatures(args, {})
    assert calllog.current.log.refused


def test_other_options_are_texts_of_any_kind():
    signatures.expect_signatures((), {"error_model": "numpy", "inline": "always", "signature": "float64(float64)"})


TEXT = """
import functools
from numba import njit

SIZES = [1, 2]
UNUSED = 1

def helper(x):
    return x + len(SIZES)

def f(x, scale=2):
    return helper(x) * scale

@njit
def compiled(x):
    return x

@functools.lru_cache
def kept(x):
    return x

partly = functools.partial(f, 3)

class Total:
    def add(self, x):
        return helper(x)

    @property
    def twice(self):
        return 2
"""
NAMES = ("f", "compiled", "kept", "partly", "Total")


@pytest.fixture
def described(tmp_path, monkeypatch):
    """Return a function that describes a text, which is imported anew."""
    monkeypatch.syspath_prepend(tmp_path)

    def describe_text(text, name="sample"):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        monkeypatch.delitem(sys.modules, name, raising=False)
        return describe(name, (*NAMES, "missing"), False)

    return describe_text


def test_every_function_and_class_that_is_there_has_a_digest_of_its_own(described):
    found = described(TEXT)
    assert set(found) == {*NAMES}
    assert len(set(found.values())) == len(NAMES) - 1, "a partial function has the code of what it calls"


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("helper(x) * scale", "helper(x) + scale", {"f", "partly"}),
        ("def compiled(x):\n    return x", "def compiled(x):\n    return 7", {"compiled"}),
        ("def kept(x):\n    return x", "def kept(x):\n    return 7", {"kept"}),
        ("        return helper(x)", "        return x", {"Total"}),
        ("        return 2", "        return 3", {"Total"}),
        ("x + len(SIZES)", "x - len(SIZES)", {"f", "partly", "Total"}),
        ("SIZES = [1, 2]", "SIZES = [1, 3]", {"f", "partly", "Total"}),
        ("scale=2", "scale=3", {"f", "partly"}),
        ("UNUSED = 1", "UNUSED = 2", set()),
    ],
)
def test_what_a_function_is_written_to_do_and_what_it_names_count(described, old, new, changed):
    assert old in TEXT
    before, after = described(TEXT), described(TEXT.replace(old, new), "other")
    assert {name for name in NAMES if before[name] != after[name]} == changed


def test_describing_what_a_slice_names_is_none_of_its_calls_and_settings_are_alike_in_the_whole_file(opened, described):
    text = (
        "from os import environ\nfrom sys import argv\nimport numpy as np\ndef f(A, B):\n    return np, environ, argv\n"
    )
    whole = described(text)
    opened(text)
    assert describe("sample", ["f"], True) == whole
    assert calllog.current.log.refused == []
