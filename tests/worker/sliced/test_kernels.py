"""Kernels and compiled functions in slices, in a process of their own: the executor and our watching never leave it."""

import json
import subprocess
import sys

import pytest
from rows import each

PROGRAM = '''
import json, sys, tempfile
from pathlib import Path
import numpy as np
from grader import cuda_cpu
from grader.slices.cutting import cut
from grader.worker.student import write_slices
from grader.worker.sliced import worker
from grader.worker.sliced.labels import unwrap

HEAD = """
import numpy as np
from numba import cuda, njit, vectorize

@cuda.jit
def kernel(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = max(a[i, j], b[i, j])

@cuda.jit
def copy(a, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = a[i, j]

@njit
def compiled(a, b):
    c = np.empty_like(a)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[i, j] = max(a[i, j], b[i, j])
    return c

@njit
def into(a, c):
    for i in range(a.shape[0]):
        c[i] = a[i]

@njit
def counted(pair):
    a, b = pair
    return compiled(a, b), a.size

@njit
def whole(a, b):
    return np.maximum(a, b)

@vectorize
def larger(a, b):
    return a if a > b else b

"""
bodies = json.loads(sys.argv[1])
indented = {name: body.replace("\\n", "\\n    ") for name, body in bodies.items()}
text = HEAD + "".join(f"def {name}(A, B):\\n    {body}\\n    return C\\n\\n" for name, body in indented.items())
cut_out = cut({"sample.py": text.encode()}, [("sample", name) for name in bodies])
openings = [str(opening) for name in bodies for opening in cut_out.of("sample", name).openings]
assert not openings, openings
cuda_cpu.install_when_imported()
slices = worker.open_slices(write_slices(cut_out, Path(tempfile.mkdtemp()) / "slices"), observed=True)
from grader.worker.sliced import kernels
found = {}
A, B = np.random.default_rng(7).integers(0, 256, (2, 8, 8))
for name in bodies:
    try:
        value, seen = slices.call(getattr(slices.load("sample"), name), (A.copy(), B.copy()), full=True)
        raised = ""
    except Exception as error:
        seen, raised = slices.seen_so_far(), type(error).__name__
        value = None
    found[name] = {
        "label": seen.label,
        "compiled": seen.compiled,
        "launches": [[launch.kernel, launch.grid, launch.block, launch.given] for launch in slices.seen_launches()],
        "raised": raised,
        "given": seen.given_to_compiled,
        "refused": seen.refused,
        "told": seen.told,
        "right": raised == "" and bool(np.array_equal(unwrap(value), np.maximum(A, B))),
    }
look = kernels.watch("sample", "kernel_after_copy", (A, B))
left = [look["arrays"][place] for place in look["launches"][-1]["after"]]
found["look"] = {"launches": len(look["launches"]), "right": any(np.array_equal(one, np.maximum(A, B)) for one in left)}
without = kernels.run_without("sample", "by_host_array", (A, B), "kernel", False)
found["without"] = {"zero": not np.any(without["value"])}
old = kernels.run_with_old_values("sample", "by_new_memory", (A, B), 100)
found["old"] = {"tried": old["tried"], "value": int(old["value"].max())}
print(json.dumps(found))
'''
GRID = "kernel[(1, 1), (8, 8)]"
BODIES = {
    "by_host_array": f"C = np.zeros_like(A)\n{GRID}(A, B, C)",
    "by_device_array": f"D = cuda.device_array_like(A)\n{GRID}(cuda.to_device(A), cuda.to_device(B), D)\n"
    "C = D.copy_to_host()",
    "into_host": f"D = cuda.to_device(A)\nC = np.zeros_like(A)\n{GRID}(D, B, D)\nD.copy_to_host(C)",
    "by_new_memory": "D = cuda.device_array((8, 8), np.int64)\nC = D.copy_to_host()",
    "by_in_and_out": f"C = np.zeros_like(A)\n{GRID}(cuda.In(A), cuda.In(B), cuda.Out(C))",
    "scaled": f"C = np.zeros_like(A)\n{GRID}(A, B, C)\nC = C * 1",
    "after_host": "C = np.zeros_like(A)\ncopy[(1, 1), (8, 8)](np.maximum(A, B), C)",
    "after_host_on_device": "D = cuda.to_device(np.maximum(A, B))\nE = cuda.device_array_like(A)\n"
    "copy[(1, 1), (8, 8)](D, E)\nC = E.copy_to_host()",
    "host_afterwards": f"C = np.zeros_like(A)\n{GRID}(A, B, C)\nC[:] = np.maximum(A, B)",
    "transfer_only": "C = cuda.to_device(np.maximum(A, B)).copy_to_host()",
    "asarray": f"D = cuda.to_device(A)\n{GRID}(D, B, D)\nC = np.asarray(D)",
    "by_compiled": "C = compiled(A, B)",
    "by_counted": "C, count = counted((A, B))\nassert count == 64",
    "on_device": "D = cuda.to_device(A)\nassert isinstance(D, cuda.cudadrv.devicearray.DeviceNDArray)\n"
    "assert not isinstance(A, cuda.devicearray.DeviceNDArray)\nC = D.copy_to_host()",
    "makes_a_device_array": "C = A\ncuda.devicearray.DeviceNDArray((8, 8), (64, 8), np.int64)",
    "into_compiled": "C = np.zeros_like(A)\ninto(A, C)",
    "after_mix": "C = np.zeros_like(A)\ninto(np.maximum(A, B), C)",
    "by_larger": "C = larger(A, B)",
    "kernel_of_compiled": "C = np.zeros_like(A)\ncopy[(1, 1), (8, 8)](compiled(A, B), C)",
    "data_given": "C = np.zeros_like(A)\ninto(np.array([[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]), C)",
    "tuple_that_shows_others": (
        "from typing import NamedTuple\nclass Held(NamedTuple):\n    a: object\n    b: object\n"
        "class Liar(Held):\n    def __iter__(self):\n        return iter((A, B))\n"
        "M = np.maximum(A, B)\nC, _ = counted(Liar(M, M))"
    ),
    "tuple_for_a_kernel": (
        "from typing import NamedTuple\nclass Held(NamedTuple):\n    a: object\n    b: object\n"
        "class Liar(Held):\n    def __iter__(self):\n        return iter((A, B))\n"
        "@cuda.jit\ndef held(pair, c):\n    i, j = cuda.grid(2)\n    c[i, j] = pair[0][i, j]\n"
        "C = np.zeros_like(A)\nheld[(1, 1), (8, 8)](Liar(np.maximum(A, B), B), C)"
    ),
    "own_transfer": (
        "class Mine(cuda.In):\n    pass\nC = np.zeros_like(A)\ncopy[(1, 1), (8, 8)](Mine(np.maximum(A, B)), C)"
    ),
    "record": (
        "R = np.zeros(1, np.dtype([('one', float), ('two', float)]))\nR['one'] = np.maximum(A, B).max()\n"
        "@cuda.jit\ndef taken(pair, c):\n    i, j = cuda.grid(2)\n    c[i, j] = pair[0].one\n"
        "C = np.zeros_like(A)\ntaken[(1, 1), (8, 8)]((R[0],), C)"
    ),
    "kernel_holds_data_specialised": (
        "H = np.maximum(A, B)\n@cuda.jit\ndef holder(C):\n    i, j = cuda.grid(2)\n    C[i, j] = H[i, j]\n"
        "C = np.zeros_like(A)\nholder.specialize(C)[(1, 1), (8, 8)](C)"
    ),
    "copied_into_some_rows": (
        "D = cuda.to_device(np.maximum(A, B))\nE = cuda.device_array_like(A)\n"
        "D[::7].copy_to_device(np.ascontiguousarray(A[::7]))\n"
        "copy[(1, 1), (8, 8)](D, E)\nC = E.copy_to_host()"
    ),
    "copied_into_all_rows": (
        "D = cuda.to_device(np.maximum(A, B))\nE = cuda.device_array_like(A)\nD[:].copy_to_device(A)\n"
        "copy[(1, 1), (8, 8)](D, E)\nC = E.copy_to_host()"
    ),
    "copied_into_the_last_rows": (
        "D = cuda.to_device(np.maximum(A, B))\nE = cuda.device_array_like(A)\nD[4:].copy_to_device(A[4:])\n"
        "copy[(1, 1), (4, 8)](D[4:], E[4:])\nC = E.copy_to_host()"
    ),
    "set_one_by_one": (
        "D = cuda.device_array_like(A)\nfor i in range(8):\n    for j in range(8):\n"
        "        D[i, j] = max(A[i, j], B[i, j])\nC = D.copy_to_host()"
    ),
    "copied_in_pieces": (
        "D = cuda.device_array_like(A)\nfor i in range(8):\n"
        "    D[i].copy_to_device(np.array([max(a, b) for a, b in zip(A[i].tolist(), B[i].tolist())]))\n"
        "C = D.copy_to_host()"
    ),
    "copied_in_pieces_of_the_device": (
        "D = cuda.device_array_like(A)\nfor i in range(8):\n"
        "    D[i].copy_to_device(cuda.to_device(np.array([max(a, b) for a, b in zip(A[i].tolist(), B[i].tolist())])))\n"
        "C = D.copy_to_host()"
    ),
    "copied_from_chosen_places": (
        "D, R = cuda.device_array_like(A), cuda.to_device(np.arange(256))\nfor i in range(8):\n    for j in range(8):\n"
        "        D[i, j : j + 1].copy_to_device(R[max(A[i, j], B[i, j]) :][:1])\nC = D.copy_to_host()"
    ),
    "a_small_whole_copied": (
        "D, E = cuda.device_array(8, np.int64), cuda.device_array(8, np.int64)\n"
        "D.copy_to_device(np.array([1, 5, 2, 7, 3, 9, 4, 6]))\nE.copy_to_device(D)\nC = E.copy_to_host()"
    ),
    "told_by_launches": "C = np.zeros_like(A)\n@cuda.jit\ndef put(c, i, x):\n    c[i // 8, i % 8] = x\n"
    "for i in range(64):\n    put[1, 1](C, i, max(A[i // 8, i % 8], B[i // 8, i % 8]))",
    "kernel_after_copy": f"C = np.zeros_like(A)\ncopy[(1, 1), (8, 8)](A, C)\n{GRID}(A, B, C)",
    "by_device_function": (
        "def of_two(a, b):\n    return a if a > b else b\nof_two = cuda.jit(of_two, True)\n"
        "@cuda.jit\ndef kernel(a, b, c):\n    i, j = cuda.grid(2)\n    c[i, j] = of_two(a[i, j], b[i, j])\n"
        f"C = np.zeros_like(A)\n{GRID}(A, B, C)"
    ),
    "sets_a_method": "C = A\nkernel.forall = print",
    "marks_a_compiled": "C = A\ncompiled.real = 7\nC[0, 0] = compiled.real",
}


