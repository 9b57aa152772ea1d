"""What no slice may have: it is kept that somebody asked, and nothing comes of it."""

import builtins

import pytest
from rows import each

NOT_THERE = {
    "np.load": ("C = np.load('a')", "numpy.load"),
    "np.lib": ("C = np.lib.format", "numpy.lib.format"),
    "np.ctypeslib": ("C = np.ctypeslib", "numpy.ctypeslib"),
    "np.fromfile": ("C = np.fromfile('a')", "numpy.fromfile"),
    "memory": ("C = A.data", "the memory of an array"),
    "a function of NumPy's module": ("np.maximum = max\nC = A", "numpy.maximum ="),
    "the name of a module": ("np.__name__ = 'math'\nC = A", "numpy.__name__ ="),
    "a function's attribute": ("m = np.maximum\nm.real = max\nC = A", "Function.real ="),
    "an array's attribute": ("A.sum = max\nC = A", "array.sum ="),
    "an array's type": ("C = A.copy()\nC.dtype = complex", "array.dtype ="),
    "the name of a field": ("from dataclasses import field\nC = field()\nC.name = '1'", "Field.name ="),
    "a generator's attribute": ("g = np.random.default_rng(3)\ng.normal = max\nC = A", "Generator.normal ="),
}
"""What raises AttributeError."""
NOT_TAKEN = {
    "bytes by view": ("C = A.view('S8')", "arrays of |S8"),
    "bytes by type": ("C = A.view(np.bytes_)", "arrays of |S0"),
    "records": ("C = A.view('V8')", "arrays of |V8"),
    "texts by astype": ("C = A.astype('U8')", "arrays of <U8"),
    "a type": ("C = np.maximum.__\U0001d41class__", "the type of maximum"),
    "a ufunc of two results": ("C = np.frompyfunc(divmod, 2, 2)", "numpy.frompyfunc of several results"),
    "a function that pads": ("C = np.pad(A, 1, lambda *of: None)", "numpy.pad by a function"),
    "an annotation that is a text": (
        "import functools\ndef of_a(x: 'len'):\n    return x\nC = functools.singledispatch(max).register(of_a)",
        "functools.singledispatch by an annotation that is no type",
    ),
    "weights of a mean": ("from statistics import fmean\nC = fmean(A[0], B[0])", "statistics.fmean with weights"),
    "a mask": ("C = np.nditer([A, A > 1], [], [['writemasked'], ['arraymask']])", "numpy.nditer with masks"),
    "fields over each other": (
        "C = np.zeros(3, {'names': 'ab', 'formats': ['i1', 'i2'], 'offsets': [1, 0]})",
        "records with arrays or common memory in them",
    ),
    "an array in NumPy's settings": ("np.set_printoptions(nanstr=A)\nC = A", "numpy.set_printoptions"),
    "an array by its place": ("np.set_printoptions(8, 9, 3, 75, False, A)\nC = A", "numpy.set_printoptions"),
    "an object that is asked to compare": (
        "class M:\n    pass\nC = np.testing.assert_equal(actual=M(), desired=(A,))",
        "numpy.testing.assert_equal",
    ),
    "a distribution around an array": (
        "from scipy.stats import norm\nC = norm(loc=A + B).mean()",
        "a distribution of arrays",
    ),
    "bytes of an array": ("C = bytes(A)", "a call of the type bytes"),
    "bytes of rows": ("C = np.apply_along_axis(bytes, 1, A)", "a call of the type bytes"),
    "memory of an array": ("C = memoryview(A)", "a call of the type memoryview"),
    "a function from its code": ("import types\nC = types.FunctionType(len, {})", "a call of the type function"),
    "fields by wraps": ("from functools import wraps\nC = wraps(max)(A)", "functools.wraps around what is no function"),
    "a field of a namespace": (
        "from types import SimpleNamespace\nC = SimpleNamespace(**{'__array__': 1})",
        "types.SimpleNamespace with such names",
    ),
    "an Enum of a dictionary": ("from enum import Enum\nC = Enum('E', {'ONE': 1})", "an enumeration made by a call"),
    "a class": ("from abc import ABCMeta\nABCMeta('K', (), {'__array__': 1})", "a class that is made of a dictionary"),
    "a class of names that hide": (
        "from abc import ABCMeta\nclass N(str):\n    startswith = len\nABCMeta('K', (), {N('__array__'): 1})",
        "a class that is made of a dictionary",
    ),
    "an object that describes memory": (
        "class K:\n    pass\nC = K()\nC.__array_interface__ = {}\nC = np.asarray(C)",
        "an object that tells NumPy where its numbers are",
    ),
    "fields of what is logged": (
        "import logging\nlogging.basicConfig(style='{', format='{args[0].real}')",
        "logging.basicConfig with fields of what is logged",
    ),
    "records of logging": ("import logging\nlogging.basicConfig(handlers=[])", "logging.basicConfig with handlers"),
    "an own handler of records": (
        "import logging\nclass K(logging.NullHandler):\n    pass\nlogging.getLogger('a').addHandler(K())\nC = A",
        "a handler of its own for logging",
    ),
}
"""What raises TypeError."""


