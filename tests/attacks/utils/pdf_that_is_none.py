"""The report is no PDF.

aims: report.pdf
pdf: junk
"""
