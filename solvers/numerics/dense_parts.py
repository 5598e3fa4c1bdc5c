"""Parts of a table as dense arrays, whether it is sparse or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def columns_of(X: NDArray) -> Callable[[int], NDArray]:
    """Return what gives each column of a table, shape (n_samples,)."""
    if not sparse.issparse(X):
        return np.asarray(X).T.__getitem__
    by_column = sparse.csc_array(X)
    return lambda j: by_column[:, [j]].toarray().ravel()


def row_blocks(X: NDArray, size: int) -> Iterator[NDArray]:
    """Yield so many rows of a table at a time."""
    is_sparse = sparse.issparse(X)
    rows: Any = sparse.csr_array(X) if is_sparse else X
    for start in range(0, X.shape[0], size):
        block = rows[start : start + size]
        yield block.toarray() if is_sparse else block
