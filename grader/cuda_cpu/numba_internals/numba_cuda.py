"""The inside of numba-cuda 0.30.4, for the process that compiles for GPUs without having one.

Only there: in every other process ``numba.cuda`` is the executor or needs a driver.
"""

from numba.cuda import api, compiler, dispatcher

ASKING_FOR_THE_DEVICE = (api, compiler, dispatcher)
"""The modules that ask the driver which GPU there is, each by a `get_current_device` of its own."""
