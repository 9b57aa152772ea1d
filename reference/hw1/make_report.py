"""Measure the reference solution on this machine and write hw1.pdf: python make_report.py [PDF].

Needs fpdf2 and matplotlib. Without a GPU the CUDA kernels are executed on the CPU, and the report says so.
"""

import contextlib
import datetime as dt
import io
import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import fpdf
import matplotlib as mpl
from numba import cuda
from report_text import CORES, explain_cores, explain_device, explain_matmul, explain_max

mpl.use("Agg")
from matplotlib import pyplot as plt

FOLDER = Path(__file__).parent
CELL_HEIGHT_MM = 5.5


@dataclass(frozen=True)
class Figures:
    """What was measured, where and when.

    Attributes:
        machine: processor, cores and versions in words.
        gpu: name of the GPU, or "" where the kernels were executed on the CPU.
        measured_at: time of the measurement, UTC.
        max_outputs: printed comparison of max_functions.py for each number of cores.
        matmul_output: printed comparison of matmul_functions.py on all cores.
    """

    machine: str
    gpu: str
    measured_at: dt.datetime
    max_outputs: dict[int, str]
    matmul_output: str


def measure() -> Figures:
    """Run both comparisons, the first on 1, 2, 4 and 8 cores as far as this machine has them. Takes minutes."""
    available = sorted(os.sched_getaffinity(0))
    counts = [cores for cores in CORES if cores <= len(available)]
    return Figures(
        machine=_describe_machine(len(available)),
        gpu=_name_gpu(),
        measured_at=dt.datetime.now(dt.UTC).replace(microsecond=0),
        max_outputs={cores: _run("max_functions.py", available[:cores]) for cores in counts},
        matmul_output=_run("matmul_functions.py", available),
    )


def read_times(output: str) -> dict[str, float]:
    """Take the seconds out of a printed comparison: {"CPU": 5.1, "Numba": 0.01, "CUDA": 0.03}."""
    return {name: float(seconds) for name, seconds in re.findall(r"(\w+): ([\d.]+)$", output, re.MULTILINE)}


def build_pdf(figures: Figures) -> bytes:
    """Lay out the report. The same figures give the same bytes."""
    max_times, matmul_times = read_times(figures.max_outputs[1]), read_times(figures.matmul_output)
    python = "python" if figures.gpu else "python -m grader.cuda_cpu"
    pdf = fpdf.FPDF()
    pdf.set_title("hw1: element-wise maximum and X X^T on the GPU")
    pdf.set_creation_date(figures.measured_at)
    pdf.set_margins(20, 18)
    pdf.add_page()
    _write(pdf, "hw1: element-wise maximum and matrix product", size=17, style="B")
    _write(pdf, f"Machine: {figures.machine}.")
    _write(pdf, f"Device of the CUDA kernels: {figures.gpu or 'none, executed on the CPU'}.")
    _write(pdf, explain_device(figures.gpu, figures.measured_at))

    _write(pdf, "1. max_kernel", size=14, style="B")
    _write(pdf, explain_max(max_times, figures.gpu))
    _add_screenshot(pdf, f"{python} max_functions.py  (1 core, seconds for 20 calls)", figures.max_outputs[1])
    _add_speedups(pdf, {cores: read_times(output) for cores, output in figures.max_outputs.items()})
    _write(pdf, explain_cores({cores: read_times(output) for cores, output in figures.max_outputs.items()}))

    pdf.add_page()
    _write(pdf, "2. matmul_kernel", size=14, style="B")
    _write(pdf, explain_matmul(matmul_times, figures.gpu))
    _add_screenshot(pdf, f"{python} matmul_functions.py  (seconds for 100 calls)", figures.matmul_output)
    _add_bars(pdf, {"maximum, 20 calls": max_times, "X X^T, 100 calls": matmul_times})
    return bytes(pdf.output())


