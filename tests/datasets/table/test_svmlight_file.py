"""SVMlight text: columns as the file numbers them, queries as groups."""

import numpy as np
import pytest

from solvers import split_dataset
from solvers.datasets import read_table
from solvers.datasets.table import sparse_files
from solvers.errors import InterchangeError
from tests.datasets.sparse_files import as_svmlight, rows


def test_svmlight_is_the_table_that_was_written():
    X, y = rows()
    found = read_table(as_svmlight(X, y), "label")
    # Columns are called as the file numbers them, from one.
    assert found.feature_names == tuple(f"x{j}" for j in range(1, 10))
    assert np.allclose(found.X, X.toarray())
    assert found.y.tolist() == y.tolist()


def test_a_query_of_svmlight_is_a_group():
    X, y = rows()
    queries = np.repeat(np.arange(1, 13), 5)
    found = read_table(as_svmlight(X, y, query_id=queries), "label", group="qid")
    parts = split_dataset(found).rows
    groups = {part: set(queries[rows]) for part, rows in parts.items()}
    assert not groups["train"] & groups["test"]


def test_more_values_than_fit_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(sparse_files, "MAX_STORED", 3)
    monkeypatch.setattr(sparse_files, "load_svmlight_file", None)
    with pytest.raises(InterchangeError, match="announces 4 values other than zero"):
        sparse_files.parse_svmlight(b"1 1:2 2:3\n0 1:2 2:3\n")


def test_a_column_beyond_all_others_is_refused():
    with pytest.raises(InterchangeError, match="announces 2,000,000,001 columns"):
        sparse_files.parse_svmlight(b"1 1:2 2000000000:3\n")


def test_comments_at_the_end_of_lines_are_passed_over():
    X, y = rows()
    text = as_svmlight(X, y).replace(b"\n", b" #docid = G:1 inc = 1\n")
    found = read_table(b"# a set of letters\n" + text, "label")
    assert np.allclose(found.X, X.toarray())
