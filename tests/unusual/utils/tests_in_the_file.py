"""The file tests itself: doctests, a class of unit tests, test functions, and asserts that run at import.

slow: its neighbours of the same kind are in the fast set
"""

import doctest
import unittest


def sigmoid(x):
    """Return 1 / (1 + e^-x).

    >>> float(sigmoid(0))
    0.5
    """
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))


def zeros_biases(sizes):
    """Return one vector per layer but the first.

    >>> [b.shape for b in zeros_biases([2, 3, 1])]
    [(3,), (1,)]
    """
    return [np.zeros((size,)) for size in sizes[1:]]


class UtilsTest(unittest.TestCase):
    def setUp(self):
        self.sizes = [2, 3, 1]

    def test_weights(self):
        self.assertEqual([w.shape for w in random_weights(self.sizes)], [(2, 3), (3, 1)])

    def test_sum(self):
        self.assertEqual(add_elementwise([1, 2], [3, 4]), [4, 6])


def test_sigmoid_is_symmetric():
    assert np.isclose(sigmoid(2) + sigmoid(-2), 1)


def run_tests():
    doctest.testmod()
    unittest.main(argv=["utils"], exit=False)


assert sigmoid(0) == 0.5
test_sigmoid_is_symmetric()
