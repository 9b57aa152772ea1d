"""Slices: what is followed, what opens them, and what text remains."""

import ast

from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import each

from grader.slices.cutting import cut
from grader.slices.reading import INT_OF_DIGITS

HEAD = "import numpy as np\nfrom numba import cuda, njit\n"


def sliced(text, function="f", **others):
    files = {"a.py": text.encode()} | {f"{name}.py": other.encode() for name, other in others.items()}
    return cut(files, [("a", function)])


def opened(text, function="f", **others):
    return " ".join(str(opening) for opening in sliced(text, function, **others).of("a", function).openings)


CLOSED = {
    "a constant": "K = 3\n\ndef f(x):\n    return x * K\n",
    "a text that formats": "T = 'misfit: '\n\ndef f(x, t='{}'):\n    raise ValueError((T + t).format(x.shape))\n",
    "constants made of constants": "A = 2\nB, C = A * 2, A + 1\n\ndef f(x):\n    return x * B * C\n",
    "a helper that stands below": "def f(x):\n    return g(x)\n\ndef g(x):\n    return x\n",
    "a decorator with a clock": (
        "import functools, time\n\ndef timed(g):\n    @functools.wraps(g)\n    def run(*args):\n"
        "        start = time.perf_counter()\n        return g(*args)\n    return run\n\n"
        "@timed\ndef f(x):\n    return x\n"
    ),
    "names that are set, also at the top level, and a class that sets a field of a frozen object": (
        "def timed(g):\n    name = g.__name__\n    class K:\n        def __init__(self, x):\n"
        "            object.__setattr__(self, 'x', x)\n    K.__name__ = name + 'K'\n"
        "    def run(*args):\n        return K(g(*args)).x\n    run.__qualname__ = g.__qualname__\n"
        "    return run\n\ndef g(x):\n    return x\n\nf = timed(g)\nf.__name__ = 'f'\nf.__doc__ = 'Timed.'\n"
    ),
    "protocols of its own classes": (
        "class K:\n    __class_getitem__ = __copy__ = __deepcopy__ = len\n    def __getattr__(self, name):\n"
        "        return name\n\ndef f(x):\n    return K().rows\n"
    ),
    "a class with state of its own": (
        "class G:\n    def __init__(self, rows):\n        self.rows = rows\n\ndef f(x):\n    return G(x).rows\n"
    ),
    "a global counter": "n = 0\n\ndef f(x):\n    global n\n    n += 1\n    return x\n",
    "an empty version of the template above": "def f(x):\n    raise NotImplementedError\n\ndef f(x):\n    return x\n",
    "a table that grows below": "T = []\n\ndef f(x):\n    return T[0] + x\n\nT.append(3)\n",
    "a table that a class of its own fills below": (
        "T = {}\n\nclass Entry:\n    def __init__(self, key, value):\n        T[key] = value\n\n"
        "def f(x):\n    return T['a'] + x\n\nEntry('a', 3)\nkept = Entry('b', 4)\n"
    ),
    "a table of subclasses": (
        "class B:\n    T = []\n    def __init_subclass__(cls):\n        B.T.append(cls)\n\nclass K(B):\n    pass\n\n"
        "class L(K):\n    pass\n\ndef f(x):\n    return B.T[1](x)\n"
    ),
    "a table that a decorator of its own fills": (
        "T = []\n\ndef listed(g):\n    T.append(g)\n    return g\n\n@listed\ndef g(x):\n    return x\n\n"
        "def f(x):\n    return T[0](x)\n"
    ),
    "a kernel beside it that is strange": (
        HEAD + "import secrets\n\n@cuda.jit\ndef k(C):\n    C[0] = 1\n\ndef f(x):\n    k[1, 1](x)\n\n"
        "@cuda.jit\ndef other(C):\n    C[0] = secrets.randbits(3)\n"
    ),
    "a star import": "from math import *\n\ndef f(x):\n    return sqrt(x)\n",
    "a local that has a forbidden name": "def f(x):\n    vars = x\n    return vars\n",
    "annotations that nobody evaluates": (
        "from __future__ import annotations\nimport secrets\n\ndef f(x: secrets.Token) -> int:\n    return x\n"
    ),
    "a benchmark with everything": (
        "import os, pickle, threading\n\ndef f(x):\n    return x\n\n"
        "def bench():\n    threading.Thread(target=os.abort)\n"
    ),
    "private fields and helpers": (
        "class M:\n    _count = 0\n    def __init__(self):\n        self._host = self.__own = 0\n"
        "    def _launch(self, other):\n        return other._host + self.__own\n\n"
        "def f(x):\n    return M()._launch(M())\n"
    ),
    "fields by computed names, which other classes read": (
        "class P:\n    T = [0 for _ in 'ab']\n    _fields = ()\n    def put(self, **named):\n        for n in named:\n"
        "            setattr(self, f'd{n}', 1)\n            setattr(self, f'_{n}', 1)\n\nclass Q(P):\n"
        "    def get(self):\n        return getattr(self, 'd' + 'W') + self.dW + self._b\n"
        "    def __str__(self):\n        return super().__str__()\n\ndef f(x):\n    return P and Q().get()\n"
    ),
    "the type of numbers that a dtype names": "def f(x):\n    return x.dtype.type(x)\n",
    **{
        f"a field of its own that is called {name}": (
            f"class M:\n    def __init__(self):\n        self.{name} = 1\n\ndef f(x):\n    return x + M().{name}\n"
        )
        for name in ("type", "base", "parent", "handle", "core", "doc", "compile", "root", "call", "stats")
    },
    "fields of named tuples, and of a namespace": (
        "import types, typing\nfrom collections import namedtuple\nP = typing.NamedTuple('P', [('rows', int)])\n"
        "Q = namedtuple('Q', 'base cells')\n\ndef f(x):\n"
        "    return types.SimpleNamespace(values=P(x).rows).values + Q(x, x).base + Q(x, x).cells\n"
    ),
    "a warning that is ignored": (
        "import warnings\nfrom numba import NumbaPerformanceWarning, njit\n\n"
        "warnings.simplefilter('ignore', NumbaPerformanceWarning)\n\n@njit\ndef f(x):\n    return x\n"
    ),
    "the arguments of the program": "import sys\n\ndef f(x):\n    return x if len(sys.argv) > 1 else -x\n",
    **{
        f"the operator {name}": (
            f"class M:\n    def {name}(self, other=0):\n        return self\n\ndef f(x):\n    return M() and x\n"
        )
        for name in ("__isub__", "__imatmul__", "__rtruediv__", "__pos__", "__invert__", "__xor__", "__round__")
    },
    "what named tuples and enumerations have of themselves": (
        "import enum\nfrom collections import namedtuple\nP = namedtuple(typename='P', field_names='rows columns')\n\n"
        "class K(enum.Enum):\n    A = 1\n\ndef f(x):\n"
        "    return P(*P._make([x, x])._replace(rows=1)).columns + len(P._fields) + len(K.__members__)\n"
    ),
    "an operator by name, a field of a loop's object, a text that formats": (
        "class M:\n    z = 1\n    def __mul__(m, k):\n        return k\n    __add__ = lambda m, k: m.__mul__(k)\n\n"
        "def f(x):\n    t = '{}'\n    for m in [M()]:\n        x = t.format(getattr(m.z, 'y', x))\n    return m and x\n"
    ),
    "names of an import that it does not use": (
        "import argparse, math\nfrom numba import gdb_init, njit, cuda\n\n@njit\ndef f(x):\n    return math.sqrt(x)\n"
    ),
    "a typed dictionary": (
        "from typing import TypedDict\nclass O(TypedDict, total=False):\n    base: int\n\ndef f(x):\n"
        "    return O(base=x)['base']\n"
    ),
    "the end of the program": "import sys, threading as t\ndef f(x):\n    with t.RLock():\n        sys.exit(x)\n",
    "names of what nobody knows, of which one is called as a library is": (
        "import numpy as np\ndef f(x):\n    np = x.base\n    return np.load(x.parent)._log\n"
    ),
    "an object's class": (
        "class M:\n    def new(m):\n        return m.__class__()\n\ndef f(x):\n    return M().new(), x.__class__\n"
    ),
}
OPEN = {
    "a module that nobody knows": ("import secrets\n\ndef f(x):\n    return secrets.randbits(x)\n", "imports secrets"),
    "a module's name": ("from operator import attrgetter\n\ndef f(x):\n    return attrgetter('a')(x)\n", "attrgetter"),
    "a function that does an inner loop": ("import math\n\ndef f(x):\n    return math.dist(x, x)\n", ".dist"),
    "a private attribute": ("def f(x):\n    return x.__dict__\n", "__dict__"),
    "an object's class, changed": ("class M:\n    pass\ndef f(x):\n    x.__class__ = M\n", "sets .__class__"),
    "an object's class, matched": ("def f(x):\n    match x:\n        case int(__class__=y):\n            x()\n", "__"),
    "an attribute that leads away": ("def f(x):\n    return x.ctypes\n", ".ctypes"),
    "a text that is run": ("def f(x):\n    return eval('x')\n", "uses eval"),
    "another method of a constant text": ("T = '{}'\ndef f(x):\n    return T.ctypes\n", "uses .ctypes"),
    "a computed attribute": ("G = 1\ndef f(x):\n    return getattr(G, 'sum')()\n", "uses getattr"),
    "a computed attribute, by another name": (
        "def f(self):\n    get = getattr\n    return get(self, 'sum')()\n",
        "uses getattr",
    ),
    "a keyword of getattr, which takes none": ("def f(x):\n    return getattr(x, 'y', z=x.ctypes)\n", "uses .ctypes"),
    "a computed attribute, set": ("def f(x):\n    setattr(f, 'shape', x)\n", "uses setattr"),
    "a file": ("def f(x):\n    return open(x)\n", "uses open"),
    "a file that a library reads": ("import numpy as n\ndef f(x):\n    return n.load(x)\n", "uses numpy.load"),
    "a library within one": ("import numpy.lib\ndef f(x):\n    return numpy.lib.format\n", "uses numpy.lib.format"),
    "a compiled function's own one, also where a class names its own so": (
        "class M:\n    def __init__(self):\n        self.py_func = 0\n\ndef f(x):\n    return M() and x.py_func\n",
        "uses .py_func",
    ),
    "an object taken apart by position": (
        "class P:\n    pass\n\ndef f(x):\n    match x:\n        case P(s):\n            return s\n",
        "by position",
    ),
    "a name of Python's own, bound by a loop that never runs": (
        "for __import__ in ():\n    pass\n\ndef f(x):\n    return __import__('os', None, None, ['x'])\n",
        "uses __import__",
    ),
    "annotations by texts": (
        "for __annotations__ in ():\n    pass\n\nclass M:\n    __annotations__['x'] = 1\n\ndef f():\n    return M()\n",
        "uses __annotations__",
    ),
    "a protocol of NumPy in a condition": (
        "class M:\n    if 1:\n        def __array_interface__(_):\n            pass\n\ndef f():\n    return M()\n",
        "uses __array_interface__",
    ),
    "a name of the grader's, by an argument": (
        "class M:\n    def g(m, k=(_numba_type_ := 1)):\n        import math as _dL__dZ\n\ndef f(x):\n    return M()\n",
        "defines _numba_type_",
    ),
    "a protocol, by a pattern": (
        "class M:\n    match 1:\n        case py_func:\n            pass\n\ndef f(x):\n    return M()\n",
        "defines py_func",
    ),
    "bytes": ("def f(x):\n    return b''.join([x])\n", "holds bytes"),
    "a class that Numba compiles": (
        "from numba.experimental import jitclass\n@jitclass\nclass K: pass\n\ndef f(x):\n    return K()\n",
        "imports from numba.experimental",
    ),
    "a metaclass": ("class M(type): pass\n\nclass G(metaclass=M): pass\n\ndef f(x):\n    return G()\n", "metaclass="),
    "a class with options": ("O = {}\n\nclass G(**O): pass\n\ndef f(x):\n    return G()\n", "with **="),
    "a protocol of NumPy": (
        "class G:\n    def __array_ufunc__(self, *a):\n        return 1\n\ndef f(x):\n    return G()\n",
        "__array_ufunc__",
    ),
    "an option that links code": (HEAD + "@cuda.jit(link=['a.ptx'])\ndef f(x):\n    x[0] = 1\n", "option link"),
    "a module with a point in front": ("from . import b\n\ndef f(x):\n    return b\n", "imports from ."),
    "a name that is set with others": ("def f(x):\n    f.__name__, y = 'f', x\n", "sets .__name__"),
    "a name that a loop sets": ("def f(x):\n    for f.__doc__ in 'ab':\n        pass\n", "sets .__doc__"),
    "a class's private field from outside": (
        "class M:\n    def __init__(self):\n        self._A__label = 0\n\ndef f(x):\n    return M() and x\n",
        "sets ._A__label",
    ),
    "no Python": ("def f(x:\n", "not valid Python"),
    "a walrus in a condition below": (
        "import secrets\n\ndef f(x):\n    return x\n\nif (f := secrets.choice) and __name__ == '__main__':\n    pass\n",
        "imports secrets",
    ),
}


