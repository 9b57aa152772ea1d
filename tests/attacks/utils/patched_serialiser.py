"""The library that encodes messages is replaced by one that fails.

aims: utils.sigmoid
"""

import msgspec


def _fail(*_args, **_options):
    raise MemoryError


msgspec.msgpack.encode = msgspec.msgpack.decode = _fail
msgspec.structs.asdict = _fail


def sigmoid(x):
    return 0.5
