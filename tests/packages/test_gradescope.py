"""The layout of Gradescope's package; tests/packages/test_container.py runs one."""

import zipfile

from grader.assignment import load_assignment
from grader.packages.parts import gather
from grader.packages.platforms import make_package


def test_what_gradescope_looks_for_lies_in_the_root_and_can_be_executed(tmp_path):
    made = make_package("gradescope", gather(load_assignment("hw1")), tmp_path)
    assert made.name == "autograder.zip"
    with zipfile.ZipFile(made) as archive:
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert {"setup.sh", "run_autograder", "install.sh", "settings.json", "constraints.txt"} <= set(modes)
    assert all(modes[name] & 0o111 for name in ("setup.sh", "run_autograder", "install.sh"))
