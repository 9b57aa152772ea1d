"""``python tests/conformance``: run numba-cuda's own tests and say what became of each."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from conformance.report import Verdict, judge  # found by the line above
from conformance.runner import find_modules, run_modules  # as above


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tests/conformance", description=__doc__)
    parser.add_argument("--only", default="", help="run only the test modules whose name contains this")
    parser.add_argument("--out", type=Path, default=Path("out/bench/conformance.json"), help="where the figures go")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--baseline", type=Path, help="a JSON list of tests; those that do not pass are named")
    parser.add_argument("--no-simulator", action="store_true", help="leave out the run on numba's simulator")
    return parser.parse_args(arguments)


def run_device(device: str, modules: list[str], workers: int) -> tuple[dict[str, Any], float]:
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"conformance-{device}-", ignore_cleanup_errors=True) as folder:
        return run_modules(device, modules, Path(folder), workers), time.monotonic() - start


def summarize(verdicts: dict[str, Verdict], simulator_passed: list[str], wall_s: dict[str, float]) -> dict[str, Any]:
    """Return what `out/bench/conformance.json` says: figures first, then the tests by name."""
    names = {word: sorted(n for n, v in verdicts.items() if v.word == word) for word in ("passed", "failed")}
    rest = {name: v.reason for name, v in sorted(verdicts.items()) if v.word == "not_applicable"}
    return {
        "passed": len(names["passed"]),
        "failed": len(names["failed"]),
        "not_applicable": len(rest),
        "simulator_passed": len(simulator_passed),
        "simulator_passed_and_passed": len({*simulator_passed} & {*names["passed"]}),
        "passed_beyond_simulator": len({*names["passed"]} - {*simulator_passed}),
        "without_look_at_ptx": sorted(n for n, v in verdicts.items() if v.word == "passed" and v.reason),
        "wall_s": wall_s,
        "passed_tests": names["passed"],
        "failed_tests": {name: verdicts[name].reason for name in names["failed"]},
        "not_applicable_tests": rest,
        "simulator_passed_tests": sorted(simulator_passed),
    }


def print_summary(figures: dict[str, Any]) -> None:
    """Print every failure, the reasons for what is not applicable, and the figures."""
    write = sys.stdout.write
    for name, reason in figures["failed_tests"].items():
        write(f"failed          {name}: {reason}\n")
    for reason, count in Counter(figures["not_applicable_tests"].values()).most_common():
        write(f"not applicable  {count:4} tests: {reason}\n")
    write(f"passed {figures['passed']}, failed {figures['failed']}, not applicable {figures['not_applicable']}\n")
    if figures["simulator_passed"]:
        write(
            f"numba's simulator passes {figures['simulator_passed']}; of these, "
            f"{figures['simulator_passed_and_passed']} pass here, and {figures['passed_beyond_simulator']} others\n"
        )


def find_lost(baseline: Path | None, passed: list[str], modules: list[str]) -> list[str]:
    """Return the tests of these modules that the baseline promises and that did not pass."""
    if baseline is None:
        return []
    promised = [name for name in json.loads(baseline.read_text()) if name.startswith(tuple(f"{m}." for m in modules))]
    return sorted({*promised} - {*passed})


def main(arguments: list[str]) -> int:
    """Run the tests; return 0, 1 when a test of the baseline did not pass, or 2 where numba-cuda is missing."""
    options = parse_arguments(arguments)
    try:
        modules = find_modules(options.only)
    except ModuleNotFoundError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    outcomes, wall_s = run_device("executor", modules, options.workers)
    times = {"executor": round(wall_s, 1)}
    simulated: list[str] = []
    if not options.no_simulator:
        on_simulator, wall_s = run_device("simulator", modules, options.workers)
        simulated = [name for name, outcome in on_simulator.items() if outcome.outcome == "passed"]
        times["simulator"] = round(wall_s, 1)
    figures = summarize(judge(outcomes), simulated, times)
    print_summary(figures)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(figures, indent=1) + "\n")
    lost = find_lost(options.baseline, figures["passed_tests"], modules)
    for name in lost:
        sys.stdout.write(f"lost            {name}: it passed before, see {options.baseline}\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
