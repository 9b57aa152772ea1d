"""The third homework: training across processes with MPI."""
