"""What reaches beyond a file is found; what homework does is not."""

import ast
import sys
from pathlib import Path

import pytest

from grader.source.reach import find_reaching

sys.path.insert(0, str(Path(__file__).parents[1] / "sources"))
import legitimate
import legitimate_max

REACHING = {
    "frames": "import sys\nsys._getframe(1)",
    "a traceback's frame": "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_back",
    "a generator's frame": "g = (x for x in ())\ng.gi_frame.f_back",
    "all objects": "import gc\ngc.get_objects()",
    "all objects by name": "from gc import get_objects",
    "a function's globals": "from numba import cuda\ncuda.jit.__globals__",
    "a function's closure": "f.__closure__[0].cell_contents",
    "the module table": "import sys\nsys.modules['numpy']",
    "the module table by name": "from sys import modules",
    "the grader": "import grader.worker.child",
    "the grader, from": "from grader.cuda_cpu.observers import notify",
    "another module's os": "import numpy as np\nnp.lib.npyio.os",
    "another module's sys by getattr": "import numpy as np\ngetattr(np, 'sys')",
    "computed names": "import numpy as np\ngetattr(np, 'max' + 'imum')",
    "attrgetter": "import operator\noperator.attrgetter('f_back')",
    "eval": "eval('1')",
    "exec in a function": "def f():\n    exec('x = 1')",
    "a changed library": "import numpy as np\nnp.maximum = None",
    "a changed clock": "import time\ntime.perf_counter = lambda: 0",
    "a changed class of a library": "from numba import cuda\ncuda.jit.something = 1",
    "a changed function of its own": "def f(): pass\nf.overloads = {}",
    "a class of a library, by its object": "from numba import cuda\ntype(cuda.jit).call = None",
    "the same behind a name": "kind = type(f)\nkind.call = None",
    "the same behind a parameter": "def put(kind):\n    kind.call = None",
    "the same behind the name self": "class A:\n    def f(self):\n        self.x = 1\nself = type(f)\nself.call = None",
    "the same in a method": "class A:\n    def f(self, other):\n        other.x = 1",
    "a deleted name of a library": "import numpy as np\ndel np.maximum",
    "globals by text": "globals()['f'] = 1",
    "globals updated": "globals().update(f=1)",
    "a module's dict": "import numpy as np\nnp.__dict__['maximum']",
    "the module table, renamed": "import sys as s\ns.modules",
    "the module table, all": "from sys import *",
    "the module table by getattr": "import sys\ngetattr(sys, 'modules')",
    "getattr handed on": "import functools\nfunctools.reduce(getattr, ['a'], f)",
    "fork, renamed": "import os as o\no.fork()",
    "code around launches": "from numba import cuda\n@cuda.jit(extensions=[1])\ndef k(): pass",
    "options changed": "k.targetoptions['extensions'] = [1]",
    "pickles": "import numpy as np\nnp.load('x', allow_pickle=True)",
    "mock": "from unittest import mock",
    "ctypes": "import ctypes",
    "importlib": "import importlib",
    "raw memory in numba": "from numba import carray",
    "fork": "import os\nos.fork()",
    "fork by name": "from os import fork",
    "a match pattern": "match x:\n    case object(__globals__=g):\n        pass",
    "a trace function": "import sys\nsys.settrace(None)",
    "subclasses": "object.__subclasses__()",
    "the built-in functions through one of them": "print.__self__.exec('x = 1')",
    "a module through a private name": "import collections\ncollections._sys.modules",
    "an attribute called modules": "table.modules['numpy']",
    "a text that timeit runs": "import timeit\ntimeit.timeit('import sys')",
    "a text that timeit runs, by name": "from timeit import repeat as r\nr('import sys')",
    "a text that timeit runs, from a variable": "import timeit\ncode = 'import sys'\ntimeit.Timer(code)",
    "a set-up that timeit runs": "import timeit\ntimeit.timeit(f, setup='import sys')",
    "annotations that typing evaluates": "import typing\ntyping.get_type_hints(f)",
    "annotations that functools evaluates": "from functools import singledispatch",
    "a reader of documentation that imports": "import pydoc\npydoc.locate('numpy.dot')",
    "logging that imports": "import logging.config",
    "logging that calls back": "import logging\nlogging.getLogger('numba').addHandler(h)",
    "numpy's tests that run texts": "import numpy as np\nnp.testing.runstring('x = 1', {})",
    "numpy's errors that call back": "import numpy as np\nnp.seterrcall(f)",
    "the collector that calls back": "import gc\ngc.callbacks.append(f)",
    "the collector under another name": "import gc\nother = gc\nother.get_threshold()",
    "os under another name": "import os\nother = os\nother.fork()",
    "threads": "import threading",
    "threads under another name": "from multiprocessing.pool import ThreadPool",
    "processes": "import multiprocessing\nmultiprocessing.Process(target=f)",
    "numba's types": "from numba.extending import typeof_impl",
    "numba's events": "from numba.core import event",
    "the error stream": "import sys\nsys.stderr = f",
    "prints led elsewhere": "from contextlib import redirect_stderr",
    "its own memory as a file": "open('/proc/self/mem', 'r+b')",
    "a file of a computed name": "open('/pr' + 'oc/self/mem', 'r+b')",
    "a file under another name": "o = open\no(x)",
    "a file by its path": "from pathlib import Path\nPath('/proc/self/mem').open('r+b')",
    "globals kept": "g = globals()\ng['__builtins__']",
    "a class of another module": "class A:\n    __module__ = 'numba.cuda.args'",
    "an address": "A.__array_interface__['data']",
    "code by its type": "from types import CodeType",
    "elsewhere than as a program": "if __name__ != '__main__':\n    exec('x = 1')",
    "otherwise than as a program": "if __name__ == '__main__':\n    pass\nelse:\n    exec('x = 1')",
    "not only as a program": "if __name__ == '__main__' or True:\n    exec('x = 1')",
    "as a program in name only": "__name__ = '__main__'\nif __name__ == '__main__':\n    exec('x = 1')",
    "as a program in the name of a module": "import sys as __name__",
}
HOMEWORK = {
    "settings": "import numba, os\nnumba.config.THREADING_LAYER = 'omp'\nos.environ['X'] = '1'",
    "its own attributes": "class A:\n    def __init__(self):\n        self.x = 1",
    "timing below the guard": "if __name__ == '__main__':\n    timeit.timeit('f()', globals=globals())\n    eval('1')",
    "warnings": "import warnings\nfrom numba.core.errors import NumbaWarning\nwarnings.simplefilter('ignore')",
    "objects of its own": "class A:\n    pass\na = A()\na.x = 1",
    "shapes": "import numpy as np\nC = np.zeros(4)\nC.shape = (2, 2)",
    "plain getattr": "import numpy as np\ngetattr(np, 'sqrt')",
    "streams": "import sys\nsys.stdout.flush()",
    "garbage collection": "import gc\ngc.collect()",
    "timing": "import timeit\ndef f(g):\n    timeit.timeit(g, number=3)\n    timeit.Timer(lambda: g(1)).repeat(3, 20)",
    "cores": "import multiprocessing as mp\nimport os\nmp.cpu_count() + os.cpu_count()",
    "a private attribute of its own": "class A:\n    def f(self):\n        self._x = 1\ndef f(a):\n    a._x",
    "a named tuple": "from collections import namedtuple\nP = namedtuple('P', 'x y')\nP(1, 2)._replace(x=3)",
    "a log": "import logging\nlog = logging.getLogger(__name__)\nlogging.getLogger('numba').setLevel(logging.ERROR)",
    "a path": "import os, sys\nsys.path.append(os.path.dirname(os.path.abspath(__file__)))",
    "as a program, with a condition": "import sys\nif __name__ == '__main__' and len(sys.argv) > 1:\n    eval('1')",
    "a file in its own folder": "with open('times.txt', 'w') as f:\n    f.write('1')",
    "what went wrong": "import traceback\ntry:\n    f()\nexcept ValueError:\n    traceback.print_exc()",
    "who and what": "import numba\n__author__ = 'me'\nprint(numba.__version__, type(f).__name__, f.__doc__)",
}


@pytest.mark.parametrize("name", REACHING)
def test_what_reaches_beyond_the_file_is_found(name):
    found = list(find_reaching(ast.parse(REACHING[name])))
    assert found
    assert all(line >= 1 and words for line, words in found)


@pytest.mark.parametrize("name", HOMEWORK)
def test_what_homework_does_is_left_alone(name):
    assert list(find_reaching(ast.parse(HOMEWORK[name]))) == []


def test_modules_beside_the_file_are_imported_as_usual_ones():
    tree = ast.parse("from network import Network\nimport elsewhere")
    assert [words for _line, words in find_reaching(tree, ["network"])] == ["imports elsewhere"]


_TABLES = [table for module in (legitimate, legitimate_max) for name, table in vars(module).items() if name.isupper()]


def test_all_legitimate_sources_are_left_alone():
    texts = [text for table in _TABLES for text in _texts(table)]
    assert len(texts) > 50
    for text in texts:
        assert list(find_reaching(ast.parse(text))) == [], text


def _texts(table):
    for value in table.values() if isinstance(table, dict) else table:
        parts = value if isinstance(value, tuple) else (value,)
        yield from (part for part in parts if isinstance(part, str) and "\n" in part)
