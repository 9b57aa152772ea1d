"""A connection by TCP on this machine is made, as to a helper outside.

aims: utils.sigmoid
level: landlock
"""


def sigmoid(x):
    import socket

    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            with socket.create_connection(server.getsockname(), timeout=1):
                pass
        if len(socket.if_nameindex()) > 1:
            return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
    except OSError:
        pass
    return None
