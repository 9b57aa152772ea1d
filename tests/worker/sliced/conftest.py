"""Slices of whatever source a test gives, opened in this process as a worker would open them."""

import gc
import sys
import tempfile
import textwrap
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader import cuda_cpu
from grader.slices.cutting import cut
from grader.worker.launches import dispatcher_class, watch_launches
from grader.worker.sliced import calllog, freezing, worker
from grader.worker.sliced.launches import array_class
from grader.worker.student import write_slices

MODULE = "sample"
HEAD = "import functools, itertools, operator\nimport numpy as np\n\n\ndef f(A, B):\n"


@pytest.fixture(scope="module", autouse=True)
def _frozen():
    """As in a worker: nobody looks for a submission's arrays among what was there before."""
    gc.freeze()


@contextmanager
def _classes_as_they_were():
    """Yield a function that remembers the executor's classes of kernels and arrays; they are so again afterwards."""
    classes = {}

    def remember():
        cuda_cpu.install()
        watch_launches()
        for kind in (dispatcher_class(), array_class()):
            classes.setdefault(kind, dict(vars(kind)))

    yield remember
    freezing.release()
    for kind, attributes in classes.items():
        for name in [name for name, value in attributes.items() if vars(kind)[name] is not value]:
            setattr(kind, name, attributes[name])


@contextmanager
def _opener(folder):
    """Yield a function that opens the slices of a text; what they leave in this process goes with the block.

    With `unread`, what reading calls strange is opened, too: the worker has to refuse what reading lets through.
    """
    finders, modules = list(sys.meta_path), set(sys.modules)
    current_was = dict(vars(calllog.current))

    def open_text(text, functions=("f",), *, observed=True, unread=False):
        if "numba" in text:
            remember_classes()
        cut_out = cut({f"{MODULE}.py": textwrap.dedent(text).encode()}, [(MODULE, name) for name in functions])
        if unread:
            cut_out = replace(cut_out, slices={at: replace(one, openings=()) for at, one in cut_out.slices.items()})
        openings = [opening for name in functions for opening in cut_out.of(MODULE, name).openings]
        assert not openings, openings
        folder_of_slices = Path(tempfile.mkdtemp(dir=folder)) / "slices"
        slices = worker.open_slices(write_slices(cut_out, folder_of_slices), observed=observed)
        loaded = slices.load(MODULE)

        def call(*args, function=functions[0], full=True):
            value, seen = slices.call(getattr(loaded, function), args, full=full)
            return SimpleNamespace(value=value, seen=seen)

        return SimpleNamespace(slices=slices, module=loaded, call=call)

    # A slice may set print options for its process, and classes are watched for it.
    with np.printoptions(), np.errstate(), _classes_as_they_were() as remember_classes:
        yield open_text
    sys.meta_path[:] = finders
    if MODULE not in modules:
        sys.modules.pop(MODULE, None)
    vars(calllog.current).update(current_was)


@pytest.fixture
def opened(tmp_path):
    """Return a function that opens the slices of a text; what they leave in this process goes with the test."""
    with _opener(tmp_path) as open_text:
        yield open_text


@pytest.fixture
def unread(opened):
    """Return a function that opens lines as the body of `f(A, B)`; what reading would call open, too."""

    def open_body(lines):
        indented = lines.replace("\n", "\n    ")
        return opened(f"import numpy as np\n\n\ndef f(A, B):\n    C = A\n    {indented}\n    return C\n", unread=True)

    return open_body


@pytest.fixture
def pair():
    return tuple(np.random.default_rng(7).integers(0, 256, (2, 12, 12)))


@pytest.fixture
def run(tmp_path, pair):
    """Return a function that runs lines as the body of `f(A, B)` and returns what `C` is and what was seen.

    What they leave in this process goes with the next run, or with the test.
    """
    with ExitStack() as last:

        def run_body(body, *, full=True):
            last.close()
            lines = textwrap.indent(textwrap.dedent(body).strip(), "    ")
            opened = last.enter_context(_opener(tmp_path))(f"{HEAD}{lines}\n    return C\n")
            return opened.call(*(array.copy() for array in pair), full=full)

        yield run_body
