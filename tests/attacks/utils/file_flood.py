"""A call fills its folder with files (400 MB at most).

aims:
limit_s: 10
"""


def sigmoid(x):
    try:
        for number in range(20):
            with open(f"grader-attack-{number}", "wb") as file:
                file.write(bytes(20 << 20))
    except OSError:
        pass
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
