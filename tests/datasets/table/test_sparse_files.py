"""Sparse rows that are huge, wild or no numbers are refused before they are used."""

import numpy as np
import pytest
from scipy import sparse

from solvers.datasets.table import sparse_files as module
from solvers.datasets.table.sparse_files import (
    SparseRows,
    as_floats,
    refuse_huge_rows,
    refuse_wild_places,
)
from solvers.errors import InterchangeError
from tests.each import each

TABLE = np.array([[0.0, 2.0], [3.0, 0.0]])
ROWS = SparseRows(sparse.csr_array(TABLE), ("a", "b"), {"ill": np.array(["n", "y"])})


def test_written_out_the_zeros_are_there_and_labels_beside():
    found = ROWS.table()
    assert found.column_names == ["a", "b", "ill"]
    assert np.column_stack([found["a"], found["b"]]).tolist() == TABLE.tolist()
    assert ROWS.beside_table()["ill"].to_pylist() == ["n", "y"]


def test_it_is_written_out_where_it_fits():
    assert ROWS.fits(4)
    assert not ROWS.fits(3)


@each(
    ("sizes", "sentence"),
    [
        ((module.MAX_SPARSE_ROWS + 1, 1, 1), "announces 10,000,001 rows"),
        ((1, module.MAX_SPARSE_COLUMNS + 1, 1), "1,000,001 columns"),
        ((1, 1, module.MAX_STORED + 1), "50,000,001 values other than zero"),
    ],
)
def test_more_than_fits_into_memory_is_refused(sizes, sentence):
    refuse_huge_rows(*(size - 1 for size in sizes))
    with pytest.raises(InterchangeError, match=sentence):
        refuse_huge_rows(*sizes)


@each(
    "wild",
    [{"indptr": [0, 2, 1]}, {"indptr": [0, 1, -1]}, {"indices": [1, 9]}],
    ids=["backwards", "below", "beyond"],
)
def test_pointers_beyond_the_matrix_are_refused(wild):
    matrix = sparse.csr_array(TABLE)
    refuse_wild_places(matrix)
    for name, values in wild.items():
        setattr(matrix, name, np.array(values, dtype=getattr(matrix, name).dtype))
    with pytest.raises(ValueError, match=r"."):
        refuse_wild_places(matrix)


def test_values_are_numbers():
    assert as_floats(np.array([True, False])).tolist() == [1.0, 0.0]
    with pytest.raises(InterchangeError, match="of type <U1; save them as numbers"):
        as_floats(np.array(["a"]))