@each(
    "name, line",
    [("a table that a class", "Entry('a', 3)"), ("a table that a dec", "@listed"), ("a table of", "class L(K)")],
)
def test_what_fills_a_table_belongs_to_the_slice(name, line):
    (text,) = [text for shown, text in CLOSED.items() if shown.startswith(name)]
    assert line in sliced(text).texts()["a.py"]


def test_how_deep_functions_may_call_themselves_belongs_to_those_that_do():
    text = "import sys\n\nDEPTH = 5000\nsys.setrecursionlimit(DEPTH)\n\ndef f(x):\n    return x and f(x - 1)\n"
    assert sliced(text).texts()["a.py"] == text
    assert "sys" not in sliced(text.replace("f(x - 1)", "x - 1")).texts()["a.py"]


@each("name", [*CLOSED])
def test_a_slice_is_closed_with(name):
    assert opened(CLOSED[name]) == ""
    assert sliced(CLOSED[name]).of("a", "f").is_closed


@each("name", [*OPEN])
def test_a_slice_is_opened_by(name):
    text, words = OPEN[name]
    assert words in opened(text)
    assert sliced(text).texts() == {}


def test_what_remains_stands_at_its_old_place_and_is_the_same_code():
    functions = "@njit\ndef g(x):\n    return x\n\n\ndef f(x):\n    é = g(x)\n    return é * K\n"
    text = f"{HEAD}import os\nK = 2; os.abort\n\n\n{functions}"
    kept = sliced(text).texts()["a.py"]
    assert "os" not in kept
    assert [line for line in kept.splitlines() if "def" in line] == ["def g(x):", "def f(x):"]
    whole, part = (compile(source, "a.py", "exec") for source in (text, kept))
    codes = [{code.co_name: code for code in each.co_consts if hasattr(code, "co_code")} for each in (whole, part)]
    assert (codes[0]["f"], codes[0]["g"]) == (codes[1]["f"], codes[1]["g"])


