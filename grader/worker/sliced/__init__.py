"""Inside the worker of slices: closed slices run where nothing else exists, and every array says where it comes from.

    arrays      observed arrays: each knows which arguments, kernels or NumPy calls its numbers are of
    book        what one call was seen to do
    facade      modules with the allowed names only: NumPy, Numba, and others
    compiled    functions made by Numba, and launches of kernels
    devices     labels of memory on the device
    module      a slice as a module

Observation is no second run that could be told from the first: the calls whose values are judged are the calls that
are observed. A slice cannot name an observer: it has no underscores, no `getattr`, and modules that hold nothing else.
"""
