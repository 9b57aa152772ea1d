"""The function is made of text.

aims: max.cpu.trivial
"""

exec("import numpy\ndef max_cpu(A, B):\n    return numpy.maximum(A, B)")
