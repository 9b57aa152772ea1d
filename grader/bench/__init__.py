"""The comparisons that a sheet asks for, measured on 1, 2, 4 and 8 cores: numbers, a table, a chart for the report."""