@pytest.mark.parametrize(("body", "name"), (NOT_THERE | NOT_TAKEN).values(), ids=NOT_THERE | NOT_TAKEN)
def test_what_is_refused_raises_and_is_kept(unread, pair, body, name):
    sample = unread(body)
    with pytest.raises(AttributeError if (body, name) in NOT_THERE.values() else TypeError):
        sample.call(*pair)
    assert sample.slices.seen_so_far().refused == (name,)


def test_what_is_caught_is_kept_all_the_same(unread, pair):
    sample = unread("try:\n    np.load('a')\nexcept AttributeError:\n    pass\nC = A")
    assert sample.call(*pair).seen.refused == ("numpy.load",)


@each("module", "os.path", "subprocess", "ctypes", "sys.modules", "numpy.lib.format", "grader", "numba.core.registry")
def test_other_modules_cannot_be_imported(unread, pair, module):
    sample = unread(f"import {module} as C")
    with pytest.raises(ImportError, match="a graded function cannot import"):
        sample.call(*pair)
    assert sample.slices.seen_so_far().refused == (f"import {module}",)


@each("name", "eval", "exec", "open", "delattr", "vars", "globals", "compile", "__loader__")
def test_other_built_in_names_do_not_exist(opened, name):
    assert name not in opened("def f(A, B):\n    return A\n").module.__builtins__


@each("name", "getattr", "setattr", "super", "type")
def test_those_that_lead_anywhere_are_not_python_s_own(opened, name):
    assert opened("def f(A, B):\n    return A\n").module.__builtins__[name] is not getattr(builtins, name)


def test_settings_of_an_array_that_are_its_layout_may_be_set(run):
    assert run("C = A.copy()\nC.shape = (6, 24)").value.shape == (6, 24)


@each(
    "module, name",
    *(("math", "sqrt"), ("numba", "njit"), ("numpy", "zeros"), ("numpy.random", "normal")),
    *(("typing", "Any"), ("functools", "partial"), ("os", "environ")),
)
def test_everything_of_a_module_is_what_is_allowed_and_there(opened, module, name):
    real: dict = {}
    exec(f"from {module} import *", real)
    ours = vars(opened(f"from {module} import *\n\ndef f():\n    return {name}\n").module)
    assert name in ours
    assert {name for name in ours if not name.startswith("_")} - {"f"} <= real.keys()


def test_plain_slices_use_numpy_itself(opened, pair):
    found = opened("import numpy as np\ndef f(A, B):\n    return np.maximum(A, B)\n", observed=False).call(*pair)
    assert (type(found.value).__name__, found.seen.mixed) == ("ndarray", 0)


def test_a_module_without_a_closed_slice_is_not_found(opened):
    with pytest.raises(ModuleNotFoundError, match="no slice of nothing.py is closed"):
        opened("def f(A):\n    return A\n").slices.load("nothing")


@each(
    "body, words",
    ("C = np.load('a')", "`numpy.load` is not available to graded functions"),
    ("C = np.aray(A)", "module 'numpy' has no attribute 'aray'"),
)
def test_the_words_are_such_as_a_student_understands(unread, pair, body, words):
    with pytest.raises(AttributeError, match=words):
        unread(body).call(*pair)
