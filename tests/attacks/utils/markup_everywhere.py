"""Markup, formulas and escape sequences in everything that reports show.

aims: utils.sigmoid utils.sigmoid_prime
"""

MARK = "<script>alert(1)</script>]]>&quot;\x1b[31m\u202e=HYPERLINK(1)\x00\ud800"


class Marked(Exception):
    """<img src=x onerror=alert(1)>"""


Marked.__name__ = Marked.__qualname__ = MARK.replace("\x00", "").replace("\ud800", "")


def sigmoid(x):
    print(MARK)
    raise Marked(MARK)


def sigmoid_prime(x):
    return {MARK: [MARK, Marked]}
