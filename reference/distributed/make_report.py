"""Measure the reference solution on this machine and write distributed.pdf: python make_report.py [PDF [DATA]].

Needs fpdf2 and matplotlib. DATA is what train.py takes; without it, scikit-learn's digits are learnt.
"""

import io
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import fpdf
import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

FOLDER = Path(__file__).parent
PHASES = ("scatter", "broadcast", "forward", "backward", "gather", "update", "other calls", "whole")
TITLE = "Distributed training: what travels, and when"
TEXT = """

Data parallel. Every rank has all weights and a share of the samples. The data set travels once, by Scatterv with counts
that differ by one where P does not divide N. In each step two things travel: the sum of the errors, one number, and the
sums of the derivatives, 25 x 401 and 10 x 26 numbers. They are sums, not means: a mean of the ranks' means would give a
sample of a small share more weight. Costs on 2, 3 and 4 ranks are equal to the sequential ones but for round-off, since
addition in floating point depends on the order: n numbers in two orders differ by at most n times 1.1e-16 of the sum of
their sizes. A bug is larger by many powers of ten.

Collectives. The ring all-reduce sends 2 (P - 1) / P of the array per rank, whatever P is, in 2 (P - 1) steps; the tree
broadcast takes log2 P rounds. With latency a and time per byte b, ring: 2 (P - 1) a + 2 (P - 1) / P n b; tree reduction
and broadcast: 2 log2 P (a + n b). The ring is better for long arrays, the tree for short ones and many ranks; a
parameter server takes 2 (P - 1) n b at one place.

Model parallel. Columns of W1 and the same rows of W2 lie on one rank. Its part of the hidden layer needs nothing of the
others, and its part of the product is a summand of the output: one reduction of the output in the forward pass. On the
way back nothing travels: the derivative by the output is known to all, and each rank needs its own columns and rows
only. So "no communication is required during the backpropagation" is true for this split, for two layers. It is not
true for data parallel training, where the derivatives are all that travels, nor for a pipeline, where derivatives go
back from layer to layer.

The softmax network, 400-128-10 with 800 samples, four steps on 4 ranks, as the grading reports it: with the samples
divided, a rank gives every derivative to MPI in each step, 400 x 128 + 128 x 10 + 138 numbers or 0.42 MB, whatever the
number of samples. With the weights divided it gives the output, 800 x 10 numbers or 64 kB, which grow with the samples
and not with the network. So wide layers and small batches speak for the second, and the other way round.

Pipeline. With p layers and m micro-batches each rank works m of m + p - 1 steps: the bubble is (p - 1) / (m + p - 1).
For p = 4 and m = 5 that is 38 %, for m = 20 it is 13 %.
"""
BATCHES = """
One pass over the samples by train_batches. Smaller batches imply more steps in an epoch, and so more updates, for the
same number of samples; a derivative is neither larger nor smaller for it, but it points less exactly downhill. A larger
learning rate makes the same steps longer: with few steps it gets farther, with many it may jump over the minimum.
"""


def measure(ranks: int, data: list[str]) -> dict:
    """Return what measure.py prints when it runs on `ranks` ranks."""
    mpiexec = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    command = [str(mpiexec), "-n", str(ranks), sys.executable, "measure.py", *data]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True)  # noqa: S603 (our own)
    return json.loads(done.stdout)


def phase_rows(runs: list[dict]) -> list[list[str]]:
    """Return the lines of the table: seconds of each phase, by one process and by several."""
    columns = [runs[-1]["sequential"], *(run["parallel"] for run in runs)]
    head = ["seconds", "1 process", *(f"{run['ranks']} rank{'s' * (run['ranks'] > 1)}" for run in runs)]
    phases = [phase for phase in PHASES if any(phase in column for column in columns)]
    return [head, *([phase, *(f"{one[phase]:.4f}" if phase in one else "" for one in columns)] for phase in phases)]


