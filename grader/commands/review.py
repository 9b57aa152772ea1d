"""`grader review`: a page on this machine where a TA reads the reports and gives points."""

from __future__ import annotations

import argparse
import logging
import socket
import sys
from pathlib import Path
from typing import Any

from grader.batch.grades.marks import login_name
from grader.batch.grades.sheets import write_sheets
from grader.batch.store import Store
from grader.commands import OK
from grader.errors import UsageError
from grader.review.guard import PAGE_HOST, Guard
from grader.review.viewmodel import first_key
from grader.sandbox.levels import WANTED


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Serve the marking view of a batch on 127.0.0.1 until Ctrl-C, then write the sheets anew."
    parser.add_argument("batch", type=Path, help="the folder of a batch")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="listen there (default: a free one)")
    parser.add_argument("--by", default="", metavar="NAME", help="who gives the marks (default: the user's name)")
    parser.add_argument(
        "--sandbox", choices=WANTED, default="auto", help="where PDFs are opened to be drawn (default: auto)"
    )
    parser.set_defaults(command=_review)


def _review(options: argparse.Namespace) -> int:
    store = Store(options.batch)
    first_key(store)
    server, guard = serve(store, options.port, options.by or login_name(), options.sandbox)
    sys.stdout.write(f"Marking view: {guard.origin}/{guard.token}/\nThe address is the key: keep it. Ctrl-C ends.\n")
    sys.stdout.flush()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line for each request would bury the address
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    write_sheets(store)
    sys.stdout.write(f"\nThe sheets in {store.root} have all marks.\n")
    return OK


def serve(store: Store, port: int, by: str, sandbox: str = "auto") -> tuple[Any, Guard]:
    """Return a server that listens on 127.0.0.1 and is not running yet, and its guard.

    Raises:
        UsageError: the port is taken, or flask is not installed.
    """
    try:
        from werkzeug.serving import make_server  # noqa: PLC0415 - flask belongs to the `staff` extra

        from grader.review.app import create_app  # noqa: PLC0415 - the same
        from grader.review.pdfpages import make_cache  # noqa: PLC0415 - Pillow does, too
    except ImportError as error:
        message = f"the marking view needs {error.name}, which is not installed: pip install 'gpu-grader[staff]'."
        raise UsageError(message) from error
    listening = _listen(port)
    guard = Guard(listening.getsockname()[1])
    app = create_app(store, guard, by, make_cache(sandbox))
    return make_server(PAGE_HOST, guard.port, app, threaded=True, fd=listening.detach()), guard


def _listen(port: int) -> socket.socket:
    """Return a socket that listens on 127.0.0.1; its number is part of what the guard looks at."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((PAGE_HOST, port))
    except (OSError, OverflowError) as error:
        listening.close()
        message = f"port {port} of {PAGE_HOST} cannot be used ({error}): leave out --port for a free one."
        raise UsageError(message) from error
    listening.listen()
    return listening
