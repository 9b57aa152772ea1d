"""Google Colab: one notebook with the student kit in it, which sets it up, checks, and packs the zip to hand in.

It is for students, and grades nothing: the zip goes where the course collects it.

Format: https://nbformat.readthedocs.io/en/latest/format_description.html; what Colab adds (`accelerator`, forms with
`cellView` and `#@title`) is as notebooks made there have it, such as those of https://github.com/googlecolab/colabtools
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grader.intake.packing import pack
from grader.kit.wheel import list_needs
from grader.packages.handedout import handed_out
from grader.packages.parts import Parts, write, write_templates
from grader.sandbox import gpudriver

_ABOUT = {
    "accelerator": "GPU",  # Colab takes one if it has one to give
    "colab": {"provenance": []},
    "kernelspec": {"display_name": "Python 3", "name": "python3"},
    "language_info": {"name": "python"},
}


def fill(folder: Path, parts: Parts) -> None:
    """Write the notebook into the empty `folder`; it is set up over the network, which Colab always has.

    Raises:
        StaffError: the rubric has hidden checks, which a kit would show.
    """
    write(folder / f"{parts.assignment.name}.ipynb", make_notebook(parts).encode())


def make_notebook(parts: Parts) -> str:
    """Return the notebook as JSON text: a cell for each file of `templates/colab/`, in their order."""
    more = {"kit": base64.b64encode(_pack_kit(parts)).decode(), "gpus": _gpu_needs()}
    with TemporaryDirectory(prefix="grader-colab-") as temporary:
        write_templates(Path(temporary), "colab", parts, more)
        cells = [_cell(path) for path in sorted(Path(temporary).iterdir())]
    document = {"cells": cells, "metadata": _ABOUT, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _cell(path: Path) -> dict[str, Any]:
    """Return the cell that a file is: its name ends in `.md` for text; all others are code, shown as a form."""
    shared = {"id": path.stem, "source": path.read_text("utf-8").rstrip("\n").splitlines(keepends=True)}
    if path.suffix == ".md":
        return {"cell_type": "markdown", "metadata": {}, **shared}
    form = {"cell_type": "code", "metadata": {"cellView": "form"}}
    return {**form, "execution_count": None, "outputs": [], **shared}


def _pack_kit(parts: Parts) -> bytes:
    """Return the handout as a zip, with what tells which driver of NVIDIA's is there."""
    files = handed_out(parts.assignment) | {"kit/gpudriver.py": Path(gpudriver.__file__).read_bytes()}
    return pack((f"{parts.assignment.name}/{name}", files[name]) for name in sorted(files))


def _gpu_needs() -> Mapping[str, list[str]]:
    """Return what each extra of `gpudriver.Driver` installs."""
    asked = [(extra, str(need)) for extra, need in list_needs() if extra.startswith("gpu")]
    return {extra: [need for other, need in asked if other == extra] for extra, _ in asked}
