"""Type hints, keyword defaults, decorators, and comments in Hebrew and Greek."""

from functools import wraps
from typing import Any, List, Sequence, Tuple


def logged(function):
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return call


@logged
def create_batches(data: np.ndarray, labels: np.ndarray, batch_size: int = 16) -> List[Tuple[np.ndarray, np.ndarray]]:
    # שלום: חלוקה לקבוצות, σ(x) = 1 / (1 + e⁻ˣ)
    batches: List[Tuple[np.ndarray, np.ndarray]] = []
    for start in range(0, data.shape[0], batch_size):
        batches += [(data[start : start + batch_size], labels[start : start + batch_size])]
    return batches


@logged
def zeros_biases(list: Sequence[int]) -> List[np.ndarray]:
    return [np.zeros((size,)) for size in list[1:]]
