"""A page of the report unpacks to half a gigabyte.

aims: report.pdf
pdf: bomb
"""
