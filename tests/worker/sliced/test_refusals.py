"""What no slice may have: it is kept that somebody asked, and nothing comes of it."""

import pytest

REFUSED = {
    "np.load": ("C = np.load('a')", "numpy.load", AttributeError),
    "np.lib": ("C = np.lib.format", "numpy.lib.format", AttributeError),
    "np.ctypeslib": ("C = np.ctypeslib", "numpy.ctypeslib", AttributeError),
    "np.fromfile": ("C = np.fromfile('a')", "numpy.fromfile", AttributeError),
    "memory": ("C = A.data", "the memory of an array", AttributeError),
    "bytes by view": ("C = A.view('S8')", "arrays of |S8", TypeError),
    "bytes by type": ("C = A.view(np.bytes_)", "arrays of |S0", TypeError),
    "records": ("C = A.view('V8')", "arrays of |V8", TypeError),
    "texts by astype": ("C = A.astype('U8')", "arrays of <U8", TypeError),
    "a function of NumPy's module": ("np.maximum = max\nC = A", "numpy.maximum =", AttributeError),
    "a function's attribute": ("m = np.maximum\nm.real = max\nC = A", "Function.real =", AttributeError),
    "an array's attribute": ("A.sum = max\nC = A", "array.sum =", AttributeError),
    "an array's type": ("C = A.copy()\nC.dtype = complex", "array.dtype =", AttributeError),
    "a type": ("C = type(np.maximum)", "the type of maximum", TypeError),
    "a ufunc of two results": ("C = np.frompyfunc(divmod, 2, 2)", "numpy.frompyfunc of several results", TypeError),
    "a function that pads": ("C = np.pad(A, 1, lambda *of: None)", "numpy.pad by a function", TypeError),
    "an annotation that is a text": (
        "import functools\ndef of_a(x: 'A'):\n    return x\nC = functools.singledispatch(max).register(of_a)",
        "functools.singledispatch by an annotation that is no type",
        TypeError,
    ),
    "a field by wraps": (
        "from functools import wraps\nC = wraps(max)(A)",
        "functools.wraps around what is no function",
        TypeError,
    ),
    "a field of a namespace": (
        "from types import SimpleNamespace\nC = SimpleNamespace(**{'_label': 1})",
        "types.SimpleNamespace with private names",
        TypeError,
    ),
    "an enumeration of a dictionary": (
        "from enum import Enum\nC = Enum('E', {'ONE': 1})",
        "an enumeration made by a call",
        TypeError,
    ),
    "the name of a field": ("from dataclasses import field\nC = field()\nC.name = '1'", "Field.name =", AttributeError),
    "an object that describes memory": (
        "class K:\n    pass\nC = K()\nC.__array_interface__ = {}\nC = np.asarray(C)",
        "an object that tells NumPy where its numbers are",
        TypeError,
    ),
    "fields of what is logged": (
        "import logging\nlogging.basicConfig(style='{', format='{args[0].real}')",
        "logging.basicConfig with fields of what is logged",
        TypeError,
    ),
    "records of logging": (
        "import logging\nlogging.basicConfig(handlers=[])",
        "logging.basicConfig with handlers",
        TypeError,
    ),
    "an own handler of records": (
        "import logging\nclass K(logging.NullHandler):\n    pass\nlogging.getLogger('a').addHandler(K())\nC = A",
        "a handler of its own for logging",
        TypeError,
    ),
    "a generator's attribute": (
        "g = np.random.default_rng(3)\ng.normal = max\nC = A",
        "Generator.normal =",
        AttributeError,
    ),
}


def refusing(opened, body):
    """Return the error of a body that reading would call open: what reading lets through by mistake is refused here."""
    lines = body.replace("\n", "\n    ")
    return opened(f"import numpy as np\n\n\ndef f(A, B):\n    {lines}\n    return C\n", unread=True)


@pytest.mark.parametrize(("body", "name", "error"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_raises_and_is_kept(opened, pair, body, name, error):
    sample = refusing(opened, body)
    with pytest.raises(error):
        sample.call(*pair)
    assert sample.slices.seen_so_far().refused == (name,)


def test_what_is_caught_is_kept_all_the_same(opened, pair):
    sample = refusing(opened, "try:\n    np.load('a')\nexcept AttributeError:\n    pass\nC = A")
    assert sample.call(*pair).seen.refused == ("numpy.load",)


@pytest.mark.parametrize(
    "module", ["os.path", "subprocess", "ctypes", "sys.modules", "numpy.lib.format", "grader", "numba.core.registry"]
)
def test_other_modules_cannot_be_imported(opened, pair, module):
    sample = refusing(opened, f"import {module} as C")
    with pytest.raises(ImportError, match="a slice cannot import"):
        sample.call(*pair)
    assert sample.slices.seen_so_far().refused == (f"import {module}",)


@pytest.mark.parametrize(
    "name",
    ["eval", "exec", "open", "getattr", "setattr", "vars", "globals", "compile", "__loader__", "bytes", "memoryview"],
)
def test_other_built_in_names_do_not_exist(opened, name):
    sample = opened("def f(A, B):\n    return A\n")
    assert name not in sample.module.__builtins__


def test_settings_of_an_array_that_are_its_layout_may_be_set(run):
    assert run("C = A.copy()\nC.shape = (6, 24)").value.shape == (6, 24)


def test_plain_slices_use_numpy_itself(opened, pair):
    sample = opened("import numpy as np\ndef f(A, B):\n    return np.maximum(A, B)\n", observed=False)
    found = sample.call(*pair)
    assert type(found.value).__name__ == "ndarray"
    assert found.seen.mixed == 0


def test_a_module_without_a_closed_slice_is_not_found(opened):
    with pytest.raises(ModuleNotFoundError, match="no slice of other.py is closed"):
        opened("def f(A):\n    return A\n").slices.load("other")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("C = np.load('a')", "`numpy.load` is not available to graded functions"),
        ("C = np.aray(A)", "module 'numpy' has no attribute 'aray'"),
    ],
)
def test_the_words_are_such_as_a_student_understands(opened, pair, body, words):
    with pytest.raises(AttributeError, match=words):
        refusing(opened, body).call(*pair)
