"""Inside the worker of slices: closed slices run where nothing else exists, and every array says where it comes from.

    worker        slices as modules, and calls of them
    facade        modules with the allowed names only: NumPy, Numba, and others
    objects       what stands for objects that NumPy makes, such as `np.nditer`, and for its types of numbers
    arrays        observed arrays
    labels        which arguments, kernels or NumPy calls the numbers of an array are of
    operations    what NumPy does with whole arrays, and what it does to labels
    compiled      functions made by Numba
    launches      launches of kernels
    signatures    Numba's types, and signatures made of them
    containers    what compiled functions return that is no array
    withheld      what objects of libraries do not show to slices
    devices       labels of memory on the device
    calllog       what one call was seen to do

Called by checks: `kernels`, `loops`, `machinecode` and `owncode` look closer at one thing each.

Observation is no second run that could be told from the first: the calls whose values are judged are the calls that
are observed. A slice cannot name an observer: its private names are others than it says, it has `getattr` of its own
objects only, and modules that hold nothing else.
"""
