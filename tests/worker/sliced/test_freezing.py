"""A slice stores attributes only on what it defined itself; whatever it is handed stays as it is."""

import collections
import fractions
import random

import pytest

from grader.cuda_cpu.arguments import In
from grader.worker.sliced import freezing

KERNEL = "from numba import cuda\n@cuda.jit\ndef kernel(x):\n    x[0] = 1\n"
OWN = (
    "from abc import ABC\nclass Mine(ABC):\n    def put(self, name, value):\n        setattr(self, name, value)\n"
    "        return getattr(self, name)\n    def get(self, *given):\n        return getattr(self, *given)\n"
)
OF_OTHERS = {
    "a class of the standard library": "import collections\ncollections.Counter.most_common = len",
    "its base": "import collections\nclass Mine(collections.Counter):\n    pass\ncollections.UserDict.get = len",
    "a class that is not made by a name": "import random\ntype(random.Random(3)).random = len",
    "a class of a value": "from fractions import Fraction\nFraction(1, 2).__class__.limit_denominator = len",
    "an abstract class": "from abc import ABC\nABC.register = len",
    "a class of typing": "from typing import Generic\nGeneric.copy = len",
    "an enumeration's class": "from enum import Enum\nEnum.name = 'x'",
    "a context manager": "from contextlib import ExitStack\nExitStack.push = len",
    "a type of NumPy": "np.float64.dtype = int",
    "the type of arrays": "np.ndarray.sum = len",
    "a generator of random numbers": "np.random.Generator.normal = len",
    "an exception of NumPy": "np.linalg.norm\nnp.exceptions = 1",
    "a value of numba.cuda": "from numba import cuda\ncuda.In.value = property(len)",
    "a type of Numba": "from numba import types\ntypes.Array.copy = len",
    "a list of Numba": "from numba.typed import List\nList.append = len",
    "a number of the executor": "from numba import cuda\ncuda.threadIdx.x = 1",
    "a kernel's array": "from numba import cuda\ncuda.device_array(3).size = 1",
    "the class of kernels' arrays": "from numba import cuda\ncuda.device_array(3).__class__.size = 1",
    "what is handed over to a kernel": "from numba import cuda\ncuda.In(A).value = B",
    "a kernel's options": f"{KERNEL}kernel.targetoptions = {{}}",
    "a kernel's method": f"{KERNEL}kernel.specialize = len",
    "a field that kernels withhold": f"{KERNEL}kernel.parent = 1",
    "a kernel's field, deleted": f"{KERNEL}del kernel.overloads",
    "a field of a launch": f"{KERNEL}kernel[1, 1].calls = 1",
    "a stream": "from numba import cuda\ncuda.stream().synchronize = len",
    "a device": "from numba import cuda\ncuda.get_current_device().name = 'x'",
    "a context": "from numba import cuda\ncuda.current_context().reset = len",
    "a function, made anew": "np.fmax.__init__('copy', np.copy)",
    "a function, made anew by a library": "import contextlib\nwith contextlib.ExitStack() as after:\n"
    "    after.callback(np.fmax.__init__, 'copy', np.copy)",
    "a module, made anew": "np.__init__('numpy', len)",
    "a compiled function, made anew": "from numba import njit\nC = njit(lambda x: x)\nC.__init__(len, 'g', C, len)",
    "a kernel, made anew": f"{KERNEL}kernel.__init__(len, {{}})",
    "a list of Numba, made anew": "from numba.typed import List\nC = List([1])\nC.__init__([2])",
    "a type of Numba, made anew": "from numba import types\ntypes.float64.__init__(types.int64)",
    "what is handed over to a kernel, made anew": "from numba import cuda\nC = cuda.In(A)\nC.__init__(B)",
    "an array's shape, deleted": "del A.shape",
    "a method, deleted": "import collections\ndel collections.Counter.most_common",
    "by a loop's variable": "import collections\nfor collections.Counter.copy in (1, 2):\n    pass",
    "by a with statement": "import collections, contextlib\n"
    "with contextlib.nullcontext(1) as collections.Counter.copy:\n    pass",
    "as a data class": "import collections, dataclasses\ndataclasses.dataclass(collections.UserList)",
    "by a name of its own class's object, under a name that leads away": f"{OWN}C = Mine().put('ctypes', 1)",
    "by a computed name, of another's object": f"{OWN}C = Mine.put(np.random.default_rng(), 'normal', len)",
    "by a computed name, of a class that has a library's for a base": f"{OWN}import collections\n"
    "class Other(collections.Counter):\n    put = Mine.put\nC = Other().put('total', 1)",
    "by the setter of all objects": "object.__\U0001d42cetattr__(np.fmax, 'count', 1)",
    "a type of Numba's core": "from numba.core import types\ntypes.float64.cast_python_value = len",
    "the type in a signature": "from numba import types as t\nt.float64(t.int64).return_type.cast_python_value = len",
    "records with arrays in them": "C = np.zeros(1, [('a', 'f8', (2, 2))])[0]['a']",
    "the state of random bits": "C = np.random.MT19937(1).state['state']['key']",
    "a library's field": "import logging as l\nclass M(l.NullHandler):\n    _name = 1\nC = l.NullHandler()._name",
    "by unpacking": "import collections\n(collections.Counter.copy, C) = 1, 2",
    "a standard stream": "import sys\nsys.stdout.write = len",
    "the environment": "import os\nos.environ.get = len",
}
OF_ITS_OWN = {
    "a field": "class Mine:\n    pass\nC = Mine()\nC.value = 1\nC = C.value",
    "a field, by a computed name": f"{OWN}C = Mine().put(f'W{1}', 1)",
    "fields of a class and of a list of its own": "class _Mine(list):\n    pass\nC = _Mine()\nsetattr(C, '_size', 1)\n"
    "setattr(_Mine, 'rows', {_Mine.__name__: 1}['_Mine'])\nC = C._size * C.rows",
    "a field that may be missing": f"{OWN}C = getattr(None, 'W', Mine().get('W', 1))",
    "a class's field": "class Mine:\n    count = 0\nMine.count += 1\nC = Mine.count",
    "a class's method": "class Mine:\n    pass\nMine.get = lambda self: 1\nC = Mine().get()",
    "a function's field": "def count():\n    count.calls = 1\n    return count.calls\nC = count()",
    "a subclass of the standard library": "import collections\nclass Mine(collections.Counter):\n    pass\n"
    "Mine.most_common = lambda self: 1\nC = Mine().most_common()",
    "an object, made anew": "class Mine:\n    def __init__(self, value):\n        self.value = value\n"
    "C = Mine(2)\nC.__init__(1)\nC = C.value",
    "a subclass, made by its base": "from numba import NumbaWarning\nclass Mine(NumbaWarning):\n"
    "    def __init__(self, value):\n        self.value = value\n        super().__init__('x')\nC = Mine(1).value",
    "a private field, by a text": f"{OWN}C = Mine()\nC.put('_mpi' + '_call', 1)\nobject.__setattr__(C, '_real', 1)\n"
    "C = C._real * C._mpi_call",
    "a private field with a place": "class _M:\n    __slots__ = ('_log', '__own')\n    def __init__(self):\n"
    "        self._log = self.__own = 1\n    def get(self):\n        return self.__own\nC = _M().get() * _M()._log",
    "a private field of a data class": "from dataclasses import dataclass, replace\n@dataclass\nclass Mine:\n"
    "    _log: int\n    def _module(self):\n        return self._log\nC = replace(Mine(_log=2), _log=1)._module()",
    "texts with private names": "class Mine:\n    _W = _d = 1\n    def get(self):\n        n = 'a'\n"
    "        return {f'{n}_W': self._W, '_d': 1}['a_W'] + {'_W': 2}['_' + 'W'] + len(f'{10:_d}') - 4\nC = Mine().get()",
    "a frozen data class's field": "from dataclasses import dataclass\nfrom typing import Generic, TypeVar\n"
    "@dataclass(frozen=True)\nclass Mine(Generic[TypeVar('T')]):\n    n: int = 0\n    def __post_init__(self):\n"
    "        object.__setattr__(self, 'n', 1)\nC = Mine().n",
    "data class": "from dataclasses import dataclass, fields\n@dataclass\nclass M:\n    n: int = 1\nC = len(fields(M))",
    "a frozen data class, as a key": "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass Mine:\n"
    "    __hash__ = object.__hash__\n    count: int = 0\n"
    "@dataclasses.dataclass(frozen=True)\nclass Key:\n    count: int = 0\nC = {Key(): 1}[Key()]",
    "an ordered class": "import functools\n@functools.total_ordering\nclass Mine:\n"
    "    def __lt__(self, other):\n        return True\n    def __eq__(self, other):\n        return False\n"
    "C = int(Mine() <= Mine())",
    "a field of a namespace": "from types import SimpleNamespace\nC = SimpleNamespace(n=0)\nC.n += 1\nC = C.n",
    "two labels at once": "def f():\n    pass\nf.__name__ = f.__qualname__ = 'g'\nC = len(f.__qualname__)",
    "a class of Numba's types": "from numba import types\nC = repr(types.Array(types.float64, 2, 'A')).count(\"'A'\")",
    "an array's shape": "C = A.copy()\nC.shape = (C.size,)\nC = C.ndim",
    "the entries of an array": "C = A.copy()\nC.flat = 1\nC = int(C[0, 0])",
    "a setting of Numba": "import numba\nnumba.config.THREADING_LAYER = 'omp'\nC = 1",
    "a mark on a compiled function": "from numba import njit\nC = njit(len)\nC.calls = 1\nC = C.calls",
    "a mark on a kernel": f"{KERNEL}kernel.calls = 0\nkernel.calls += 1\nC = kernel.calls",
    "a mark that is gone": f"{KERNEL}kernel.calls = 0\ndel kernel.calls\nC = 1 - hasattr(kernel, 'calls')",
}