@pytest.fixture(scope="module")
def found():
    command = [sys.executable, "-c", PROGRAM, json.dumps(BODIES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "name",
    ["by_host_array", "by_device_array", "into_host", "by_in_and_out", "scaled", "asarray", "by_device_function"],
)
def test_what_a_kernel_wrote_is_the_kernels(found, name):
    assert found[name]["right"]
    assert "kernel: kernel" in found[name]["label"]
    assert not [token for token in found[name]["label"] if token.startswith(("mixed", "compiled", "elements", "data"))]


FACTS = {
    "launches have their geometry and what they were given": (
        "by_device_array",
        {"launches": [["kernel", [1, 1, 1], [8, 8, 1], ["argument 0", "argument 1"]]]},
    ),
    "what compiled code made is its own": ("by_compiled", {"compiled": {"compiled": 1}}),
    "what it made of a tuple, too": ("by_counted", {"right": True}),
    "an array that the host fills entry by entry": ("set_one_by_one", {"right": True, "told": 64}),
    "numbers that reach a kernel one by one are counted per call": ("told_by_launches", {"right": True, "told": 128}),
    "what is copied for a launch is said by Numba's classes only": (
        "own_transfer",
        {"raised": "TypeError", "refused": ["an own kind of cuda.In or cuda.Out"]},
    ),
    "a record may hold any number of numbers": (
        "record",
        {"raised": "TypeError", "refused": ["a record that a kernel is given"]},
    ),
    "a kernel cannot be changed": ("sets_a_method", {"raised": "AttributeError"}),
    "a compiled function may be marked as other functions are": ("marks_a_compiled", {"raised": "", "refused": []}),
    "the class of device arrays can be asked for": ("on_device", {"raised": ""}),
    "and makes none": ("makes_a_device_array", {"raised": "TypeError"}),
    "a kernel can be left out": ("without", {"zero": True}),
    "a kernel can be looked at": ("look", {"launches": 2, "right": True}),
    "new memory can hold what was there before": ("old", {"tried": True, "value": 100}),
}


@each("name, facts", FACTS)
def test_what_is_seen_of_a_call(found, name, facts):
    assert {key: found[name][key] for key in facts} == facts


@pytest.mark.parametrize("name", ["after_host", "after_host_on_device", "host_afterwards", "transfer_only"])
def test_what_the_host_did_before_or_after_stays_with_the_numbers(found, name):
    assert any("mixed: numpy.maximum" in token for token in found[name]["label"]), found[name]


@each(
    "name, tokens",
    *(("by_compiled", {"compiled: compiled"}), ("by_counted", {"compiled: counted"})),
    *(("into_compiled", {"compiled: into"}), ("by_larger", {"compiled: larger"})),
    *(("kernel_of_compiled", {"kernel: copy", "compiled: compiled"}), ("set_one_by_one", {"elements"})),
    *(
        *((f"copied_in_pieces{of}", {"elements"}) for of in ("", "_of_the_device")),
        ("copied_from_chosen_places", {"elements"}),
    ),
)
def test_what_made_it_stays_with_the_numbers(found, name, tokens):
    assert tokens <= {*found[name]["label"]}
    assert "elements" not in found["a_small_whole_copied"]["label"]


def test_what_compiled_code_was_given_is_known_also_where_a_tuple_shows_others(found):
    for name in ("after_mix", "tuple_that_shows_others"):
        assert any(token.startswith("mixed: numpy.maximum") for token in found[name]["given"]), name
    assert "data" in found["data_given"]["given"]


GIVEN = ["after_host", "after_host_on_device", "tuple_for_a_kernel", "kernel_holds_data_specialised"]


@pytest.mark.parametrize("name", GIVEN)
def test_a_launch_knows_what_it_was_given_however_that_is_held(found, name):
    assert found[name]["right"]
    assert any("mixed: numpy.maximum" in token for token in found[name]["launches"][-1][3]), found[name]


def test_a_copy_into_some_rows_leaves_the_label_of_the_others(found):
    assert any("mixed: numpy.maximum" in token for token in found["copied_into_some_rows"]["launches"][-1][3])
    for name in ("copied_into_all_rows", "copied_into_the_last_rows"):
        assert found[name]["launches"][-1][3] == ["argument 0"], name


def test_a_refusal_is_said_and_a_look_sees_what_a_kernel_wrote(found):
    assert found["makes_a_device_array"]["refused"]
    assert [words.lower() for words in found["sets_a_method"]["refused"]] == ["cudadispatcher.forall ="]
