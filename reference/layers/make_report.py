"""Measure the reference solution on this machine and write layers.pdf: python make_report.py [PDF].

Needs fpdf2 and matplotlib. Without a GPU the kernels are executed on the CPU, and the report says so.
"""

import datetime as dt
import io
import json
import platform
import subprocess
import sys
from pathlib import Path

import fpdf
import matplotlib as mpl
import numpy as np
from numba import cuda

mpl.use("Agg")
from matplotlib import pyplot as plt

FOLDER = Path(__file__).parent
CELL_HEIGHT_MM = 5.5
CORES = 768  # of the GPU in the text that the homework follows
TEXT = {"Linear": 0.8193, "ReLU": 0.1415, "Sigmoid": 0.0163}  # of its serial code

KERNELS = """
    multiply_and_add computes Z = W A + b. One thread computes one entry of Z: thread (x, y) of block (X, Y) takes row
    16 Y + y and column 16 X + x, multiplies that row of W by that column of A and adds the bias of the row. A block has
    16 x 16 threads; a result of r rows and c columns needs ceil(c / 16) x ceil(r / 16) blocks, and threads beyond the
    edge do nothing. Neighbouring threads (x) read neighbouring columns of A and write neighbouring entries of Z.

    multiply_transposed_left computes dA = W^T dZ. Nothing is transposed: the thread reads column i of W, W[k, i],
    instead of row i. multiply_transposed_right computes dW = dZ A^T / m likewise, with A[j, k]. average_rows has one
    thread for each row of dZ; a row's sum could be shared by more threads, with atomics or in shared memory, but it is
    little work beside the products.

    Threads read the same numbers, which harms nobody. Each writes one entry that is its own: there are no races, and no
    thread waits for another. relu, sigmoid and their derivatives have one thread for each entry, in blocks of 64.
"""


AMDAHL = """
    Entries of the layers and of the loss could all be computed at the same time; what is left are the loops over
    epochs, batches and layers. If a share p of the time runs on s cores, a program becomes at most
    1 / ((1 - p) + p / s) times as fast. The grading counts in the same way.
"""


def measure() -> dict:
    """Return what measure.py prints."""
    executor = [] if cuda.is_available() else ["-m", "grader.cuda_cpu"]
    command = [sys.executable, *executor, str(FOLDER / "measure.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (our own script)
    return json.loads(done.stdout)


def bound(share: float, cores: int) -> float:
    """Return how many times as fast a program can become by Amdahl's law, if `share` of it runs on `cores`."""
    return 1 / ((1 - share) + share / cores)


def shares_of(timed: dict) -> dict[str, float]:
    """Return the share of a training's time that each function takes, such as `Linear.forward` -> 0.3."""
    return {name: seconds / timed["total_s"] for name, seconds in sorted(timed["functions_s"].items())}


def layer_rows(trainings: dict[str, dict]) -> list[list[str]]:
    """Return the lines of a table: what part of the time each layer takes in the text, in loops, and by NumPy."""
    columns = [TEXT, shares_of(trainings["serial loops"]), shares_of(trainings["CPU path"])]
    rows = [["", "the text, serial", "serial loops, here", "NumPy, here"]]
    for part in ("Linear", "ReLU", "Sigmoid", "loss"):
        sums = [sum(one for name, one in shares.items() if name.startswith(part)) for shares in columns]
        rows.append([part, *(f"{100 * one:.2f} %" if one else "not said" for one in sums)])
    totals = [sum(shares.values()) for shares in columns]
    rows.append(["all of these: p", *(f"{100 * p:.2f} %" for p in totals)])
    rows.append([f"bound for {CORES} cores", *(f"{bound(p, CORES):.1f}" for p in totals)])
    return rows


def explain_speed(times: dict[str, float]) -> str:
    """Say what was measured."""
    serial_s, numpy_s, gpu_s = (times[name] for name in ("serial loops", "CPU path", "GPU path"))
    device = "on the GPU named above" if cuda.is_available() else "with the kernels executed on the CPU, not on a GPU"
    return f"""
    A training of 1024 hidden neurons with 1000 points, two steps: {serial_s:.4f} s in serial loops and
    {numpy_s:.4f} s by NumPy, both on one core, {gpu_s:.4f} s by the kernels, {device}.
    So the kernels are {serial_s / gpu_s:.2f} times as fast as the serial code, where the text has 32.09 of at most
    45.45 (41.4 by its own shares), and {numpy_s / gpu_s:.2f} times as fast as NumPy.

    A bound is not reached because a core of a GPU is slower than one of the CPU, because every launch takes some
    microseconds whatever it computes, and because copies are no part of p.
    """


def build_pdf() -> bytes:
    """Measure, and lay out the report."""
    figures = measure()
    shares, times, losses, accuracy = (figures[name] for name in ("shares", "times", "losses", "accuracy"))
    pdf = fpdf.FPDF()
    pdf.set_title("layers: a neural network as layer classes")
    pdf.set_creation_date(dt.datetime.now(dt.UTC).replace(microsecond=0))
    pdf.set_margins(20, 18)
    pdf.add_page()
    write(pdf, "layers: a neural network as layer classes, on CPU and GPU", size=17, style="B")
    name = cuda.get_current_device().name if cuda.is_available() else "none, kernels were executed on the CPU"
    write(
        pdf, f"Machine: {platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}. GPU: {name}."
    )
    write(pdf, "1. Kernels", size=14, style="B")
    write(pdf, KERNELS)
    write(pdf, "2. Training", size=14, style="B")
    write(
        pdf,
        f"The loss fell from {losses[0]:.3f} to {losses[-1]:.3f}; {100 * accuracy:.1f} % of fresh points are right.",
    )
    pdf.add_page()
    write(pdf, "3. Amdahl's law", size=14, style="B")
    write(pdf, AMDAHL)
    with pdf.table(first_row_as_headings=True, text_align="RIGHT", line_height=5.5) as table:
        for row in layer_rows(shares):
            table.row(row)
    pdf.ln(3)
    write(pdf, explain_speed(times))
    add_charts(pdf, shares_of(shares["CPU path"]), losses)
    return bytes(pdf.output())


def write(pdf: fpdf.FPDF, text: str, size: int = 10, style: str = "") -> None:
    """Add text, with a gap after each paragraph; paragraphs are separated by empty lines."""
    pdf.set_font("Helvetica", style, size)
    for paragraph in text.split("\n\n"):
        joined = " ".join(paragraph.split())
        pdf.multi_cell(0, CELL_HEIGHT_MM * size / 10, joined, align="L", new_x="LMARGIN", new_y="NEXT")
        pdf.ln(2)


def add_charts(pdf: fpdf.FPDF, shares: dict[str, float], losses: list[float]) -> None:
    """Add the parts of the CPU path, and the loss of each epoch."""
    figure, (parts, curve) = plt.subplots(1, 2, figsize=(7.2, 3), layout="constrained")
    bars = parts.barh(list(shares), [100 * share for share in shares.values()], color="#3f88c5")
    parts.bar_label(bars, fmt="%.1f %%", padding=3)
    parts.set(title="share of the CPU path", xlabel="%")
    parts.margins(x=0.3)
    parts.invert_yaxis()
    curve.plot(range(1, len(losses) + 1), losses, color="#76b900")
    curve.set(title="loss", xlabel="epoch", yscale="log")
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150)
    plt.close(figure)
    pdf.image(picture, w=170)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "layers.pdf"
    target.write_bytes(build_pdf())
    print(f"{target}: {target.stat().st_size} bytes")
