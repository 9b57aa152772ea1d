"""The minus between the two parts is lost, as in the text.

failed: loss.gradient loss.extremes
"""


@cuda.jit
def differentiate(predictions, labels, gradient):
    entry = cuda.grid(1)
    if entry < predictions.size:
        i, j = entry // predictions.shape[1], entry % predictions.shape[1]
        y_hat = min(max(predictions[i, j], EPSILON), 1.0 - EPSILON)
        y = labels[i, j]
        gradient[i, j] = y / y_hat + (1.0 - y) / (1.0 - y_hat)
