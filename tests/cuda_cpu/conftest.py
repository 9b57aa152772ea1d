import grader.cuda_cpu

# Test modules say `from numba import cuda`, as students do.
grader.cuda_cpu.install()
