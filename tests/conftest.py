"""What tests of several folders share."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves siblings unimportable

# A run in the background of a shell script inherits that Ctrl-C is ignored, and programs that tests start would too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