@each("line", ["K = 2; M = 3", "M = 3; K = 2", "K = 1; M = 3; K += 1", "M = [3,\n 4]; K = 2", "K = (1 +\n 1); M = 3"])
def test_statements_of_one_line_are_kept_or_left_out_each_for_itself(line):
    exec(sliced(f"{line}\ndef f(x):\n    return x * K\n").texts()["a.py"], held := {})
    assert held["f"](2) == 4
    assert "M" not in held


@each(
    "text, left",
    ("import secrets, math, pickle", "import          math"),
    ("import math, secrets as s, cmath", "import math              , cmath"),
    ("from math import sqrt, tau", "from math import sqrt, tau"),
    ("from numba import (  # all\n    gdb_init,  # one\n    njit,\n    gdb,\n)", None),
    ("from numba import gdb, \\\n    njit, \\\n    gdb_init", None),
    ("from numba import gdb_init, gdb, njit, gdb_breakpoint, cuda", None),
)
def test_imports_keep_what_is_allowed(text, left):
    found = sliced(f"{text}\n\ndef f(x):\n    return math, sqrt, njit\n")
    assert found.of("a", "f").is_closed
    kept = found.texts()["a.py"]
    (statement,) = [one for one in ast.parse(kept).body if isinstance(one, ast.Import | ast.ImportFrom)]
    names = {alias.name for alias in statement.names}
    assert names <= {"math", "cmath", "sqrt", "tau", "njit", "cuda"}
    assert names >= {"math"} or names & {"sqrt", "njit"}
    assert kept.count("\n") == text.count("\n") + 4
    if left:
        assert kept.splitlines()[0] == left


