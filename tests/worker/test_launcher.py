"""How a worker ended, in words."""

import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.worker.launcher import Limits, describe_ending, describe_size


@each(
    "line, how",
    [
        (b"11 \n", "it was ended by SIGSEGV"),
        (b"%d \n" % (139 << 8), "it was ended by SIGSEGV"),
        (b"%d \n" % (3 << 8), "it ended itself with exit code 3"),
        (b"%d \n" % (255 << 8), "it ended itself with exit code 255"),
        (b"", "it closed its connection"),
        (b"forged", "it closed its connection"),
    ],
)
def test_a_wait_status_is_put_into_words(line, how):
    assert describe_ending(line, Limits()).how == how


@pytest.mark.parametrize(
    ("name", "limit"),
    [(b"memory", "4 GiB of memory"), (b"scratch", "256 MiB of files"), (b"output", "16 MiB of output")],
)
def test_a_limit_is_named_with_its_size(name, limit):
    assert describe_ending(b"9 " + name + b"\n", Limits()).limit == limit


def test_processor_time_has_its_own_signal_bare_and_through_a_sandbox():
    for status in (signal.SIGXCPU, (128 + signal.SIGXCPU) << 8):
        assert describe_ending(b"%d \n" % status, Limits(cpu_s=7)).limit == "7 s of processor time"


@given(st.binary(max_size=64))
def test_any_line_has_words(line):
    assert describe_ending(line, Limits()).how


def test_sizes_read_as_people_write_them():
    assert [describe_size(size) for size in (4 << 30, 3 << 29, 256 << 20)] == ["4 GiB", "1.5 GiB", "256 MiB"]
