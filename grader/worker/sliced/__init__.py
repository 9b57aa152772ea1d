"""The worker of slices: it runs closed slices apart from the rest of the file, and gives every array a label.

    worker        calls of slices, and what was seen of each
    loading       slices as modules, with guards
    facade        modules with the allowed names only: NumPy, Numba, and others
    objects       stand-ins for objects that NumPy makes, such as `np.nditer`, and for its types of numbers
    arrays        observed arrays
    labels        which arguments, kernels or NumPy calls the numbers of an array come from
    operations    what NumPy does with whole arrays, and what it does to labels
    compiled      functions made by Numba
    launches      launches of kernels
    signatures    Numba's types, and signatures made of them
    containers    arguments and results of compiled functions that are no arrays
    withheld      attributes of library objects that slices cannot read
    devices       labels of memory on the device
    calllog       the record of what was observed in one call

Checks call four more modules, each for one question: `kernels`, `loops`, `machinecode` and `owncode`.

There is no extra run for observation that a slice could recognise: the observed calls are the calls whose values are
judged. A slice cannot name an observer: the worker renames the private names of the slice, `getattr` reads of other
objects only what `x.name` may read, and modules hold the allowed names only.
"""
