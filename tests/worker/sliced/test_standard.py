"""What stands for names of the standard library works as these do."""

import enum
import functools
import logging
from types import SimpleNamespace

import numpy as np
import pytest

from grader.worker.sliced import standard
from grader.worker.sliced.labels import Labelled
from grader.worker.sliced.signatures import NumbaType


def test_a_wrapped_function_has_the_name_of_the_other_and_wraps_is_made_as_the_real_one_is():
    def named(x):
        """It has a text."""
        return x

    @standard.wraps(named)
    def other(x):
        return named(x)

    assert (other.__name__, other.__doc__, other.__wrapped__) == ("named", "It has a text.", named)
    ours, real = standard.wraps(max), functools.wraps(max)
    assert (ours.func.__name__, ours.args, ours.keywords) == (real.func.__name__, real.args, real.keywords)


COUNTED = """
    import functools

    class Counted:
        def __init__(self, function):
            functools.update_wrapper(self, function)

    def f():
        return Counted(max).__name__
"""


def test_an_object_of_a_slice_is_wrapped_and_a_librarys_is_not(opened):
    assert opened(COUNTED).call().value == "max"
    for other in (logging.Logger("any"), SimpleNamespace()):
        with pytest.raises(TypeError, match="fields of one object"):
            standard.update_wrapper(other, max)


def test_fields_that_hand_memory_to_numpy_are_not_copied():
    def given():
        """Return nothing."""

    with pytest.raises(TypeError, match="such fields"):
        standard.update_wrapper(given, SimpleNamespace(__array_interface__={}))


def test_versions_for_types_are_registered_in_both_ways():
    @standard.singledispatch
    def kind(_x):
        return "all"

    @kind.register
    def _of_numbers(_x: "int"):
        return "int"

    @kind.register(str)
    def _of_texts(_x):
        return "str"

    assert [kind(1), kind("a"), kind(1.0)] == ["int", "str", "all"]


def test_fields_of_a_namespace_may_have_public_names():
    fields = {"ms": 1, "name": "a"}
    assert vars(standard.SimpleNamespace(**fields)) == fields


def test_a_path_names_a_file_and_reaches_none():
    path = standard.Path("logs") / "max.log"
    assert (str(path), path.name, path.suffix) == ("logs/max.log", "max.log", ".log")
    assert not hasattr(path, "read_bytes")
    assert not hasattr(path, "open")


@pytest.mark.parametrize("base", [standard.IntEnum, standard.IntFlag])
def test_members_of_a_class_are_found_by_their_value(base):
    class Size(base):
        ONE = 1
        TWO = 2

    assert Size(2) is Size.TWO
    assert Size.TWO == 2
    assert isinstance(Size.TWO, enum.Enum)


def test_handlers_of_logs_write_nothing_and_open_no_file(opened, tmp_path):
    sample = opened(f"""
    import logging
    logger = logging.getLogger("sample")
    handler = logging.FileHandler("{tmp_path}/log.txt", mode="w")
    handler.setLevel(logging.DEBUG)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    if not logger.handlers:
        logger.addHandler(handler)
    [logger.addHandler(other) for other in (logging.StreamHandler(), logging.NullHandler())]
    def f(x):
        logger.error("written nowhere")
        return x
    """)
    assert sample.call(3).value == 3
    assert logging.getLogger("sample").handlers == []
    assert not (tmp_path / "log.txt").exists()


def test_what_prints_by_looking_into_objects_prints_nothing(opened, capsys):
    sample = opened("""
    import traceback
    from pprint import pprint
    def f(x):
        try:
            return 1 / (x - x)
        except ZeroDivisionError:
            traceback.print_exc()
            pprint({"x": x})
        return x
    """)
    assert sample.call(3).value == 3
    assert capsys.readouterr() == ("", "")


HINTS = {
    "type[BaseException] | None": "ValueError",
    "np.dtype[np.float64] | None": "A.dtype",
    "types.ModuleType": "np",
    "types.FunctionType": "f",
    "time.struct_time": "time.localtime()",
}


@pytest.mark.parametrize("hint", HINTS)
def test_classes_may_be_named_in_annotations_and_asked_about(run, hint):
    kind, right = hint.split("[")[0], HINTS[hint]
    body = f"import time, types\ndef g(x: {hint}, y: bytes | np.finfo | None = 1):\n    return isinstance(x, {kind})"
    assert run(f"{body}\nC = g({right}), g(3), isinstance(A, bytes)").value == (True, False, False)


OF_M = "class M:\n    def __init_subclass__(cls, name=1):\n        pass\n"
HEADS = {
    "A class takes options.": f"{OF_M}class N(M, name=3):\n    pass",
    "Standard output is set up.": "sys.stdout.reconfigure(encoding='utf-8')\nN = 3",
    "An import of a package is tried.": "try:\n    from .sample import N\nexcept ImportError:\n    N = 3",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_what_files_do_at_their_import_is_done(opened, pair, head):
    text = f"import sys\n{head}\ndef f(A, B):\n    return 3 if N else 0\n"
    assert opened(text).call(*pair).value == 3


SPY = """
import numba
import numpy as np

GIVEN = []

class Spy:
    def __eq__(self, other):
        GIVEN.append(other)
        return True

    __or__ = __ror__ = __eq__

FLOAT = numba.from_dtype(np.dtype("f8"))
MADE = np.ndarray[float]((2, 2))

def f(A, B):
    GIVEN.extend((FLOAT, MADE))
    return [np.ndarray == Spy(), np.dtype != Spy(), np.array | Spy(), np.finfo | Spy(), Spy() | np.finfo]
"""


def test_what_stands_for_a_real_class_or_function_is_all_that_a_slice_is_handed(opened, pair):
    sample = opened(SPY)
    sample.call(*pair)
    assert not {*map(id, sample.module.GIVEN)} & {*map(id, (np.ndarray, np.dtype, np.array, np.finfo))}
    number, made, *_others = sample.module.GIVEN
    assert isinstance(number, NumbaType)
    assert isinstance(made, Labelled)
