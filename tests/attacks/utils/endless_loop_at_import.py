"""The import never ends.

aims: utils. train.accuracy
limit_s: 1
"""

while True:
    pass
