"""Print what every check comes to for every case, or what of it is not as in a file.

    python tests/outcomes [--assignment hw1] [--case WORD] [--sample 60] [--seed WORD] [--against FILE] [--out out]

The lines go to stdout, progress to stderr. A run that was ended goes on when it is begun again. Exit codes: 0, or with
`--against` no difference; 1 a difference; 3 a case could not be graded.
"""

import argparse
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from grader.errors import GraderError, UsageError
from outcomes.cases import CONTROLS, COURSES, Case, all_cases, sample  # found by the line above
from outcomes.lines import differences, lines_of, read_lines  # likewise
from outcomes.running import Journal, grade_all  # likewise


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(prog="python tests/outcomes", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--assignment", choices=COURSES, help="only its cases; without it, those of all assignments")
    parser.add_argument("--case", help="only cases with this in their names, and the references")
    parser.add_argument("--sample", type=int, help="so many cases by chance, and the controls; without it, all")
    parser.add_argument("--seed", help="what decides the chance; without it, the commit's id")
    parser.add_argument("--against", type=Path, help="a file of such lines: print the lines that differ")
    parser.add_argument("--out", type=Path, default=Path("out"), help="where what is done already is kept")
    return parser.parse_args(arguments)


def commit_id() -> str:
    """Return the id of the commit that is checked out; empty where there is no git."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def chosen_of(cases: list[Case], options: argparse.Namespace) -> list[Case]:
    """Return the cases that were asked for."""
    wanted = [
        case
        for case in cases
        if options.assignment in {None, case.assignment} and (not options.case or is_wanted(case, options.case))
    ]
    if options.sample is None:
        return wanted
    seed = options.seed or commit_id()
    tell(f"a sample of {options.sample} from the seed {seed or 'of no commit'}")
    return sample(wanted, options.sample, seed)


def is_wanted(case: Case, word: str) -> bool:
    """Return whether a case has `word` in its name, or is the reference of one assignment, which lines need."""
    return word in case.id or (case.kind == CONTROLS and case.name == "reference")


def tell(text: str) -> None:
    """Say what goes on."""
    sys.stderr.write(f"{text}\n")


def main(arguments: list[str]) -> int:
    """Run the program, and return the exit code."""
    try:
        return print_outcomes(parse_arguments(arguments))
    except GraderError as error:
        tell(f"outcomes: {error}")
        return 3


def known_lines(path: Path) -> dict[str, str]:
    """Return case -> words of the lines of a file."""
    try:
        return read_lines(path.read_text("utf-8").splitlines())
    except OSError as error:
        raise UsageError(f"{path} cannot be read") from error


def print_outcomes(options: argparse.Namespace) -> int:
    """Grade what was asked for, print the lines, and return the exit code."""
    old = known_lines(options.against) if options.against else {}
    cases = chosen_of(all_cases(), options)
    came, problems = grade_all(cases, Journal(options.out / "outcomes"), tell)
    for problem in problems:
        tell(f"not graded: {problem}")
    if problems:
        return 3
    lines = lines_of(came)
    if not options.against:
        print("\n".join(lines))
        return 0
    everything = not (options.sample or options.assignment or options.case)
    found = differences(old, read_lines(lines), [case.id for case in cases], everything)
    print("\n".join(found or [f"{len(cases)} cases are as in {options.against}"]))
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
