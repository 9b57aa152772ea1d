"""What a slice's own classes may call their fields, objects of libraries do not show to slices."""

import subprocess
import sys

import numpy as np
import pytest
from rows import each

from grader.slices import policy
from grader.worker.sliced import objects

OWN = "class Own:\n    def __init__(self):\n        self.{name} = 1\n"
NUMBA = "from numba import cuda, njit\n@njit\ndef g(x):\n    return x\n@cuda.jit\ndef kernel(x):\n    x[0] = 1\n"
LOGGER = "import logging\nlogger = logging.getLogger('a.b')\n"
REFUSED = (
    *(("base", "C = next(iter(np.nditer(A))).base.operands[0]"), ("base", "C = np.zeros(2, [('a', float)])[0].base")),
    *(("base", "C = A[0, 0].base"), ("dump", "C = A.dump('x')"), ("dump", "C = A[0, 0].dump('x')")),
    *((name, f"{LOGGER}C = logger.{name}") for name in ("parent", "root", "manager", "handle")),
    ("handle", f"{LOGGER}C = type(logger).handle"),
    *(
        (name, f"{NUMBA}C = kernel.{name}")
        for name in ("call", "compile", "doc", "dump", "extensions", "locals", "specialized", "stats")
    ),
    *(("call", f"{NUMBA}kernel.call = 0\nC = 0"), ("compile", f"{NUMBA}C = g.compile")),
    *(("stats", f"{NUMBA}C = g.stats"), ("dispatcher", f"{NUMBA}C = kernel[1, 1].dispatcher")),
    *(("sharedmem", f"{NUMBA}C = kernel[1, 1].sharedmem"), ("handle", f"{NUMBA}C = cuda.stream().handle")),
    *(("handle", f"{NUMBA}C = cuda.event().handle"), ("handle", f"{NUMBA}C = cuda.current_context().handle")),
    *(("encode", "C = ''.encode().join([A])"), ("to_bytes", "C = (0).to_bytes(0, 'big').join([A])")),
    *(("from_bytes", "C = int.from_bytes(A, 'little')"), ("format_map", "C = '{A.base}'.format_map({'A': A})")),
    *((name, f"C = np.random.RandomState(1).{name}") for name in ("bytes", "get_state", "set_state")),
    ("base", "C = next(iter(np.nditer(A)))\nC = '{0.base}'.format(C)"),
)
"""Name of an own field, and how something else is asked for its attribute of that name."""


def test_every_name_is_tried():
    harmless = {"nargs", "nin", "nout", "ntypes"}  # numbers, of ufuncs, which slices do not get
    assert {name for name, _ in REFUSED} == policy.WITHHELD_ATTRIBUTES - harmless


@each("name, body", REFUSED)
def test_an_attribute_that_leads_away_is_refused_where_an_own_class_has_one_of_that_name(run, name, body):
    with pytest.raises(AttributeError, match=name):
        run(f"{OWN.format(name=name)}{body}")


FORMATTED = ("[*map(('{0[.].' + '_made}').format, A)]", "'{0:{1._made}}'.format(1, A)", "str.format('{0._made}', A)")


@each(
    "words, body",
    *(("a graded function cannot read", f"C = {call}") for call in FORMATTED),
    ("buffer", f"import sys\n{OWN.format(name='buffer')}C = sys.stdout.buffer"),
    (r"numpy\.core", "C = [np][0].core"),
)
def test_texts_streams_and_numpys_core_lead_to_nothing_private(run, words, body):
    with pytest.raises(AttributeError, match=words):
        run(body)


