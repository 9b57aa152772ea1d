import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rows import each

from grader.assignment import load_assignment
from grader.assignments.hw1.recipe import SHEET, SIZES

REPOSITORY = Path(__file__).parents[3]
TEMPLATE = REPOSITORY / "student_template" / "hw1"
REFERENCE = REPOSITORY / "reference" / "hw1"
PAIR = (np.ones((2, 2)), np.zeros((2, 2)))
YOURS = {
    "utils": {
        "sigmoid": (0.0,),
        "sigmoid_prime": (0.0,),
        "random_weights": ([2, 3, 1],),
        "zeros_weights": ([2, 3, 1],),
        "zeros_biases": ([2, 3, 1],),
        "create_batches": (np.zeros((3, 2)), np.zeros(3), 2),
        "add_elementwise": ([1], [2]),
    },
    "max_functions": {"max_cpu": PAIR, "max_numba": PAIR, "max_kernel": (*PAIR, np.zeros((2, 2))), "max_gpu": PAIR},
    "matmul_functions": {
        "matmul_transpose_trivial": (np.ones((2, 3)),),
        "matmul_transpose_numba": (np.ones((2, 3)),),
        "matmul_kernel": (np.ones((2, 3)), np.zeros((2, 2))),
        "matmul_transpose_gpu": (np.ones((2, 3)),),
    },
}
FUNCTIONS = [(module, name) for module, functions in YOURS.items() for name in functions]


def run_script(name, *arguments, folder=TEMPLATE):
    command = [sys.executable, str(folder / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, cwd=folder, check=False)


def list_functions(path):
    """Return the names of the public functions with the names of their arguments."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    return {function.name: [argument.arg for argument in function.args.args] for function in functions}


@each("module, name", FUNCTIONS)
def test_a_function_still_to_be_written_says_so_by_its_name(module, name):
    function = runpy.run_path(str(TEMPLATE / f"{module}.py"))[name]
    function = getattr(function, "py_func", function)
    with pytest.raises(NotImplementedError, match=rf"{module}\.py: fill in {name}\("):
        function(*YOURS[module][name])


@pytest.mark.parametrize("module", YOURS)
def test_the_template_asks_for_what_the_reference_has(module):
    asked, given = list_functions(TEMPLATE / f"{module}.py"), list_functions(REFERENCE / f"{module}.py")
    assert asked.items() <= given.items()
    assert set(given) - set(asked) <= {"carry_number"}
    assert set(YOURS[module]) <= set(asked)


def test_xavier_initialization_is_given_at_the_end_of_utils():
    assert list(list_functions(TEMPLATE / "utils.py"))[-1] == "xavier_initialization"
    weights = runpy.run_path(str(TEMPLATE / "utils.py"))["xavier_initialization"](100, 50)
    assert weights.shape == (100, 50)
    assert 0.09 < np.abs(weights).max() <= 0.1


@each("script, first", [("max_functions.py", "max_cpu"), ("matmul_functions.py", "matmul_transpose_trivial")])
def test_an_unfilled_comparison_says_what_is_next_in_one_line_and_fails(script, first):
    done = run_script(script)
    assert done.returncode != 0
    assert re.fullmatch(rf"Not there yet\. Next: {script}: fill in {first}\(.*\n", done.stdout + done.stderr)


def test_the_training_says_where_the_data_is_missing_and_fails():
    done = run_script("main.py", "no-such-folder")
    assert done.returncode != 0
    assert done.stdout.startswith("MNIST's training images are missing")
    assert done.stderr == ""


def test_a_half_filled_file_is_sent_to_the_next_function(tmp_path):
    filled = (TEMPLATE / "max_functions.py").read_text(encoding="utf-8")
    call = re.search(r"    raise NotImplementedError\([^\n]*fill in max_cpu[^\n]*\n", filled).group()
    filled = filled.replace(call, "    return np.maximum(A, B)\n").replace("CALLS = 20", "CALLS = 1")
    (tmp_path / "max_functions.py").write_text(filled, encoding="utf-8")
    done = run_script("max_functions.py", folder=tmp_path)
    assert done.stdout.startswith("[*] CPU: ")
    assert "Next: max_functions.py: fill in max_numba(" in done.stderr
    assert done.returncode != 0


@pytest.mark.parametrize("module", ["max_functions", "matmul_functions"])
def test_the_comparison_of_the_template_is_that_of_the_reference(module):
    compare = {"max_functions": "max_comparisons", "matmul_functions": "matmul_comparisons"}[module]

    def take_source(folder):
        text = (folder / f"{module}.py").read_text(encoding="utf-8")
        return re.search(rf"def {compare}.*?(?=\nif __name__)", text, re.DOTALL).group()

    assert take_source(TEMPLATE) == take_source(REFERENCE)


def test_the_template_carries_what_a_student_gets_and_no_report():
    names = {path.name for path in TEMPLATE.iterdir() if path.name != "__pycache__"}
    given = {"main.py", "network.py", "collect.py", "README.md", "bench.sbatch"}
    assert names == given | {f"{module}.py" for module in YOURS}


def test_the_readme_names_points_graded_functions_and_the_settings_of_the_training():
    text = (TEMPLATE / "README.md").read_text("utf-8")
    rubric = load_assignment("hw1").rubric
    for row in rubric.criteria:
        assert f"`{row.id}` {row.points:g}" in text, row.id
        for item, points in row.items.items():
            assert f"| {item} | {points:g} |" in text
    parts = {row.part: 0.0 for row in rubric.criteria}
    for row in rubric.criteria:
        parts[row.part] += row.points
    said = [float(points) for points in re.findall(r"^## .*\((\d+) points\)", text, re.MULTILINE)]
    assert said == [points for points in parts.values() if points]
    names = [function for _module, function in load_assignment("hw1").graded]
    assert all(f"`{name}(" in text or f"`{name}`" in text for name in names)
    words = (f"{SHEET.learning_rate}, batches of {SHEET.batch_size}", f"{SHEET.epochs} epochs", f"{[*SIZES]}")
    assert all(word in " ".join(text.split()) for word in words)
