"""A worker sees what it runs and nothing that judges it, however this project is installed."""

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from rows import some
from subprocesses import ended

from grader.sandbox import view

ROOT = Path(__file__).parents[2]


def test_of_this_project_only_what_runs_inside_is_read_and_nothing_hidden_through_it():
    ours = [path for path in view.installed_view().read if path.is_relative_to(ROOT) and ".venv" not in path.parts]
    assert {path.name for path in ours if path.suffix != ".pyc"} == {
        "__init__.py", "model.py", "errors.py", "slices", "worker", "cuda_cpu", "mpi", "sandbox",
        "physics.py", "disk.py",
    }  # fmt: skip # a list
    seen = view.installed_view()
    for path in some(seen.read):
        for part, whole in view.carve(path, seen.hidden):
            assert not (whole and view.PACKAGE.parent.is_relative_to(part) and part != view.PACKAGE.parent), part


def test_a_folder_is_split_around_what_must_be_hidden_and_stays_whole_without(tmp_path):
    for name in ("lib/package/checks", "lib/numpy", "bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to("lib/package")
    parts = dict(view.carve(tmp_path, (tmp_path / "lib/package",)))
    assert parts == {tmp_path: False, tmp_path / "bin": True, tmp_path / "lib": False, tmp_path / "lib/numpy": True}
    assert list(view.carve(tmp_path, (Path("/elsewhere"),))) == [(tmp_path, True)]


def test_folders_of_cuda_that_would_open_a_home_are_not_believed(monkeypatch, tmp_path):
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    (tmp_path / "home").symlink_to(Path.home())
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/:{Path.home()}:{ROOT}:{tmp_path}/home:relative:/does/not/exist")
    assert view.gpu_folders() == (tmp_path,)


PROGRAM = """
    import importlib.util, sys
    from pathlib import Path
    spec = importlib.util.spec_from_file_location("shared", {shared!r})
    shared = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shared)
    import grader
    from grader.sandbox.levels import try_level
    from grader.worker.process import Limits
    package = Path(grader.__file__).parent
    assert package.is_relative_to({environment!r}), package
    student = shared.start_student(Path({folder!r}), shared.find_launcher({level!r}), Limits())
    for name in ("assignments/hw1/rubric.toml", "assignments/hw1/checks/test_max.py", "scoring/score.py", "model.py"):
        print(name, student.utils.read(str(package / name)))
    for name in ("lib64", "lib/../lib64/../lib"):
        path = str(package / "scoring/score.py").replace("/lib/", f"/{{name}}/", 1)
        print(path, student.utils.read(path))
    print("write", student.utils.write(str(package / "assignments/hw1/new")))
    student.close()
"""


@pytest.mark.parametrize("level", ["full", "landlock"])
def test_a_plain_installation_does_not_show_its_checks_either(level, tmp_path):
    """The package then lies between numpy and all the others, in a folder that must be readable."""
    environment = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    site = next(environment.glob("lib/python*/site-packages"))
    shutil.copytree(ROOT / "grader", site / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    libraries = Path(pytest.__file__).parents[1]
    (site / "shared.pth").write_text(f"{libraries}\n")
    folder = tmp_path / "work"
    folder.mkdir()
    names = {"shared": str(Path(__file__).with_name("conftest.py")), "environment": str(environment)}
    program = textwrap.dedent(PROGRAM).format(**names, folder=str(folder), level=level)
    done = ended([environment / "bin/python", "-c", program], cwd=tmp_path)
    if "Skipped" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    answers = dict(line.split() for line in done.stdout.splitlines())
    closed = {"ENOENT"} if level == "full" else {"EACCES"}
    assert answers.pop("model.py") == "did"
    assert answers.pop("write") in {"ENOENT", "EACCES", "EROFS"}
    assert set(answers.values()) == closed, answers
    assert len(answers) == 5


def test_an_assignment_elsewhere_is_hidden_where_it_lies_below_something_readable(monkeypatch, tmp_path):
    folder = tmp_path / "lib/courses/tiny"
    folder.mkdir(parents=True)
    (folder / "assignment.toml").touch()
    monkeypatch.setenv("ASSIGNMENTS", str(folder.parent))
    assert folder in view._hidden({tmp_path / "lib"})
    assert folder not in view._hidden({tmp_path / "bin"})


def test_a_link_to_the_libraries_of_a_gpu_is_kept_and_never_bound_over(monkeypatch, tmp_path):
    for name in ("system/cuda-13", "elsewhere/driver"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "system/cuda").symlink_to("cuda-13")
    (tmp_path / "driver").symlink_to(tmp_path / "elsewhere/driver")
    monkeypatch.setattr(view, "_SYSTEM", (str(tmp_path / "system"),))
    seen = view.installed_view.__wrapped__((tmp_path / "system/cuda", tmp_path / "driver"))
    assert tmp_path / "system/cuda" not in dict(seen.links), "what the folder above shows already"
    assert dict(seen.links)[tmp_path / "driver"] == tmp_path / "elsewhere/driver"
    assert tmp_path / "elsewhere/driver" in seen.read


def test_a_user_without_a_name_has_no_home_to_protect(monkeypatch, tmp_path):
    def home():
        raise RuntimeError

    monkeypatch.setattr(Path, "home", home)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    assert tmp_path in view.gpu_folders()
