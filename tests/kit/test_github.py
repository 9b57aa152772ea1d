"""GitHub's package: what students can read in it, and the workflow's own steps and classroom50's runner replayed."""

import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import handins
import pytest
import replays
import yaml
from rows import each, some

from grader.assignment import load_assignment
from grader.errors import StaffError
from grader.kit.parts import gather
from grader.kit.platforms import make_open_wheel, make_package
from grader.kit.settings import load_settings

pytestmark = [pytest.mark.wide, pytest.mark.timeout(3000)]  # everything is installed anew where a platform is replayed

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = ("hw1", "layers", "gemm", "distributed")
LIMIT_BYTES = 10 << 20
"""What classroom50's runner fetches at most."""
RUNNER = {"CLASSROOM": "gpu", "ASSIGNMENT": "hw1", "ASSIGNMENT_TYPE": "individual", "OWNER": "dana"}
RUNNER |= {"SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d"}
URLS = {"COMMIT_URL": "commit/a1b2c3d", "RELEASE_URL": "releases/tag/submit", "REVIEW_URL": "compare/1...2"}
RUNNER |= {name: f"https://github.com/course/hw1-dana/{place}" for name, place in URLS.items()}
WORKFLOW = ".github/workflows/classroom.yml"
EXPRESSION = re.compile(r"\$\{\{ *([\w.]+) *\}\}")


@pytest.fixture(scope="module")
def made(parts, tmp_path_factory):
    """The package of hw1, which sets itself up over the network."""
    return make_package("github", parts, tmp_path_factory.mktemp("github"))


@pytest.fixture(scope="module", params=ASSIGNMENTS)
def gathered(request):
    """What the package of each assignment is made of."""
    return gather(load_assignment(request.param))


@pytest.fixture(scope="module")
def shown(gathered, tmp_path_factory):
    """An assignment, and the grader that its students can read."""
    folder = tmp_path_factory.mktemp(gathered.assignment.name)
    zipfile.ZipFile(io.BytesIO(make_open_wheel(gathered).data)).extractall(folder)
    return gathered.assignment, folder


def test_students_read_nothing_that_their_assignment_hides(shown):
    assignment, folder = shown
    settings = load_settings(assignment)
    own = folder / "grader/assignments" / assignment.name
    for name in settings.hidden:
        hidden = (assignment.folder / name).read_bytes()
        assert not (own / name).is_file() or (own / name).read_bytes() != hidden
    given = {path.read_bytes() for path in assignment.template.rglob("*") if path.is_file()}
    solved = {path.read_bytes() for path in (ROOT / "reference" / assignment.name).glob("*.py")} - given
    assert solved
    assert not solved & {path.read_bytes() for path in folder.rglob("*.py")}
    assert not list(own.glob("kit/*"))
    assert not list(folder.rglob("*_tests*")) + list(folder.glob("grader/course")) + list(folder.glob("grader/trial"))


def test_what_students_read_is_enough_to_grade(shown):
    """Every module is there that is imported while grading; the environment's own libraries serve."""
    assignment, folder = shown
    script = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\n"
        "import grader.__main__, grader.grading, grader.commands.own, grader.kit.inside.github as inside\n"
        "from grader.assignment import load_assignment\n"
        f"assert load_assignment({assignment.name!r}).folder.is_relative_to({str(folder)!r})\n"
        "from grader.reports.html import environment\n"
        "for name in ('report.html', 'curve.svg'): environment().get_template(name)\n"
    )
    subprocess.run([sys.executable, "-I", "-c", script], check=True, cwd=folder)


def test_an_assignment_with_hidden_checks_has_no_such_package(parts):
    rubric = parts.assignment.rubric
    hidden = replace(rubric, criteria=tuple(replace(row, visibility="hidden") for row in rubric.criteria))
    with pytest.raises(StaffError, match="hides"):
        make_open_wheel(replace(parts, assignment=replace(parts.assignment, rubric=hidden)))


