import os
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

SIZES = [6, 5, 4, 3]
REPOSITORY = Path(__file__).parents[3]
MNIST = Path(os.environ.get("GRADER_DATA", REPOSITORY / "data"))


@pytest.fixture
def small_data():
    """Three separable classes: 90 samples with 6 features, labels one-hot."""
    rng = np.random.default_rng(4)
    classes = np.arange(90) % 3
    data = rng.normal(scale=0.1, size=(90, 6))
    data[np.arange(90), classes] += 1
    return data, np.eye(3)[classes]


def squared_error(network, data, labels):
    activations, _ = network.forward_prop(data)
    return 0.5 * np.sum((activations[-1] - labels) ** 2)


def take_numeric_gradient(network, parameter, data, labels, step=1e-6):
    gradient = np.zeros_like(parameter)
    for index in np.ndindex(*parameter.shape):
        kept = parameter[index]
        parameter[index] = kept + step
        above = squared_error(network, data, labels)
        parameter[index] = kept - step
        gradient[index] = (above - squared_error(network, data, labels)) / (2 * step)
        parameter[index] = kept
    return gradient


def test_back_prop_follows_the_numeric_gradient_of_the_squared_error(network, small_data):
    data, labels = small_data[0][:7], small_data[1][:7]
    net = network.NeuralNetwork(SIZES, 0.1, 7, 1)
    activations, zs = net.forward_prop(data)
    for layer, delta in enumerate(net.back_prop(activations, zs, labels)):
        numeric = take_numeric_gradient(net, net.weights[layer], data, labels)
        np.testing.assert_allclose(activations[layer].T @ delta, numeric, atol=1e-8)
        numeric = take_numeric_gradient(net, net.biases[layer], data, labels)
        np.testing.assert_allclose(delta.sum(axis=0), numeric, atol=1e-8)


def test_one_batch_is_one_step_along_the_summed_gradient(network, small_data):
    net = network.NeuralNetwork(SIZES, 0.3, len(small_data[0]), 1)
    weights, biases = net.weights[1].copy(), net.biases[1].copy()
    numeric_weights = take_numeric_gradient(net, net.weights[1], *small_data)
    numeric_biases = take_numeric_gradient(net, net.biases[1], *small_data)
    net.fit(small_data)
    np.testing.assert_allclose(net.weights[1], weights - 0.3 * numeric_weights, atol=1e-7)
    np.testing.assert_allclose(net.biases[1], biases - 0.3 * numeric_biases, atol=1e-7)


def train_with(network, monkeypatch, small_data, **replaced):
    """Train with some of the student's functions replaced, from a fixed start; return the network."""
    np.random.seed(3)  # noqa: NPY002 (the reference's xavier_initialization draws from this generator)
    for name, function in replaced.items():
        monkeypatch.setattr(network, name, function)
    net, _ = network.train_nn(SIZES, 0.5, 4, 60, small_data, small_data, seed=5)
    return net


def test_training_with_one_seed_is_repeatable_and_learns(network, monkeypatch, small_data):
    first = train_with(network, monkeypatch, small_data)
    second = train_with(network, monkeypatch, small_data)
    assert first.history[-1] == 1.0
    np.testing.assert_array_equal(first.weights[0], second.weights[0])


BIAS_LAYOUTS = {
    "an unused vector for the input layer": lambda sizes: [np.zeros(n) for n in sizes],
    "a dummy of one number in front": lambda sizes: [np.zeros(1)] + [np.zeros(n) for n in sizes[1:]],
    "a plain zero in front": lambda sizes: [0] + [np.zeros(n) for n in sizes[1:]],
    "a tuple": lambda sizes: tuple(np.zeros(n) for n in sizes[1:]),
    "lists of integers": lambda sizes: [[0] * n for n in sizes[1:]],
    "rows of a matrix": lambda sizes: [np.zeros((1, n)) for n in sizes[1:]],
}


@pytest.mark.parametrize("layout", BIAS_LAYOUTS)
def test_every_layout_of_biases_trains_the_same_network(network, monkeypatch, small_data, layout):
    expected = train_with(network, monkeypatch, small_data)
    net = train_with(network, monkeypatch, small_data, zeros_biases=BIAS_LAYOUTS[layout])
    np.testing.assert_array_equal(net.biases[-1], expected.biases[-1])


UNUSUAL_BATCHES = {
    "a list of lists": lambda d, y, s: [[d[i : i + s], y[i : i + s]] for i in range(0, len(d), s)],
    "a zip": lambda d, y, s: zip(*(np.array_split(part, range(s, len(d), s)) for part in (d, y)), strict=True),
    "lists of numbers": lambda d, y, s: [(d[i : i + s].tolist(), y[i : i + s].tolist()) for i in range(0, len(d), s)],
}


