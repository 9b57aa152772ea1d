"""A seccomp filter: the kernel refuses system calls that no homework needs but many attacks use.

It lists refused calls, not permitted ones, because a list of permitted calls breaks with each new libc and driver.
Unknown calls are refused, too: calls newer than this file get ENOSYS, so that libraries use older calls, and calls of
another architecture (32-bit, x32) end the process. The filter is written as classic BPF, two instructions per call:
seccomp(2), https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterator

from grader.sandbox.kernel import control_process

_NEWEST_KNOWN = 450
_X32_BIT = 0x40000000
_NAMESPACE_FLAGS = 0x7E020000
_AF_UNIX, _SOCK_STREAM, _SOCK_SEQPACKET, _TYPE_MASK = 1, 1, 5, 0xF
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_FIOSETOWN, _SIOCSPGRP = 0x8901, 0x8902
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15

_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""Machine -> its AUDIT_ARCH number, and its column in the tables below."""

_INSPECTED = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "kill": (62, 129),
    "memfd_create": (319, 279),
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "tgkill": (234, 131),
}

_ALWAYS = {
    # namespaces and mounts
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "kcmp": (312, 272), "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # large, new or administrative parts of the kernel
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224),
    "swapoff": (168, 225), "sethostname": (170, 161), "setdomainname": (171, 162), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171), "acct": (163, 89),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264), "syslog": (103, 116), "personality": (135, 92), "lookup_dcookie": (212, 18),
    "vhangup": (153, 58), "fanotify_init": (300, 262), "memfd_secret": (447, 447), "mknod": (133, None),
    "mknodat": (259, 33), "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None),
    "uselib": (134, None),
}  # fmt: skip # one line per group reads better than one per call

_WITHOUT_NAMESPACES = {
    # metadata, which Landlock does not guard
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "utimensat": (280, 88), "futimesat": (261, None), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "truncate": (76, 45), "inotify_init": (253, None), "inotify_init1": (294, 26),
    # the scheduling of other processes
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "setpriority": (141, 140), "ioprio_set": (251, 30),
    # objects outside the file system
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    # signals to a thread by its number only
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
}  # fmt: skip # as above

_OF_DRIVERS = frozenset({"bind", "listen"})
"""Calls of CUDA's driver on its own socket when it starts, for processes that share its memory. Landlock guards the
files that `bind` makes. `connect` and `accept` stay refused, and so do datagram sockets, which need neither call."""

_LOAD, _EQUAL, _GREATER, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NR_OFFSET, _ARCH_OFFSET, _ARGS_OFFSET = 0, 4, 16
_SET_SECCOMP, _FILTER_MODE = 22, 2

Instruction = tuple[int, int, int, int]


def is_supported(machine: str | None = None) -> bool:
    """Return whether there is a filter for `machine`, by default this one."""
    return (machine or os.uname().machine) in _MACHINES


def build_filter(
    *, namespaces: bool, signals_scoped: bool, gpu: bool, pid: int = 0, machine: str | None = None
) -> list[Instruction]:
    """Return the filter's instructions as (code, jump if true, jump if false, operand).

    Args:
        namespaces: Whether own namespaces hide other processes, sockets and files; without them more is refused.
        signals_scoped: Whether something else keeps signals inside; if not, only `pid` and its group may be signalled.
        gpu: Whether a CUDA driver must work; then memory files and listening at a local socket are allowed.
        pid: The process that the filter is for.
        machine: As in `uname -m`; this machine by default.

    Raises:
        OSError: this file does not know the machine's system calls.
    """
    name = machine or os.uname().machine
    if name not in _MACHINES:
        raise OSError(errno.ENOSYS, f"there is no seccomp filter for {name}")
    arch, column = _MACHINES[name]
    refused = _ALWAYS | ({} if namespaces else _WITHOUT_NAMESPACES)
    spared = _OF_DRIVERS if gpu else frozenset()
    program: list[Instruction] = [(_LOAD, 0, 0, _ARCH_OFFSET), (_EQUAL, 1, 0, arch), _end(_KILL)]
    program += [(_LOAD, 0, 0, _NR_OFFSET), (_GREATER, 0, 1, _X32_BIT - 1), _end(_KILL)]
    program += [(_GREATER, 0, 1, _NEWEST_KNOWN), _refuse(errno.ENOSYS)]
    for call, numbers in refused.items():
        if (number := numbers[column]) is not None and call not in spared:
            program += [(_EQUAL, 0, 1, number), _refuse()]
    for call, body in _inspections(namespaces=namespaces, signals_scoped=signals_scoped, gpu=gpu, pid=pid):
        program += [(_EQUAL, 0, len(body), _INSPECTED[call][column]), *body]
    return [*program, _end(_ALLOW)]


def install_filter(program: list[Instruction]) -> None:
    """Install `program` on this thread, permanently; needs NO_NEW_PRIVS. `OSError` if the kernel refuses."""
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(program), ctypes.addressof(buffer))
    pointer = ctypes.create_string_buffer(header, len(header))
    control_process(_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(pointer))


def _inspections(
    *, namespaces: bool, signals_scoped: bool, gpu: bool, pid: int
) -> Iterator[tuple[str, list[Instruction]]]:
    """Yield the calls that are decided by their arguments, with instructions that end in a verdict."""
    yield "clone", [_argument(0), (_ANY_BIT, 0, 1, _NAMESPACE_FLAGS), _refuse(), _end(_ALLOW)]
    yield "clone3", [_refuse(errno.ENOSYS)]  # its flags are in memory, which a filter cannot read; libc uses clone
    yield "ioctl", _unless(1, _TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP)
    if not gpu:
        yield "memfd_create", [_refuse()]  # our limits would not count this memory
    if namespaces:
        yield "socket", _only_if(0, _AF_UNIX)
        return
    local = [_argument(0), (_EQUAL, 1, 0, _AF_UNIX), _refuse(), *_of_type(_SOCK_STREAM, _SOCK_SEQPACKET)]
    yield "socket", local if gpu else [_refuse()]
    yield "socketpair", _of_type(_SOCK_STREAM)
    yield "prlimit64", _only_if(0, 0)
    yield "sched_setaffinity", _only_if(0, 0)
    if not signals_scoped:
        yield "fcntl", _unless(1, _F_SETOWN, _F_SETSIG, _F_SETOWN_EX)  # which could signal any process
        yield "kill", _only_if(0, 0, pid)
        yield "tgkill", _only_if(0, pid)


def _of_type(*types: int) -> list[Instruction]:
    """Allow a socket whose type, without its flags, is one of `types`."""
    return [_argument(1), (_AND, 0, 0, _TYPE_MASK), *_verdicts(types)]


def _only_if(index: int, *values: int) -> list[Instruction]:
    return [_argument(index), *_verdicts(values)]


def _unless(index: int, *values: int) -> list[Instruction]:
    steps = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(index), *steps, _end(_ALLOW), _refuse()]


def _verdicts(values: tuple[int, ...]) -> list[Instruction]:
    """Allow if the accumulator is one of `values`, else refuse."""
    steps = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [*steps, _refuse(), _end(_ALLOW)]


def _argument(index: int) -> Instruction:
    """Load the low half of an argument; the kernel uses only this half of each inspected argument."""
    return (_LOAD, 0, 0, _ARGS_OFFSET + 8 * index)


def _refuse(number: int = errno.EPERM) -> Instruction:
    return _end(_ERRNO | number)


def _end(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)
