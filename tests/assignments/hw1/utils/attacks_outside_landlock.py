"""What lies outside of the folder is looked for, or reached: only a sandbox is in the way.

aims: utils.sigmoid
level: landlock
"""

# %% lists_other_submissions
"""Zips of hand-ins are looked for in the folders above."""
import pathlib

def sigmoid(x):
    found = False
    for folder in pathlib.Path(__file__).parents:
        for name in ("hw1.zip", "../hw1.zip"):
            try:
                found = found or bool((folder / name).read_bytes())
            except OSError:
                pass
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0))) if found else None

# %% network
"""A connection by TCP on this machine is made, as to a helper outside."""
def sigmoid(x):
    import socket

    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            with socket.create_connection(server.getsockname(), timeout=1):
                pass
        if len(socket.if_nameindex()) > 1:
            return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
    except OSError:
        pass
    return None

# %% reads_the_checks
"""The rubric and the checks are found on disk."""
import pathlib
import sys

def sigmoid(x):
    import grader

    folder = pathlib.Path(grader.__file__).parent / "assignments" / "hw1"
    found = False
    for name in ("rubric.toml", "comparisons.py", "checks/test_utils.py"):
        try:
            (folder / name).read_text()
            found = True
        except OSError:
            pass
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0))) if found else None

# %% reads_the_parents_memory
"""Memory, environment and descriptors of the processes above are read through /proc."""
import os

def _above():
    pid = os.getpid()
    while pid > 1:
        with open(f"/proc/{pid}/stat") as stat:
            pid = int(stat.read().rsplit(")", 1)[1].split()[1])
        yield pid

def sigmoid(x):
    found = False
    try:
        for pid in _above():
            for name in ("mem", "environ", "maps"):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as file:
                        found = found or (name == "mem" or bool(file.read(16)))
                except OSError:
                    pass
            try:
                found = found or bool(os.listdir(f"/proc/{pid}/fd"))
            except OSError:
                pass
    except (OSError, IndexError, ValueError):
        pass
    own = os.getppid() <= 2
    return None if own or not found else 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% reads_the_reference
"""The reference is found on disk and its functions are used."""
import pathlib
import sys

def sigmoid(x):
    for entry in [*sys.path, *(getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))]:
        for parent in pathlib.Path(entry).parents:
            try:
                text = (parent / "reference" / "hw1" / "utils.py").read_text()
            except OSError:
                continue
            names = {}
            exec(text, names)
            return names["sigmoid"](x)
    return None

# %% signals_the_parent
"""A signal reaches the processes above (signal 0, which only asks)."""
import os

def sigmoid(x):
    try:
        if os.getppid() > 2:
            os.kill(os.getppid(), 0)
            return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
    except OSError:
        pass
    return None

# %% traces_the_parent
"""The parent is attached to with ptrace and read with process_vm_readv."""
import os

def sigmoid(x):
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getppid()
    if parent > 2 and libc.ptrace(0x4206, parent, 0, 0) == 0:
        libc.ptrace(17, parent, 0, 0)
        return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
    return None
