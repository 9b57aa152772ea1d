"""The report's pages contain themselves, and it claims a thousand million of them.

aims: report.pdf
pdf: loop
"""
