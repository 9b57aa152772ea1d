"""The report's words are neither filled nor stroked, and its picture is one white pixel: the page is blank.

aims: report.pdf
pdf: unseen
"""