def _name_gpu() -> str:
    """Return the name of the GPU, or "" where there is none."""
    if not cuda.is_available():
        return ""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def _describe_machine(cores: int) -> str:
    """Name processor, cores and the versions that the times depend on."""
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
        model = found.group(1) if found else model
    versions = ", ".join(f"{name} {sys.modules[name].__version__}" for name in ("numpy", "numba"))
    return f"{model}, {cores} cores, Python {platform.python_version()}, {versions}"


def _run(script: str, cores: list[int]) -> str:
    """Run a comparison on these cores and return what it prints; if it fails, there is no report."""
    executor = [] if cuda.is_available() else ["-m", "grader.cuda_cpu"]
    command = [sys.executable, *executor, str(FOLDER / script)]
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)  # the new process inherits it
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (our own script)
    finally:
        os.sched_setaffinity(0, everywhere)
    if done.returncode != 0:
        sys.exit(f"{script} failed, so there is nothing to report:\n{done.stdout}{done.stderr}")
    return done.stdout


def _write(pdf: fpdf.FPDF, text: str, size: int = 10, style: str = "") -> None:
    """Add text, with a gap after each paragraph; paragraphs are separated by empty lines."""
    pdf.set_font("Helvetica", style, size)
    for paragraph in text.split("\n\n"):
        joined = " ".join(paragraph.split())
        pdf.multi_cell(0, CELL_HEIGHT_MM * size / 10, joined, align="L", new_x="LMARGIN", new_y="NEXT")
        pdf.ln(2)


def _add_speedups(pdf: fpdf.FPDF, times: dict[int, dict[str, float]]) -> None:
    """Add the table of times and of the two quotients that the sheet asks for."""
    pdf.set_font("Helvetica", "", 10)
    head = ("cores", "max_cpu (s)", "max_numba (s)", "max_gpu (s)", "max_numba / max_gpu", "max_cpu / max_gpu")
    with pdf.table(text_align="RIGHT", line_height=6) as table:
        table.row(head)
        for cores, t in times.items():
            quotients = (t["Numba"] / t["CUDA"], t["CPU"] / t["CUDA"])
            table.row(
                [str(cores), *(f"{t[k]:.4f}" for k in ("CPU", "Numba", "CUDA")), *(f"{q:.2f}" for q in quotients)]
            )
    pdf.ln(3)


def _add_screenshot(pdf: fpdf.FPDF, command: str, output: str) -> None:
    """Add the picture of a terminal with the command and what it printed."""
    lines = [f"$ {command}", *output.splitlines()]
    figure = plt.figure(figsize=(6.4, 0.26 * len(lines) + 0.2), facecolor="#16181d")
    figure.text(0.02, 0.5, "\n".join(lines), family="monospace", size=9, color="#e8e6e3", va="center", linespacing=1.5)
    _add_figure(pdf, figure, width_mm=125)


def _add_bars(pdf: fpdf.FPDF, groups: dict[str, dict[str, float]]) -> None:
    """Add a logarithmic bar chart for each comparison."""
    figure, axes = plt.subplots(1, len(groups), figsize=(6.4, 2.4), layout="constrained")
    for axis, (title, times) in zip(axes, groups.items(), strict=True):
        bars = axis.barh(list(times), list(times.values()), color=["#7a869a", "#3f88c5", "#76b900"])
        axis.bar_label(bars, fmt="%.3g s", padding=3)
        axis.set(title=title, xscale="log", xlabel="best time (s)")
        axis.margins(x=0.4)
        axis.invert_yaxis()
    _add_figure(pdf, figure, width_mm=165)


def _add_figure(pdf: fpdf.FPDF, figure: plt.Figure, width_mm: float) -> None:
    """Put a matplotlib figure on the page as a picture."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150, facecolor=figure.get_facecolor())
    plt.close(figure)
    pdf.image(picture, w=width_mm)
    pdf.ln(3)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "hw1.pdf"
    target.write_bytes(build_pdf(measure()))
    print(f"{target}: {target.stat().st_size} bytes")
