"""One process that runs test modules and notes every test before and after it runs.

``python -m conformance.worker executor|simulator journal module...``: the journal gets one line of JSON
per event. Tests that the journal already names are not run again, so that a worker can take over from one that died.
"""

import importlib
import json
import os
import signal
import sys
import threading
import time
import traceback
import unittest
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import pytest

from conformance.scope import LEFT_OUT, is_left_out, leave_out_ptx
from conformance.sources import SuiteFinder, find_package

MAX_REASON: Final = 600


def prepare(device: str) -> None:
    """Make ``numba.cuda`` mean the executor or numba's simulator, and its tests importable."""
    package = find_package()
    _pretend_bindings()
    if device == "simulator":
        os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
        return
    from conformance import stubs
    from grader.cuda_cpu import install

    install()
    sys.meta_path.insert(0, SuiteFinder(package))
    stubs.fill()
    testing = importlib.import_module("numba.cuda.testing")
    setattr(testing.CUDATestCase, "_dump_failed_filechecks", False)  # noqa: B010  # numba-cuda's own pytest set-up does


def _pretend_bindings() -> None:
    """Stand in for NVIDIA's bindings, which numba-cuda demands at import and no test here may use."""
    names: dict[str, dict[str, Any]] = {
        "cuda": {},
        "cuda.bindings": {"runtime": SimpleNamespace(getLocalRuntimeVersion=lambda: (0, 13000))},
        "cuda.core": {"Buffer": _Unused, "LaunchConfig": _Unused, "launch": None},
        "cuda.core.utils": {"StridedMemoryView": _Unused},
        "cuda.core._utils": {},
        "cuda.core._utils.cuda_utils": {"CUDAError": type("CUDAError", (Exception,), {})},
        "cuda.pathfinder": {"find_nvidia_binary_utility": lambda name: None},
    }
    for name, contents in names.items():
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None, is_package=True)
        module.__path__ = []
        vars(module).update(contents)
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)


class _Unused:
    """A type of NVIDIA's bindings, of which there is no object."""


def _prepare_children(device: str, folder: Path) -> None:
    """Let the Python processes that tests start get the same device."""
    folder.mkdir(exist_ok=True)
    text = f"from {__spec__.name if __spec__ else __name__} import prepare\n\nprepare({device!r})\n"
    (folder / "sitecustomize.py").write_text(text)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))


class Journal(unittest.TestResult):
    """Writes what becomes of each test, one JSON line at a time."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        self.seen = {entry["test"] for entry in known if entry["outcome"] != "started"}
        self._stream = path.open("a", buffering=1)
        self._left_out = ""

    def note(self, test: str, outcome: str, reason: str = "") -> None:
        line = {"test": test, "outcome": outcome, "reason": reason[-MAX_REASON:], "at_s": round(time.monotonic(), 3)}
        self._stream.write(json.dumps(line) + "\n")

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802  # unittest's name
        """Note the start, so that a crash has a name."""
        self._left_out = LEFT_OUT if leave_out_ptx(test) else ""
        self.note(test.id(), "started")

    def addSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802  # unittest's name
        self.note(test.id(), "passed", self._left_out)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802  # unittest's name
        self.note(test.id(), "skipped", reason)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802  # unittest's name
        self.note(test.id(), "failed", _text(err))

    addError = addFailure  # noqa: N815  # as above

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:  # noqa: N802  # unittest's name
        if err is not None:
            self.note(test.id(), "failed", _text(err))

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802  # unittest's name
        self.note(test.id(), "expected_failure", "the suite expects this test to fail on CUDA")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802  # unittest's name
        self.note(test.id(), "unexpected_success", "the suite expects this test to fail on CUDA")


def _text(err: Any) -> str:
    return "".join(traceback.format_exception(*err, limit=-3))


def _cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from _cases(part)
        else:
            yield part


def run_module(name: str, journal: Journal) -> None:
    if name in journal.seen:
        return
    journal.note(name, "started")
    try:
        suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name))
    except (Exception, pytest.skip.Exception) as error:  # noqa: BLE001  # a module that cannot be imported is a result
        kind = "skipped" if isinstance(error, (unittest.SkipTest, pytest.skip.Exception)) else "failed"
        journal.note(name, kind, _text((type(error), error, error.__traceback__)))
        return
    by_class: dict[type, list[unittest.TestCase]] = {}
    for case in _cases(suite):
        if is_left_out(case.id()):
            journal.note(case.id(), "skipped", "not started")
        elif case.id() not in journal.seen:
            by_class.setdefault(type(case), []).append(case)
    for cases in by_class.values():
        unittest.TestSuite(cases).run(journal)
    journal.note(name, "finished")


def _end_with_parent() -> None:
    """End this process and those that its tests started when the process that asked for them is gone."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def main(arguments: list[str]) -> None:
    device, path, *modules = arguments
    _end_with_parent()
    prepare(device)
    _prepare_children(device, Path(path).resolve().parent / "site")
    journal = Journal(Path(path))
    for module in modules:
        run_module(module, journal)


if __name__ == "__main__":
    main(sys.argv[1:])
