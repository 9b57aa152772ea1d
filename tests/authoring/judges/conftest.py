import grader.cuda_cpu

# The judges watch kernels on the executor; test modules say `from numba import cuda`, as students do.
grader.cuda_cpu.install()
