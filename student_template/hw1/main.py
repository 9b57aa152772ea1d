"""Train the network of `network.py` on MNIST with the functions of `utils.py`: python main.py [FOLDER]."""

import sys

from collect import load_data
from network import train_nn

LAYERS = [784, 128, 64, 10]
LEARNING_RATE = 0.1
MINI_BATCH_SIZE = 16
EPOCHS = 5


def main():
    """Print the accuracy on the validation data after each epoch, and on the test data at the end.

    Returns:
        The exit code: 0, or 1 when the data is missing or the utils are not filled in.
    """
    try:
        training, validation, test = load_data(*sys.argv[1:2])
        network, seconds = train_nn(
            LAYERS, LEARNING_RATE, MINI_BATCH_SIZE, EPOCHS, training, validation, after_epoch=_print_accuracy
        )
    except (FileNotFoundError, NotImplementedError) as error:
        print(error)
        return 1
    print(f"Time: {seconds:.1f} seconds")
    print(f"Test Accuracy: {100 * network.validate(test):.2f}%")
    return 0


def _print_accuracy(network, epoch):
    """Print one line about an epoch that is over."""
    print(f"Epoch {epoch}, accuracy {100 * network.history[-1]:.2f} %.", flush=True)


if __name__ == "__main__":
    sys.exit(main())