OWN_FORMAT = "class Own:\n    def format(self):\n        return '{0:>{1}} {0.real} {name[0]} {0.__class__.__name__}'\n"
OWN_BYTES = "class Own(int):\n    def to_bytes(self):\n        return [self]\n    encode = from_bytes = to_bytes\n"
OF_A_DTYPE = "T = A.dtype.type\nC = [T is np.int64, np.dtype('f4').type is np.float32, type(A.dtype).type is T]"
INHERITS = (
    "class Base:\n    def __init__(self):\n        self.seen = 'base'\n"
    "class Own(Base):\n    def __init__(self):\n        super().__init__()\n        super(Own, self).__init__()\n"
)
ANSWERS = (
    "class M:\n    def __getattr__(self, name):\n        if name == 'dtype':\n            raise AttributeError(name)\n"
    "        return name\n"
)
ASKED = (
    "from numba import njit\nN = []\nclass M:\n    def __getattr__(self, name):\n        N.append(name)\n"
    "        return self\n"
    "try:\n    njit(lambda x: 1)(M())\nexcept Exception:\n    C = [name for name in N if name[0] == '_']"
)
AS_EVER = {
    "private names of libraries, for which no object answers": (ASKED, []),
    "super in both its forms": (f"{INHERITS}C = Own().seen", "base"),
    "texts where an own class formats": (f"{OWN_FORMAT}C = Own().format().format(3, 4, name='abc')", "   3 3 a int"),
    "an own way to encode": (f"{OWN_BYTES}C = Own(3).to_bytes() + Own(4).encode() + Own(5).from_bytes()", [3, 4, 5]),
    "an observed array has no base": (f"{OWN.format(name='base')}C = A[1:].base is None and A.T.base is None", True),
    "an object that answers for every name": (
        f"{ANSWERS}C = str(np.array(M(), object).dtype), M()._x",
        ("object", "_x"),
    ),
    "the type of a dtype": (OF_A_DTYPE, [True] * 3),
    "a type that has no name": (
        "keys = {}.keys()\nC = type(keys) is type({1: 2}.keys()), isinstance(keys, type(keys))",
        (True,) * 2,
    ),
    "numbers of that type": ("C = A.dtype.type(3) * 2.5, isinstance(A.dtype.type(3), np.integer)", (7.5, True)),
}


@each("body, value", AS_EVER)
def test_what_leads_nowhere_works_as_ever(run, body, value):
    assert run(body).value == value


ABOVE = "class Own:\n    def above(self, kind, value):\n        return super(kind, value)\n"


@each("given", ["np.ndarray, A", "type(A), A", "int, 1"])
def test_super_shows_nothing_of_what_a_library_inherits(run, given):
    with pytest.raises(TypeError, match="a class of a library inherits"):
        run(f"{ABOVE}C = Own().above({given})")


def test_a_pattern_gets_no_attribute_that_leads_away(run):
    body = "C = next(iter(np.nditer(A)))\nmatch C:\n    case object(base=b):\n        C = b.operands"
    found = run(f"{OWN.format(name='base')}{body}")
    assert np.size(found.value) == 1
    assert any("base" in refused for refused in found.seen.refused)


@each("name", sorted({*policy.WITHHELD_ATTRIBUTES, "type"}))
def test_an_own_field_is_read(run, name):
    assert run(f"{OWN.format(name=name)}C = Own().{name}").value == 1


@each("kind", ["A.dtype.type", "np.dtype(float).type", "type(A.dtype).type", "np.finfo(float).dtype.type"])
def test_arrays_made_by_the_type_of_a_dtype_are_observed(run, kind):
    seen = run(f"T = {kind}\na, b = T(A.tolist()), T(B.tolist())\nm = a > b\nC = a * m + b * (1 - m)").seen
    assert seen.mixed
    assert any(token.startswith("mixed") for token in seen.label)


def test_the_type_of_arrays_in_annotations_makes_none(run):
    from_numpy = "from numpy.typing import NDArray\nT = NDArray[np.float64] | None\n"
    with pytest.raises((AttributeError, TypeError)):
        run(f"{from_numpy}C = NDArray((3,)).sort(A)")


def test_everybody_else_still_reads_them(run):
    run("C = A")
    part = np.arange(6)[1:]
    assert part.base is not None
    assert part.dtype.type is np.int64
    assert np.linalg.norm(np.ones(4)) == 2
    assert objects.make_type("float64", np.float64).dtype == np.float64


def test_what_numba_has_on_a_gpu_is_withheld_under_its_own_names():
    program = (
        "import importlib\nfrom grader.worker.sliced import withheld\n"
        "modules = [name for name in withheld._OF_CUDA if name.startswith('numba')]\n"
        "for name in modules:\n    importlib.import_module(name)\nwithheld.withhold_from_cuda()\nimport sys\n"
        "for name in modules:\n    for kind in withheld._OF_CUDA[name].split():\n"
        "        found = getattr(sys.modules[name], kind)\n"
        "        assert type(vars(found)['handle']) is withheld.Withheld, kind\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
