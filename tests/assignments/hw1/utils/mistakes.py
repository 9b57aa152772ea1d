"""Mistakes in `utils.py`, and what each costs.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
"""

# %% endless_loop_at_import
"""The file waits for ever when it is imported.

limit_s: 4
"""
while True:
    pass

# %% endless_loop_in_a_call
"""The condition of the loop never changes.

failed: utils.create_batches
limit_s: 4
says:
"""
def create_batches(data, labels, batch_size):
    batches, start = [], 0
    while start < len(data):
        batches = [(data[:batch_size], labels[:batch_size])]
    return batches

# %% exception_at_import
"""The file reads a file that only the student has."""
open("C:/Users/student/hw1/data.csv")

# %% exit_at_import
"""The file ends the program when it is imported."""
import sys

sys.exit("ran as a script")

# %% function_missing
"""zeros_biases is not there.

failed: utils.zeros_biases train.accuracy
removes: zeros_biases
says: zeros_biases utils.py
"""

# %% function_misspelt
"""The name is nearly the template's: a TA decides.

opened: utils.create_batches train.accuracy
removes: create_batches
says: create_batches utils.py
failed:
"""
def create_batch(data, labels, batch_size):
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]

# %% os_exit_at_import
"""The file ends the process at once, without an exception."""
import os

os._exit(0)

# %% sleep_at_import
"""The file sleeps for an hour when it is imported.

limit_s: 4
"""
import time

time.sleep(3600)

# %% syntax_error
"""A colon is missing at the end of the file, so that none of its functions can be used."""
def describe(x)
    return x
