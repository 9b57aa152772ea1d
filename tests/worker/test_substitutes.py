"""The staff's versions stand in for wrong parts during one call, and take what the submission's own take."""

import sys
from types import ModuleType

import pytest
from rows import each

from grader.worker import substitutes

RIGHT = """
class StaffsLayer:
    size = None

    def __init__(self, size):
        self.size = size

    def forward(self, x, cpu_only=False):
        return ("staff", x, cpu_only)

    def add(self, x):
        return super().add(x) + 1


def staffs_area(side):
    return side * side

PARTS = {"shapes.area": staffs_area, "shapes.Layer": StaffsLayer}
"""


@pytest.fixture
def homework(monkeypatch):
    """Return modules of a submission and of the staff: `shapes`, and `user`, which imported from it."""

    def module(name, text):
        made = ModuleType(name)
        exec(text, vars(made))
        monkeypatch.setitem(sys.modules, name, made)
        return made

    shapes = module("shapes", OWN)
    user = module("user", USER)
    module("scenes", SCENES)
    return shapes, user


OWN = """
def area(side, unit=1):
    return 2 * side

class Layer:
    def __init__(self, size, name, further):
        self.name, self.forward = name, self.add
        self.forward(further)
        self.size = 2 * size

    @property
    def size(self):
        return -1

    def add(self, x):
        return 10 * x

    def describe(self):
        return f"{self.name} of {self.size}"
"""
USER = """
from shapes import area as surface, Layer

def ask(*args, **options):
    return surface(*args, **options)
"""
SCENES = """
import shapes, user

def ask(*args, **options):
    return user.ask(*args)

def ask_further():
    return user.ask(3, 7), user.ask(3, unit=7)

def build():
    layer = user.Layer(4, "a layer", further=True)
    return {
        "kind": isinstance(layer, OWN),
        "forward": layer.forward(1, cpu_only=True, training=True),
        "described": layer.describe(),
        "added": layer.add(2),
    }

def fail():
    raise KeyError(shapes.area(3))

OWN = shapes.Layer
"""
BUILT = {"kind": True, "forward": ("staff", 1, True), "described": "a layer of 4", "added": 21}
CALLS = {
    "a part is replaced under every name": (["shapes.area"], ("ask", 3), 9),
    "for one call only": ([], ("ask", 3), 6),
    "options of a student's own are left out": (["shapes.area"], ("ask_further",), (9, 9)),
    "a class inherits further members with their fields, and hides others": (["shapes.Layer"], ("build",), BUILT),
}


@pytest.mark.usefixtures("homework")
@each("parts, asked, answer", CALLS)
def test_the_staffs_parts_answer_in_the_place_of_the_submissions(parts, asked, answer):
    assert substitutes.call(RIGHT, parts, "scenes", *asked) == answer


@pytest.mark.usefixtures("homework")
def test_what_the_scenario_gets_first_on_a_rank_stays_first():
    assert substitutes.call_on_rank(3, RIGHT, ["shapes.area"], "scenes", "ask") == 9


@each("call, name", (lambda: 1, ""), (b"\xff".decode, "ValueError"), ([].index, "TypeError"))
def test_what_a_call_raises_is_named(call, name):
    assert substitutes.name_error(call) == name


def test_the_submissions_own_come_back_whatever_the_scenario_raises(homework):
    shapes, user = homework
    own = shapes.area, shapes.Layer
    with pytest.raises(KeyError, match="9"):
        substitutes.call(RIGHT, ["shapes.Layer", "shapes.area"], "scenes", "fail")
    assert (shapes.area, shapes.Layer) == (user.surface, user.Layer) == own


def test_a_library_whose_function_a_student_took_over_is_left_alone(homework):
    shapes, _ = homework
    shapes.area = own = sys.modules["posixpath"].join
    substitutes.call(RIGHT, ["shapes.area"], "scenes", "ask", 3)
    with pytest.raises(KeyError, match="9"):
        substitutes.call(RIGHT, ["shapes.area"], "scenes", "fail")
    assert shapes.area is sys.modules["posixpath"].join is own