@each(
    "line",
    *("T[0] += 3", "T[0], T[2] = 5, 0", "T[0]: int = 5", "del T[0]; T[0] = 5", "T.reverse(); T[0] = 5"),
    *("for i in range(3):\n    T[0] += 1", "if T:\n    T[0] = 5", "while T[0] < 5:\n    T[0] += 1"),
    "try:\n    T[0] += 3\nexcept KeyError:\n    pass",
)
def test_what_changes_a_table_belongs_to_who_reads_it(line):
    exec(sliced(f"T = [2, 3, 4]\n{line}\n\ndef f(x):\n    return x * T[0]\n").texts()["a.py"], held := {})
    assert held["f"](2) == 10


def test_an_import_of_a_part_binds_the_whole():
    found = sliced("import numba.cuda\nimport os.path\n\ndef f(x):\n    return numba.cuda.to_device(x)\n")
    assert found.texts()["a.py"].startswith("import numba.cuda\n")


def test_only_the_exact_main_guard_is_left_out():
    guarded = "def f(x):\n    return x\n\nif {test}:\n    f = None\n"
    assert "f = None" not in sliced(guarded.format(test="__name__ == '__main__'")).texts()["a.py"]
    assert "f = None" in sliced(guarded.format(test="__name__ != 'x'")).texts()["a.py"]


