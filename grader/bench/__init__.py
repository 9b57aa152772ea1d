"""Measures the comparisons of a sheet on several numbers of cores; writes numbers, tables and charts for the report."""
