"""Weights come from a generator of NumPy that is made of a source of bits, and is a default argument.

slow: its neighbours of the same kind are in the fast set
"""

from numpy.random import PCG64, Generator, SeedSequence

RNG = Generator(PCG64(SeedSequence(1234)))


def random_weights(sizes: list[int], rng: Generator = RNG) -> list[np.ndarray]:
    return [rng.uniform(low=-(m**-0.5), high=m**-0.5, size=(m, n)) for m, n in zip(sizes, sizes[1:])]
