"""A new student on an empty machine, from unzipping to a zip that the grader accepts: `make transcript`.

Builds the handout, unzips it into an empty folder, and types what the README says, in an environment that holds no
more than a user's PATH: a fresh virtual environment is made from the wheel, by the registry. Between commands the
student writes files (the reference's, and first one with a mistake). Then staff grade the zip, and the score must lie
within what was predicted. Everything that was shown goes into docs/kit-transcript.md.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference/hw1"
TARGET = ROOT / "docs/kit-transcript.md"
HEAD = """\
# A new student, from unzipping to a zip that the grader accepts

Recorded by `make transcript` in an empty folder, with a fresh virtual environment and no GPU. Every command is one of
the README in the handout. Nothing is left out but the paths of the machine.
"""
STEPS = "range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x)", "range(cuda.blockIdx.x, cuda.blockIdx.x + 1)"
"""How the kernel that is right for every grid becomes one that needs a block per row."""


class Student:
    """A shell in an empty home, and a record of it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home
        self.record = [HEAD]
        self.words = (ROOT / "student_template/hw1/README.md").read_text("utf-8")

    def say(self, text: str) -> None:
        self.record.append(f"\n{text}\n")

    def type(self, command: str, *, code: int = 0, told: bool = True) -> str:
        """Run `command`, which the README names unless `told` is False; its output, which must end with `code`."""
        assert not told or command in self.words, f"the README does not say `{command}`"
        environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        for name in ("PIP_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "HTTPS_PROXY", "HTTP_PROXY"):
            if name in os.environ:
                environment[name] = os.environ[name]
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        shown = self._tidy(done.stdout)
        where = "~" if self.folder == self.home else f"~/{self.folder.relative_to(self.home)}"
        self.record.append(f"```console\n{where}$ {command}\n{shown}```\n")
        print(f"$ {command}\n{shown}", flush=True)
        assert done.returncode == code, f"`{command}` ended with {done.returncode}, not {code}"
        return done.stdout

    def _tidy(self, text: str) -> str:
        return re.sub(re.escape(str(self.home)), "~", text).rstrip("\n") + "\n" if text.strip() else ""


def live(student: Student) -> str:
    """Do what a student does in two weeks; return the last prediction."""
    student.type("unzip -q hw1-handout.zip", told=False)
    student.folder = student.home / "hw1"
    student.type("ls", told=False)
    student.type("make setup")
    student.say("Nothing is written yet. What does the kit say?")
    student.type("make check")
    student.say("The seven functions of `utils.py` are written; the first of `max_functions.py`, too, with a mistake.")
    shutil.copy(REFERENCE / "utils.py", student.folder)
    source = (REFERENCE / "max_functions.py").read_text("utf-8")
    wrong = source.replace("BLOCKS = 1000\n", "BLOCKS = 999\n").replace(*STEPS)
    (student.folder / "max_functions.py").write_text(wrong, "utf-8")
    student.type("make check ONLY=max.gpu")
    student.say("The mistake is repaired, and `matmul_functions.py` is written.")
    for name in ("max_functions.py", "matmul_functions.py"):
        shutil.copy(REFERENCE / name, student.folder)
    student.type("make check")
    student.say("Handing in, to be on the safe side, before the report is written:")
    student.type("make zip")
    student.say("The report is saved as `hw1.pdf`. What passed is not run again.")
    shutil.copy(REFERENCE / "hw1.pdf", student.folder)
    predicted = student.type("make check")
    student.type("make zip")
    return predicted


def grade(student: Student, predicted: str) -> None:
    """Let staff grade the zip, and hold the score against the prediction."""
    command = [sys.executable, "-m", "grader", "grade", str(student.folder / "hw1.zip"), "--sandbox", "limits"]
    command += ["--out", str(student.home / "out")]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    score = re.search(r"^Score: ([\d.]+) to ([\d.]+) of 100", done.stdout, re.MULTILINE)
    range_ = re.search(r"^Predicted: ([\d.]+) to ([\d.]+) of 90", predicted, re.MULTILINE)
    assert float(range_[1]) == float(score[1]), (range_[0], score[0])
    assert float(range_[2]) + 10 == float(score[2]), (range_[0], score[0])
    student.say(f"The course's grader opens the zip without a warning and says `{score[0]}`, as predicted.")


def main() -> None:
    """Live it, and write it down."""
    with tempfile.TemporaryDirectory(prefix="student-") as home:
        subprocess.run([sys.executable, "-m", "grader", "handout", "--out", home], cwd=ROOT, check=True)
        student = Student(Path(home))
        grade(student, live(student))
        TARGET.write_text("\n".join(part.rstrip("\n") + "\n" for part in student.record), "utf-8")
    print(f"{TARGET.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
