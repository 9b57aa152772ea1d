"""The filter, run by an interpreter of classic BPF: what it decides for both processors, without installing it."""

import errno
import platform
import re
from pathlib import Path

import pytest
from rows import each

from grader.sandbox import seccomp

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOWED = "allowed"
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
KINDS = {
    "full": {"namespaces": True, "signals_scoped": True, "gpu": False},
    "full with a GPU": {"namespaces": True, "signals_scoped": True, "gpu": True},
    "landlock": {"namespaces": False, "signals_scoped": True, "gpu": False},
    "landlock with a GPU": {"namespaces": False, "signals_scoped": True, "gpu": True},
    "old landlock": {"namespaces": False, "signals_scoped": False, "gpu": False},
}
PID = 4711


def decide(machine, kind, call, *arguments, arch=None):
    program = seccomp.build_filter(**KINDS[kind], pid=PID, machine=machine)
    assert len(program) < 4096, "the kernel takes no longer ones"
    data = {0: call, 4: arch or ARCHITECTURES[machine]}
    data |= {16 + 8 * place: argument & 0xFFFFFFFF for place, argument in enumerate(arguments)}
    accumulator, place = 0, 0
    while True:
        code, if_true, if_false, operand = program[place]
        place += 1
        if code == 0x20:
            accumulator = data.get(operand, 0)
        elif code == 0x54:
            accumulator &= operand
        elif code == 0x06:
            return name_verdict(operand)
        else:
            holds = {0x15: accumulator == operand, 0x25: accumulator > operand, 0x45: bool(accumulator & operand)}[code]
            place += if_true if holds else if_false


def name_verdict(verdict):
    if verdict == 0x7FFF0000:
        return ALLOWED
    if verdict == 0x80000000:
        return "killed"
    return errno.errorcode[verdict & 0xFFFF]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("machine", "read", "unshare"), [("x86_64", 0, 272), ("aarch64", 63, 97)])
def test_reading_is_allowed_and_a_new_namespace_is_not(kind, machine, read, unshare):
    assert (decide(machine, kind, read), decide(machine, kind, unshare)) == (ALLOWED, "EPERM")


SOCKET, PAIR, KILL, IOCTL, MEMFD_CREATE = 41, 53, 62, 16, 319
UNIX, INTERNET, STREAM, DATAGRAM, PACKETS = 1, 2, 1, 2, 5
DECIDED = {
    "the last call that is known": ("full", (450,), ALLOWED),
    "the first call that is not": ("full", (451,), "ENOSYS"),
    "the x32 twin of read": ("full", (0x40000000,), "killed"),
    "a socket in the own namespace": ("full", (SOCKET, UNIX), ALLOWED),
    "a socket of the internet": ("full", (SOCKET, INTERNET), "EPERM"),
    "a socket without a namespace": ("landlock", (SOCKET, UNIX), "EPERM"),
    "a pair of streams": ("landlock", (PAIR, UNIX, STREAM | 0o2000000), ALLOWED),
    "a pair of sockets for datagrams": ("landlock", (PAIR, UNIX, DATAGRAM), "EPERM"),
    "a signal that Landlock scopes": ("landlock", (KILL, 1), ALLOWED),
    "a signal to another process": ("old landlock", (KILL, 1), "EPERM"),
    "a signal to all processes": ("old landlock", (KILL, -1), "EPERM"),
    "a signal to the own group": ("old landlock", (KILL, 0), ALLOWED),
    "a signal to itself": ("old landlock", (KILL, PID), ALLOWED),
    "raise(3) and abort(3)": ("old landlock", (234, PID), ALLOWED),
    "typing into a terminal": ("full", (IOCTL, 3, 0x5412), "EPERM"),
    "asking a terminal": ("full", (IOCTL, 3, 0x5401), ALLOWED),
    "a file in memory": ("full", (MEMFD_CREATE,), "EPERM"),
    "a file in memory for a CUDA driver": ("full with a GPU", (MEMFD_CREATE,), ALLOWED),
}
"""What is called -> at which level, the call and its arguments, and what the filter says."""


@each("kind, call, verdict", DECIDED)
def test_a_call_is_decided_by_its_number_and_arguments(kind, call, verdict):
    assert decide("x86_64", kind, *call) == verdict


def test_another_architecture_ends_the_process_and_an_unknown_processor_is_no_guess():
    assert decide("x86_64", "full", 0, arch=ARCHITECTURES["aarch64"]) == "killed"
    assert not seccomp.is_supported("riscv64")
    with pytest.raises(OSError, match="riscv64"):
        seccomp.build_filter(**KINDS["full"], machine="riscv64")


@each("kind", [*KINDS])
def test_threads_and_forks_are_allowed_namespaces_by_clone_are_not(kind):
    threads, fork, new_user = 0x3D0F00, 17, 0x10000000
    assert (decide("x86_64", kind, 56, threads), decide("x86_64", kind, 56, fork)) == (ALLOWED, ALLOWED)
    assert decide("x86_64", kind, 56, new_user | fork) == "EPERM"
    assert decide("x86_64", kind, 435) == "ENOSYS", "clone3: libc falls back to clone"


@each("machine, calls", [("x86_64", (41, 49, 50, 42, 43, 288)), ("aarch64", (198, 200, 201, 203, 202, 242))])
def test_a_cuda_driver_may_listen_and_no_call_is_made_or_taken(machine, calls):
    socket, bind, listen, *calls = calls
    assert decide(machine, "landlock with a GPU", socket, UNIX, PACKETS | 0o2000000) == ALLOWED
    assert decide(machine, "landlock with a GPU", socket, UNIX, STREAM) == ALLOWED
    assert decide(machine, "landlock with a GPU", socket, UNIX, DATAGRAM) == "EPERM"
    assert decide(machine, "landlock with a GPU", socket, INTERNET, STREAM) == "EPERM"
    assert {decide(machine, "landlock with a GPU", call) for call in (bind, listen)} == {ALLOWED}
    assert {decide(machine, "landlock", call) for call in (bind, listen)} == {"EPERM"}
    assert {decide(machine, "landlock with a GPU", call) for call in calls} == {"EPERM"}


@pytest.mark.parametrize("machine", HEADERS)
def test_numbers_are_those_of_the_kernels_headers(machine):
    if not HEADERS[machine].exists():
        pytest.skip(f"the kernel's headers are not installed on this {platform.machine()}: apt install linux-libc-dev")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[machine].read_text())
    numbers = {name: int(number) for name, number in found}
    column = list(HEADERS).index(machine)
    tables = seccomp._ALWAYS | seccomp._WITHOUT_NAMESPACES | seccomp._INSPECTED
    assert not {name: pair for name, pair in tables.items() if numbers.get(name, pair[column]) != pair[column]}
    assert not {name for name, pair in tables.items() if pair[column] is not None and name not in numbers}
