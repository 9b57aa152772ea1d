"""The parts of the homework that others use, in the order of their needs, and what each has to come to."""

from collections.abc import Iterator, Sequence

import numpy as np

from grader.assignments.gemm import network, products, recipe, steps
from grader.assignments.gemm.network import Network
from grader.assignments.gemm.products import Product
from grader.authoring import Note
from grader.authoring.judges.substitutes import Part, Runner, part

USED = ((13, 21, 37), (10, 13, 37), (4, 18, 12), recipe.EVEN, (1, 7, 1))
"""Sizes of products in network and operations, and of a large one."""
FURTHER = (1, 7, 23), (7, 23, 1), (11, 6, 9)
"""Further ones, for which `gemm` may have kernels of their own: a single row, a single column, neither."""


def draw_products(rng: np.random.Generator, sizes: Sequence[tuple[int, int, int]]) -> list[Product]:
    """Return a product with two factors for each triple of sizes."""
    return [products.draw(rng, triple, (2.0, 0.5)) for triple in sizes]


def of_gemm(rng: np.random.Generator) -> Iterator[Part]:
    """Yield `gemm`, once for each product that it has to get right, by kernels or not."""
    for product in draw_products(rng, USED):

        def judge(runner: Runner, product: Product = product) -> None:
            steps.compare(steps.run(runner.student, recipe.GEMM, product), product, [], Note())

        yield Part("gemm.gemm", judge)


def of_network(net: Network) -> Iterator[Part]:
    """Yield the functions of mlp.py, the way forward first, whatever computes their numbers."""
    slopes, P = [np.cos(parameter) for parameter in net.parameters], net.forward()["P"]
    stepped = {name: old - slope / 2 for name, old, slope in zip(network.NAMES, net.parameters, slopes, strict=True)}
    for name, args, right in (
        ("forward", (net.parameters, net.X), net.forward()),
        ("loss", (net.parameters, P, net.Y, net.lam), {"J": np.array(net.loss())}),
        ("gradients", (net.parameters, net.X, net.Y, net.lam), net.differentiate()),
        ("update", (net.parameters, slopes, 0.5), stepped),
    ):
        yield part(f"mlp.{name}", ("mlp_scenarios", name), args, recipe.NETWORK, right)


def forward_by_kernels(net: Network) -> Part:
    """Return the way forward, by kernels: the derivatives need not bear it that the host computes there."""
    call, args = ("mlp_scenarios", "forward"), (net.parameters, net.X)
    return part("mlp.forward", call, args, recipe.NETWORK, net.forward(), by_kernels=True)