def test_a_function_is_the_one_that_is_written_last():
    text = sliced("def f(x):\n    raise NotImplementedError\n\ndef f(x):\n    return x\n").texts()["a.py"]
    assert ("raise" in text, "return" in text) == (False, True)
    compiled = HEAD + "def g(x):\n    return x\n\ng = njit(g)\n\ndef f(x):\n    return g(x)\n"
    assert "def g(x):\n    return x\n\ng = njit(g)" in sliced(compiled).texts()["a.py"]


def test_names_are_followed_into_other_files_which_keep_their_own_import_from_the_future():
    text = "from b import g\nimport c\n\ndef f(x):\n    return g(x) + c.h(x)\n"
    found = sliced(text, b="def g(x):\n    return x\n\ndef other():\n    import os\n", c="def h(x):\n    return x\n")
    assert found.of("a", "f").is_closed
    assert set(found.texts()) == {"a.py", "b.py", "c.py"}
    assert "other" not in found.texts()["b.py"]
    every = sliced(
        "from b import *\n\ndef f(x):\n    return g(x) + sqrt(x)\n",
        b="from c import *\n",
        c=(
            "from math import *\nfrom b import *\n\ndef g(x):\n    return _h(x)\n\n"
            "def _h(x):\n    return x\n\nother = 1\n"
        ),
    )
    assert every.of("a", "f").is_closed
    assert "def _h" in every.texts()["c.py"]
    assert "other" not in every.texts()["c.py"]
    helper = "from __future__ import annotations\nimport secrets\n\ndef g(x: secrets.Token):\n    return x\n"
    found = sliced("from g import g\n\ndef f(x):\n    return g(x)\n", g=helper)
    assert found.of("a", "f").is_closed
    assert found.texts()["g.py"] == helper.replace("import secrets", "")


@each("kind, name", [("ClassVar", "ClassVar"), ("t.ClassVar[int]", "t"), ("InitVar[int]", "InitVar")])
def test_what_tells_a_dataclass_that_a_name_is_no_field_is_kept_where_annotations_are_texts(kind, name):
    imports = "from __future__ import annotations\nimport typing as t\nfrom typing import ClassVar\n"
    own = f"from dataclasses import InitVar, dataclass\n\n@dataclass\nclass P:\n    k: {kind} = 2\n    x: int = 3\n"
    found = sliced(f"{imports}{own}\ndef f(x):\n    return P().x\n")
    assert found.of("a", "f").is_closed
    kept = [alias for line in ast.parse(found.texts()["a.py"]).body for alias in getattr(line, "names", ())]
    assert name in [alias.asname or alias.name for alias in kept]


