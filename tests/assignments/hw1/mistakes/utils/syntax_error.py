"""A colon is missing at the end of the file, so that none of its functions can be used.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
"""

def describe(x)
    return x
