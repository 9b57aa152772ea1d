"""Fuzz what the parent does with a worker's messages: nothing but `WireError` and findings may come of any bytes.

    pip install atheris                                   # not part of the development environment
    python tests/fuzz/fuzz_wire.py -max_total_time=300 -rss_limit_mb=3000 -timeout=10 corpus/

An input that begins with an even byte is a message as it comes from the socket, without its length; one that begins
with an odd byte is a recipe for a message of the right outline, with wild numbers and texts in it. The arena is small
and holds a pattern. Writes its own seeds into the folder `corpus/` if that is given and empty. Every crash becomes a
case of tests/worker/test_wire.py.
"""

import socket
import sys
import tempfile
from pathlib import Path

import atheris
import msgspec

with atheris.instrument_imports(include=["grader"]):
    from grader import model
    from grader.authoring import comparison
    from grader.worker import faults, wire
    from grader.worker.channel import Channel

import numpy as np

ARENA_BYTES = 1 << 20
EXPECTED = (np.zeros((3, 3)), [np.zeros(2), np.zeros(3)], 1.5, np.arange(6).reshape(2, 3))

LAUNCH = ("kernel", "grid", "block", "wrote")
LENGTHS = [0, 1, 2, 3, 8, 255, 256, 1 << 17, 1 << 20, (1 << 20) + 1, 1 << 40, (1 << 63) - 1, -1, -(1 << 63)]
DTYPES = [
    *("", "<f8", "<f2", "<f4", "|u1", "|b1", "<i8", ">i4", "<u8", "<c16", "|O", "<U4", "<M8[s]", "f8,i4", "(2,)f8", "f")
]
ORIGINS = ["ndarray", "list", "", "?"]


def _make_arena():
    file = tempfile.TemporaryFile()  # noqa: SIM115 - mapped for as long as the process lives
    file.write(bytes(range(256)) * (ARENA_BYTES // 256))
    file.flush()
    return wire.Arena(file.fileno(), ARENA_BYTES)


ARENA = _make_arena()
ENDS = socket.socketpair()
CHANNEL = Channel(ENDS[0], wire.Reply)
wire.ARENA_BYTES = ARENA_BYTES


def judge_input(data):
    """Take an input as a message or as the recipe for one."""
    judge_message(make_message(atheris.FuzzedDataProvider(data[1:])) if data[:1] and data[0] % 2 else data[1:])


def make_message(source):
    """Return a message whose outline is right, most of the time."""
    count = source.ConsumeIntInRange(0, 2)
    launches = [(_text(source), [_number(source) for _ in range(3)], [1, 1, 1], True) for _ in range(count)]
    reply = {"ticket": 1, "value": _node(source, 4)}
    reply["launches"] = [dict(zip(LAUNCH, launch, strict=True)) for launch in launches]
    if source.ConsumeBool():
        reply["raised"] = {"type_name": _text(source), "text": _text(source), "location": _text(source)}
    return msgspec.msgpack.encode(reply)


def _node(source, depth):
    kind = source.ConsumeIntInRange(0, 5 if depth else 3)
    if kind == 0:
        return ["scalar", _plain(source), source.PickValueInList(DTYPES)]
    if kind in {1, 2}:
        shape = [source.PickValueInList(LENGTHS) for _ in range(source.ConsumeIntInRange(0, 4))]
        return ["array", source.PickValueInList(DTYPES), shape, _number(source), source.PickValueInList(ORIGINS)]
    if kind == 3:
        return ["foreign", _text(source), _text(source)]
    inner = [_node(source, depth - 1) for _ in range(source.ConsumeIntInRange(0, 4))]
    if kind == 4:
        return ["sequence", source.PickValueInList(["list", "tuple", "object array", "?"]), inner]
    return ["mapping", {_text(source): node for node in inner}]


def _plain(source):
    kinds = (source.ConsumeBool, lambda: _number(source), source.ConsumeFloat, lambda: _text(source), lambda: None)
    return kinds[source.ConsumeIntInRange(0, len(kinds) - 1)]()


def _number(source):
    return source.PickValueInList(LENGTHS) if source.ConsumeBool() else source.ConsumeInt(8)


def _text(source):
    return source.ConsumeUnicodeNoSurrogates(12)


def judge_message(data):
    """Do with a message what `client` and the checks do."""
    ENDS[1].sendall(len(data).to_bytes(4, "big") + data)
    try:
        reply = CHANNEL.receive()
        value = None if reply.value is None else wire.decode(reply.value, ARENA, copy=True)
    except wire.WireError:
        return
    if reply.raised is not None:
        faults.raised("utils", "sigmoid", reply.phase, reply.raised)
    for launch in reply.launches:
        model.printable(launch.kernel, 100)
    for expected in EXPECTED:
        comparison.difference(value, expected, rtol=1e-6, atol=1e-7)
    comparison.describe(value)


def write_seeds(folder):
    """Write one message of each kind into an empty `folder`."""
    some = (None, 1.5, "text", np.arange(6.0).reshape(2, 3), [np.zeros(2), np.zeros(3)], ([1, 2], {"a": True}), 2**80)
    for number, value in enumerate(some):
        ARENA.reset()
        reply = wire.Reply(number, wire.encode(value, ARENA), launches=(wire.Launch("k", (1, 1, 1), (8, 1, 1)),))
        (folder / f"value{number}").write_bytes(b"\0" + msgspec.msgpack.encode(reply))
    raised = wire.Reply(9, raised=wire.Raised("ValueError", "no", "utils.py:3", "return x"), phase="load")
    (folder / "raised").write_bytes(b"\0" + msgspec.msgpack.encode(raised))


def main():
    """Hand over to libFuzzer."""
    for folder in (Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")):
        if folder.is_dir() and not any(folder.iterdir()):
            write_seeds(folder)
    atheris.Setup(sys.argv, judge_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
