"""Only the training curve is looked at.

failed: train.overfitting
"""


def diagnose(curves):
    training, validation = curves[-1]
    del validation
    return "smaller" if training > HARDLY_LEARNT else "keep"
