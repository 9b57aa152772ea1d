"""Files are left in every folder that others use.

aims:
level: landlock
"""

import os
import pathlib

for folder in ("/tmp", "/var/tmp", os.path.dirname(__file__), "/root", "/home", "/run"):
    try:
        pathlib.Path(folder, "grader-attack-file").write_text("x")
    except OSError:
        pass
