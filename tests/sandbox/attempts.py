"""What submissions try, one function per attempt: each returns `did`, or the name of the error that it met.

This file is handed in as utils.py. It runs inside the worker, with a target that the test has laid out on the host.
"""

# ruff: noqa: PTH101, PTH102, PTH109, PTH115, PTH123, PTH208 - system calls as an attacker makes them
# ruff: noqa: FURB122, PLC0415, SIM105, SIM115 - likewise
import ctypes
import errno
import fcntl
import mmap
import os
import resource
import socket
import threading
import time

PTRACE_ATTACH = 16
CLONE_NEWUSER = 0x10000000
SYSCALLS = {
    "bpf": 321, "io_uring_setup": 425, "keyctl": 250, "memfd_create": 319, "mount": 165, "mseal": 462,
    "open_by_handle_at": 304, "perf_event_open": 298, "shmget": 29, "unshare": 272, "userfaultfd": 323,
}  # fmt: skip
LIBC = ctypes.CDLL(None, use_errno=True)


def tried(action, *args):
    try:
        action(*args)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    return "did"


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def attempt(action):
    return lambda *targets: tried(action, *targets)


read = attempt(lambda path: open(path, "rb").read(1))
write = attempt(lambda path: open(path, "w").write("x"))
open_for_writing = attempt(lambda path: os.close(os.open(path, os.O_WRONLY)))
list_folder = attempt(os.listdir)
stat = attempt(os.stat)
chmod = attempt(lambda path: os.chmod(path, 0o777))
set_times = attempt(lambda path: os.utime(path, (1, 1)))
set_attribute = attempt(lambda path: os.setxattr(path, "user.mark", b"1"))
truncate = attempt(lambda path: os.truncate(path, 0))
hard_link = attempt(lambda path: os.link(path, "stolen"))
renice = attempt(lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19))
pin = attempt(lambda pid: os.sched_setaffinity(pid, {0}))
limit = attempt(lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE, (10, 10)))
signal = attempt(lambda pid: os.kill(pid, 0))
trace = attempt(lambda pid: checked(LIBC.ptrace(PTRACE_ATTACH, pid, None, None)))
connect_tcp = attempt(lambda port: socket.create_connection(("127.0.0.1", port), 2).close())
send_udp = attempt(lambda port: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port)))
map_memory = attempt(lambda size_bytes: mmap.mmap(-1, size_bytes).close())


@attempt
def change_folder(path):
    here = os.getcwd()
    os.chdir(path)
    os.chdir(here)


def signal_by_descriptor(pid):
    pair = os.pipe()

    def ask():
        readable, _ = pair
        fcntl.fcntl(readable, fcntl.F_SETSIG, 9)
        fcntl.fcntl(readable, fcntl.F_SETOWN, pid)

    met = tried(ask)
    for descriptor in pair:
        os.close(descriptor)
    return met


@attempt
def read_memory(pid):
    class Vector(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

    buffer = ctypes.create_string_buffer(8)
    mine, theirs = Vector(ctypes.addressof(buffer), 8), Vector(id(None), 8)
    checked(LIBC.process_vm_readv(pid, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0))


@attempt
def connect_unix(address):
    with socket.socket(socket.AF_UNIX) as mine:
        mine.connect(address)


def connect_abstract(name):
    return connect_unix("\0" + name)


@attempt
def send_from_a_pair(address):
    """A datagram pair is a socket that `socket()` did not make."""
    mine, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    mine.sendto(b"x", address)


@attempt
def call_kernel(name):
    arguments = {"unshare": (CLONE_NEWUSER,), "memfd_create": (b"x", 0), "shmget": (0, 4096, 0o1600)}
    checked(LIBC.syscall(SYSCALLS[name], *arguments.get(name, (0, 0, 0, 0, 0))))


@attempt
def clone_namespace(_nothing):
    """A new user namespace by clone(2) itself."""
    pid = LIBC.syscall(56, CLONE_NEWUSER | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    checked(pid)


def call_as_32_bit(_nothing):
    """The x32 twin of getpid: its number is another to a filter that looks at numbers only."""
    pid = os.fork()
    if pid == 0:
        LIBC.syscall(0x40000000 | 39)
        os._exit(0)
    return "did" if os.waitpid(pid, 0)[1] == 0 else "killed"


def shorten_arena(_nothing):
    """The parent would meet a bus error where its memory ends before its map."""
    results = set()
    for name in os.listdir("/proc/self/fd"):
        descriptor = int(name)
        try:
            if os.fstat(descriptor).st_size >= 512 << 20:
                results.add(tried(os.ftruncate, descriptor, 0))
        except OSError:
            continue
    return " ".join(sorted(results))


def count_forks(most):
    """How many children can be alive at a time."""
    children = []
    try:
        for _ in range(most):
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            children.append(pid)
    except OSError:
        pass
    finally:
        time.sleep(0.3)
        for pid in children:
            os.kill(pid, 9)
        for pid in children:
            os.waitpid(pid, 0)
    return len(children)


def hold_memory(size_bytes):
    """Shared and private memory, over several processes."""
    for _ in range(3):
        if os.fork() == 0:
            held = mmap.mmap(-1, size_bytes)
            held.write(b"x" * size_bytes)
            time.sleep(30)
            os._exit(0)
    time.sleep(30)


@attempt
def fill_file(size_bytes):
    with open("large", "wb") as file:
        file.truncate(size_bytes)


@attempt
def fill_scratch(size_bytes, files):
    for number in range(files):
        with open(f"part{number}", "wb", buffering=0) as file:
            for _ in range(size_bytes >> 20):
                file.write(b"x" * (1 << 20))
    time.sleep(5)


def bury_files(depth):
    """A folder so deep that its path is longer than any path may be, and closed at its end."""
    here = os.getcwd()
    for _ in range(depth):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    os.mkdir("closed", 0o000)
    os.chdir(here)
    return "did"


def flood_output(size_bytes):
    for _ in range(size_bytes >> 16):
        os.write(1, b"x" * (1 << 16))
    time.sleep(5)


def burn(cpu_s):
    end = time.process_time() + cpu_s
    while time.process_time() < end:
        pass


def start_daemon(path):
    """Leave the session twice, write own process id as the host would count it, if it can be written at all."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            try:
                open(path, "w").write("x")
            except OSError:
                pass
            time.sleep(300)
        os._exit(0)
    time.sleep(0.2)
    return "did"


def open_descriptors():
    """What each open descriptor is, but those that listing opens."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[name] = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
    return found


def visible(path):
    return sorted(os.listdir(path))


def identity():
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    found = {"uid": os.getuid(), "no_new_privs": int(status["NoNewPrivs"]), "seccomp": int(status["Seccomp"])}
    return found | {"capabilities": int(status["CapEff"], 16), "bounding": int(status["CapBnd"], 16)}


def processes():
    return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())


def run_threads(most):
    """Honest parallel work: threads, a pool of processes, a file, memory."""
    done = []
    threads = [threading.Thread(target=done.append, args=(number,)) for number in range(most)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(done)


def run_pool():
    import multiprocessing

    with multiprocessing.Pool(2) as pool:
        return pool.map(abs, [-1, -2])


def run_program():
    import subprocess
    import sys

    return subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True, check=True).stdout


def load(module):
    import importlib

    importlib.import_module(module)
    return "did"
