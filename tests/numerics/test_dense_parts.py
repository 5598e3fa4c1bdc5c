"""Parts of a table are the same dense arrays whether it is sparse or not."""

import numpy as np
import pytest
from scipy import sparse

from solvers.numerics.dense_parts import columns_of, row_blocks

TABLE = np.arange(21.0).reshape(7, 3) * (np.arange(21).reshape(7, 3) % 2)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_columns_are_dense_and_in_order(form):
    column = columns_of(form(TABLE))
    for j in range(3):
        assert column(j).tolist() == TABLE[:, j].tolist()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_blocks_of_rows_follow_each_other_to_the_end(form, size):
    blocks = list(row_blocks(form(TABLE), size))
    assert all(isinstance(block, np.ndarray) for block in blocks)
    assert all(len(block) == size for block in blocks[:-1])
    assert (np.concatenate(blocks) == TABLE).all()


def test_no_rows_are_no_blocks():
    assert list(row_blocks(np.zeros((0, 3)), 5)) == []