HIDDEN = {
    "by a pattern": "C = 1\nmatch np.add:\n    case object(_real=C):\n        pass",
    "by a text, perhaps of its own class": "class S(str):\n    startswith = lambda *_: False\n"
    "C = 1 + hasattr(A, '_made' + '_from') + hasattr(A, S('_made_from'))",
    "by a type of its own that is called as Python's": "from abc import ABC\nclass str(ABC):\n"
    "    __match_args__ = ('dtype',)\nstr.register(np.ndarray)\nC = 1\nmatch A:\n    case str(C):\n        pass",
    "by a field of a subclass": "from types import SimpleNamespace\nclass Mine(SimpleNamespace, np.random.Generator):\n"
    "    pass\nC = 1\ntry:\n    C = Mine(**{'_re' + 'al': np}).pi\nexcept AttributeError:\n    pass",
    "by a comparison": "from numba import types\nseen = []\nclass Mine:\n    __hash__ = None\n"
    "    def __eq__(self, other):\n        seen.append(other)\n        return True\n"
    "C = 1 + (types.float64 == Mine()) + len(seen)",
    "by an import in a class": "class Mine(np.float64):\n    import math as _real\nC = Mine(2) - 1",
}


@pytest.mark.parametrize("lines", HIDDEN.values(), ids=HIDDEN)
def test_a_slice_finds_no_private_name_of_others(unread, pair, lines):
    assert unread(lines).call(*pair).value == 1


