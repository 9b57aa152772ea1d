"""Products of the submission: numbers go to the device, one of its functions is called, C comes back."""

import importlib

import gemm
import numpy as np

from grader.worker.substitutes import name_error


def multiply(step, alpha, A, B, beta, C):
    """Return what a step leaves in C."""
    A, B, C = (_device().to_device(array) for array in (A, B, C))
    getattr(gemm, step)(alpha, A, B, beta, C)
    return {"C": C.copy_to_host()}


def multiply_ordered(orders, step, alpha, A, B, beta, C):
    """Return what a step leaves in C, where A and B lie in memory by rows or by columns: `orders` has a C or F each."""
    A, B = (np.array(array, order=order) for array, order in zip((A, B), orders, strict=True))
    return multiply(step, alpha, A, B, beta, C)


def multiply_often(step, products):
    """Return what a step leaves in the C of each product, in turn."""
    return {str(place): multiply(step, *product)["C"] for place, product in enumerate(products)}


def multiply_views(step, alpha, A_transposed, B_wide, beta, C_wide, every):
    """Return the array around C, where A is a transposed view, and B and C are every few rows and columns of arrays."""
    A = _device().to_device(A_transposed.T)
    B, C = _device().to_device(B_wide), _device().to_device(C_wide)
    rows, columns = every
    getattr(gemm, step)(alpha, A, B[1::rows, 2::columns], beta, C[1::rows, 2::columns])
    return {"C": C.copy_to_host()}


def try_shapes(step, triples):
    """Return the name of the exception that each triple of shapes that do not fit raises; empty for none."""
    raised = []
    for shapes in triples:
        A, B, C = (_device().device_array(tuple(shape)) for shape in shapes)
        raised.append(name_error(getattr(gemm, step), 1.0, A, B, 0.0, C))
    return {"raised": raised}


def _device():
    """Return the `numba.cuda` that the submission's own import has loaded."""
    return importlib.import_module("numba.cuda")
