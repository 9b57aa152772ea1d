"""Takes pictures of sample pages with headless Chromium: `python tests/reports/screenshots.py [FOLDER]`.

Without a folder they are written to `docs/`, for README.md and docs/grades.md; with one, all samples are drawn there,
in light and dark, on a wide window and on a phone's, to be looked at.
"""

import logging
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.extend(str(Path(__file__).parents[1] / folder) for folder in ("", "course", "course/marking"))

from sample_classes import make_class
from sample_reports import SAMPLES
from sample_reviews import give_papers, served

from grader.course.grades.graded import load_batch
from grader.course.grades.marks import give_mark
from grader.course.model import read_record
from grader.course.pages import PAGE, handin_texts, render_index, write_pages
from grader.course.people import Roster
from grader.course.similarity import compare
from grader.model import Mark
from grader.reports import html

DOCS = Path(__file__).parents[2] / "docs"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars"
)
DARK = "--blink-settings=preferredColorScheme=0"
LIMIT_S = 60
MEASURED_FROM = 2865
"""Pixels above what the second picture shows of a report."""


def draw(page: Path, picture: Path, width: int, height: int, *options: str) -> None:
    """Write a PNG of `page`, in a palette of 256 colours: text and flat areas lose nothing and the file is small."""
    with tempfile.TemporaryDirectory() as profile:
        sizes = (f"--user-data-dir={profile}", f"--window-size={width},{height}", f"--screenshot={picture}")
        command = [browser(), *QUIET.split(), *options, *sizes, page.as_uri()]
        subprocess.run(command, check=True, timeout=LIMIT_S, capture_output=True)
    with Image.open(picture) as image:
        image.convert("RGB").quantize(256).save(picture, optimize=True)


def browser() -> str:
    """Return the first browser that is installed; exit with the command that installs one."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("No Chromium was found: apt-get install -y --no-install-recommends chromium fonts-dejavu-core")
    return found


def draw_for_readme(pages: Path) -> None:
    report = write(pages, "partly_right")
    draw(report, DOCS / "report.png", 1000, 1500)
    draw(report, DOCS / "measured.png", 1000, 3895)
    with Image.open(DOCS / "measured.png") as image:
        image.crop((0, MEASURED_FROM, 1000, 3895)).save(DOCS / "measured.png", optimize=True)
    draw(write_class(pages), DOCS / "class.png", 1200, 1750)
    draw(pages / "similarity" / "001.html", DOCS / "pair.png", 1300, 760)
    draw_review(pages / "review", DOCS / "review.png")


def draw_review(root: Path, picture: Path) -> None:
    """Write a PNG of the marking view of a class of 30, some of them marked, waiting until the pages are drawn."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    store = give_papers(make_class(root, 30))
    marks = (
        Mark(one.students[0].id, "report.explanation", 8.0, "Clear.", "a TA")
        for one in read_record(store.roster, Roster).handins
    )
    give_mark(store, *islice(marks, 11))
    with served(store, "a TA") as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--headless=new"])
        page = chromium.new_page(viewport={"width": 1500, "height": 900})
        page.goto(address)
        page.wait_for_selector(".pdf img")
        page.wait_for_load_state("networkidle")
        page.screenshot(path=picture)
    with Image.open(picture) as image:
        image.convert("RGB").quantize(256).save(picture, optimize=True)


def write_class(pages: Path) -> Path:
    """Write the pages of a synthetic class of 120 and return the index."""
    store = make_class(pages, 120)
    standing = load_batch(store)
    similar = compare(handin_texts(standing), {})
    write_pages(store, standing, similar)
    (pages / "index.html").write_text(render_index(standing, similar), encoding="utf-8")
    return pages / "index.html"


def draw_all(pages: Path, folder: Path) -> None:
    """Write every sample, light and dark, wide and narrow, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = [(write(pages, name), name, 1000, 3000) for name in SAMPLES]
    class_pages = (write_class(pages), pages / PAGE, pages / "similarity" / "001.html")
    drawn += [(page, f"class-{page.stem}", 1200, 1800) for page in class_pages]
    for page, name, width, height in drawn:
        draw(page, folder / f"{name}.png", width, height)
        draw(page, folder / f"{name}-dark.png", width, height, DARK)
        draw(page, folder / f"{name}-phone.png", 500, 3000)


def write(pages: Path, name: str) -> Path:
    page = pages / f"{name}.html"
    page.write_text(html.render(SAMPLES[name]()), encoding="utf-8")
    return page


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        if len(sys.argv) > 1:
            draw_all(Path(scratch), Path(sys.argv[1]).resolve())
        else:
            draw_for_readme(Path(scratch))
