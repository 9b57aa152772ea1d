"""How large and how fast the pages of a class are, and how long comparing it takes: `make bench-pages`.

Classes are synthetic: their code comes from the hand-ins in `tests/`, which are alike, as a class's are. The browser's
times are of headless Chromium on this machine: opening the page until it is laid out, one sort by score, and one
search, each until the next frame.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.extend(str(Path(__file__).parents[1] / folder) for folder in ("", "course", "reports"))

from sample_classes import make_class
from tables import parse_options, write_figures

from grader.course.grades.graded import load_batch
from grader.course.pages import handin_texts, render_index
from grader.course.similarity import compare

ROOT = Path(__file__).parents[2]
FRAME = "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0)))"


def measure_index(browser, folder: Path, size: int) -> dict[str, float]:
    standing = load_batch(make_class(folder, size))
    began = time.perf_counter()
    page_text = render_index(standing)
    render_s = time.perf_counter() - began
    path = folder / "index.html"
    path.write_text(page_text, encoding="utf-8")
    page = browser.new_page()
    began = time.perf_counter()
    page.goto(path.as_uri())
    page.evaluate(FRAME)
    open_ms = 1e3 * (time.perf_counter() - began)
    sort_ms = timed(page, "document.querySelectorAll('.students th button')[1].click()")
    search = "const s = document.querySelector('#search'); s.value = 'noa'; s.dispatchEvent(new Event('input'))"
    find_ms = timed(page, search)
    page.close()
    times = {"render_s": render_s, "open_ms": open_ms, "sort_ms": sort_ms, "find_ms": find_ms}
    return {"bytes": len(page_text.encode()), **times}


def timed(page, action: str) -> float:
    """Return the milliseconds of `action` until the frame after it, by the page's own clock."""
    return page.evaluate(f"async () => {{ const at = performance.now(); {action}; return await ({FRAME})() - at; }}")


def measure_similarity(folder: Path, size: int) -> tuple[float, int]:
    standing = load_batch(make_class(folder, size))
    template = {path.name: path.read_text("utf-8") for path in (ROOT / "student_template/hw1").glob("*.py")}
    began = time.perf_counter()
    pairs = compare(handin_texts(standing), template).pairs
    return time.perf_counter() - began, len(pairs)


def main() -> None:
    students, handins = ("300,1000,10000", "comma-separated numbers of students"), (300, "hand-ins to compare")
    options = parse_options(__doc__, sizes=students, compare=handins)
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        sys.exit("no browser on this machine: apt-get install -y --no-install-recommends chromium")
    figures: dict[str, object] = {}
    print(f"{'students':>9} {'kB':>8} {'render s':>9} {'open ms':>8} {'sort ms':>8} {'find ms':>8}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for size in map(int, options.sizes.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                found = measure_index(browser, Path(folder), size)
            figures[str(size)] = found
            times = f"{found['open_ms']:8.0f} {found['sort_ms']:8.0f} {found['find_ms']:8.0f}"
            print(f"{size:9} {found['bytes'] / 1e3:8.0f} {found['render_s']:9.2f} {times}", flush=True)
        browser.close()
    with tempfile.TemporaryDirectory() as folder:
        similarity_s, pairs = measure_similarity(Path(folder), options.compare)
    figures |= {"compared": options.compare, "similarity_s": similarity_s, "pairs": pairs}
    print(f"similarity of {options.compare} hand-ins: {similarity_s:.1f} s on one core, {pairs} pairs")
    write_figures("bench-pages", figures)


if __name__ == "__main__":
    main()
