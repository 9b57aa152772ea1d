"""Load the reference's files under the names that they import each other by, and forget them afterwards."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).parents[3]
REFERENCE = REPOSITORY / "reference" / "hw1"
IMPORTED = {"network": ["utils"], "main": ["collect", "network"], "make_report": ["report_text"]}


def load_module(patch, name):
    spec = importlib.util.spec_from_file_location(name, REFERENCE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    patch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def modules():
    """Return the modules of the reference by name: modules("network")."""
    with pytest.MonkeyPatch.context() as patch:
        loaded = {}

        def get(name):
            if name not in loaded:
                for imported in IMPORTED.get(name, []):
                    get(imported)
                loaded[name] = load_module(patch, name)
            return loaded[name]

        yield get


@pytest.fixture
def network(modules):
    return modules("network")


@pytest.fixture(scope="session")
def digits():
    """Scikit-learn's 8 x 8 digits blown up to 28 x 28 pixels: training and test pairs, labels one-hot."""
    from sklearn.datasets import load_digits  # noqa: PLC0415 - two seconds that most tests need not spend

    images, labels = load_digits(return_X_y=True)
    blown_up = np.pad(np.kron(images.reshape(-1, 8, 8), np.ones((1, 3, 3))), ((0, 0), (2, 2), (2, 2)))
    order = np.random.default_rng(0).permutation(len(labels))
    data, one_hot = blown_up.reshape(-1, 784)[order] / 16, np.eye(10)[labels][order]
    return (data[:1397], one_hot[:1397]), (data[1397:], one_hot[1397:])


def run_on_executor(script, *arguments):
    """Run a script in a process of its own, whose `numba.cuda` is the executor; return its output."""
    command = [sys.executable, "-m", "grader.cuda_cpu", str(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, cwd=REPOSITORY, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="session")
def kernel_results():
    """Return what the kernels computed over many shapes, see run_kernels.py."""
    return json.loads(run_on_executor(Path(__file__).with_name("run_kernels.py"), REFERENCE))


@pytest.fixture
def comparison(tmp_path):
    """Return a function that runs a comparison with a single call each: exit code and printed lines."""

    def run(module, function):
        script = tmp_path / "compare.py"
        script.write_text(
            f"import sys\nsys.path.insert(0, {str(REFERENCE)!r})\nimport {module}\n"
            f"{module}.CALLS = {module}.REPEATS = 1\nprint('code', {module}.{function}())\n"
        )
        *lines, last = run_on_executor(script).splitlines()
        return int(last.split()[1]), lines

    return run
