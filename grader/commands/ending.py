"""How a command line ends: every error becomes one sentence and an exit code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

from grader.commands import OURS, USAGE
from grader.errors import GraderError, UsageError, describe_shortage


def run_safely(name: str, command: Callable[[], int]) -> int:
    """Return what `command` returns, or the exit code of the error that it raised, told on stderr after `name`."""
    try:
        return command()
    except UsageError as error:
        return _complain(name, str(error), USAGE)
    except GraderError as error:
        return _complain(name, str(error), OURS)
    except KeyboardInterrupt:
        return _complain(name, "stopped; nothing was written", OURS)
    except Exception as error:  # noqa: BLE001 - the command line's main: whatever it was, it is ours
        if shortage := describe_shortage(error):
            return _complain(name, shortage, OURS)
        return _complain(name, f"a fault of the grader itself, please report it:\n{traceback.format_exc()}", OURS)


def _complain(name: str, text: str, code: int) -> int:
    sys.stderr.write(f"{name}: {text}\n")
    return code
