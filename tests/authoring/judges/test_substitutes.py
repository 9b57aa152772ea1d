"""Parts are tried in the order of their needs, and those that are wrong are replaced for what comes later."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from grader.authoring import Note, StudentFault, WorkerError, fail
from grader.authoring.judges.scenarios import Scene
from grader.authoring.judges.substitutes import Part, Runner, find_wrong, part
from grader.worker.runs import Run
from grader.worker.wire import Seen

STUDENT = SimpleNamespace(ask_whole=lambda *_call: SimpleNamespace(value=["one", "two", "three", "four"]))


@dataclass
class Trials:
    """Parts of which some are wrong; `seen` is what was replaced when each was tried."""

    wrong: set[str]
    seen: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def part(self, name):
        def judge(runner):
            self.seen[name] = runner.replaced
            if name in self.wrong:
                fail("It is wrong.")

        return Part(name, judge)


def test_each_part_is_tried_with_the_staffs_versions_of_wrong_ones_but_not_of_what_is_not_written():
    trials = Trials({"a.one", "a.three"})
    parts = map(trials.part, ("a.one", "a.two", "a.one", "a.three", "a.four"))
    assert find_wrong(Runner(STUDENT, "PARTS = {}"), parts).replaced == ("a.one", "a.three")
    assert trials.seen == {"a.one": (), "a.two": ("a.one",), "a.three": ("a.one",), "a.four": ("a.one", "a.three")}
    assert find_wrong(Runner(STUDENT, "PARTS = {}"), [Trials({"a.absent"}).part("a.absent")]).wrong == ()


def test_in_a_kit_nothing_is_replaced_and_the_student_learns_what_is_wrong():
    found = find_wrong(Runner(STUDENT, ""), [Trials({"a.one"}).part("a.one")])
    note = Note()
    found.remark(note)
    assert (found.replaced, found.wrapped(("scenes", "ask"), (1,))) == ((), (("scenes", "ask"), (1,)))
    assert found.followed([("a", "one")]) == [("a", "one")]
    assert "`a.one`; when staff grade, the staff's versions run" in note.remarks[0].message
    assert note.facts == {"wrong_parts": ["a.one"]}


def test_a_scenario_gets_the_names_of_what_is_replaced_which_need_not_be_followed_unless_it_is_shared():
    runner = Runner(STUDENT, "PARTS = {}").without("a.one", "a.two")
    child, called = "grader.worker.substitutes", ("PARTS = {}", ["a.one", "a.two"], "scenes", "ask", 1)
    assert runner.wrapped(("scenes", "ask"), (1,)) == ((child, "call"), called)
    assert runner.wrapped(("scenes", "ask"), (1,), on_ranks=True)[0] == (child, "call_on_rank")
    assert runner.only("a.two").replaced == ("a.two",)
    uses = [("a", "one"), ("a", "two"), ("b", "three")]
    runner = Runner(STUDENT, "PARTS = {}", shared=frozenset({"a.two"})).without("a.one", "a.two")
    assert runner.followed(uses) == [("a", "two"), ("b", "three")]


def test_a_part_that_kernels_have_to_make_is_wrong_if_they_did_not_and_not_if_nobody_saw_who_did():
    right = np.arange(12.0).reshape(3, 4)
    judge = part("a.one", ("scenes", "ask"), (), [], {"Z": right}, by_kernels=True).judge

    def judged(seen):
        judge(SimpleNamespace(run=lambda *_call: Run("it", {"Z": right}, seen)))

    judged(None)
    with pytest.raises(StudentFault):
        judged(Scene(Seen()))


def test_a_fault_of_ours_is_no_wrong_part():
    def judge(_drive):
        raise WorkerError("the worker is gone")

    with pytest.raises(WorkerError):
        find_wrong(Runner(STUDENT, "PARTS = {}"), [Part("a.one", judge)])


def test_nothing_is_said_where_nothing_is_wrong():
    note = Note()
    Runner(STUDENT, "PARTS = {}").remark(note)
    assert (note.remarks, note.facts) == ([], {})
    with pytest.raises(StudentFault):
        Trials({"a.one"}).part("a.one").judge(Runner(STUDENT, "PARTS = {}"))
