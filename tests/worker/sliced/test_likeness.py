"""What a function is, told so that two processes can compare it: whatever it holds belongs to it."""

import importlib.util

import pytest

from grader.worker.sliced.likeness import describe_all

TEXT = """
SIZES = [1, 2]


def helper(x):
    return x + len(SIZES)


def f(x, scale=2, *, shift=1):
    return helper(x) * scale + shift
"""


@pytest.fixture
def described(tmp_path):
    """Return a function that imports the text anew, changes it, and describes its `f`."""

    def describe(change=lambda _: None):
        file = tmp_path / "sample.py"
        file.write_text(TEXT)
        spec = importlib.util.spec_from_file_location("sample", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        change(module)
        return describe_all({"f": module.f}, file)["f"]

    return describe


CHANGES = {
    "its default values": lambda module: setattr(module.f, "__defaults__", (3,)),
    "its default values of keywords": lambda module: setattr(module.f, "__kwdefaults__", {"shift": 5}),
    "its code": lambda module: setattr(module.f, "__code__", module.helper.__code__),
    "what it calls": lambda module: setattr(module, "helper", lambda x: x),
    "what that reads": lambda module: module.SIZES.append(3),
}


def test_the_same_text_is_the_same_function(described):
    assert described() == described()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_function_that_holds_something_else_is_another_one(described, change):
    assert described(change) != described()
