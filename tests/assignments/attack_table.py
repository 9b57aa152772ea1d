"""Write docs/generated/attacks.md: every attack, at every level that works here, and what came of it.

Run as `make attack-table`; a quarter of an hour on two cores. `--why [word]` prints instead what each check
said.
"""

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))
import attack_runs  # noqa: E402 - found by the line above
import handins  # noqa: E402 - likewise

from grader.model import Outcome  # noqa: E402 - below it
from grader.sandbox.levels import try_level  # noqa: E402 - below it

HEADER = """# Attacks

Hand-ins of `hw1` that try to gain points or to leave something behind, from the case books
`tests/assignments/hw1/*/attacks*.py`; `make test-all` runs them all. Those of the other assignments stand beside them.
This table is written by `make attack-table`.

- *stopped*: what it aims at was not passed. *a person decides*: it was not passed either, but a TA reads why, because
  nothing proves bad intent. *no trace*: it aims at no points, and left no process, file or memory behind.
  *flagged*: it keeps its points, and a TA is asked to look.
- *=*: who did the work is judged alike at every level, so it is tried at the strongest one only.
- *-*: the level is not meant to stop it: without a sandbox, files are readable and processes can be signalled.

A graded function runs as a *slice*, alone and observed; one that cannot be followed by reading is left to a person.
What is observed, what is claimed, and what is not claimed: [evidence.md](../evidence.md).

"""


def works(level):
    return level == "limits" or try_level(level, "cpu").launcher is not None


def attempt(attack, level):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        return attack_runs.attempt(attack, level, Path(folder))


def explain(word):
    """Print what the checks say of each attack whose name contains `word`, at the weakest level that stops it."""
    for attack in attack_runs.attacks():
        if word in attack.name:
            trial = attempt(attack, attack.level)
            lines = [f"{attack.target}/{attack.name}: {trial.outcome(attack)} {trial.traces}"]
            lines += [
                f"    {result.criterion.id}: {result.outcome}: {result.finding and result.finding.message[:150]}"
                for result in trial.report.results
                if result.criterion.id.startswith(attack.runs) and result.outcome is not Outcome.PASSED
            ]
            sys.stdout.write("\n".join([*lines, ""]))


def strongest():
    return [level for level in attack_runs.LEVELS if works(level)][-1]


def try_at(attack, level):
    if attack.is_on_slices and level != strongest():
        return "="
    stops = attack_runs.LEVELS.index(level) >= attack_runs.LEVELS.index(attack.level)
    if not stops:
        return "-"
    trial = attempt(attack, level)
    if (outcome := trial.outcome(attack)) == attack_runs.NOT_STOPPED:
        why = (trial.gained(attack), trial.traces, handins.errors(trial.report))
        sys.stderr.write(f"{attack.name} at {level}: {why}\n")
    return outcome


def write():
    levels = [level for level in attack_runs.LEVELS if works(level)]
    rows = [f"| attack | tries | {' | '.join(levels)} |", f"|---|---|{'---|' * len(levels)}"]
    with ProcessPoolExecutor() as pool:
        found = [(attack, [pool.submit(try_at, attack, level) for level in levels]) for attack in attack_runs.attacks()]
        for attack, cells in found:
            name = f"{attack.target.removesuffix('.py')}/{attack.name}"
            rows.append(f"| `{name}` | {attack.sentence} | {' | '.join(cell.result() for cell in cells)} |")
            sys.stderr.write(f"{rows[-1]}\n")
    (TESTS.parent / "docs/generated/attacks.md").write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "--why" in sys.argv:
        explain(sys.argv[2] if len(sys.argv) > 2 else "")
    else:
        write()
