"""A new student on an empty machine, from unzipping to a zip that the grader accepts: `make transcript`.

Builds the handout, unzips it into an empty folder, and types what the README says, with no more than a user's PATH: the
virtual environment is made from the wheel. Between commands the student writes files, first one with a mistake. Then
staff grade the zip; the score must lie within what was predicted. All goes into docs/generated/kit-transcript*.md.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT

ROOT = Path(__file__).parents[2]
HEAD = """\
# A new student, from unzipping to a zip that the grader accepts

Recorded by `{command}` in an empty folder, with a fresh virtual environment and no GPU. Every command is one of
the README in the handout. Nothing is left out but the paths of the machine.
"""


@dataclass(frozen=True)
class Story:
    """What a student of an assignment writes, in which order."""

    name: str
    page: str
    """Below `docs/generated/`."""
    first: tuple[str, ...]
    """The files that are written first."""
    told: str
    """What the transcript says of them, and of the mistake."""
    mistaken: str
    """The one among them that has a mistake at first."""
    mistake: tuple[tuple[str, str], ...]
    """Right text -> wrong text."""
    only: str
    """What is checked then."""
    then: str
    """What the transcript says of the rest."""
    rest: tuple[str, ...]
    ta_points: int
    """What only a TA can give."""
    option: str = ""

    @property
    def reference(self) -> Path:
        return ROOT / "reference" / self.name


HW1 = Story(
    "hw1",
    "kit-transcript.md",
    ("utils.py", "max_functions.py"),
    "The seven functions of `utils.py` are written; the first of `max_functions.py`, too, with a mistake.",
    "max_functions.py",
    (  # the kernel, right for every grid, becomes one that needs a block per row
        ("BLOCKS = 1000\n", "BLOCKS = 999\n"),
        ("range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x)", "range(cuda.blockIdx.x, cuda.blockIdx.x + 1)"),
    ),
    "max.gpu",
    "The mistake is repaired, and `matmul_functions.py` is written.",
    ("max_functions.py", "matmul_functions.py"),
    10,
)
LAYERS = Story(
    "layers",
    "kit-transcript-layers.md",
    ("matrix.py", "layers.py"),
    "`Matrix` and the layers are written, the derivative by W with a mistake: nobody divides by the number of samples.",
    "layers.py",
    (("dW[i, j] = total / dZ.shape[1]", "dW[i, j] = total"),),
    "linear",
    "The mistake is repaired, and the other files are written.",
    ("layers.py", "losses.py", "network.py", "dataset.py"),
    6,
    " ASSIGNMENT=layers",
)
GEMM = Story(
    "gemm",
    "kit-transcript-gemm.md",
    ("gemm.py",),
    "`gemm.py` is written, with a mistake: C is read where β is 0, too.",
    "gemm.py",
    (("    if beta == 0:\n        return alpha * total\n", ""),),
    "gemm",
    "The mistake is repaired, and the other files are written.",
    ("gemm.py", "mlp.py", "train.py", "operations.py"),
    6,
    " ASSIGNMENT=gemm",
)
STORIES = {story.name: story for story in (HW1, LAYERS, GEMM)}


class Student:
    """A shell in an empty home, and a record of it."""

    def __init__(self, home: Path, story: Story) -> None:
        self.home = home
        self.folder = home
        self.record = [HEAD.format(command=f"make transcript{story.option}")]
        self.words = (ROOT / "student_template" / story.name / "README.md").read_text("utf-8")

    def say(self, text: str) -> None:
        self.record.append(f"\n{text}\n")

    def type(self, command: str, *, code: int = 0, told: bool = True) -> str:
        """Run `command`, which the README names unless `told` is False; its output, which must end with `code`."""
        assert not told or command in self.words, f"the README does not say `{command}`"
        environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        for name in ("PIP_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "HTTPS_PROXY", "HTTP_PROXY"):
            if name in os.environ:
                environment[name] = os.environ[name]
        shell, streams = ["bash", "-c", command], {"stdout": PIPE, "stderr": STDOUT}
        done = subprocess.run(shell, cwd=self.folder, env=environment, text=True, check=False, **streams)
        shown = done.stdout.replace(str(self.home), "~").rstrip("\n") + "\n" if done.stdout.strip() else ""
        where = "~" if self.folder == self.home else f"~/{self.folder.relative_to(self.home)}"
        self.record.append(f"```console\n{where}$ {command}\n{shown}```\n")
        print(f"$ {command}\n{shown}", flush=True)
        assert done.returncode == code, f"`{command}` ended with {done.returncode}, not {code}"
        return done.stdout


def live(student: Student, story: Story) -> str:
    """Do what a student does in two weeks; return the last prediction."""
    student.type(f"unzip -q {story.name}-handout.zip", told=False)
    student.folder = student.home / story.name
    student.type("ls", told=False)
    student.type("make setup")
    student.say("Nothing is written yet. What does the kit say?")
    student.type("make check")
    student.say(story.told)
    for name in story.first:
        shutil.copy(story.reference / name, student.folder)
    wrong = (story.reference / story.mistaken).read_text("utf-8")
    for old, new in story.mistake:
        assert old in wrong
        wrong = wrong.replace(old, new)
    (student.folder / story.mistaken).write_text(wrong, "utf-8")
    student.type(f"make check ONLY={story.only}")
    student.say(story.then)
    for name in story.rest:
        shutil.copy(story.reference / name, student.folder)
    student.type("make check")
    student.say("Handing in, to be on the safe side, before the report is written:")
    student.type("make zip")
    student.say(f"The report is saved as `{story.name}.pdf`. What passed is not run again.")
    shutil.copy(story.reference / f"{story.name}.pdf", student.folder)
    predicted = student.type("make check")
    student.type("make zip")
    return predicted


def grade(student: Student, story: Story, predicted: str) -> None:
    command = [sys.executable, "-m", "grader", "grade", str(student.folder / f"{story.name}.zip")]
    command += ["--assignment", story.name, "--sandbox", "limits", "--out", str(student.home / "out")]
    done = subprocess.run(command, cwd=ROOT, stdout=PIPE, stderr=DEVNULL, text=True, check=True)
    score = re.search(r"^Score: ([\d.]+) to ([\d.]+) of 100", done.stdout, re.MULTILINE)
    range_ = re.search(rf"^Predicted: ([\d.]+) to ([\d.]+) of {100 - story.ta_points}", predicted, re.MULTILINE)
    assert float(range_[1]) == float(score[1]), (range_[0], score[0])
    assert float(range_[2]) + story.ta_points == float(score[2]), (range_[0], score[0])
    student.say(f"The course's grader opens the zip without a warning and says `{score[0]}`, as predicted.")


def main() -> None:
    story = STORIES[sys.argv[1]]
    with tempfile.TemporaryDirectory(prefix="student-") as home:
        command = [sys.executable, "-m", "grader", "handout", "--assignment", story.name, "--out", home]
        subprocess.run(command, cwd=ROOT, check=True)
        student = Student(Path(home), story)
        grade(student, story, live(student, story))
        target = ROOT / "docs/generated" / story.page
        target.write_text("\n".join(part.rstrip("\n") + "\n" for part in student.record), "utf-8")
    print(f"{target.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
