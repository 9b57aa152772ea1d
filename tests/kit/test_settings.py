"""What an assignment tells the kit."""

import pytest

from grader.assignment import load_assignment
from grader.errors import StaffError
from grader.kit.settings import load_settings


@pytest.fixture
def tiny(tmp_path):
    """Return a function that loads the settings of a tiny assignment with the given `kit.toml`, or without one."""

    def load(text=None, settings=""):
        folder = tmp_path / "tiny"
        folder.mkdir(exist_ok=True)
        (folder / "assignment.toml").write_text(f'files = ["utils.py"]\n{settings}')
        row = '[[check]]\nid = "net.accuracy"\npart = "All"\npoints = 1\n'
        (folder / "rubric.toml").write_text(f'assignment = "tiny"\ntitle = "Tiny"\ntotal = 1\n{row}')
        if text is not None:
            (folder / "kit.toml").write_text(text)
        return load_settings(load_assignment("tiny", root=tmp_path))

    return load


def test_the_data_set_is_read_for_the_checks_that_learn(tiny, settings):
    assert [settings.learns_from_data(check) for check in ("train.accuracy", "max.times")] == [True, False]
    assert tiny(settings='learns = ["net"]').learns_from_data("net.accuracy")
    assert not tiny().learns_from_data("net.accuracy")


def test_a_check_that_learns_and_is_none_is_told(tiny):
    with pytest.raises(StaffError, match="says that nte learns, which is no check"):
        tiny(settings='learns = ["nte"]')


@pytest.mark.parametrize(("text", "word"), [('[judges]\nnet = ["util.py"]', "util.py"), ("hides = 1", "hides")])
def test_a_kit_toml_that_names_what_is_not_there_is_told(tiny, text, word):
    with pytest.raises(StaffError, match=word):
        tiny(text)