def batch_rows(run: dict) -> list[list[str]]:
    """Return the lines of the table of mini-batches."""
    head = ["samples in a batch", "learning rate", "steps", "cost after one pass", "right"]
    return [head, *([str(a), str(b), str(c), f"{d:.3f}", f"{100 * e:.0f} %"] for a, b, c, d, e in run["batches"])]


def explain_experiment(run: dict) -> str:
    """Explain the result of the training, and why times and bytes disagree."""
    costs, faster = run["costs"], 100 * (1 - run["parallel"]["whole"] / run["sequential"]["whole"])
    gap = max(abs(one - other) for one, other in zip(costs, run["parallel_costs"], strict=True))
    shares = {name: 100 * one["inside"] / one["whole"] for name, one in run["softmax"].items()}
    return f"""
On {run["samples"]} pictures the cost falls from {costs[0]:.3f} to {costs[-1]:.3f} (the text: 6.70 to 3.210), and
{100 * run["precision"]:.0f} % of the classes are right (the text: 36 %). With {run["ranks"]} ranks the costs differ by
{gap:.0e} at most, and the training takes {faster:.0f} % less time (the text: about 30 %). Forward, backward and update
on ranks are those of a rank's own share; the gathering contains waiting for the slowest rank. Waiting ranks ask MPI
without a pause, so that every other program on the machine makes them slower.

Share of rank 0's time inside MPI's calls, 40 steps of the softmax network on {run["ranks"]} ranks:
{shares["samples divided"]:.0f} % with the samples divided, {shares["weights divided"]:.0f} % with the weights divided.
By bytes the second needs less than a sixth of the first. On one machine times do not follow bytes: ranks share memory,
a byte costs a fraction of a nanosecond, and 0.4 MB take 0.1 ms, no longer than a rank waits for another one that the
system has let run later. On a network of 1 GB/s the same 0.4 MB take 0.4 ms in every step, and bytes decide.
"""


def add_table(page: fpdf.FPDF, rows: list[list[str]]) -> None:
    """Add a table; the first row has the headings."""
    with page.table(text_align="RIGHT", line_height=5.5, width=140) as table:
        for row in rows:
            table.row(row)
    page.ln(3)


def flowed(text: str) -> str:
    """Return the text with a line for each paragraph; paragraphs are separated by empty lines."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def chart(costs: list[float]) -> io.BytesIO:
    """Return the costs as a picture."""
    figure, axes = plt.subplots(figsize=(5, 2.2), layout="constrained")
    axes.plot(range(1, len(costs) + 1), costs, color="#3f88c5")
    axes.set(title="cost before each step", xlabel="step")
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150)
    plt.close(figure)
    return picture


def main() -> None:
    """Measure, and write the report."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "distributed.pdf"
    counts = [count for count in (1, 2, 4, 8) if count <= (os.cpu_count() or 1)]
    runs = [measure(count, sys.argv[2:3]) for count in counts]
    page = fpdf.FPDF()
    page.add_page()
    page.set_font("helvetica", "B", size=14)
    page.multi_cell(0, 8, TITLE, new_x="LMARGIN", new_y="NEXT")
    page.set_font("helvetica", size=10)
    page.multi_cell(0, 5, flowed(TEXT))
    page.add_page()
    page.set_font("helvetica", "B", size=12)
    machine = f"The experiment: 400-25-10, 60 steps, on {platform.machine()} with {os.cpu_count()} cores"
    page.multi_cell(0, 8, machine, new_x="LMARGIN", new_y="NEXT")
    page.set_font("helvetica", size=10)
    add_table(page, phase_rows(runs))
    page.multi_cell(0, 5, flowed(explain_experiment(runs[-1])), new_x="LMARGIN", new_y="NEXT")
    page.ln(3)
    page.multi_cell(0, 5, flowed(BATCHES), new_x="LMARGIN", new_y="NEXT")
    add_table(page, batch_rows(runs[-1]))
    page.image(chart(runs[-1]["costs"]), w=140)
    page.output(str(path))


if __name__ == "__main__":
    main()