@pytest.mark.parametrize("kind", UNUSUAL_BATCHES)
def test_correct_but_unusual_batches_train_the_same_network(network, monkeypatch, small_data, kind):
    expected = train_with(network, monkeypatch, small_data)
    net = train_with(network, monkeypatch, small_data, create_batches=UNUSUAL_BATCHES[kind])
    np.testing.assert_allclose(net.weights[0], expected.weights[0], rtol=1e-12)
    np.testing.assert_allclose(net.biases[0], expected.biases[0], rtol=1e-12)


WRONG_FUNCTIONS = {
    "transposed weights": ("random_weights", lambda s: [np.zeros((n, m)) for m, n in pairwise(s)]),
    "one matrix missing": ("random_weights", lambda s: [np.zeros((s[0], s[1]))]),
    "a bias too short": ("zeros_biases", lambda s: [np.zeros(n - 1) for n in s[1:]]),
    "a sum over everything": ("sigmoid", lambda _x: np.float64(1)),
    "samples in place of pairs": ("create_batches", lambda d, _y, _s: [d]),
}


@pytest.mark.parametrize("kind", WRONG_FUNCTIONS)
def test_what_the_network_cannot_use_is_refused_by_the_name_of_its_function(network, monkeypatch, small_data, kind):
    name, function = WRONG_FUNCTIONS[kind]
    function.__name__ = name
    with pytest.raises(ValueError, match=name):
        train_with(network, monkeypatch, small_data, **{name: function})


def test_what_it_imports_is_called_and_nothing_else_is_needed(network, monkeypatch, small_data):
    called = set()

    def note(name):
        original = getattr(network, name)

        def noted(*arguments):
            called.add(name)
            return original(*arguments)

        noted.__name__ = name
        return noted

    names = {"sigmoid", "sigmoid_prime", "random_weights", "zeros_biases", "create_batches"}
    train_with(network, monkeypatch, small_data, **{name: note(name) for name in names})
    assert called == names
    assert not {"zeros_weights", "add_elementwise"} & {*vars(network)}


def test_the_accuracy_after_each_epoch_is_kept_and_handed_out_if_there_are_validation_data(network, small_data):
    seen = []
    net, seconds = network.train_nn(
        SIZES, 0.1, 8, 3, small_data, small_data, after_epoch=lambda net, epoch: seen.append((epoch, net.history[-1]))
    )
    assert seen == list(zip([1, 2, 3], net.history, strict=True))
    assert net.history[-1] == net.validate(small_data)
    assert seconds > 0
    net, _ = network.train_nn(SIZES, 0.1, 8, 2, small_data)
    assert (net.history, net.predict(small_data[0]).shape) == ([], (90,))


def test_another_product_of_matrices_can_be_plugged_in(network, small_data):
    products = []

    def multiply(left, right):
        products.append((left.shape, right.shape))
        return left.dot(right)

    net, _ = network.train_nn(SIZES, 0.5, 4, 60, small_data, small_data, matmul=multiply)
    assert net.history[-1] == 1.0
    assert ((6, 4), (4, 5)) in products


def test_single_precision_data_is_trained_in_double_precision(network, small_data):
    net, _ = network.train_nn(SIZES, 0.5, 4, 2, tuple(part.astype(np.float32) for part in small_data))
    assert {array.dtype for array in [*net.weights, *net.biases]} == {np.dtype(np.float64)}


def test_a_network_that_turns_into_nan_ends_quietly_with_a_bad_accuracy(network, monkeypatch, small_data):
    monkeypatch.setattr(network, "sigmoid", lambda x: 1 / (1 + np.exp(-x) - np.exp(-x)) * np.inf - np.inf)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net, _ = network.train_nn(SIZES, 1e6, 4, 2, small_data, small_data)
    assert net.history[-1] < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_reference_learns_the_embedded_digits(network, digits, seed):
    np.random.seed(seed)  # noqa: NPY002 (the reference's xavier_initialization draws from this generator)
    training, test = digits
    net, _ = network.train_nn([784, 128, 64, 10], 0.2, 16, 30, training, seed=seed)
    assert net.validate(test) > 0.95


@pytest.mark.slow
@pytest.mark.skipif(not any(MNIST.glob("train-images*")), reason="no MNIST: set GRADER_DATA or run `make data`")
def test_the_reference_learns_mnist_with_the_setting_of_the_sheet(modules, capsys, monkeypatch):
    main = modules("main")
    monkeypatch.setattr("sys.argv", ["main.py", str(MNIST)])
    assert main.main() == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in printed[:5]] == [f"Epoch {epoch}" for epoch in range(1, 6)]
    assert float(printed[-1].removeprefix("Test Accuracy: ").removesuffix("%")) > 95