def test_what_another_function_does_opens_nothing_and_one_that_is_not_there_is_none_that_could_be_followed():
    text = "import os, math, abc as __builtins__\n\ndef f(x):\n    return math.pi\n\ndef g(x):\n    return os.abort()\n"
    found = cut({"a.py": text.encode()}, [("a", "f"), ("a", "g")])
    assert found.of("a", "f").is_closed
    assert not found.of("a", "g").is_closed
    assert all(word not in found.texts()["a.py"] for word in ("abort", "__builtins__"))
    assert "binds no h" in str(found.of("a", "h").openings)


def test_a_file_whose_functions_change_very_many_names_is_not_read():
    text = f"def b():\n    global {', '.join(f'n{i}' for i in range(200))}\n\n\ndef f(x):\n    return x\n"
    (opening,) = cut({"a.py": text.encode()}, [("a", "f")]).of("a", "f").openings
    assert "such as b, that change too many names" in opening.words


def test_reading_is_bounded_in_time():
    methods = "".join(f"    def m{number}(self):\n        return self.m{number + 1}\n" for number in range(4000))
    text = f"class G:\n{methods}\ndef f(x):\n    return G().m0()\n"
    assert "takes too long" in str(cut({"a.py": text.encode()}, [("a", "f")], limit_s=-1.0).of("a", "f").openings)


@given(st.text(alphabet="abf=():\n  1\"'é;#\\,[]@.", max_size=80))
@settings(max_examples=examples(300))
def test_no_text_makes_the_reader_fail_and_what_remains_is_python(text):
    for kept in cut({"a.py": text.encode()}, [("a", "f")]).texts().values():
        ast.parse(kept)


DRAWS = {
    "a function of its own, and an import of its name": (
        "def draw():\n    pass\n\nfrom random import random as draw\n\ndef f(x):\n    return draw()\n"
    ),
    "an imported module": "import random\n\ndef f(x):\n    return x if random.random() < 0.5 else -x\n",
    "a module by another name": "import random as r, math\n\ndef f(x):\n    return r.randint(0, math.floor(x))\n",
    "a function by another name": "from random import randint as pick\n\ndef f(x):\n    return pick(0, x)\n",
    "everything of a module": "from random import *\n\ndef f(x):\n    return randint(0, x)\n",
    "a part of numpy": "import numpy as np\n\ndef f(x):\n    return np.random.rand()\n",
    "a part of numpy by another name": "from numpy import random as r\n\ndef f(x):\n    return r.rand()\n",
    "a seed that is drawn": "import random\n\ndef f(x):\n    random.seed(random.random())\n    return x\n",
    "a helper": "import random\n\ndef g():\n    return random.random()\n\ndef f(x):\n    return g()\n",
}
DRAWS_NOT = {
    "another function does": "import random\n\ndef g():\n    return random.random()\n\ndef f(x):\n    return x\n",
    "one line imports what another needs": "import math, random\n\ndef f(x):\n    return math.floor(x)\n",
    "one line imports parts for another": "from numpy import random, zeros\n\ndef f(x):\n    return zeros(3)\n",
    "a comment": "def f(x):\n    # random\n    return x\n",
    "a seed": "import numpy as np\n\nnp.random.seed(1)\n\ndef f(x):\n    np.random.seed(2)\n    return x\n",
}


@each("text", DRAWS | DRAWS_NOT)
def test_the_words_of_a_slice_tell_of_random_numbers_of_its_own(text):
    assert ("random" in sliced(text).words("a", "f")) == (text in DRAWS.values())


@each("call, reads", [("int(x)", False), ("int(x, 36)", True), ("int(x, base=36)", True), ("float(x)", False)])
def test_integers_of_digits_are_told_from_other_numbers(call, reads):
    assert (INT_OF_DIGITS in sliced(f"def f(x):\n    return {call}\n").words("a", "f")) == reads


@each("product, is_told", ("x @ x", True), ("x.__matmul__(x)", True), ("times(x, x)", True), ("x._matmul(x)", False))
def test_a_product_is_told_by_whatever_name(product, is_told):
    words = sliced(f"from operator import matmul as times\n\ndef f(x):\n    return {product}\n").words("a", "f")
    assert (".matmul" in words) == is_told
