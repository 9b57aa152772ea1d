import datetime as dt
import io

import pypdf
import pytest

pytestmark = pytest.mark.wide

COMMITTED_BYTES = 300_000
MAX_OUTPUTS = {
    1: "[*] CPU: 12.0\n[*] Numba: 0.03\n[*] CUDA: 0.12\n",
    2: "[*] CPU: 10.0\n[*] Numba: 0.02\n[*] CUDA: 0.1\n",
}
MATMUL_OUTPUT = "Numpy: 0.2\nNumba: 8.0\nCUDA: 0.5\n"


@pytest.fixture
def make_report(modules):
    return modules("make_report")


def build(make_report, gpu, **changes):
    figures = {
        "machine": "Some Processor, 2 cores",
        "gpu": gpu,
        "measured_at": dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC),
        "max_outputs": MAX_OUTPUTS,
        "matmul_output": MATMUL_OUTPUT,
    }
    return make_report.build_pdf(make_report.Figures(**figures | changes))


def read(content):
    pages = pypdf.PdfReader(io.BytesIO(content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split()), sum(len(page.images) for page in pages)


def test_the_same_figures_give_the_same_bytes(make_report):
    assert build(make_report, "") == build(make_report, "")


def test_both_kernels_are_explained_with_pictures_the_two_speed_ups_and_the_gpus_name(make_report):
    text, pictures = read(build(make_report, "Some GPU"))
    assert "max_kernel" in text
    assert "matmul_kernel" in text
    assert "Speed-up of max_gpu over max_numba: 0.25. Speed-up of max_gpu over max_cpu: 100." in text
    assert "over Numba: 16.00, over NumPy: 0.400" in text
    assert pictures == 3
    assert "Device of the CUDA kernels: Some GPU" in text
    assert "executed on the CPU (" not in text
    assert "no GPU timings" not in text


def test_without_a_gpu_the_report_says_that_its_times_are_no_gpu_times(make_report):
    text, _ = read(build(make_report, ""))
    assert "no GPU timings" in text
    assert "has to be measured on a GPU" in text


def test_the_report_has_the_cores_that_there_are_and_names_those_that_are_missing(make_report):
    text, _ = read(build(make_report, "", max_outputs={1: MAX_OUTPUTS[1]}))
    assert "measured with 1." in text
    assert "Not measured: 2, 4, 8 cores" in text
    text, _ = read(build(make_report, "", max_outputs=dict.fromkeys((1, 2, 4, 8), MAX_OUTPUTS[1])))
    assert "measured with 1, 2, 4, 8." in text
    assert "Not measured" not in text


def test_a_comparison_that_fails_makes_no_report(make_report, monkeypatch, tmp_path):
    monkeypatch.setattr(make_report, "FOLDER", tmp_path)
    (tmp_path / "max_functions.py").write_text("print('[-] CUDA: wrong result')\nraise SystemExit(1)\n")
    with pytest.raises(SystemExit, match="CUDA: wrong result"):
        make_report.measure()


def test_the_committed_report_is_small_and_can_be_read(request):
    content = (request.config.rootpath / "reference" / "hw1" / "hw1.pdf").read_bytes()
    text, pictures = read(content)
    assert len(content) < COMMITTED_BYTES
    assert "max_kernel" in text
    assert "matmul_kernel" in text
    assert pictures >= 2
