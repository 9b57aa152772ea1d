"""What fills the machine, or stays behind, and may get its points.

aims:
"""

# %% daemon_holds_every_descriptor
"""A daemon keeps all descriptors open, the channel among them, and waits."""
import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(600)

# %% daemons
"""Processes leave their session and their parent, and live on."""
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(600)
    os._exit(0)

# %% file_flood
"""A call fills its folder with files (400 MB at most).

limit_s: 10
"""
def sigmoid(x):
    try:
        for number in range(20):
            with open(f"grader-attack-{number}", "wb") as file:
                file.write(bytes(20 << 20))
    except OSError:
        pass
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% files_left_behind
"""Files are left in every folder that others use.

level: landlock
"""
import os
import pathlib

for folder in ("/tmp", "/var/tmp", os.path.dirname(__file__), "/root", "/home", "/run"):
    try:
        pathlib.Path(folder, "grader-attack-file").write_text("x")
    except OSError:
        pass

# %% fork_bomb
"""Every call forks processes that fork (not more than 300 in all), and none ends by itself.

limit_s: 4
"""
import os
import time

STARTED = False

def _bomb(depth):
    for _ in range(6):
        try:
            if os.fork() == 0:
                os.setsid()
                if depth:
                    _bomb(depth - 1)
                time.sleep(600)
                os._exit(0)
        except OSError:
            return

def sigmoid(x):
    global STARTED
    if not STARTED:
        STARTED = True
        _bomb(2)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% output_flood
"""Calls print, and write past `sys.stdout`, as fast as they can."""
import os

def sigmoid(x):
    for _ in range(200):
        os.write(1, b"grader-attack " * 9000)
        print("grader-attack " * 100)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% shared_memory_left_behind
"""A shared-memory segment is made and never removed.

level: landlock
"""
import os

try:
    with open("/dev/shm/grader-attack-segment", "wb") as file:
        file.write(b"x" * 4096)
except OSError:
    pass

# %% thread_flood
"""A call starts threads that never end.

limit_s: 4
"""
import threading
import time

def sigmoid(x):
    try:
        for _ in range(300):
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    except RuntimeError:
        pass
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
