"""A shared-memory segment is made and never removed.

aims:
level: landlock
"""

import os

try:
    with open("/dev/shm/grader-attack-segment", "wb") as file:
        file.write(b"x" * 4096)
except OSError:
    pass
