"""A real browser for pages: Debian's Chromium through Playwright. Where there is none, these tests are skipped."""

import shutil
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WITHOUT = "no browser on this machine: apt-get install -y --no-install-recommends chromium"


@dataclass
class Seen:
    """What a page did that it must not do."""

    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def expect_nothing(self):
        assert self == Seen()


@pytest.fixture(scope="session")
def browser():
    """Chromium, headless, once for all tests."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(WITHOUT)
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def visit(browser):
    """Open a file as by double click; return the page and what it did that it must not do."""
    with ExitStack() as contexts:

        def open_page(path, **options):
            context = contexts.enter_context(closing(browser.new_context(**options)))
            page, seen = context.new_page(), Seen()
            page.on("console", lambda message: seen.console.append(message.text))
            page.on("pageerror", lambda error: seen.errors.append(str(error)))
            page.on("request", lambda request: seen.requests.append(request.url))
            page.on("dialog", lambda dialog: (seen.dialogs.append(dialog.message), dialog.dismiss()))
            page.goto(path.as_uri())
            seen.requests.remove(path.as_uri())
            return page, seen

        yield open_page


@pytest.fixture(scope="session")
def violations():
    """Return axe's violations of a page, each with the elements concerned."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def examine(page):
        found = axe.run(page).response["violations"]
        return [(each["id"], each["help"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found]

    return examine
