"""Answers the questions of an MPI library at its start, in place of `mpiexec`: PMI-1, lines of `key=value`.

With one inherited socket per rank there is nothing to listen at, so ranks start where a sandbox lets nobody call.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections.abc import Callable, Mapping

_MAXIMA = "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024"


def rank_environment(rank: int, size: int, descriptor: int) -> dict[str, str]:
    """Return the environment in which MPICH starts as one of `size` ranks of this machine.

    Ranks share memory by System V segments, which go with their namespace or with the last process that has them; they
    neither open sockets nor read each other's memory, which sandboxes refuse.
    """
    return {
        **os.environ,
        "PMI_FD": str(descriptor),
        "PMI_RANK": str(rank),
        "PMI_SIZE": str(size),
        "MPIR_CVAR_CH4_NETMOD": "ucx",
        "MPIR_CVAR_CH4_CMA_ENABLE": "0",
        "UCX_TLS": "self,sysv",
        "UCX_LOG_LEVEL": "fatal",
    }


def read_place() -> tuple[int, int]:
    """Return which rank this process is, and of how many, as `rank_environment` says."""
    return int(os.environ["PMI_RANK"]), int(os.environ["PMI_SIZE"])


class Pmi:
    """The ranks' common store of keys, and their barrier."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._name = f"ranks-{secrets.token_hex(8)}"
        """The library calls its shared memory after it: an old piece must not be taken for a new one."""
        self._store = {"PMI_process_mapping": f"(vector,(0,1,{size}))"}
        self._waiting: list[socket.socket] = []
        self._rest: dict[int, bytes] = {}

    def serve(self, channel: socket.socket) -> bool:
        """Answer what has come from one rank; return False when it has closed its end."""
        try:
            received = channel.recv(1 << 16)
        except ConnectionError:
            received = b""
        *lines, rest = (self._rest.get(channel.fileno(), b"") + received).split(b"\n")
        self._rest[channel.fileno()] = rest
        for line in lines:
            fields = dict(word.split("=", 1) for word in line.decode("ascii", "replace").split() if "=" in word)
            if answer := self._answer(fields, channel):
                _say(channel, answer)
        return bool(received)

    def _answer(self, fields: Mapping[str, str], channel: socket.socket) -> str:
        answers: dict[str, Callable[[], str]] = {
            "init": lambda: "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
            "get_maxes": lambda: _MAXIMA,
            "get_appnum": lambda: "cmd=appnum appnum=0",
            "get_my_kvsname": lambda: f"cmd=my_kvsname kvsname={self._name}",
            "get_universe_size": lambda: f"cmd=universe_size size={self._size}",
            "put": lambda: self._put(fields),
            "get": lambda: self._get(fields),
            "barrier_in": lambda: self._enter_barrier(channel),
            "finalize": lambda: "cmd=finalize_ack",
        }
        return answers.get(fields.get("cmd", ""), str)()

    def _put(self, fields: Mapping[str, str]) -> str:
        self._store[fields.get("key", "")] = fields.get("value", "")
        return "cmd=put_result rc=0 msg=success"

    def _get(self, fields: Mapping[str, str]) -> str:
        if (value := self._store.get(fields.get("key", ""))) is None:
            return "cmd=get_result rc=-1 msg=key_not_found value=unknown"
        return f"cmd=get_result rc=0 msg=success value={value}"

    def _enter_barrier(self, channel: socket.socket) -> str:
        self._waiting.append(channel)
        if len(self._waiting) == self._size:
            for one in self._waiting:
                _say(one, "cmd=barrier_out")
            self._waiting = []
        return ""


def _say(channel: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):  # a rank that is gone is noticed by its own line
        channel.sendall(f"{line}\n".encode())
