"""All networks have the same list of layers.

failed: network.order
"""


class FFN:
    layers = []

    def __init__(self):
        pass
