"""Overfitting asks for less regularisation.

failed: train.overfitting
"""


def diagnose(curves):
    training, validation = curves[-1]
    if validation > OVERFITTED * training:
        return "smaller"
    return "larger" if training > HARDLY_LEARNT else "keep"
