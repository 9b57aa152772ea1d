"""`python -m grader.mpi_trace -n 4 program.py`: runs any mpi4py program, and explains why it hangs.

__main__   the command
program    what each rank does
"""
