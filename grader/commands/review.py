"""`grader review`: a page on this machine where a TA reads the reports and gives points."""

import argparse
import logging
import signal
import socket
import sys
import threading
from contextlib import suppress
from typing import Any

from grader.commands import OK, add_shared
from grader.course.grades.marks import login_name
from grader.course.marking.forms import SheetWriter
from grader.course.marking.settings import PAGE_HOST, Guard, Settings
from grader.course.marking.viewmodel import first_address
from grader.course.model import Store
from grader.errors import UsageError, install_command

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Serve the marking view of a batch on 127.0.0.1 until Ctrl-C. Grade sheets follow each mark."
    add_shared(parser, "batch", "by", "sandbox", sandbox="where PDFs are opened to be drawn (default: auto)")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="listen there (default: a free one)")
    parser.add_argument("--share", type=_share, default=(1, 1), metavar="2/3", help="only this part of the class")
    parser.add_argument("--anonymous", action="store_true", help="show numbers in place of names and ids")
    parser.set_defaults(command=_review)


def _share(text: str) -> tuple[int, int]:
    """Return which part of how many `text` names, such as `2/3`."""
    number, _slash, count = text.partition("/")
    if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count):
        return int(number), int(count)
    raise argparse.ArgumentTypeError(f"{text!r} is no share: say 1/3, 2/3 or 3/3 for three TAs")


def _review(options: argparse.Namespace) -> int:
    store = Store(options.batch)
    settings = Settings(options.by or login_name(), options.share, options.anonymous)
    first_address(store, settings)
    sheets = SheetWriter(store)
    server, guard = serve(store, options.port, settings, options.sandbox, sheets)
    sys.stdout.write(f"Marking view: {guard.origin}/{guard.token}/\nThe address is the key: keep it. Ctrl-C ends.\n")
    sys.stdout.flush()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line for each request would bury the address
    follower = threading.Thread(target=sheets.follow)
    follower.start()
    _serve_until_stopped(server)
    sheets.stop()
    follower.join()
    sheets.write_everything()
    with suppress(OSError):  # the terminal may be gone
        sys.stdout.write(f"\nThe sheets in {store.root} have all marks.\n")
        sys.stdout.flush()
    return OK


def _serve_until_stopped(server: Any) -> None:
    """Serve until Ctrl-C, SIGTERM or a closed terminal; a second signal does not disturb the writing that follows."""

    def stop(_number: int, _frame: Any) -> None:
        for kind in _ENDS:
            signal.signal(kind, signal.SIG_IGN)
        raise KeyboardInterrupt

    for kind in _ENDS:
        signal.signal(kind, stop)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def serve(
    store: Store, port: int, settings: Settings, sandbox: str = "auto", sheets: SheetWriter | None = None
) -> tuple[Any, Guard]:
    """Return a server that listens on 127.0.0.1 and is not running yet, and its guard.

    Raises:
        UsageError: the port is taken, or flask is not installed.
    """
    try:
        from werkzeug.serving import make_server  # noqa: PLC0415 - flask belongs to the `staff` extra

        from grader.course.marking.app import create_app  # noqa: PLC0415 - the same
        from grader.course.marking.pdfpages import make_cache  # noqa: PLC0415 - Pillow does, too
    except ImportError as error:
        raise UsageError(
            f"the marking view needs {error.name}, which is not installed: {install_command('staff')}"
        ) from error
    listening = _listen(port)
    guard = Guard(listening.getsockname()[1])
    app = create_app(store, guard, settings, make_cache(sandbox), sheets)
    return make_server(PAGE_HOST, guard.port, app, threaded=True, fd=listening.detach()), guard


def _listen(port: int) -> socket.socket:
    """Return a socket that listens on 127.0.0.1; its number is part of what the guard looks at."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((PAGE_HOST, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(
            f"port {port} of {PAGE_HOST} cannot be used ({error}): leave out --port for a free one."
        ) from error
    listening.listen()
    return listening
