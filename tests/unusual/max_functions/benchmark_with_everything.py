"""No graded function needs the rest: threads, processes, plots, pickles, the environment and a command line.

slow: its neighbours of the same kind are in the fast set
"""

import argparse
import json
import os
import pickle
import platform
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from timeit import Timer

__author__ = "Student A, Student B"
__email__ = "a@campus.technion.ac.il", "b@campus.technion.ac.il"

CORES = os.environ.get("SLURM_CPUS_PER_TASK", os.cpu_count())
lock = threading.Lock()
results = {}


def max_cpu(A, B):
    C = np.zeros((1000, 1000), dtype=int)
    for i in range(1000):
        for j in range(1000):
            C[i, j] = max(A[i, j], B[i, j])
    return C


def time_one(name, function, A, B):
    seconds = min(Timer(lambda: function(A, B)).repeat(REPEATS, 1))
    with lock:
        results[name] = seconds


def device_name():
    if shutil.which("nvidia-smi") is None:
        return platform.processor()
    return subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout


def plot(path="times.png"):
    import matplotlib.pyplot as plt

    plt.bar(results.keys(), results.values())
    plt.ylabel("seconds")
    plt.savefig(path)


def save(path):
    with open(path, "wb") as stream:
        pickle.dump(results, stream)
    with open(path + ".json", "w") as stream:
        json.dump({"device": device_name(), "cores": CORES, **results}, stream)


def max_comparisons():
    parser = argparse.ArgumentParser()
    parser.add_argument("--save", default="")
    parser.add_argument("--plot", action="store_true")
    arguments = parser.parse_args()
    A, B = np.random.randint(0, 256, (2, 1000, 1000))
    with ThreadPoolExecutor(max_workers=1) as pool:
        for name in ("max_cpu", "max_numba", "max_gpu"):
            pool.submit(time_one, name, globals()[name], A, B)
    for name, seconds in sorted(results.items()):
        print("     [*]", name, seconds)
    if arguments.save:
        save(arguments.save)
    if arguments.plot:
        plot()
    return 0