@pytest.mark.parametrize("lines", OF_OTHERS.values(), ids=OF_OTHERS)
def test_a_slice_stores_nothing_on_what_it_was_handed(unread, pair, lines):
    with pytest.raises((AttributeError, TypeError)):
        unread(lines).call(*pair)


@pytest.mark.parametrize("lines", OF_ITS_OWN.values(), ids=OF_ITS_OWN)
def test_a_slice_stores_what_it_likes_on_what_it_defined(unread, pair, lines):
    done = unread(lines).call(*pair)
    assert (done.value, done.seen.refused) == (1, ())


def test_the_observers_books_are_made_of_built_in_types(run):
    seen = run("import collections\nC = np.maximum(A, B)").seen
    assert seen.mixed == 1
    assert type(seen.mixes[0]) is str


@pytest.mark.parametrize("kind", [collections.Counter, fractions.Fraction, random.Random, In])
def test_what_was_frozen_can_be_released_for_the_next_test(kind):
    freezing.freeze(kind)
    with pytest.raises(TypeError, match="immutable type"):
        kind.mark = 1
    freezing.release()
    kind.mark = 1
    del kind.mark


def test_a_class_whose_own_type_takes_no_attributes_is_frozen_as_well():
    class Firm(type):
        def __setattr__(cls, name, value):
            raise TypeError(name)

    def make(self):
        self.x = 1

    kind = Firm("Kind", (), {"__init__": make, "__module__": "grader.mpi"})
    freezing.freeze(kind)
    try:
        assert kind().x == 1
    finally:
        freezing.release()
    assert vars(kind)["__init__"] is make


def test_what_is_spared_stays_as_it_is():
    class Spared:
        pass

    class Below(Spared):
        pass

    freezing.freeze(Below, frozenset({Spared}))
    Spared.mark = 1
    with pytest.raises(TypeError, match="immutable type"):
        Below.mark = 1
    freezing.release()


def test_a_python_that_keeps_flags_elsewhere_is_told():
    class Elsewhere(type):
        __flags__ = 0

    class Kind(metaclass=Elsewhere):
        pass

    with pytest.raises(RuntimeError, match="keeps the flags of classes elsewhere"):
        freezing.freeze(Kind)
