"""Rows that are mostly zeros, as files hold them, before their label is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...errors import InterchangeError
from .bounds import MAX_COLUMNS

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MAX_STORED", "SparseRows", "refuse_huge_rows", "refuse_wild_places"]

MAX_SPARSE_ROWS = 10_000_000
MAX_SPARSE_COLUMNS = 1_000_000
MAX_STORED = 50_000_000  # values that are not zero: 600 MB with their places


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A sparse table, and the columns that stand beside it."""

    X: sparse.csr_array  # (n_rows, n_columns)
    names: tuple[str, ...]  # Of the columns of X
    beside: dict[str, NDArray]  # Labels and roles, (n_rows,) each

    def fits(self, max_cells: int) -> bool:
        """Whether the table may be written out, zeros included."""
        n_rows, n_columns = self.X.shape
        return n_columns < MAX_COLUMNS and n_rows * n_columns <= max_cells

    def table(self) -> pa.Table:
        """Return the table with its zeros written out."""
        import pyarrow as pa

        by_column = sparse.csc_array(self.X)
        columns: list[Any] = [
            pa.array(by_column[:, [j]].toarray().ravel())
            for j in range(by_column.shape[1])
        ]
        beside = self.beside_table()
        return pa.Table.from_arrays(
            [*columns, *beside.columns], names=[*self.names, *beside.column_names]
        )

    def beside_table(self) -> pa.Table:
        """Return the columns that are not sparse."""
        import pyarrow as pa

        return pa.table({name: pa.array(v) for name, v in self.beside.items()})


def refuse_huge_rows(n_rows: int, n_columns: int, n_stored: int) -> None:
    """Refuse sparse rows that would not fit into memory, before they are read."""
    for n, most, what in (
        (n_rows, MAX_SPARSE_ROWS, "rows"),
        (n_columns, MAX_SPARSE_COLUMNS, "columns"),
        (n_stored, MAX_STORED, "values other than zero"),
    ):
        if n > most:
            raise InterchangeError(
                f"The file announces {n:,} {what}; at most {most:,} are read, so leave "
                "some out."
            )


def refuse_wild_places(found: sparse.csr_array | sparse.csc_array) -> None:
    """Raise ValueError where a matrix points beyond itself.

    SciPy's kernels read and write wherever its pointers lead.
    """
    # Looked at by SciPy only where the last pointer leaves any value.
    if found.indptr[-1] < 0 or (np.diff(found.indptr) < 0).any():
        raise ValueError("its rows or columns run backwards")
    found.check_format(full_check=True)


def as_floats(values: NDArray) -> NDArray[np.float64]:
    """Return the stored values of sparse rows as floats; refuse what is no number."""
    if values.dtype.kind not in "biuf":
        raise InterchangeError(
            f"The values are of type {values.dtype}; save them as numbers."
        )
    return values.astype(np.float64)
