"""Every attribute of what a slice can hold is in the policy: either it may be read, or it is known to lead away."""

import json
import subprocess
import sys

import pytest
from rows import each

from grader.slices import policy
from tests.worker.sliced.private_names import HARMLESS, private_names

PROGRAM = """
import functools, json, types
import grader.cuda_cpu
grader.cuda_cpu.install()
import numpy as np
from numba import cuda, njit
from numba.core.registry import CPUDispatcher
from numba.np.ufunc.dufunc import DUFunc
from grader.cuda_cpu import hostapi
from grader.cuda_cpu.devicearray import DeviceNDArray
from grader.cuda_cpu.dispatcher import CudaDispatcher, LaunchConfiguration
from grader.slices import policy
from grader.worker.sliced.arrays import Flat, Observed, Watched
from grader.worker.sliced.compiled import Compiled
from grader.worker.sliced.facade import Facade, Function
from grader.worker.sliced.objects import Generator, Iteration
from grader.worker.sliced.signatures import NumbaType

@njit
def function(x):
    return x

@cuda.jit
def kernel(x):
    x[0] = 1

held = [function, kernel, kernel[1, 1], CudaDispatcher, CPUDispatcher, LaunchConfiguration, DeviceNDArray, DUFunc]
held += [hostapi.Stream, hostapi.Event, cuda.In, np.ndarray, np.ufunc]
held += [Function, Compiled, NumbaType, Generator, Iteration, Flat, Observed, Watched]
held += [types.GeneratorType, types.FunctionType, types.MethodType, functools.partial]
known = policy.attribute_names() | policy.FORBIDDEN_ATTRIBUTES | policy.OWN_ATTRIBUTES
private = {name for one in held for name in (*dir(one), *getattr(one, "__dict__", ())) if policy.may_be_private(name)}
names = {name for one in held for name in dir(one) if not name.startswith("_")}
print(json.dumps([list(names - known), list(policy.attribute_names() & policy.FORBIDDEN_ATTRIBUTES), list(private)]))
"""


REFUSED_BY_ARRAYS = {"data"}
"""A usual name for a field of one's own: arrays refuse it when they are asked."""


@pytest.fixture(scope="module")
def attributes():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_every_attribute_is_known_and_none_leads_away_or_is_private(attributes):
    assert set(attributes[0]) - REFUSED_BY_ARRAYS - {"view_raw"} == set()
    assert "view_raw" not in attributes[0]
    assert attributes[1] == []
    assert set(attributes[2]) - HARMLESS == set()


def test_private_names_in_the_sources_of_what_slices_hold_are_taken():
    missing = {name for name in private_names() if policy.may_be_private(name)}
    assert not missing, "run python -m tests.worker.sliced.private_names, and add what it prints to privatenames.py"


@each("name", ["_host", "_launch", "_cache", "__host", "_dW", "_d_data", "_kept", "_keep", "_buffer", "_data"])
def test_usual_private_names_are_free(name):
    assert policy.may_be_private(name)


@each("name", ["_label", "_real", "_Matrix__host", "_numba_type_", "__init__", "host", "_"])
def test_names_of_others_are_not_free(name):
    assert not policy.may_be_private(name)