def test_the_template_is_what_students_get_and_the_workflow_named_as_github_classroom_expects(made):
    template = made / "template"
    names = {path.relative_to(template).as_posix() for path in template.rglob("*") if path.is_file()}
    assert {"utils.py", "Makefile", "README.md", "hw1check.py", ".github/workflows/classroom.yml"} <= names
    assert ".github/workflows/autograde.yaml" not in names  # classroom50's own
    for step in some(steps_of(template)):  # there, a file of theirs could pass for a module of Python's
        assert "run" not in step or "python" not in step["run"] or step["working-directory"] == ".github/grader"
    # `repository_dispatch` may not stand in a list, says actionlint
    workflow = read_workflow(made / "template" / WORKFLOW)
    assert (workflow["name"], list(workflow["jobs"])) == ("Autograding Tests", ["run-autograding-tests"])
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["on"] == {"push": None, "workflow_dispatch": None, "repository_dispatch": None}


def read_workflow(path):
    """Return a workflow; `on`, which YAML takes for a yes, is under that name."""
    return {"on" if name is True else name: part for name, part in yaml.safe_load(path.read_text()).items()}


def steps_of(folder):
    return read_workflow(folder / WORKFLOW)["jobs"]["run-autograding-tests"]["steps"]


NODE_24 = {"checkout": 5, "setup-python": 6, "upload-artifact": 6, "download-artifact": 7}
"""The first major version of each of GitHub's own actions that declares Node 24; runners are losing Node 20."""


@each("which", ["template", "project"])
def test_no_action_asks_for_an_old_node(made, which):
    files = {"template": made / "template" / WORKFLOW, "project": ROOT / ".github/workflows/ci.yml"}
    jobs = read_workflow(files[which])["jobs"].values()
    used = [step["uses"] for job in jobs for step in job["steps"] if "uses" in step]
    found = [re.fullmatch(r"actions/([a-z-]+)@v(\d+)", action) for action in used]
    assert found
    assert all(match and int(match[2]) >= NODE_24[match[1]] for match in found), used


@pytest.fixture(scope="module")
def with_wheels(parts, tmp_path_factory):
    """The package with a folder of wheels: one, that is large."""
    folder = tmp_path_factory.mktemp("with-wheels")
    (folder / "wheels").mkdir()
    (folder / "wheels/large.whl").write_bytes(bytes(LIMIT_BYTES))
    return make_package("github", replace(parts, wheelhouse=folder / "wheels"), folder / "made")


def test_pip_keeps_what_it_fetches_unless_all_is_packed_and_classroom50_fetches_its_bundle(parts, made, with_wheels):
    """Without a folder of pip's to be kept, setup-python fails at the end of the job."""
    setup, without = (steps_of(folder / "template")[1] for folder in (made, with_wheels))
    assert setup["with"]["cache"] == "pip"
    assert (made / "template" / setup["with"]["cache-dependency-path"]).read_text() == parts.constraints
    assert list(without["with"]) == ["python-version"]
    bundle = with_wheels / "classroom50/hw1"
    assert (bundle / "autograder.py").is_file()
    assert sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file()) < LIMIT_BYTES
    assert (with_wheels / "template/.github/grader/wheelhouse/large.whl").is_file()


def git(folder, *words):
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_git_takes_the_template_and_what_students_write_and_nothing_that_make_makes(gathered, tmp_path):
    """As a student does it: `make check`, `make zip`, `git add -A`."""
    name = gathered.assignment.name
    data = tmp_path / "train-images-idx3-ubyte.gz"
    data.write_bytes(b"packed")
    repository = make_package("github", replace(gathered, data=(data,)), tmp_path / "made") / "template"
    given = {path.relative_to(repository).as_posix() for path in repository.rglob("*") if path.is_file()}
    assert {".gitignore", ".github/grader/data/train-images-idx3-ubyte.gz"} <= given
    made = ("data/t10k.gz", "out/report.html", "__pycache__/utils.pyc", ".last-check.json", f"{name}.zip")
    for path in (*made, ".venv/bin/python", ".venv/pyvenv.cfg", f"{name}.pdf", "notes/plan.md"):
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).touch()
    git(tmp_path, "init", "--quiet", str(repository))
    git(repository, "add", "-A")
    assert set(git(repository, "ls-files")) == given | {f"{name}.pdf", "notes/plan.md"}


