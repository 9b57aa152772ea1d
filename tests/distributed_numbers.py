"""The numbers in the kit of distributed: `python tests/distributed_numbers.py` writes them anew."""

from pathlib import Path

import numpy as np

from grader.assignments.distributed import samples, solutions
from grader.assignments.distributed.solutions import Data

PATH = Path(__file__).parents[1] / "grader/assignments/distributed/kit/right.npz"


def make_numbers() -> dict[str, np.ndarray]:
    """Return name -> numbers: a data set that takes little room, and what the staff's solution makes of it."""
    rng = np.random.default_rng(18)
    drawn = solutions.draw_data(rng)
    inputs = np.round(drawn.inputs * 255).astype(np.uint8)
    thetas = [np.round(theta * 1024).astype(np.int16) for theta in (drawn.theta1, drawn.theta2)]
    data = Data(inputs / 255, drawn.labels, thetas[0] / 1024, thetas[1] / 1024)
    found = {"inputs": inputs, "labels": drawn.labels.astype(np.uint8), "theta1": thetas[0], "theta2": thetas[1]}
    found |= {f"cost_{regular:g}": np.array(data.cost(regular)) for regular in (0.0, 0.5, 2.0)}
    found["gradient1"], found["gradient2"] = data.gradients(0.0)
    found["trained1"], found["trained2"], found["costs"] = data.train()
    drawn_weights, softmax_inputs, labels = solutions.draw_softmax(rng)
    trained, costs = solutions.train_softmax(drawn_weights, softmax_inputs, labels, samples.SOFTMAX_SETTINGS)
    found |= {"softmax_inputs": softmax_inputs, "softmax_labels": labels, "softmax_costs": np.array(costs)}
    for name, weights in zip(samples.SOFTMAX_NAMES, drawn_weights, strict=True):
        found |= {f"softmax_{name}": weights, f"softmax_{name}_trained": trained[name]}
    return found


if __name__ == "__main__":
    np.savez_compressed(PATH, **make_numbers())
