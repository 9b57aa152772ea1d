"""The checks: one test function each, named by the ids of the rubric."""