def push(checkout, template, files):
    """Lay `files` over the template's, as a student does; the sheet's others are deleted."""
    shutil.copytree(template, checkout)
    for name in handins.SOURCES:
        (checkout / name).unlink()
    for name, content in files.items():
        (checkout / name).write_bytes(content)


class Runner:
    """One of GitHub's machines, as far as the workflow sees it, but without network."""

    def __init__(self, template, folder, files):
        self.folder, self.checkout, self.temp = folder, folder / "checkout", folder / "temp"
        push(self.checkout, template, files)
        self.temp.mkdir()
        self.outputs, self.log, self.failed = {}, "", ""
        for name in ("output", "summary"):
            (folder / name).touch()

    def run(self):
        """Run the workflow's steps: those with a command, one after the other until one fails."""
        for step in steps_of(self.checkout):
            if "run" in step and not self.failed:
                self.step(step)
        return self

    def step(self, step):
        (self.folder / "output").write_text("")
        given = {name: EXPRESSION.sub(self.value, text) for name, text in step.get("env", {}).items()}
        files = {"GITHUB_OUTPUT": "/ci/output", "GITHUB_STEP_SUMMARY": "/ci/summary"}
        files |= {"GITHUB_WORKSPACE": "/ci/checkout", "RUNNER_TEMP": "/ci/temp"}
        how = {"environment": files | given, "at": f"/ci/checkout/{step.get('working-directory', '')}", "user": 1001}
        done = replays.contain({"/ci": self.folder}, ["bash", "-e", "-c", step["run"]], **how)
        self.log += done.stdout
        self.failed = step["name"] if done.returncode else ""
        lines = (self.folder / "output").read_text().splitlines()
        for name, _, value in (line.partition("=") for line in lines):
            self.outputs[f"steps.{step.get('id')}.outputs.{name}"] = value

    def value(self, match):
        return self.outputs.get(match[1], "")

    @property
    def annotations(self):
        """The workflow commands that were printed and not stopped; GitHub takes them with blanks before them, too."""
        found, token = [], ""
        for line in filter(re.compile(r"\s*(::|##\[)").match, self.log.splitlines()):
            if token:
                token = "" if line.strip() == f"::{token}::" else token
            elif line.strip().startswith("::stop-commands::"):
                token = line.strip().removeprefix("::stop-commands::")
            else:
                found.append(line.strip())
        return found

    @property
    def summary(self):
        return (self.folder / "summary").read_text()


@pytest.fixture(scope="module")
def offline(parts, wheelhouse, tmp_path_factory):
    return make_package("github", replace(parts, wheelhouse=wheelhouse), tmp_path_factory.mktemp("offline"))


@pytest.fixture
def run(offline, tmp_path):
    """Return a function that pushes files and returns the runner after the workflow."""
    return lambda files: Runner(offline / "template", tmp_path / "runner", files).run()


@pytest.mark.slow
def test_the_reference_gets_all_that_a_machine_without_a_gpu_can_give(run):
    runner = run(handins.reference_files())
    assert runner.annotations[0] == "::notice title=Autograding complete::Points 83/100", runner.log
    assert runner.failed == ""
    assert "What was graded" not in runner.log
    outputs = {"status": "success", "summary": "83 to 100 of 100"}
    assert runner.outputs == {f"steps.grade.outputs.{name}": text for name, text in outputs.items()}
    assert "83 to 100 of 100" in runner.summary
    assert (runner.temp / "report/report.html").is_file()


