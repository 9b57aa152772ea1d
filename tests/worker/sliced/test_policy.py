"""Every attribute of what a slice can hold is in the policy: either it may be read, or it is known to lead away."""

import json
import subprocess
import sys

import pytest

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
from grader.worker.sliced.compiled import Compiled, NumbaType
from grader.worker.sliced.facade import Facade, Function
from grader.worker.sliced.objects import Generator, Iteration

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
known = policy.attribute_names() | policy.FORBIDDEN_ATTRIBUTES
names = {name for one in held for name in dir(one) if not name.startswith("_")}
print(json.dumps([sorted(names - known), sorted(policy.attribute_names() & policy.FORBIDDEN_ATTRIBUTES)]))
"""


REFUSED_BY_ARRAYS = {"data"}
"""A usual name for a field of one's own: arrays refuse it when they are asked."""


@pytest.fixture(scope="module")
def attributes():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_every_attribute_is_known(attributes):
    assert set(attributes[0]) - REFUSED_BY_ARRAYS - {"view_raw"} == set()


def test_what_arrays_have_for_us_is_known(attributes):
    assert "view_raw" not in attributes[0]


def test_nothing_is_allowed_that_leads_away(attributes):
    assert attributes[1] == []
