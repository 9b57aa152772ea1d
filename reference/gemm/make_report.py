"""Measure the reference solution on this machine and write gemm.pdf: python make_report.py [PDF].

Needs fpdf2, matplotlib and scikit-learn. Without a GPU the kernels are executed on the CPU, and the report says so.
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

mpl.use("Agg")
from matplotlib import pyplot as plt

FOLDER = Path(__file__).parent
CELL_HEIGHT_MM = 5.5

LOADS = """
    By calculation: step 1 loads both factors of each multiply-add from global memory, 2 numbers. In step 2 a block of
    16 x 16 threads carries a tile of each matrix into shared memory, where every number is used 16 times: 2 / 16 =
    0.125 numbers from global memory, and 2 from shared memory. In step 3 a thread keeps 4 x 4 sums, in tiles of
    64 x 64: 1 / 64 + 1 / 64 = 0.031 numbers from global memory, and 8 reads of shared memory for 16 multiply-adds, 0.5.

    What binds: a multiply-add is 2 operations. Step 1 does 2 / (2 · 4) = 0.25 operations for a byte of float32, which a
    GPU with 4.8 TB/s could feed at 1.2 Tflop/s of its 60 at best, if no cache helped. Step 2 does 4 operations for a
    byte, 19 Tflop/s, and its two reads of shared memory for a multiply-add allow a quarter of the peak. Step 3 does 16,
    and half a read, so that arithmetic binds, if enough warps hide the waiting.

    Rows of shared memory have 65 numbers where threads write a column, so that no two lanes of a warp meet in a bank.
"""
COPYING = """
    im2col copies a number of the image into each window that covers it: for a kernel of 3 x 3 with stride 1 that is
    nine copies, nine times the memory of the image, for one filter or for a hundred. In return the whole convolution is
    one product, and everything that makes products fast makes it fast.
"""
TESTING = """
    From the known to the drawn. First matrices whose product is known without a computer: the identity, ones, a single
    entry that is not 0 and wanders, so that a wrong index shows at its place. Then drawn matrices of sizes that no tile
    divides (1, 15, 16, 17, 65; tall, wide, a single row), beside NumPy in float64, within the bound of section 2. Then
    what a formula hides: alpha = 0, beta = 0 with NaN in C, which has to vanish, and A and B that must not change.

    Derivatives are held against differences of the loss, (J(w + h) - J(w - h)) / 2h, entry by entry for a small
    network; convolution and attention against plain loops. The file trials.py does all this, on a machine without a
    GPU, too. And loads are counted against the numbers of section 1: a step that is right and loads too much is wrong.
"""


def measure() -> dict:
    """Return what measure.py prints."""
    command = [sys.executable, "-m", "grader.cuda_cpu", str(FOLDER / "measure.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (our own script)
    return json.loads(done.stdout)


def build_pdf() -> bytes:
    """Measure, and lay out the report."""
    figures = measure()
    pdf = fpdf.FPDF()
    pdf.set_title("gemm: matrix products on the GPU")
    pdf.set_creation_date(dt.datetime.now(dt.UTC).replace(microsecond=0))
    pdf.set_margins(20, 18)
    pdf.add_page()
    write(pdf, "gemm: matrix products on the GPU, and what is made of them", size=16, style="B")
    write(pdf, f"Machine: {platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}; no GPU.")
    write(pdf, "1. Loads of the three steps", size=13, style="B")
    write(pdf, LOADS)
    for step, (from_global, from_shared) in figures["loads"].items():
        write(pdf, f"Counted, {step}: {from_global:.4g} from global memory, {from_shared:.4g} from shared memory.")
    write(pdf, "2. Round-off and bugs", size=13, style="B")
    write(pdf, explain_errors(figures["errors"]))
    pdf.add_page()
    write(pdf, "3. The choice of lambda", size=13, style="B")
    write(pdf, explain_choice(figures))
    pdf.image(draw_curves(figures["grid"], figures["curves"]), w=170)
    write(pdf, "4. What im2col costs", size=13, style="B")
    write(pdf, COPYING)
    write(pdf, "5. How the code was tested", size=13, style="B")
    write(pdf, TESTING)
    return bytes(pdf.output())


def explain_errors(errors: dict[str, list[float]]) -> str:
    """Say how far sums are off, and how far they may be."""
    rows = "; ".join(f"k = {k}: off by {off:.2g}, bound {bound:.2g}" for k, (off, bound) in errors.items())
    return f"""
    A sum of k products, in whatever order, is off by at most k u / (1 - k u) times the sum of absolute values, with
    u = 2^-24 for float32 (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). What is off by more is
    a bug: a missing product changes a sum by about 1, a hundred thousand times the bound. Measured for step 3: {rows}.
    """


def explain_choice(figures: dict) -> str:
    """Say which lambda was chosen, and why."""
    said = "; ".join(
        f"{lam:g} ends at {curve[-1][0]:.2f} and {curve[-1][1]:.2f}: {word}"
        for lam, curve, word in zip(figures["grid"], figures["curves"], figures["diagnosed"], strict=True)
    )
    chosen = ", ".join(f"{lam:g}" for lam in figures["chosen"])
    tried = "; ".join(
        f"width {hidden}, lambda {lam:g}: {training:.2f} and {validation:.2f}"
        for hidden, lam, training, validation in figures["fixes"]
    )
    best = min(zip(figures["curves"], figures["grid"], strict=True), key=lambda pair: pair[0][-1][1])[1]
    verdict = "regularization is good here" if best else "regularization does not help here"
    return f"""
    Sixty digits were learnt and four hundred others validated; three in ten labels of both were exchanged by chance,
    and all is the mean of {len(figures["chosen"])} draws of digits. For each lambda the cross-entropy of training and
    of validation, and what the curves say of lambda: {said}.

    The lowest end of validation is that of lambda {best:g}: {verdict}. Chosen in the draws, one by one: {chosen}. The
    training samples would choose 0, because they reward what is known by heart; and whoever chooses by the test images
    has none left to tell how good it is.

    Two ways against overfitting, fewer neurons and a small lambda, with the ends of training and validation: {tried}.
    """


def write(pdf: fpdf.FPDF, text: str, size: int = 10, style: str = "") -> None:
    """Add text, with a gap after each paragraph; paragraphs are separated by empty lines."""
    pdf.set_font("Helvetica", style, size)
    for paragraph in text.split("\n\n"):
        joined = " ".join(paragraph.split())
        pdf.multi_cell(0, CELL_HEIGHT_MM * size / 10, joined, align="L", new_x="LMARGIN", new_y="NEXT")
        pdf.ln(2)


def draw_curves(grid: list[float], curves: list[list[list[float]]]) -> io.BytesIO:
    """Return a picture of training and validation for each lambda."""
    figure, axes = plt.subplots(1, len(grid), figsize=(9, 2.6), sharey=True, layout="constrained")
    for axis, lam, curve in zip(axes, grid, curves, strict=True):
        axis.plot(curve, label=["training", "validation"])
        axis.set(title=f"lambda = {lam:g}", xlabel="epoch")
    axes[0].set_ylabel("cross-entropy")
    axes[0].legend()
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150)
    plt.close(figure)
    return picture


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "gemm.pdf"
    target.write_bytes(build_pdf())
    print(f"{target}: {target.stat().st_size} bytes")