@pytest.mark.slow
def test_a_zip_of_day_one_costs_a_right_repository_nothing(run):
    old = {name: content for name, content in handins.reference_files().items() if name != "hw1.pdf"}
    runner = run(old | {"hw1.zip": handins.packed(handins.template_files())})
    assert runner.annotations[0] == "::notice title=Autograding complete::Points 80/100", runner.log  # all but the PDF
    assert "The files of the repository were graded, not &#x27;hw1.zip&#x27;." in runner.summary


@pytest.mark.slow
def test_the_template_gets_nothing_and_each_function_a_note_on_its_line(run):
    runner = run(handins.template_files())
    assert runner.annotations[0] == "::notice title=Autograding complete::Points 0/100", runner.log
    assert runner.failed == "Say whether a check failed"
    lines = (runner.checkout / "utils.py").read_text().splitlines()
    places = [re.match(r"::error file=utils\.py,line=(\d+),title=utils\.sigmoid::", one) for one in runner.annotations]
    (line,) = [int(place[1]) for place in places if place]
    assert "NotImplementedError" in lines[line - 1]


@pytest.mark.slow
def test_a_hostile_hand_in_gets_nothing_and_leaves_no_trace(run):
    runner = run(replays.hostile() | {"venv.py": b"FORGED", "ensurepip.py": b"FORGED", "json.py": b"FORGED"})
    assert runner.annotations[0] == "::notice title=Autograding complete::Points 0/100", runner.log
    assert not [one for one in runner.annotations if "FORGED" in one or "100/100" in one or "stop-commands" in one]
    assert "FORGED" not in runner.log
    for name in ("output", "summary"):
        assert '"forged"' not in (runner.folder / name).read_text()
    pushed = [runner.checkout / name for name in ("utils.py", "venv.py", "ensurepip.py", "json.py")]
    shown = runner.temp / "report/report.html"  # with the code as it was pushed
    assert set(replays.marks_of_forgery(runner.folder)) <= set(map(str, (*pushed, shown)))


@pytest.mark.slow
def test_a_repository_that_is_refused_says_why(run):
    runner = run({"hw1.pdf": b"no hand-in"} | {"Utils.py": b"", "utils.py": b""})
    assert runner.failed == "Say whether a check failed"
    assert runner.annotations[-1].startswith("::error title=Not graded::"), runner.log
    assert "utils.py" in runner.summary.lower()


@pytest.mark.slow
@pytest.mark.parametrize(("files", "score"), [(handins.reference_files, 83), (replays.hostile, 0)])
def test_classroom50s_runner_gets_its_result(offline, tmp_path, files, score):
    """As runner.py calls it: by path, in the checkout, with the names of things in the environment."""
    checkout, bundle = tmp_path / "checkout", tmp_path / "bundle"
    forged = {"result.json": b'{"score": 100}', "release-body.md": b"FORGED", "tempfile.py": b"FORGED"}
    push(checkout, offline / "template", files() | forged)
    shutil.copytree(offline / "classroom50/hw1", bundle)
    shutil.copytree(offline / "template/.github/grader", bundle / "grader", dirs_exist_ok=True)  # with wheels
    (tmp_path / "output").touch()
    how = {"environment": {"GITHUB_OUTPUT": "/ci/output", **RUNNER}, "at": "/ci/checkout", "user": 1001}
    done = replays.contain({"/ci": tmp_path}, ["python3", "/ci/bundle/autograder.py"], **how)
    assert done.returncode == 0, done.stdout
    result = json.loads((checkout / "result.json").read_text())
    assert (result["score"], result["max-score"], result["owner"]) == (score, 100, "dana"), done.stdout
    assert "utils.sigmoid" in (checkout / "report.html").read_text()
    assert "FORGED" not in (checkout / "release-body.md").read_text() + done.stdout
    assert re.fullmatch(r"status=(success|failure)\nsummary=[\w ]+\n", (tmp_path / "output").read_text())
