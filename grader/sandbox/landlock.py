"""Landlock: a process gives up all access to files, sockets and signals except what it lists; this cannot be undone.

It needs no privilege and no namespace. A kernel's ABI number says what it guards: 1 files, 2 moving between folders,
3 truncation, 4 TCP, 5 device ioctls, 6 signals and abstract sockets. No ABI guards reading of metadata (`stat`, a
file's name and size). https://docs.kernel.org/userspace-api/landlock.html
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import NamedTuple

from grader.sandbox.kernel import call_kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL_OF_ABI_1 = (1 << 13) - 1
_FOR_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_BIND_AND_CONNECT_TCP = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3
_ABI_NET, _ABI_SCOPES = 4, 6
_SINCE = {2: _REFER, 3: _TRUNCATE, 5: _IOCTL_DEV}

_READ = _EXECUTE | _READ_FILE | _READ_DIR
_WRITE = (_ALL_OF_ABI_1 & ~_EXECUTE) | _REFER | _TRUNCATE


class Rules(NamedTuple):
    """Paths that stay accessible; a folder includes everything below it."""

    read: tuple[str, ...] = ()  # files may be read and executed, folders listed
    listed: tuple[str, ...] = ()  # folders may be listed, which imports from them need; their files cannot be read
    write: tuple[str, ...] = ()  # files may be made, read, written and removed
    devices: tuple[str, ...] = ()  # files and devices may be read, written and controlled


def find_abi() -> int:
    """Return the kernel's Landlock ABI; 0 if Landlock is missing or switched off."""
    try:
        return call_kernel(_CREATE_RULESET, 0, 0, _ASK_VERSION)
    except OSError:
        return 0


def scopes_signals(abi: int) -> bool:
    """Return whether this ABI keeps a process from sending signals to processes outside."""
    return abi >= _ABI_SCOPES


def restrict_files(rules: Rules, abi: int) -> None:
    """Give up all access that `rules` do not list; needs NO_NEW_PRIVS. Paths that cannot be opened are skipped.

    Raises:
        OSError: the kernel refuses, or has no Landlock.
    """
    handled = _ALL_OF_ABI_1
    for since, access in _SINCE.items():
        handled |= access if abi >= since else 0
    ruleset = _create_ruleset(handled, abi)
    try:
        _allow(ruleset, rules.read, _READ & handled)
        _allow(ruleset, rules.listed, _READ_DIR & handled)
        _allow(ruleset, rules.write, (_READ_FILE | _READ_DIR | _WRITE) & handled)
        _allow(ruleset, rules.devices, (_READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE | _IOCTL_DEV) & handled)
        call_kernel(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _create_ruleset(handled: int, abi: int) -> int:
    fields = [handled]
    if abi >= _ABI_NET:
        fields.append(_BIND_AND_CONNECT_TCP)
    if abi >= _ABI_SCOPES:
        fields.append(_ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = ctypes.create_string_buffer(struct.pack(f"={len(fields)}Q", *fields), 8 * len(fields))
    return call_kernel(_CREATE_RULESET, ctypes.addressof(attributes), 8 * len(fields), 0)


def _allow(ruleset: int, paths: Iterable[str], access: int) -> None:
    for path in paths:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
        try:
            allowed = access if stat.S_ISDIR(os.fstat(descriptor).st_mode) else access & _FOR_FILES
            if allowed:
                rule = ctypes.create_string_buffer(struct.pack("=Qi", allowed, descriptor), 12)
                call_kernel(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.addressof(rule), 0)
        finally:
            os.close(descriptor)
