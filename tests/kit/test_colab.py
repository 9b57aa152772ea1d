"""Colab's notebook: a valid one, executed cell by cell by a kernel."""

import ast
import html
import json
import re
import zipfile

import handins
import nbformat
import pytest
from nbclient import NotebookClient
from rows import some

from grader.kit.platforms import make_notebook, make_package

SET_UP, CHECK, ZIP = 1, 2, 3


@pytest.fixture(scope="module")
def notebook(parts):
    return nbformat.reads(make_notebook(parts), as_version=nbformat.NO_CONVERT)


def test_the_notebook_is_valid_python_and_installs_for_a_gpu_what_the_grader_itself_would(notebook):
    nbformat.validate(notebook)
    assert notebook.metadata.accelerator == "GPU"
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", "code", "code", "code"]
    for cell in some(notebook.cells[1:]):
        ast.parse(cell.source)
        assert cell.metadata.cellView == "form"
    needs = json.loads(re.search(r"^GPUS = (.*)$", notebook.cells[SET_UP].source, re.MULTILINE)[1])
    assert set(needs) == {"gpu12", "gpu13"}
    assert all(first.startswith("numba-cuda[cu") for first, *_ in needs.values())


@pytest.fixture(scope="module")
def package(parts, tmp_path_factory):
    return make_package("colab", parts, tmp_path_factory.mktemp("colab"))


class Session:
    """Colab, as far as the notebook sees it: a kernel that starts in the folder where the notebook lies."""

    def __init__(self, package):
        self.package, self.notebook = package, nbformat.read(package / "hw1.ipynb", as_version=4)
        resources = {"metadata": {"path": str(package)}}
        self.client = NotebookClient(self.notebook, timeout=2000, kernel_name="python3", resources=resources)

    def __enter__(self):
        self.context = self.client.setup_kernel(cwd=str(self.package))
        self.context.__enter__()
        return self

    def __exit__(self, *reason):
        return self.context.__exit__(*reason)

    def run(self, cell):
        """Run a cell, and return what it printed and the page that it shows."""
        done = self.client.execute_cell(self.notebook.cells[cell], cell)
        printed = "".join(one.text for one in done.outputs if one.output_type == "stream")
        pages = [one.data["text/html"] for one in done.outputs if one.output_type == "display_data"]
        return printed, "".join(pages)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_student_sets_up_checks_and_packs(package):
    with Session(package) as session:
        printed, _ = session.run(SET_UP)
        assert "Ready. Your files are in" in printed
        template, page = session.run(CHECK)
        assert "fill in sigmoid" in template
        assert "To see it alone: run Check with only = utils.sigmoid" in template
        assert "Check shows the same with your code beside it." in template
        assert re.fullmatch(r'<iframe sandbox srcdoc="[^"<>]*" style="[^"<>]*"></iframe>', page)
        assert "<!doctype html>" in html.unescape(page).lower()
        for name, content in handins.reference_files().items():
            (package / "hw1" / name).write_bytes(content)
        session.run(SET_UP)  # again, as after a restart
        assert (package / "hw1/utils.py").read_bytes() == handins.reference_files()["utils.py"]
        right, page = session.run(CHECK)
        assert "83" in right
        assert "because MNIST was not found." in right + page
        assert "utils.sigmoid" in page
        packed, _ = session.run(ZIP)
        assert "hw1.zip is written" in packed
        for said in (template, right, page, packed):
            assert not re.search("make data|DATA=|in a browser|--only", said)
    with zipfile.ZipFile(package / "hw1/hw1.zip") as archive:
        assert set(archive.namelist()) == set(handins.reference_files())
